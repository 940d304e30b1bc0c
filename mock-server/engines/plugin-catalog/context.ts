/** The endpoints of the catalog, and the mounts of its plugins, work on this context. */
import type { Services } from '../../kernel/services.ts'
import type { CatalogRules } from './rules.ts'
import type { Catalog } from './store.ts'

export interface Context {
  readonly catalog: Catalog
  readonly rules: CatalogRules
  readonly services: Pick<Services, 'facts' | 'mountable' | 'pluginDirectory' | 'pluginImages' | 'variation'>
}
