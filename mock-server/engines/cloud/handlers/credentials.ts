/** `creds` and `sts` issue credentials for a role: document 3, the generate-credentials rules. */
import type { Call, Lease, Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { type Context, formAt, legible, madeUp, nameFor, rootOf } from '../context.ts'
import type { Body } from '../fields.ts'
import { codeOf, isCertain, refusalOf } from '../provider/failures.ts'
import { discard } from '../provider/pending-removals.ts'
import { openSession, policiesOfGroups } from '../provider/sessions.ts'
import { createUser, furnishUser, removeUser } from '../provider/users.ts'
import type { Ask, Issued, SessionType, TtlRule, Way } from '../rules/credentials.ts'
import type { NameUse } from '../rules/names.ts'
import type { CredentialType } from '../rules/types.ts'
import type { Role, RoleField, RootConfig, Store } from '../store.ts'
import { leaseInUse } from './lease.ts'

interface Request {
  readonly roleName: string
  readonly role: Role
  readonly body: Body
  readonly displayName: string
}

/** The state of each role when its credentials were first requested. Only a mutant needs it. */
const firstUses = new WeakMap<Store, Map<string, Role>>()

/** The names of roles for which users were made. Only a mutant needs them. */
const usedRoles = new WeakMap<Store, Set<string>>()
export const isUsed = (store: Store, role: string): boolean => usedRoles.get(store)?.has(role) ?? false
function noteUse(store: Store, role: string): void {
  usedRoles.set(store, (usedRoles.get(store) ?? new Set()).add(role))
}

function asUsed({ store, rules }: Context, name: string, role: Role): Role {
  if (rules.roles.used === 'as-it-is') return role
  const used = firstUses.get(store) ?? new Map<string, Role>()
  firstUses.set(store, used)
  const first = used.get(name) ?? role
  used.set(name, first)
  return first
}

/** The body of the first request for each role. Only a mutant needs it. */
const firstBodies = new WeakMap<Store, Map<string, Body>>()

function asAsked({ store, rules }: Context, name: string, body: Body): Body {
  if (rules.requests === 'each') return body
  const bodies = firstBodies.get(store) ?? new Map<string, Body>()
  firstBodies.set(store, bodies)
  const first = bodies.get(name) ?? body
  bodies.set(name, first)
  return {
    ...body,
    ...(first.role_arn === undefined ? {} : { role_arn: first.role_arn }),
    ...(first.ttl === undefined ? {} : { ttl: first.ttl }),
  }
}

function requestOf(context: Context, way: Way, call: Call): Request {
  const roleName = context.rules.roles.nameOf(call.params.name ?? '')
  const known = context.store.roles.get(roleName)
  const role = known ? asUsed(context, roleName, known) : context.rules.roles.missing[way]
  if (!role) throw badRequest(`no role named ${roleName}`)
  // A GET has no body, so clients that use it send the same fields in the query.
  const body = asAsked(context, roleName, { ...Object.fromEntries(call.query ?? []), ...call.body })
  return { roleName, role, body, displayName: call.token?.displayName ?? '' }
}

function typeOf({ rules }: Context, way: Way, { role, roleName }: Request): CredentialType {
  const open = rules.ways[role.legacy ? 'legacy' : 'plain'][way]
  const type = open.find((one) => role.types.includes(one))
  if (!type) throw badRequest(`role ${roleName} gives out ${role.types.join(', ')}, none of which comes through ${way}`)
  return type
}

function lacking({ rules }: Context, way: Way, request: Request): Request {
  const names = rules.lacks[way]
  if (names.length === 0) return request
  const { role } = request
  const given = Object.fromEntries(Object.entries(role.given).filter(([name]) => !names.includes(name as RoleField)))
  return { ...request, role: { ...role, given } }
}

/** Adds the first allowed `role_arn` to a request that has none. Only a mutant does this. */
function implying({ rules }: Context, way: Way, request: Request): Request {
  const [role_arn] = request.role.given.role_arns ?? []
  if (rules.implied[way] === 'none' || role_arn === undefined || request.body.role_arn !== undefined) return request
  return { ...request, body: { ...request.body, role_arn } }
}

/** A rendered name that is too long for its use is an error of the template: document 3, Errors. */
function nameOf(context: Context, use: NameUse, { roleName, displayName, role }: Request): string {
  const { longest, beyond, spares } = context.rules.names.lengths[use]
  const name = nameFor(context, use, roleName, displayName)
  if (name === '') throw badRequest('the username template gives an empty name')
  if (name.length <= longest || spares?.(role)) return name
  if (beyond === 'cut') return name.slice(0, longest)
  throw new Refusal(beyond, {
    message: `the ${use} username has ${name.length} characters, more than ${longest}: ${name}`,
  })
}

function sessionName(context: Context, request: Request): string {
  const { given, absent, bound, generated, longest, beyond, cut } = context.rules.names.session
  if (generated === 'always') nameOf(context, 'STS', request)
  const asked = given(textField(request.body, 'role_session_name') ?? '', request.role)
  if (asked) {
    if (beyond === 'refused' && asked.length > longest) throw badRequest(`role_session_name is longer than ${longest}`)
    return cut(asked, longest)
  }
  if (absent === 'refused') throw badRequest('missing role_session_name')
  if (bound === 'none') return nameFor(context, 'STS', request.roleName, request.displayName)
  return nameOf(context, 'STS', request)
}

function requestedTtl(context: Context, { withDevice, read }: TtlRule, { role, body }: Pick<Request, 'role' | 'body'>) {
  if (withDevice === 'ignored' && role.given.mfa_serial_number) return undefined
  return legible(context, () => read(body, 'ttl')) || undefined
}

function ttlOf(context: Context, type: SessionType, { role, body }: Request): number {
  const { rules, variation } = context
  const rule = rules.ttls[type]
  const { default_sts_ttl, max_sts_ttl = 0 } = role.given
  const values = {
    request: requestedTtl(context, rule, { role, body }),
    role: default_sts_ttl || undefined,
    default: rule.default,
  }
  const source = rule.sources.find((one) => values[one] !== undefined) ?? 'default'
  const wanted = values[source] ?? rule.default
  const seconds = rule.least === 'role' ? Math.max(wanted, values.role ?? 0) : wanted
  const asked = Math.min(seconds - (seconds % rule.unit), rule.most)
  if (max_sts_ttl !== 0 && rule.always === 'cap') return max_sts_ttl
  if (source === 'request' && asked === max_sts_ttl && rule.atCap === 'refused')
    throw badRequest(`ttl is not below max_sts_ttl, ${max_sts_ttl} seconds`)
  if (max_sts_ttl === 0 || asked <= max_sts_ttl || !rule.capped.includes(source)) return asked
  if (source === 'request' && variation().sessionAboveCap === 'refused')
    throw badRequest(`ttl is above max_sts_ttl, ${max_sts_ttl} seconds`)
  return max_sts_ttl
}

/** Returns the MFA code in the request, and whether the role's device is used at all. */
function mfaOf({ rules }: Context, type: SessionType, { role, body }: Request): { code: string; device: boolean } {
  const code = textField(body, 'mfa_code') ?? ''
  const { asked, absent, withoutDevice } = rules.mfa[type]
  if (!asked) return { code, device: true }
  const device = Boolean(role.given.mfa_serial_number)
  if (code === '' && device && absent === 'refused')
    throw badRequest('missing mfa_code: the role has mfa_serial_number')
  if (code === '' && !device && withoutDevice === 'required') throw badRequest('missing mfa_code')
  return { code, device: code !== '' }
}

const arnsOfOthers = ({ store }: Context, role: Role): readonly string[] =>
  [...store.roles.values()].flatMap((other) => (other === role ? [] : (other.given.role_arns ?? [])))

const noGroups: Ask['groups'] = []

async function sessionFor(
  context: Context,
  type: SessionType,
  request: Request,
): Promise<{ made: Issued; ttl: number }> {
  const { rules } = context
  const action = rules.actions[type]
  const { role } = request
  const { code, device } = mfaOf(context, type, request)
  const arns = role.given.role_arns ?? []
  const asked = textField(request.body, 'role_arn') ?? ''
  const roleArn = type === 'assumed_role' ? rules.roleArn(asked, arns, arnsOfOthers(context, role)) : ''
  if (roleArn === undefined) throw badRequest(`role_arn must be one of ${arns.join(', ')}`)
  const named = type === 'assumed_role' ? sessionName(context, request) : undefined
  const name = named ?? (type === 'federation_token' ? nameOf(context, 'STS', request) : '')
  const ttl = ttlOf(context, type, request)
  const provider = context.provider()
  const groups =
    type === 'session_token'
      ? noGroups
      : await policiesOfGroups(provider, role.given.iam_groups ?? [], rules.groupDocument)
  const { mfa_serial_number, ...rest } = role.given
  const asking = device || !mfa_serial_number ? role : { ...role, given: rest }
  const isBare = role.legacy && rules.legacy.sessions === 'unfiltered'
  const ask: Ask = { role: isBare ? { ...asking, given: {} } : asking, name, roleArn, ttl, mfaCode: code, groups }
  const open = () => openSession(provider, action, rules.sessions[type], ask, context.variation())
  return { made: await (rules.sessions[type].opened === 'once' ? firstOf(context, request, open) : open()), ttl }
}

/** The first session of each role. Only a mutant needs it. */
const firstSessions = new WeakMap<Store, Map<string, Issued>>()
async function firstOf({ store }: Context, { roleName }: Request, open: () => Promise<Issued>): Promise<Issued> {
  const kept = firstSessions.get(store) ?? new Map<string, Issued>()
  firstSessions.set(store, kept)
  const first = kept.get(roleName) ?? (await open())
  kept.set(roleName, first)
  return first
}

/** The root configuration with which the first user was made. Only a mutant needs it. */
const firstUserRoots = new WeakMap<Store, RootConfig>()

function userRootOf(context: Context): RootConfig {
  const present = rootOf(context)
  if (context.rules.user.signedBy === 'present') return present
  const first = firstUserRoots.get(context.store) ?? present
  firstUserRoots.set(context.store, first)
  return { ...present, access_key: first.access_key, secret_key: first.secret_key }
}

/** Makes a user with its key. If a step fails, everything that was made is removed, now or later. */
async function userFor(context: Context, request: Request): Promise<Issued & { readonly username: string }> {
  const { rules, store, once } = context
  const known = rules.user.made === 'once' ? once.get(request.roleName) : undefined
  if (known) return known
  const name = nameOf(context, 'IAM', request)
  const ask: Ask = { role: request.role, name, roleArn: '', ttl: 0, mfaCode: '', groups: noGroups }
  const provider = context.provider(userRootOf(context))
  await createUser(provider, rules.user, ask, context.variation()).catch(async (error) => {
    // The response was lost. If the user was made, it belongs to this mount, unless a lease already has a user of this
    // name.
    if (!isCertain(error) && !store.users.has(name)) await discard(context, { kind: 'bare-user', username: name })
    throw error
  })
  store.users.add(name)
  const key = await furnishUser(provider, rules.user, ask, context.variation()).catch(async (error) => {
    store.users.delete(name)
    await discard(context, { kind: 'user', username: name })
    throw error
  })
  const made = { ...key, token: undefined, username: name }
  if (rules.user.made === 'once') once.set(request.roleName, made)
  return made
}

/** The role and the root configuration for which the user of a lease was made. It is not saved, and only mutants use
 * it. */
interface Origin {
  readonly role: string
  readonly root: RootConfig
}

/** Returns whether a mutant leaves the user of a lease at the provider. */
function isLeft({ rules, store }: Context, origin: Origin | undefined): boolean {
  const { revocation } = rules.lease
  if (revocation === 'leaves-user') return true
  const role = origin && store.roles.get(origin.role)
  if (revocation === 'leaves-users-of-groups') return (role?.given.iam_groups ?? []).length > 0
  return revocation === 'needs-role' && origin !== undefined && role === undefined
}

/** Removes the user of a lease. If this fails, the lease remains. */
export async function revokeUser(context: Context, username: string, origin?: Origin): Promise<void> {
  const { revocation, revokedBy } = context.rules.lease
  const going = revocation === 'removes-all' ? [...context.store.users] : [username]
  const provider = context.provider(revokedBy === 'first' ? origin?.root : undefined)
  if (!isLeft(context, origin)) for (const name of going) await removeUser(provider, name)
  context.store.users.delete(username)
}

function shown(context: Context, type: CredentialType, made: Issued): Issued {
  const what = context.rules.replies[type]
  if (what === 'issued') return made
  const token = made.token === undefined ? undefined : context.random.token(200)
  if (what === 'made-up') return { ...madeUp(context), token }
  const { access_key, secret_key } = rootOf(context)
  return { id: access_key, secret: secret_key, token }
}

const reply = (context: Context, type: CredentialType, made: Issued, lease: Lease, topLevel: object = {}): Reply => {
  const { id, secret, token = null } = shown(context, type, made)
  const names = formAt(context) === 'older' ? {} : { session_token: token }
  return {
    kind: 'data',
    data: { access_key: id, secret_key: secret, security_token: token, ...names },
    lease,
    topLevel,
  }
}

/** The requests for users that are being handled, by role. Only a mutant needs them. */
const underWay = new WeakMap<Store, Map<string, Promise<Reply>>>()

function sharedReply(context: Context, request: Request): Promise<Reply> {
  const all = underWay.get(context.store) ?? new Map<string, Promise<Reply>>()
  underWay.set(context.store, all)
  const { roleName } = request
  const reply = all.get(roleName) ?? userReply(context, request).finally(() => all.delete(roleName))
  all.set(roleName, reply)
  return reply
}

async function userReply(context: Context, request: Request): Promise<Reply> {
  const { rules, store, lifetimes } = context
  const { systemDefault, systemMax } = lifetimes()
  const config = leaseInUse(context)
  const longest = rules.lease.longest(config, systemMax)
  const ttl = Math.min(rules.lease.ttl(config, systemDefault), longest)
  if (rules.user.made === 'never') {
    const { access_key, secret_key } = rootOf(context)
    const made = { id: access_key, secret: secret_key, token: undefined }
    return reply(context, 'iam_user', made, { ttl, maxTtl: longest, renewable: true, revoke() {} })
  }
  const made = await userFor(context, request)
  noteUse(store, request.roleName)
  const { username } = made
  const origin = { role: request.roleName, root: rootOf(context) }
  const revoke = (): Promise<void> => revokeUser(context, username, origin)
  const lease: Lease = { ttl, maxTtl: longest, renewable: true, revoke, kept: { username } }
  return reply(context, 'iam_user', made, lease, rules.lease.contradicts(store.lease !== undefined))
}

export const giveOut =
  (way: Way) =>
  async (call: Call, context: Context): Promise<Reply> => {
    const request = requestOf(context, way, call)
    const type = typeOf(context, way, request)
    try {
      const isShared = context.rules.user.made === 'once-at-a-time'
      if (type === 'iam_user') return await (isShared ? sharedReply : userReply)(context, request)
      const { made, ttl } = await sessionFor(context, type, implying(context, way, lacking(context, way, request)))
      // A session ends by itself, because the provider cannot revoke it.
      return reply(context, type, made, { ttl, renewable: false, revoke() {} })
    } catch (error) {
      if (context.rules.providerRefusal === 'made-up' && !(error instanceof Refusal))
        return reply(
          context,
          type,
          { ...madeUp(context), token: undefined },
          { ttl: 3600, renewable: false, revoke() {} },
        )
      const signed = context.rules.providerRefusal === 'with-secret' ? `, signed by ${rootOf(context).secret_key}` : ''
      throw refusalOf(error, `credentials of role ${request.roleName} were not made (${codeOf(error)}${signed})`)
    }
  }
