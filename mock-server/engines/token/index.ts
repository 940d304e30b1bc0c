/** The engine `auth/token` creates, shows, renews and revokes tokens. */

import { authOf, lookupOf } from '../../kernel/auth/token-views.ts'
import type { TokenRecord } from '../../kernel/auth/tokens.ts'
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { done } from '../../kernel/contracts.ts'
import type { FixedEngine } from '../../kernel/engine.ts'
import { requiredText } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'
import { tokenFor } from './creation.ts'

export function createTokenEngine({ tokens, entities, clock, access, namespaces: { here } }: Services): FixedEngine {
  const identityPolicies = (token: TokenRecord): readonly string[] => entities.policiesOf(token.entityId)

  function own(call: Call): TokenRecord {
    const token = tokens.find(call.token?.id ?? '')
    if (!token) throw new Refusal('permission-denied')
    return token
  }
  function named(call: Call): TokenRecord {
    const token = tokens.findManaged(requiredText(call.body, 'token'))
    if (!token) throw new Refusal('permission-denied')
    return token
  }
  function accessed(call: Call): TokenRecord {
    const token = tokens.findByAccessor(requiredText(call.body, 'accessor'))
    if (!token) throw new Refusal('permission-denied')
    return token
  }

  const create =
    (orphanage: boolean) =>
    (call: Call): Reply => {
      const parent = own(call)
      const { sudo } = access.aclOf(parent).check({ path: call.path, capability: 'update' })
      const { warnings, ...wanted } = tokenFor(
        call,
        { parent, sudo, foreign: (parent.namespace ?? '') !== here.path, inNamespace: here.path !== '' },
        orphanage,
      )
      if (wanted.id && tokens.find(wanted.id)) throw badRequest('cannot create a token with a duplicate ID')
      const token = tokens.create(wanted)
      return { kind: 'data', data: null, auth: authOf(token, clock, identityPolicies(token)), warnings }
    }
  const lookup =
    (find: (call: Call) => TokenRecord, byAccessor = false) =>
    (call: Call): Reply => {
      const token = find(call)
      return { kind: 'data', data: lookupOf(token, clock, identityPolicies(token), byAccessor) }
    }
  const renew =
    (find: (call: Call) => TokenRecord) =>
    (call: Call): Reply => {
      const token = find(call)
      if (!token.renewable) throw badRequest('token is not renewable')
      const renewed = tokens.renew(token.id, token.period || (durationField(call.body, 'increment') ?? token.ttl))
      return { kind: 'data', data: null, auth: authOf(renewed, clock, identityPolicies(renewed)) }
    }
  const revoke =
    (find: (call: Call) => TokenRecord, how: 'revoke' | 'revokeOrphan' = 'revoke') =>
    async (call: Call): Promise<Reply> => {
      await tokens[how](find(call).id)
      return done
    }

  const routes: readonly Route[] = [
    { verb: 'POST', path: 'create', access: 'token', handle: create(false) },
    { verb: 'POST', path: 'create-orphan', access: 'sudo', handle: create(true) },
    { verb: 'GET', path: 'lookup-self', access: 'token', handle: lookup(own) },
    { verb: 'POST', path: 'lookup', access: 'token', handle: lookup(named) },
    { verb: 'POST', path: 'lookup-accessor', access: 'token', handle: lookup(accessed, true) },
    { verb: 'POST', path: 'renew-self', access: 'token', handle: renew(own) },
    { verb: 'POST', path: 'renew', access: 'token', handle: renew(named) },
    { verb: 'POST', path: 'revoke-self', access: 'token', handle: revoke(own) },
    { verb: 'POST', path: 'revoke', access: 'token', handle: revoke(named) },
    { verb: 'POST', path: 'revoke-accessor', access: 'token', handle: revoke(accessed) },
    { verb: 'POST', path: 'revoke-orphan', access: 'sudo', handle: revoke(named, 'revokeOrphan') },
    {
      verb: 'LIST',
      path: 'accessors',
      access: 'sudo',
      handle: () => ({ kind: 'data', data: { keys: [...tokens.accessors()].sort() } }),
    },
  ]

  return { prefix: 'auth/token', routes }
}
