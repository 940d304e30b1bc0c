/** Decides what a new token may have, and who may create it. */

import { type NewToken, systemTtl, type TokenRecord } from '../../kernel/auth/tokens.ts'
import type { Call } from '../../kernel/contracts.ts'
import { flagField, listField, mapField, numberField, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { refuse } from '../../kernel/http/refusal.ts'

interface Creator {
  readonly parent: TokenRecord
  /** True if the creator may use sudo at the path of creation. */
  readonly sudo: boolean
  /** True if the creator belongs to a namespace above that of the request. */
  readonly foreign: boolean
  /** True if the token is created in another namespace than the root. */
  readonly inNamespace: boolean
}

function policiesFor(call: Call, { parent, sudo, foreign, inNamespace }: Creator): readonly string[] {
  const asked = listField(call.body, 'policies')?.map((name) => name.toLowerCase()) ?? []
  const root = parent.policies.includes('root')
  if (asked.includes('root') && inNamespace) refuse('root tokens may not be created from a parent namespace')
  if (asked.includes('root') && !root) refuse('root tokens may not be created without parent token being root')
  // The policies of a parent from another namespace are not known here.
  const ofParent = foreign ? [] : parent.policies
  const inherited = asked.length === 0 ? ofParent : asked
  if (inherited.includes('root')) return ['root']
  const wanted = new Set(inherited)
  if (!flagField(call.body, 'no_default_policy')) wanted.add('default')
  const allowed = new Set([...ofParent, 'default'])
  if (!root && !sudo && [...wanted].some((name) => !allowed.has(name)))
    refuse('child policies must be subset of parent')
  return [...wanted].sort()
}

interface Wishes {
  readonly id: string | undefined
  readonly orphan: boolean
  readonly period: number
}

/** Some wishes need sudo at the path of creation. Anyone may create an orphan at the path that is for orphans. */
function assertAllowed({ id, orphan, period }: Wishes, sudo: boolean, orphanage: boolean): void {
  if (id !== undefined && !sudo) refuse('root or sudo privileges required to specify token id')
  if (id !== undefined && /[.\s]/.test(id)) refuse('custom token ID cannot contain a dot or white space')
  if (orphan && !orphanage && !sudo) refuse('root or sudo privileges required to create orphan token')
  if (period > 0 && !sudo) refuse('root or sudo privileges required to create periodic token')
}

function lifetimeOf(body: Call['body'], period: number, isRoot: boolean) {
  const asked = period || (durationField(body, 'ttl') ?? durationField(body, 'lease'))
  const explicit = durationField(body, 'explicit_max_ttl') ?? 0
  const bound = Math.min(explicit || systemTtl, period > 0 ? Number.POSITIVE_INFINITY : systemTtl)
  const wanted = asked || (isRoot ? 0 : systemTtl)
  const ttl = wanted === 0 ? explicit : Math.min(wanted, bound)
  const warnings = wanted > ttl && asked ? [`TTL of ${wanted}s is above the maximum and was capped at ${ttl}s`] : []
  return { ttl, maxTtl: explicit, warnings }
}

/** Without sudo, a token gives a subset of its own policies. It can neither choose ids nor create orphans. */
export function tokenFor(call: Call, creator: Creator, orphanage: boolean): NewToken & { warnings: readonly string[] } {
  const { parent, sudo } = creator
  const { body } = call
  const type = textField(body, 'type') || 'service'
  if (type !== 'service') refuse(`type ${type}: this reference server has service tokens only`)
  const id = textField(body, 'id')
  const orphan = orphanage || flagField(body, 'no_parent') === true
  const period = durationField(body, 'period') ?? 0
  assertAllowed({ id, orphan, period }, sudo, orphanage)
  const uses = numberField(body, 'num_uses') ?? 0
  if (uses < 0) refuse('number of uses cannot be negative')

  const policies = policiesFor(call, creator)
  const name = textField(body, 'display_name')
  return {
    ...(id ? { id } : {}),
    ...(orphan ? {} : { parent: parent.id }),
    policies,
    ...lifetimeOf(body, period, policies.includes('root')),
    period,
    uses,
    renewable: flagField(body, 'renewable') ?? true,
    displayName: name ? `token-${name.replace(/[^\w.-]+/g, '-').slice(0, 128)}` : 'token',
    path: call.path,
    meta: mapField(body, 'meta') ?? {},
    entityId: orphan || creator.foreign ? '' : parent.entityId,
  }
}
