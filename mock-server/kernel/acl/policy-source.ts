import type { Entities } from '../auth/entities.ts'
import type { Groups } from '../auth/groups.ts'
import type { Call, Capability, Token } from '../contracts.ts'
import type { Namespace } from '../namespaces/namespace.ts'
import type { AclPolicy } from './policy.ts'

export interface Identities {
  /** Returns the names of the policies of a token, of its entity, and of the groups of the entity. */
  readonly access: { policiesOf(token: Token): readonly string[] }
  readonly entities: Pick<Entities, 'find' | 'aliasesOf'> & { readonly groups: Pick<Groups, 'find' | 'of'> }
}

export interface GovernedRequest {
  readonly call: Call
  /** The operation of the request as a capability. Writing something that does not exist yet is `create`. */
  readonly operation: Capability
  readonly namespace: Pick<Namespace, 'id' | 'path'>
  /** Finds the entity behind the token, which may be in another namespace than the request. */
  readonly identities: Identities
  /** True if the request asks for a token. */
  readonly login: boolean
  /** True if the request asks to override soft-mandatory policies. */
  readonly overridden: boolean
  /** Set if the token is of another namespace than the request: then RGPs and EGPs are applied separately. */
  readonly only?: 'roles' | 'endpoints' | undefined
}

export interface Verdict {
  readonly allowed: boolean
  readonly warnings: readonly string[]
  /** The policy that refuses the request. */
  readonly denied?: { readonly policy: string; readonly level: string; readonly why: string }
}

/** What the kernel needs from the policies. The policies engine implements this interface. */
export interface PolicySource {
  /** Returns the ACL policies that currently apply for a name (in lower case). The list is empty if no policy has
   * it. */
  aclPolicies(name: string): readonly AclPolicy[]
  /** Evaluates the RGPs of the token and the EGPs of the path. They do not apply to root tokens. */
  govern(request: GovernedRequest): Verdict
}
