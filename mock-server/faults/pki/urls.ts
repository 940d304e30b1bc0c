/** Faults of `config/urls`. */

import { noUrls, type UrlsConfig } from '../../engines/pki/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import { arrayCutAtCommas, arrayKeepsFirst, commaListIsOne, keepsTwo, requestField } from './cells.ts'
import { intermediateBy } from './csr-values.ts'
import { linkedTo } from './drafts.ts'
import {
  always,
  type CertificateKind,
  drafting,
  faults,
  type Here,
  namesOf,
  on,
  type PkiFault,
  remembering,
  sending,
  showing,
} from './pki-operations.ts'

const fields = ['issuing_certificates', 'crl_distribution_points', 'ocsp_servers']
const write = ['POST config/urls']
const added = ['http://added.example']
const addedUrls: UrlsConfig = { issuingCertificates: added, crlDistributionPoints: added, ocspServers: added }
const configuredAt = ({ context: { store } }: Here): UrlsConfig => store.urls ?? noUrls

/** Puts other URLs into certificates than those of the configuration. */
const linking = (kinds: readonly CertificateKind[], change: (urls: UrlsConfig, here: Here) => UrlsConfig) =>
  drafting(kinds, (draft, here) => linkedTo(change(configuredAt(here), here))(draft))
const cas = ['root', 'intermediate'] as const

const remembersFirst = remembering(write, (_call, here) => {
  if (!here.memory.has('first')) here.memory.set('first', configuredAt(here))
})
const firstOr = (urls: UrlsConfig, { memory }: Here): UrlsConfig =>
  (memory.get('first') as UrlsConfig | undefined) ?? urls

const caAt = ({ context: { store } }: Here): string => store.ca.certificate?.parsed.serial.toString('hex') ?? ''
/** Forgets the URLs if `isForgotten` returns true for the CA at whose time they were written, and the present one. */
const forgottenWith = (isForgotten: (was: string, present: string) => boolean) => [
  ...remembering(write, (_call, here) => {
    here.memory.set('CA', caAt(here))
  }),
  ...linking(['leaf'], (urls, here) =>
    here.memory.has('CA') && isForgotten(String(here.memory.get('CA')), caAt(here)) ? noUrls : urls,
  ),
]

const blankIn = (body: Call['body']): readonly string[] =>
  fields.filter((name) => body[name] !== undefined && namesOf(body[name]).length === 0)
const all = (names: readonly string[], value: unknown): object => Object.fromEntries(names.map((name) => [name, value]))

