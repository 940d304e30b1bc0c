/** The endpoints of policies work on this context. */
import type { Access } from '../../kernel/acl/access.ts'
import type { PolicyLanguage } from '../../kernel/policy-language.ts'
import type { Store } from './store.ts'
import type { PoliciesTables } from './tables.ts'

export interface Context {
  readonly store: Store
  readonly language: PolicyLanguage
  /** The property is replaced when mutants are loaded. */
  tables: PoliciesTables
  /** Its `forget` must be called for each ACL policy that has changed. */
  readonly access: Pick<Access, 'forget'>
}
