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
  fault,
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

/** Remembers the first configuration. */
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

/** Returns the fields of a request that are blank. */
const blankIn = (body: Call['body']): readonly string[] =>
  fields.filter((name) => body[name] !== undefined && namesOf(body[name]).length === 0)
const all = (names: readonly string[], value: unknown): object => Object.fromEntries(names.map((name) => [name, value]))

export const ofUrls: readonly PkiFault[] = [
  fault(
    'urls-issuing-certificates-not-encoded',
    'issuing_certificates of config/urls is not encoded into issued leaf certificates.',
    linking(['leaf'], (urls) => ({ ...urls, issuingCertificates: [] })),
  ),
  fault(
    'urls-crl-distribution-points-not-encoded',
    'crl_distribution_points of config/urls is not encoded into issued leaf certificates.',
    linking(['leaf'], (urls) => ({ ...urls, crlDistributionPoints: [] })),
  ),
  fault(
    'urls-ocsp-servers-not-encoded',
    'ocsp_servers of config/urls is not encoded into issued leaf certificates.',
    linking(['leaf'], (urls) => ({ ...urls, ocspServers: [] })),
  ),
  fault(
    'urls-read-omits',
    'The reply to GET config/urls contains no values.',
    showing(['GET config/urls'], always, () => all(fields, [])),
  ),
  fault(
    'urls-comma-list-is-one',
    'A comma-separated string in config/urls is stored, shown and encoded as one URL with a comma in it.',
    requestField('configUrls', fields, { read: commaListIsOne, invalid: () => undefined }),
  ),
  fault(
    'urls-array-is-cut-at-commas',
    'A URL with a comma, in an array in config/urls, is split into several URLs.',
    requestField('configUrls', fields, { read: arrayCutAtCommas }),
  ),
  fault(
    'urls-array-keeps-first',
    'Only the first URL of an array in config/urls is stored.',
    requestField('configUrls', fields, { read: arrayKeepsFirst }),
  ),
  fault(
    'urls-keep-two',
    'Only the first two URLs of each field of config/urls are used.',
    requestField('configUrls', fields, { used: keepsTwo }),
  ),
  fault(
    'urls-blank-is-ignored',
    'POST config/urls with a blank field keeps the earlier value of that field.',
    sending(write, (body) => all(blankIn(body), undefined)),
  ),
  fault(
    'urls-default-set',
    'If config/urls was never written, leaf certificates have http://added.example as all three URLs.',
    linking(['leaf'], (urls, { context: { store } }) => (store.urls ? urls : addedUrls)),
  ),
  fault(
    'urls-later-values-ignored',
    'Leaf certificates have the URLs of the first write of config/urls, whatever was written later.',
    remembersFirst,
    linking(['leaf'], firstOr),
  ),
  fault(
    'urls-of-cas-stay-the-first',
    'Roots and signed intermediates have the URLs of the first write of config/urls, whatever was written later.',
    remembersFirst,
    linking(cas, firstOr),
  ),
  fault(
    'urls-write-clears-the-others',
    'POST config/urls without one of the fields removes the value of that field.',
    sending(write, (body) =>
      all(
        fields.filter((name) => body[name] === undefined),
        [],
      ),
    ),
  ),
  fault(
    'urls-blank-clears-all',
    'POST config/urls with one blank field removes the values of all three fields.',
    sending(write, (body) => (blankIn(body).length > 0 ? all(fields, []) : {})),
  ),
  fault(
    'urls-later-fields-are-ignored',
    'POST config/urls does not store a field that was empty before, if another field has a value already.',
    on(write, always, async (call, next, here) => {
      const old = here.context.store.urls
      const isLater = (name: keyof UrlsConfig): boolean =>
        old !== undefined && old[name].length === 0 && Object.values(old).some((values) => values.length > 0)
      const reply = await next(call)
      const kept = Object.entries(configuredAt(here)).filter(([name]) => !isLater(name as keyof UrlsConfig))
      here.context.store.urls = { ...noUrls, ...Object.fromEntries(kept) }
      return reply
    }),
  ),
  fault(
    'root-without-urls',
    'root/generate does not encode config/urls into the root.',
    linking(['root'], () => noUrls),
  ),
  fault(
    'sign-intermediate-without-urls',
    'sign-intermediate does not encode config/urls into the certificate.',
    linking(['intermediate'], () => noUrls),
  ),
  fault(
    'sign-intermediate-of-csr-values-without-urls',
    'sign-intermediate does not encode config/urls into the certificate if use_csr_values is on.',
    intermediateBy('used', linkedTo(noUrls)),
  ),
  fault(
    'urls-blank-spares-cas',
    'A blank field of POST config/urls removes the value from leaf certificates, but not from the certificates of CAs.',
    remembering(write, (_call, here) => {
      const old = (here.memory.get('of CAs') ?? noUrls) as UrlsConfig
      const kept = Object.entries(configuredAt(here)).map(([name, urls]) => [
        name,
        urls.length > 0 ? urls : old[name as keyof UrlsConfig],
      ])
      here.memory.set('of CAs', Object.fromEntries(kept))
    }),
    linking(cas, (urls, { memory }) => (memory.get('of CAs') as UrlsConfig | undefined) ?? urls),
  ),
  fault(
    'urls-before-the-ca-are-forgotten',
    'Leaf certificates have no URLs if config/urls was written before the mount had a CA.',
    forgottenWith((was) => was === ''),
  ),
  fault(
    'urls-are-forgotten-with-the-ca',
    'Leaf certificates have no URLs if config/urls was written at the time of a former CA.',
    forgottenWith((was, present) => was !== '' && was !== present),
  ),
]
