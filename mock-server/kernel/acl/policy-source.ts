import type { Entities } from '../auth/entities.ts'
import type { Groups } from '../auth/groups.ts'
import type { Call, Capability, Token } from '../contracts.ts'
import type { Namespace } from '../namespaces/namespace.ts'
import type { Acl } from './compile.ts'
import type { AclPolicy } from './policy.ts'
import type { AclRules } from './tables.ts'

export interface Identities {
  /** Returns the names of the policies of a token, of its entity, and of the groups of that. */
  readonly access: { policiesOf(token: Token): readonly string[] }
  readonly entities: Pick<Entities, 'find' | 'aliasesOf'> & { readonly groups: Pick<Groups, 'find' | 'of'> }
}

export interface GovernedRequest {
  readonly call: Call
  /** The capability that the request needs, where writing needs `create` for what does not exist yet. */
  readonly operation: Capability
  /** The namespace of the request. */
  readonly namespace: Pick<Namespace, 'id' | 'path'>
  /** Knows who is behind the token, which may be of another namespace. */
  readonly identities: Identities
  /** True if the request asks for a token. */
  readonly login: boolean
  /** True if the request asks to pass soft-mandatory policies that fail. */
  readonly overridden: boolean
  /** Set for a token of another namespace than that of the request, whose roles and endpoints are governed apart. */
  readonly only?: 'roles' | 'endpoints' | undefined
}

export interface Verdict {
  readonly allowed: boolean
  readonly warnings: readonly string[]
  /** True if a request that is not allowed is carried out before it is refused, which only a mutant does. */
  readonly isCarriedOut?: boolean
  /** The policy that a refused request failed. */
  readonly denied?: { readonly policy: string; readonly level: string; readonly why: string }
}

/** The policies of the server, as the kernel asks for them. The policies engine implements this interface. */
export interface PolicySource {
  readonly aclRules: AclRules
  /** Returns the ACL policies that act under a name (in lower case) now. A name without a policy grants nothing. */
  aclPolicies(name: string): readonly AclPolicy[]
  /** Returns the compiled ACL of a token with these names: `acl` itself, unless a mutant is loaded. */
  finishAcl(acl: Acl, names: ReadonlySet<string>): Acl
  /** Judges a request by the RGPs of its token and the EGPs of its path. Root tokens are not governed. */
  govern(request: GovernedRequest): Verdict
}
