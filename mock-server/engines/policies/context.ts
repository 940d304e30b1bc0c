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
  /** Must be told which ACL policies have changed. */
  readonly access: Pick<Access, 'forget'>
}
