/** Mutants of the URLs configuration. */
import type { Store, UrlsConfig } from '../store.ts'
import { urls } from '../tables/urls.ts'
import {
  arrayCutAtCommas,
  arrayKeepsFirst,
  cell,
  commaListIsOne,
  fresh,
  mutant,
  type PkiMutant,
  part,
  requestField,
} from './cells.ts'

const fields = ['issuing_certificates', 'crl_distribution_points', 'ocsp_servers']
const added = ['http://added.example']
const addedUrls: UrlsConfig = { issuingCertificates: added, crlDistributionPoints: added, ocspServers: added }

/** What was written first stays in effect. */
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
  mutant('urls-read-omits', 'GET config/urls answers without values.', part('urls', { shown: false })),
  mutant(
    'urls-comma-list-is-one',
    'A value of config/urls given as a comma-separated string becomes one URL with a comma in it (stored, shown and encoded).',
    requestField('configUrls', fields, { read: commaListIsOne, fault: () => undefined }),
  ),
  mutant(
    'urls-array-is-cut-at-commas',
    'A URL of config/urls with a comma, in an array, is taken for several.',
    requestField('configUrls', fields, { read: arrayCutAtCommas }),
  ),
  mutant(
    'urls-array-keeps-first',
    'Of a value of config/urls given as an array only the first URL is kept.',
    requestField('configUrls', fields, { read: arrayKeepsFirst }),
  ),
  mutant(
    'urls-blank-is-ignored',
    'POST config/urls with a field a blank string keeps the earlier value.',
    part('urls', { blank: 'keeps' }),
  ),
  mutant(
    'urls-default-set',
    'On a mount whose URLs were never written leaf certificates carry http://added.example for all three.',
    part('urls', { inForce: (store) => store.urls ?? addedUrls }),
  ),
  mutant(
    'urls-later-values-ignored',
    'Leaf certificates carry the URLs of the first write of config/urls, whatever was written later.',
    fresh(() => firstStays('inForce')),
  ),
  mutant(
    'urls-of-cas-stay-the-first',
    'Roots and signed intermediates carry the URLs of the first write of config/urls, whatever was written later.',
    fresh(() => firstStays('inForceForCas')),
  ),
  mutant(
    'urls-write-clears-the-others',
    'POST config/urls without a field removes the value of that field.',
    part('urls', { independent: false }),
  ),
  mutant(
    'urls-blank-clears-all',
    'POST config/urls with one field a blank string removes the values of all three.',
    part('urls', { blank: 'removes all' }),
  ),
  mutant(
    'root-without-urls',
    'root/generate: the URLs configuration is not encoded into the root.',
    part('urls', { inRoots: false }),
  ),
  mutant(
    'sign-intermediate-without-urls',
    'sign-intermediate: the URLs configuration is not encoded into the certificate.',
    part('urls', { inIntermediates: { used: false, ignored: false } }),
  ),
  mutant(
    'sign-intermediate-of-csr-values-without-urls',
    'sign-intermediate: the URLs configuration is not encoded where use_csr_values is on.',
    part('urls', { inIntermediates: { used: false, ignored: true } }),
  ),
]
