/** The handlers of one variant work on this context. */
import type { Services } from '../../kernel/services.ts'
import type { MfaRules, Variant } from './rules.ts'
import type { Enforcements, Methods, Secrets } from './store.ts'

export interface Context {
  readonly variant: Variant
  readonly methods: Methods
  readonly secrets: Secrets
  readonly enforcements: Enforcements
  readonly rules: MfaRules
  readonly services: Services
  /** The methods of the namespaces above, which LIST shows as well. */
  readonly above: { readonly methods: NonNullable<Services['extensions']['methodsBelow']> }
}
