/** The handlers of one variant work on this context. */
import type { Services } from '../../kernel/services.ts'
import type { Enforcements, Methods, Secrets } from './store.ts'
import type { Variant, VariantTables } from './tables.ts'

export interface Context {
  readonly variant: Variant
  readonly methods: Methods
  readonly secrets: Secrets
  readonly enforcements: Enforcements
  readonly tables: () => VariantTables
  readonly services: Services
  /** Returns the methods of the namespaces above, and how LIST shows each. */
  readonly methodsAbove: NonNullable<Services['extensions']['methodsBelow']>
}
