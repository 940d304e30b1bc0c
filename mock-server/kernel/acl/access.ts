import type { Entities } from '../auth/entities.ts'
import type { Call, Token } from '../contracts.ts'
import type { StatePart } from '../engine.ts'
import type { Acl, Authority } from '../services.ts'
import type { KernelTables } from '../tables.ts'

/** The ACLs of tokens, by the rule that the tables give. */
export interface Access extends StatePart {
  aclOf(token: Token): Acl
  /** The names of the token's own policies and its entity's. */
  policiesOf(token: Token): readonly string[]
}

export function createAccess(authority: () => Authority, entities: Entities, tables: () => KernelTables): Access {
  const frozen = new Map<string, Acl>()

  function policiesOf(token: Token): readonly string[] {
    const own = token.entityId === '' ? undefined : entities.find(token.entityId)?.policies
    return own && own.length > 0 ? [...new Set([...token.policies, ...own])] : token.policies
  }

  function present(token: Token): Acl {
    const identity = token.entityId === '' ? undefined : entities.templating(token.entityId)
    return authority().acl(policiesOf(token), identity)
  }

  function first(token: Token): Acl {
    const acl = frozen.get(token.id) ?? present(token)
    frozen.set(token.id, acl)
    return acl
  }

  return {
    aclOf: (token) => (tables().aclIsOf === 'each-request' ? present(token) : first(token)),
    policiesOf,
    // A frozen ACL is a fault, not state.
    snapshot: () => null,
    restore: () => frozen.clear(),
    reset: () => frozen.clear(),
  }
}

/** Soft-mandatory policies let a request pass that asks for it. */
export const isOverridden = (call: Pick<Call, 'headers'>): boolean =>
  String(call.headers['x-vault-policy-override'] ?? '').toLowerCase() === 'true'
