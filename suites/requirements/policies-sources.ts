/** Places of document 1 that speak of policies. */
import type { Source } from '../../harness/vocabulary/index.ts'

export type Kind = 'acl' | 'rgp' | 'egp'
type Method = 'LIST' | 'GET' | 'POST' | 'DELETE'

export const endpoint = (method: Method, kind: Kind | '{kind}' = '{kind}'): Source => ({
  document: 1,
  section: 'Endpoints, Policy endpoints',
  row: `${method} /sys/policies/${kind}${method === 'LIST' ? '' : '/:name'}`,
})
export const policyField = (row: string, reading?: number): Source => ({
  document: 1,
  section: 'Resources and their fields, Policy',
  row,
  ...(reading ? { reading } : {}),
})
export const availability: Source = {
  document: 1,
  section: 'What the service does',
  row: 'Availability, second sentence',
  reading: 10,
}
export const versioning: Source = { document: 1, section: 'Versioning', row: 'rule 2', reading: 10 }
