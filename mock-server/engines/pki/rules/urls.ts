/** The URLs configuration (document 2, config/urls) and where it is encoded. */
import type { Store, UrlsConfig } from '../store.ts'
import { noUrls } from '../store.ts'

const all = { issuingCertificates: true, crlDistributionPoints: true, ocspServers: true }

export const urls = {
  /** If true, a field that is not in the request keeps its value. */
  independent: true,
  blank: 'removes' as 'removes' | 'keeps' | 'removes all',
  written: (store: Store, next: UrlsConfig): void => {
    store.urls = next
  },
  /** The URLs in leaf certificates. */
  inForce: (store: Store): UrlsConfig => store.urls ?? noUrls,
  inLeaves: all,
  /** The URLs in the certificates of CAs. */
  inForceForCas: (store: Store): UrlsConfig => store.urls ?? noUrls,
  inRoots: true,
  /** Whether intermediates have the URLs, depending on `use_csr_values`. */
  inIntermediates: { used: true, ignored: true },
  shown: true,
}
