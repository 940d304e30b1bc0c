/** Mutants of `config/urls`. */

import { urls } from '../../engines/pki/rules/urls.ts'
import { type CaCertificate, noUrls, type Store, type UrlsConfig } from '../../engines/pki/store.ts'
import {
  arrayCutAtCommas,
  arrayKeepsFirst,
  type Change,
  cell,
  commaListIsOne,
  fresh,
  keepsTwo,
  mutant,
  type PkiMutant,
  part,
  requestField,
} from './cells.ts'

const fields = ['issuing_certificates', 'crl_distribution_points', 'ocsp_servers']
const added = ['http://added.example']
const addedUrls: UrlsConfig = { issuingCertificates: added, crlDistributionPoints: added, ocspServers: added }

/** Keeps the first written configuration in effect. */
function firstStays(where: 'inForce' | 'inForceForCas') {
  const first = new WeakMap<Store, UrlsConfig>()
  return part('urls', {
    written(store, next) {
      if (!first.has(store)) first.set(store, next)
      urls.written(store, next)
    },
    [where]: (store: Store) => first.get(store) ?? urls[where](store),
  })
}

/** Forgets the URLs if `isForgotten` returns true for the CA at whose time they were written, and the present one. */
function forgottenWith(
  isForgotten: (was: CaCertificate | undefined, present: CaCertificate | undefined) => boolean,
): Change {
  const writtenAt = new WeakMap<Store, CaCertificate | undefined>()
  return part('urls', {
    written(store, next) {
      writtenAt.set(store, store.ca.certificate)
      urls.written(store, next)
    },
    inForce: (store) =>
      writtenAt.has(store) && isForgotten(writtenAt.get(store), store.ca.certificate) ? noUrls : urls.inForce(store),
  })
}

export const urlMutants: readonly PkiMutant[] = [
  mutant(
    'urls-issuing-certificates-not-encoded',
    'issuing_certificates of config/urls is not encoded into issued leaf certificates.',
    cell('urls', 'inLeaves', { issuingCertificates: false }),
  ),
  mutant(
    'urls-crl-distribution-points-not-encoded',
    'crl_distribution_points of config/urls is not encoded into issued leaf certificates.',
    cell('urls', 'inLeaves', { crlDistributionPoints: false }),
  ),
  mutant(
    'urls-ocsp-servers-not-encoded',
    'ocsp_servers of config/urls is not encoded into issued leaf certificates.',
    cell('urls', 'inLeaves', { ocspServers: false }),
  ),
  mutant('urls-read-omits', 'The reply to GET config/urls contains no values.', part('urls', { shown: false })),
  mutant(
    'urls-comma-list-is-one',
    'A comma-separated string in config/urls is stored, shown and encoded as one URL with a comma in it.',
    requestField('configUrls', fields, { read: commaListIsOne, invalid: () => undefined }),
  ),
  mutant(
    'urls-array-is-cut-at-commas',
    'A URL with a comma, in an array in config/urls, is split into several URLs.',
    requestField('configUrls', fields, { read: arrayCutAtCommas }),
  ),
  mutant(
    'urls-array-keeps-first',
    'Only the first URL of an array in config/urls is stored.',
    requestField('configUrls', fields, { read: arrayKeepsFirst }),
  ),
  mutant(
    'urls-keep-two',
    'Only the first two URLs of each field of config/urls are used.',
    requestField('configUrls', fields, { used: keepsTwo }),
  ),
  mutant(
    'urls-blank-is-ignored',
    'POST config/urls with a blank field keeps the earlier value of that field.',
    part('urls', { blank: 'keeps' }),
  ),
  mutant(
    'urls-default-set',
    'If config/urls was never written, leaf certificates have http://added.example as all three URLs.',
    part('urls', { inForce: (store) => store.urls ?? addedUrls }),
  ),
  mutant(
    'urls-later-values-ignored',
    'Leaf certificates have the URLs of the first write of config/urls, whatever was written later.',
    fresh(() => firstStays('inForce')),
  ),
  mutant(
    'urls-of-cas-stay-the-first',
    'Roots and signed intermediates have the URLs of the first write of config/urls, whatever was written later.',
    fresh(() => firstStays('inForceForCas')),
  ),
  mutant(
    'urls-write-clears-the-others',
    'POST config/urls without one of the fields removes the value of that field.',
    part('urls', { independent: false }),
  ),
  mutant(
    'urls-blank-clears-all',
    'POST config/urls with one blank field removes the values of all three fields.',
    part('urls', { blank: 'removes all' }),
  ),
  mutant(
    'urls-later-fields-are-ignored',
    'POST config/urls does not store a field that was empty before, if another field has a value already.',
    part('urls', {
      written(store, next) {
        const old = store.urls
        const isLater = (name: keyof UrlsConfig): boolean =>
          old !== undefined && old[name].length === 0 && Object.values(old).some((values) => values.length > 0)
        const kept = Object.entries(next).filter(([name]) => !isLater(name as keyof UrlsConfig))
        urls.written(store, { ...noUrls, ...Object.fromEntries(kept) })
      },
    }),
  ),
  mutant(
    'root-without-urls',
    'root/generate does not encode config/urls into the root.',
    part('urls', { inRoots: false }),
  ),
  mutant(
    'sign-intermediate-without-urls',
    'sign-intermediate does not encode config/urls into the certificate.',
    part('urls', { inIntermediates: { used: false, ignored: false } }),
  ),
  mutant(
    'sign-intermediate-of-csr-values-without-urls',
    'sign-intermediate does not encode config/urls into the certificate if use_csr_values is on.',
    part('urls', { inIntermediates: { used: false, ignored: true } }),
  ),
  mutant(
    'urls-blank-spares-cas',
    'A blank field of POST config/urls removes the value from leaf certificates, but not from the certificates of CAs.',
    fresh(() => {
      const ofCas = new WeakMap<Store, UrlsConfig>()
      return part('urls', {
        written(store, next) {
          const old = ofCas.get(store) ?? noUrls
          const kept = Object.entries(next).map(([name, urls]) => [
            name,
            urls.length > 0 ? urls : old[name as keyof UrlsConfig],
          ])
          ofCas.set(store, Object.fromEntries(kept) as unknown as UrlsConfig)
          urls.written(store, next)
        },
        inForceForCas: (store) => ofCas.get(store) ?? noUrls,
      })
    }),
  ),
  mutant(
    'urls-before-the-ca-are-forgotten',
    'Leaf certificates have no URLs if config/urls was written before the mount had a CA.',
    fresh(() => forgottenWith((was) => was === undefined)),
  ),
  mutant(
    'urls-are-forgotten-with-the-ca',
    'Leaf certificates have no URLs if config/urls was written at the time of a former CA.',
    fresh(() => forgottenWith((was, present) => was !== undefined && was !== present)),
  ),
]