export const ofUrls: readonly PkiFault[] = faults({
  'urls-issuing-certificates-not-encoded':
    'issuing_certificates of config/urls is not encoded into issued leaf certificates.',
  'urls-crl-distribution-points-not-encoded':
    'crl_distribution_points of config/urls is not encoded into issued leaf certificates.',
  'urls-ocsp-servers-not-encoded': 'ocsp_servers of config/urls is not encoded into issued leaf certificates.',
  'urls-read-omits': 'The reply to GET config/urls contains no values.',
  'urls-comma-list-is-one':
    'A comma-separated string in config/urls is stored, shown and encoded as one URL with a comma in it.',
  'urls-array-is-cut-at-commas': 'A URL with a comma, in an array in config/urls, is split into several URLs.',
  'urls-array-keeps-first': 'Only the first URL of an array in config/urls is stored.',
  'urls-keep-two': 'Only the first two URLs of each field of config/urls are used.',
  'urls-blank-is-ignored': 'POST config/urls with a blank field keeps the earlier value of that field.',
  'urls-default-set':
    'If config/urls was never written, leaf certificates have http://added.example as all three URLs.',
  'urls-later-values-ignored':
    'Leaf certificates have the URLs of the first write of config/urls, whatever was written later.',
  'urls-of-cas-stay-the-first':
    'Roots and signed intermediates have the URLs of the first write of config/urls, whatever was written later.',
  'urls-write-clears-the-others': 'POST config/urls without one of the fields removes the value of that field.',
  'urls-blank-clears-all': 'POST config/urls with one blank field removes the values of all three fields.',
  'urls-later-fields-are-ignored':
    'POST config/urls does not store a field that was empty before, if another field has a value already.',
  'root-without-urls': 'root/generate does not encode config/urls into the root.',
  'sign-intermediate-without-urls': 'sign-intermediate does not encode config/urls into the certificate.',
  'sign-intermediate-of-csr-values-without-urls':
    'sign-intermediate does not encode config/urls into the certificate if use_csr_values is on.',
  'urls-blank-spares-cas':
    'A blank field of POST config/urls removes the value from leaf certificates, but not from the certificates of CAs.',
  'urls-before-the-ca-are-forgotten':
    'Leaf certificates have no URLs if config/urls was written before the mount had a CA.',
  'urls-are-forgotten-with-the-ca':
    'Leaf certificates have no URLs if config/urls was written at the time of a former CA.',
}).by({
  'urls-issuing-certificates-not-encoded': linking(['leaf'], (urls) => ({ ...urls, issuingCertificates: [] })),
  'urls-crl-distribution-points-not-encoded': linking(['leaf'], (urls) => ({ ...urls, crlDistributionPoints: [] })),
  'urls-ocsp-servers-not-encoded': linking(['leaf'], (urls) => ({ ...urls, ocspServers: [] })),
  'urls-read-omits': showing(['GET config/urls'], always, () => all(fields, [])),
  'urls-comma-list-is-one': requestField('configUrls', fields, { read: commaListIsOne, invalid: () => undefined }),
  'urls-array-is-cut-at-commas': requestField('configUrls', fields, { read: arrayCutAtCommas }),
  'urls-array-keeps-first': requestField('configUrls', fields, { read: arrayKeepsFirst }),
  'urls-keep-two': requestField('configUrls', fields, { used: keepsTwo }),
  'urls-blank-is-ignored': sending(write, (body) => all(blankIn(body), undefined)),
  'urls-default-set': linking(['leaf'], (urls, { context: { store } }) => (store.urls ? urls : addedUrls)),
  'urls-later-values-ignored': [remembersFirst, linking(['leaf'], firstOr)],
  'urls-of-cas-stay-the-first': [remembersFirst, linking(cas, firstOr)],
  'urls-write-clears-the-others': sending(write, (body) =>
    all(
      fields.filter((name) => body[name] === undefined),
      [],
    ),
  ),
  'urls-blank-clears-all': sending(write, (body) => (blankIn(body).length > 0 ? all(fields, []) : {})),
  'urls-later-fields-are-ignored': on(write, always, async (call, next, here) => {
    const old = here.context.store.urls
    const isLater = (name: keyof UrlsConfig): boolean =>
      old !== undefined && old[name].length === 0 && Object.values(old).some((values) => values.length > 0)
    const reply = await next(call)
    const kept = Object.entries(configuredAt(here)).filter(([name]) => !isLater(name as keyof UrlsConfig))
    here.context.store.urls = { ...noUrls, ...Object.fromEntries(kept) }
    return reply
  }),
  'root-without-urls': linking(['root'], () => noUrls),
  'sign-intermediate-without-urls': linking(['intermediate'], () => noUrls),
  'sign-intermediate-of-csr-values-without-urls': intermediateBy('used', linkedTo(noUrls)),
  'urls-blank-spares-cas': [
    remembering(write, (_call, here) => {
      const old = (here.memory.get('of CAs') ?? noUrls) as UrlsConfig
      const kept = Object.entries(configuredAt(here)).map(([name, urls]) => [
        name,
        urls.length > 0 ? urls : old[name as keyof UrlsConfig],
      ])
      here.memory.set('of CAs', Object.fromEntries(kept))
    }),
    linking(cas, (urls, { memory }) => (memory.get('of CAs') as UrlsConfig | undefined) ?? urls),
  ],
  'urls-before-the-ca-are-forgotten': forgottenWith((was) => was === ''),
  'urls-are-forgotten-with-the-ca': forgottenWith((was, present) => was !== '' && was !== present),
})
