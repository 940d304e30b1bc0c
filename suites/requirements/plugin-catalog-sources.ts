/** Places of document 2 that speak of the plugin catalog. */
import type { Source } from '../../harness/vocabulary/index.ts'

export const endpoint = (row: string): Source => ({ document: 2, section: 'Endpoints, Plugin catalog', row })
export const authentication = (row: string, reading?: number): Source => ({
  document: 2,
  section: 'Authentication',
  row,
  ...(reading ? { reading } : {}),
})
export const error = (row: string): Source => ({ document: 2, section: 'Errors', row })
export const limit = (row: string): Source => ({ document: 2, section: 'Limits', row })
export const versioning = (row: string): Source => ({ document: 2, section: 'Versioning', row })
export const resource: Source = {
  document: 2,
  section: 'Resources and their fields, Other resources',
  row: 'Plugin: name, type, version, sha256, command, args, env, oci_image, runtime',
}
