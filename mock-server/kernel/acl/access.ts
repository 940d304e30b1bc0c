/** Decides what tokens may do. The ACL policies of a token are compiled at its first request, and again after one of
 * them has changed. */
import type { Entities } from '../auth/entities.ts'
import type { Call, Token } from '../contracts.ts'
import type { StatePart } from '../state/state-part.ts'
import { type Acl, compileAcl, rootAcl } from './compile.ts'
import type { PolicySource } from './policy-source.ts'
import { isTemplated, resolveTemplates } from './template.ts'

/** Maps names such as `identity.entity.name` to values. */
type Identity = Readonly<Record<string, string>>

export interface Access extends StatePart {
  aclOf(token: Token): Acl
  /** Returns the names of the policies of the token, of its entity, and of the groups of the entity. */
  policiesOf(token: Token): readonly string[]
  /** Drops every compiled ACL that contains the policy of this name (in lower case), or all compiled ACLs if no name is
   * given. */
  forget(policy?: string): void
}

interface Compiled {
  readonly names: ReadonlySet<string>
  readonly identity: Identity
  readonly acl: Acl
  /** False after a policy of the ACL has changed. */
  live: boolean
}

/** The maximum number of cached ACLs. */
const capacity = 2_000
const noIdentity: Identity = Object.freeze({})

function compile(given: readonly string[], identity: Identity, source: PolicySource): Compiled {
  const names = new Set(given.map((name) => name.toLowerCase()))
  if (names.has('root')) return { names, identity: noIdentity, acl: rootAcl, live: true }
  const policies = [...names].flatMap((name) => source.aclPolicies(name))
  const resolved = policies.some(isTemplated) ? policies.map((policy) => resolveTemplates(policy, identity)) : policies
  return { names, identity, acl: compileAcl(resolved), live: true }
}

/** Creates the access of one namespace. The policies engine sets `extensions.policies` when it is opened. */
export function createAccess(
  extensions: { readonly policies?: PolicySource },
  entities: Pick<Entities, 'policiesOf' | 'templating'>,
): Access {
  /** The keys are the list objects that the tokens themselves hold, so that the next request of a token needs one
   * lookup. */
  let byList = new WeakMap<readonly string[], Compiled>()
  const byNames = new Map<string, Compiled>()

  function keep(key: string, compiled: Compiled): Compiled {
    if (byNames.size >= capacity) forget()
    byNames.set(key, compiled)
    return compiled
  }

  function forget(policy?: string): void {
    for (const [key, compiled] of byNames) {
      if (policy !== undefined && !compiled.names.has(policy)) continue
      compiled.live = false
      byNames.delete(key)
    }
    if (policy === undefined) byList = new WeakMap()
  }

  function policiesOf(token: Token): readonly string[] {
    const own = token.entityId === '' ? [] : entities.policiesOf(token.entityId)
    return own.length > 0 ? [...new Set([...token.policies, ...own])] : token.policies
  }

  function aclOf(token: Token): Acl {
    if (!extensions.policies) throw new Error('no engine has the policies')
    const identity = token.entityId === '' ? noIdentity : entities.templating(token.entityId)
    const names = policiesOf(token)
    const known = byList.get(names)
    if (known?.live && known.identity === identity) return known.acl
    const key = `${names.join('\n')}\n\n${identity['identity.entity.id'] ?? ''}`
    const shared = byNames.get(key)
    const compiled =
      shared?.live && shared.identity === identity ? shared : keep(key, compile(names, identity, extensions.policies))
    byList.set(names, compiled)
    return compiled.acl
  }

  return {
    aclOf,
    policiesOf,
    forget,
    // Nothing is saved, because everything here is derived from policies and tokens.
    snapshot: () => null,
    restore: () => forget(),
    reset: () => forget(),
  }
}

/** Returns the access to a namespace. Tokens of the namespace have its policies; tokens of the namespaces above it have
 * policies there, which must name the whole path. `name` is the last part of the path of the namespace. */
export function accessWithin(namespace: string, name: string, own: Access, above: Access): Access {
  const isOwn = (token: Token): boolean => token.namespace === namespace
  return {
    ...own,
    aclOf(token) {
      if (isOwn(token)) return own.aclOf(token)
      const acl = above.aclOf(token)
      return {
        check: (request) => acl.check({ ...request, path: `${name}/${request.path}` }),
        capabilities: (path) => acl.capabilities(`${name}/${path}`),
        reaches: (prefix) => acl.reaches(`${name}/${prefix}`),
      }
    },
    policiesOf: (token) => (isOwn(token) ? own : above).policiesOf(token),
  }
}

/** Returns whether the request asks to override soft-mandatory policies. */
export const isOverridden = (call: Pick<Call, 'headers'>): boolean =>
  call.headers['x-vault-policy-override'] !== undefined &&
  String(call.headers['x-vault-policy-override']).toLowerCase() === 'true'
