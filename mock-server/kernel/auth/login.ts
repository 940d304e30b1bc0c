/** A login that has succeeded gives a token with an entity, or asks for a second factor first. */
import type { Call, Reply } from '../contracts.ts'
import { Refusal } from '../http/refusal.ts'
import type { Mount } from '../mounts/mount.ts'
import type { Services } from '../services.ts'
import { authOf } from './token-views.ts'
import { type NewToken, systemTtl } from './tokens.ts'

export interface LoginGrant {
  /** The name of the alias at the mount, by which the entity is found again. */
  readonly alias: string
  readonly displayName: string
  readonly meta: Readonly<Record<string, string>>
  readonly policies: readonly string[]
  readonly withoutDefaultPolicy?: boolean
  /** Counts seconds; 0 means the default of the mount. */
  readonly ttl: number
  /** Counts seconds; 0 means the maximum of the mount. */
  readonly maxTtl: number
  readonly period?: number
  readonly uses?: number
}

export function grantLogin(grant: LoginGrant, call: Call, mount: Mount, services: Services): Reply {
  const { clock, entities, extensions, tokens } = services
  const entity = entities.ensure(grant.alias, mount.accessor)
  if (entity.disabled) throw new Refusal('permission-denied')
  const bound = grant.maxTtl || mount.config.max_lease_ttl || systemTtl
  const asked = grant.ttl || mount.config.default_lease_ttl || systemTtl
  const wanted: NewToken = {
    policies: [...new Set([...(grant.withoutDefaultPolicy ? [] : ['default']), ...grant.policies])].sort(),
    ttl: grant.period || Math.min(asked, bound),
    maxTtl: grant.maxTtl,
    period: grant.period ?? 0,
    uses: grant.uses ?? 0,
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
