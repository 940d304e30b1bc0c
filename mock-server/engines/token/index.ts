/** The engine `auth/token` creates, shows, renews and revokes tokens. */

import { authOf, lookupOf } from '../../kernel/auth/token-views.ts'
import type { TokenRecord } from '../../kernel/auth/tokens.ts'
import { staying } from '../../kernel/cluster/forwarding.ts'
import { type Call, done, type Reply, type Route } from '../../kernel/contracts.ts'
import type { FixedEngine } from '../../kernel/engine.ts'
import { requiredText, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { stateOf } from '../../kernel/state/state-part.ts'
import { tokenFor } from './creation.ts'
import { matchesAny, type TokenRole } from './role-policies.ts'
import { roleRoutes } from './roles.ts'

/** Finds the token that a request is about. */
function findersIn({ tokens }: Services) {
  function own(call: Call): TokenRecord {
    const token = tokens.find(call.token?.id ?? '')
    if (!token) throw new Refusal('permission-denied')
    return token
  }
  const findNamed = (call: Call): TokenRecord | undefined => tokens.findManaged(requiredText(call.body, 'token'))
  function named(call: Call): TokenRecord {
    const token = findNamed(call)
    if (!token) throw badRequest('token not found')
    return token
  }
  function shown(call: Call): TokenRecord {
    const token = call.body.token === undefined ? own(call) : findNamed(call)
    if (!token) throw new Refusal('permission-denied')
    return token
  }
  const findAccessed = (call: Call): TokenRecord | undefined =>
    tokens.findByAccessor(requiredText(call.body, 'accessor'))
  function accessed(call: Call): TokenRecord {
    const token = findAccessed(call)
    if (!token) throw badRequest('invalid accessor')
    return token
  }
  return { own, findNamed, named, shown, findAccessed, accessed }
}

function creatorIn(
  { tokens, entities, clock, access, mounts, namespaces }: Services,
  roles: ReadonlyMap<string, TokenRole>,
  own: (call: Call) => TokenRecord,
) {
  const { here } = namespaces
  function roleIn(call: Call): TokenRole | undefined {
    const name = call.params.role
    const role = name === undefined ? undefined : roles.get(name)
    if (name !== undefined && !role) throw badRequest(`unknown role ${name}`)
    return role
  }

  /** Returns the entity of a new token: that of the alias it asks for, or that of its parent. */
  function entityFor(call: Call, inherited: string, role: TokenRole | undefined): string {
    const alias = textField(call.body, 'entity_alias')?.toLowerCase()
    if (!alias) return inherited
    if (!role) throw badRequest("'entity_alias' is only allowed in combination with token role")
    if (!matchesAny(role.aliases, alias)) throw badRequest("invalid 'entity_alias' value")
    return entities.ensure(alias, mounts.find('auth', 'token')?.accessor ?? '').id
  }

  return (orphanage: boolean) =>
    (call: Call): Reply => {
      const parent = own(call)
      const role = roleIn(call)
      const { sudo } = access.aclOf(parent).check({ path: call.path, capability: 'update' })
      const foreign = (parent.namespace ?? '') !== here.path
      const { warnings, ...wanted } = tokenFor(
        call,
        { parent, sudo, foreign, inNamespace: here.path !== '', role },
        orphanage,
      )
      if (wanted.id && tokens.find(wanted.id)) throw badRequest('cannot create a token with a duplicate ID')
      const entityId = entityFor(call, foreign || wanted.parent === undefined ? '' : parent.entityId, role)
      const token = tokens.create({ ...wanted, entityId })
      const identityPolicies = entities.policiesOf(token.entityId)
      return { kind: 'data', data: null, auth: authOf(token, clock, identityPolicies), warnings }
    }
}

const notFoundByAccessor = 'No token found with this accessor'

export function createTokenEngine(services: Services): FixedEngine {
  const { tokens, entities, clock } = services
  const identityPolicies = (token: TokenRecord): readonly string[] => entities.policiesOf(token.entityId)
  const roles = new Map<string, TokenRole>()
  const { own, findNamed, named, shown, findAccessed, accessed } = findersIn(services)
  const create = creatorIn(services, roles, own)

  const lookup =
    (find: (call: Call) => TokenRecord, byAccessor = false) =>
    (call: Call): Reply => {
      const token = find(call)
      return { kind: 'data', data: lookupOf(token, clock, identityPolicies(token), byAccessor) }
    }
  const renew =
    (find: (call: Call) => TokenRecord, byAccessor = false) =>
    (call: Call): Reply => {
      const token = find(call)
      if (!token.renewable) throw badRequest('token is not renewable')
      const renewed = tokens.renew(token.id, token.period || durationField(call.body, 'increment') || token.ttl)
      const auth = authOf(renewed, clock, identityPolicies(renewed))
      return { kind: 'data', data: null, auth: byAccessor ? { ...auth, client_token: '' } : auth }
    }
  /** Revokes a token that may not exist. Only the accessor of such a token is worth a warning to real servers. */
  const revokeAny =
    (find: (call: Call) => TokenRecord | undefined, warnings: readonly string[] = []) =>
    async (call: Call): Promise<Reply> => {
      const token = find(call)
      if (!token) return { kind: 'empty', warnings }
      await tokens.revoke(token.id)
      return done
    }
  const revoke =
    (find: (call: Call) => TokenRecord, how: 'revoke' | 'revokeOrphan' = 'revoke') =>
    async (call: Call): Promise<Reply> => {
      await tokens[how](find(call).id)
      return done
    }

  const list = (): Reply => ({ kind: 'data', data: { keys: [...tokens.accessors()].sort() } })

  const routes: readonly Route[] = [
    { verb: 'POST', path: 'create', access: 'token', handle: create(false) },
    { verb: 'POST', path: 'create/:role', access: 'token', handle: create(false) },
    { verb: 'POST', path: 'create-orphan', access: 'sudo', handle: create(true) },
    { verb: 'GET', path: 'lookup-self', access: 'token', handle: lookup(own) },
    { verb: 'GET', path: 'lookup', access: 'token', handle: lookup(own) },
    { verb: 'POST', path: 'lookup', access: 'token', handle: lookup(shown) },
    { verb: 'POST', path: 'lookup-accessor', access: 'token', handle: lookup(accessed, true) },
    { verb: 'POST', path: 'renew-self', access: 'token', handle: renew(own) },
    { verb: 'POST', path: 'renew', access: 'token', handle: renew(named) },
    { verb: 'POST', path: 'renew-accessor', access: 'token', handle: renew(accessed, true) },
    { verb: 'POST', path: 'revoke-self', access: 'token', handle: revoke(own) },
    { verb: 'POST', path: 'revoke', access: 'token', handle: revokeAny(findNamed) },
    { verb: 'POST', path: 'revoke-accessor', access: 'token', handle: revokeAny(findAccessed, [notFoundByAccessor]) },
    { verb: 'POST', path: 'revoke-orphan', access: 'sudo', handle: revoke(named, 'revokeOrphan') },
    { verb: 'LIST', path: 'accessors', access: 'sudo', handle: list },
  ]

  return {
    prefix: 'auth/token',
    routes: [...staying(routes), ...roleRoutes(roles)],
    state: stateOf(roles),
    inventory: () => ({ 'token roles': [...roles.keys()] }),
  }
}
