import type { Documents } from '../../harness/vocabulary/index.ts'

/** The titles of the documents to which the numbers in the register refer. */
export const documents: Documents = {
  1: 'Replication and Policy Management API',
  2: 'Certificate Authority Engine and Plugin Catalog API',
  3: 'TOTP Multi-Factor Methods and Cloud Credentials Engine API',
}
