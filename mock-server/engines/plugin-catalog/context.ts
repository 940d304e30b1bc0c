/** The endpoints of the catalog, and the mounts of its plugins, work on this context. */
import type { Services } from '../../kernel/services.ts'
import type { Catalog } from './store.ts'
import type { CatalogTables } from './tables.ts'

export interface Context {
  readonly catalog: Catalog
  readonly tables: () => CatalogTables
  readonly services: Pick<Services, 'facts' | 'mountable' | 'pluginDirectory' | 'pluginImages' | 'variation'>
}
