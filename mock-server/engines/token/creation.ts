/** Decides what a new token may have, and who may create it. */

import { refuseOtherTokenTypes } from '../../kernel/auth/token-fields.ts'
import { type NewToken, systemTtl, type TokenRecord } from '../../kernel/auth/tokens.ts'
import type { Call } from '../../kernel/contracts.ts'
import { flagField, listField, mapField, numberField, textField } from '../../kernel/http/body-fields.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { refuse } from '../../kernel/http/refusal.ts'
import { isRestricting, policiesByRole, type TokenRole } from './role-policies.ts'

interface Creator {
  readonly parent: TokenRecord
  /** True if the creator has the capability sudo at the path of the request. */
  readonly sudo: boolean
  /** True if the creator belongs to a namespace above that of the request. */
  readonly foreign: boolean
  /** True if the token is created in a namespace other than the root. */
  readonly inNamespace: boolean
  /** The role that the request names. */
  readonly role: TokenRole | undefined
}

const withoutDefault = (call: Call, role: TokenRole | undefined): boolean =>
  (role?.withoutDefaultPolicy ?? false) || flagField(call.body, 'no_default_policy') === true

function assertRootAllowed(isParentRoot: boolean, inNamespace: boolean): void {
  if (inNamespace) refuse('root tokens may not be created from a parent namespace')
  if (!isParentRoot) refuse('root tokens may not be created without parent token being root')
}

function policiesFor(call: Call, { parent, sudo, foreign, inNamespace, role }: Creator): readonly string[] {
  const asked = listField(call.body, 'policies')?.map((name) => name.toLowerCase()) ?? []
  const root = parent.policies.includes('root')
  if (asked.includes('root')) assertRootAllowed(root, inNamespace)
  // Policies belong to a namespace, so those of a parent from another namespace do not exist here.
  const ofParent = foreign ? [] : parent.policies
  if (role && isRestricting(role)) return policiesByRole(asked, ofParent, withoutDefault(call, role), role)
  const inherited = asked.length === 0 ? ofParent : asked
  if (inherited.includes('root')) return ['root']
  const wanted = new Set(inherited)
  if (!withoutDefault(call, role)) wanted.add('default')
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

/** Refuses a chosen id, an orphan or a period without sudo, and an invalid id. The path for orphans requires no further
 * check, because its route requires sudo. */
function assertAllowed({ id, orphan, period }: Wishes, sudo: boolean, orphanage: boolean): void {
  if (id !== undefined && !sudo) refuse('root or sudo privileges required to specify token id')
  if (id !== undefined && /[.\s]/.test(id)) refuse('custom token ID cannot contain a dot or white space')
  if (orphan && !orphanage && !sudo) refuse('root or sudo privileges required to create orphan token')
  if (period > 0 && !sudo) refuse('root or sudo privileges required to create periodic token')
}

/** Returns the smaller of two bounds, where 0 means unlimited. */
const least = (a: number, b: number): number => (a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b))

function lifetimeOf({ body }: Call, role: TokenRole | undefined, isRoot: boolean) {
  const period = role?.period || (durationField(body, 'period') ?? 0)
  const asked = period || (durationField(body, 'ttl') ?? durationField(body, 'lease'))
  const maxTtl = least(durationField(body, 'explicit_max_ttl') ?? 0, role?.explicitMaxTtl ?? 0)
  const wanted = asked || (isRoot ? 0 : systemTtl)
  const ttl = bounded(wanted, maxTtl, period)
  const warnings = wanted > ttl && asked ? [`TTL of ${wanted}s is above the maximum and was capped at ${ttl}s`] : []
  return { ttl, maxTtl, period, warnings }
}

/** Bounds a lifetime by the maximum of the token, and by that of the system unless the token is periodic. */
function bounded(wanted: number, maxTtl: number, period: number): number {
  const bound = Math.min(maxTtl || systemTtl, period > 0 ? Number.POSITIVE_INFINITY : systemTtl)
  return wanted === 0 ? maxTtl : Math.min(wanted, bound)
}

/** Returns the token that a request creates. Without sudo, its policies are a subset of those of its parent, and it
 * cannot have a chosen id or be an orphan. A role decides instead whether its tokens are orphans, and can set their
 * policies and limits. */
export function tokenFor(
  call: Call,
  creator: Creator,
  orphanage: boolean,
): Omit<NewToken, 'entityId'> & { warnings: readonly string[] } {
  const { parent, sudo, role } = creator
  const { body } = call
  refuseOtherTokenTypes(body, 'type')
  const id = textField(body, 'id')
  const alone = orphanage || flagField(body, 'no_parent') === true
  const period = durationField(body, 'period') ?? 0
  assertAllowed({ id, orphan: alone, period }, sudo, orphanage)
  const orphan = role ? role.orphan : alone

  const policies = policiesFor(call, creator)
  const name = textField(body, 'display_name')
  return {
    ...(id ? { id } : {}),
    ...(orphan ? {} : { parent: parent.id }),
    policies,
    ...lifetimeOf(call, role, policies.includes('root')),
    uses: usesOf(body, role),
    renewable: (role?.renewable ?? true) && (flagField(body, 'renewable') ?? true),
    displayName: name ? `token-${name.replace(/[^\w.-]+/g, '-').slice(0, 128)}` : 'token',
    path: role?.pathSuffix ? `${call.path}/${role.pathSuffix}` : call.path,
    meta: mapField(body, 'meta') ?? {},
    ...(role ? { role: role.name, blocks: role.blocks } : {}),
  }
}

function usesOf(body: Call['body'], role: TokenRole | undefined): number {
  const asked = numberField(body, 'num_uses') ?? 0
  if (asked < 0) refuse('number of uses cannot be negative')
  return least(asked, role?.uses ?? 0)
}
