/** The URLs configuration (document 2, config/urls) and where it is encoded. */
import type { Store, UrlsConfig } from '../store.ts'
import { noUrls } from '../store.ts'

const all = { issuingCertificates: true, crlDistributionPoints: true, ocspServers: true }

export const urls = {
  /** A field that is not given keeps its value. */
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
  /** The choice depends on whether the values of the CSR are used. */
  inIntermediates: { used: true, ignored: true },
  shown: true,
}
