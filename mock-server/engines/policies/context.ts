/** The endpoints of policies work on this context. */
import type { Access } from '../../kernel/acl/access.ts'
import type { GovernedRequest, Verdict } from '../../kernel/acl/policy-source.ts'
import type { PolicyLanguage } from '../../kernel/policy-language.ts'
import type { PoliciesRules } from './rules.ts'
import type { Policy, PolicyStore } from './store.ts'

/** What RGPs and EGPs do with requests. */
export interface Governing {
  /** Returns the RGPs of the token, in the order of their names on it. */
  rgpsOf(request: GovernedRequest): readonly Policy[]
  /** Returns the EGPs that are in effect, sorted by name. */
  egps(): readonly Policy[]
  egpsOf(request: GovernedRequest): readonly Policy[]
  denies(policy: Policy, request: GovernedRequest): boolean
  /** Evaluates the policies in order. The first one that denies the request decides. */
  judge(policies: readonly Policy[], request: GovernedRequest): Verdict
}

export interface Context {
  readonly store: PolicyStore
  readonly rules: PoliciesRules
  readonly language: PolicyLanguage
  readonly governing: Governing
  /** Its `forget` is called for each ACL policy that has changed. */
  readonly access: Pick<Access, 'forget' | 'policiesOf'>
}
