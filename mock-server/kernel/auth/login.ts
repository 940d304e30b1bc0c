/** Grants a login whose credentials are valid: issues a token with an entity, or asks for a second factor first. */
import type { Call, Reply } from '../contracts.ts'
import { Refusal } from '../http/refusal.ts'
import type { Mount } from '../mounts/mount.ts'
import type { Services } from '../services.ts'
import { isWithin } from './addresses.ts'
import type { TokenSettings } from './token-fields.ts'
import { authOf } from './token-views.ts'
import { type NewToken, systemTtl } from './tokens.ts'

export interface LoginGrant {
  /** The name of the alias at the mount. Later logins with the same name find the same entity. */
  readonly alias: string
  readonly displayName: string
  readonly meta: Readonly<Record<string, string>>
  readonly settings: TokenSettings
}

export function grantLogin(grant: LoginGrant, call: Call, mount: Mount, services: Services): Reply {
  const { clock, entities, extensions, tokens } = services
  const { policies, withoutDefaultPolicy, period, uses, blocks, ...lifetime } = grant.settings
  if (!isWithin(blocks, call.peer)) throw new Refusal('permission-denied')
  const entity = entities.ensure(grant.alias, mount.accessor)
  if (entity.disabled) throw new Refusal('permission-denied')
  const explicit = lifetime.explicitMaxTtl
  const bound = Math.min(lifetime.maxTtl || mount.config.max_lease_ttl || systemTtl, explicit || Infinity)
  const asked = lifetime.ttl || mount.config.default_lease_ttl || systemTtl
  const wanted: NewToken = {
    policies: [...new Set([...(withoutDefaultPolicy ? [] : ['default']), ...policies])].sort(),
    ttl: Math.min(period || Math.min(asked, bound), explicit || Infinity),
    maxTtl: explicit || lifetime.maxTtl,
    ...{ period, uses, blocks },
    displayName: grant.displayName,
    path: call.path,
    meta: grant.meta,
    entityId: entity.id,
  }
  const secondFactor = extensions.secondFactor?.onLogin({ token: wanted, mount }, call)
  if (secondFactor) return secondFactor
  const token = tokens.create(wanted)
  return { kind: 'data', data: null, auth: authOf(token, clock, entities.policiesOf(entity.id)) }
}
