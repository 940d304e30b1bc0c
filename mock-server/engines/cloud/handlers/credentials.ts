/** `creds` and `sts` issue credentials for a role: document 3, the generate-credentials rules. */
import type { Call, Lease, Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { durationField } from '../../../kernel/http/duration.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { type Context, formAt, nameFor, providerOf } from '../context.ts'
import type { Body } from '../fields.ts'
import { codeOf, isCertain, refusalOf } from '../provider/failures.ts'
import { discard } from '../provider/pending-removals.ts'
import { openSession, policiesOfGroups } from '../provider/sessions.ts'
import { createUser, furnishUser, removeUser } from '../provider/users.ts'
import type { Ask, Issued, SessionType, Way } from '../rules/credentials.ts'
import type { NameUse } from '../rules/names.ts'
import type { CredentialType } from '../rules/types.ts'
import type { AccessKey, Role } from '../store.ts'
import { leaseOf } from './lease.ts'

interface Request {
  readonly roleName: string
  readonly role: Role
  readonly body: Body
  readonly displayName: string
}

export function requestOf({ store }: Context, { params, query, body, token }: Call): Request {
  const { name: roleName = '' } = params
  const role = store.roles.get(roleName)
  if (!role) throw badRequest(`no role named ${roleName}`)
  const displayName = token?.displayName ?? ''
  // A GET has no body, so clients that use it send the same fields in the query.
  return { roleName, role, body: { ...Object.fromEntries(query ?? []), ...body }, displayName }
}

export function typeOf({ rules }: Context, way: Way, { role, roleName }: Request): CredentialType {
  const type = rules.ways[role.legacy ? 'legacy' : 'plain'][way].find((one) => role.types.includes(one))
  if (!type) throw badRequest(`role ${roleName} gives out ${role.types.join(', ')}, none of which comes through ${way}`)
  return type
}

export function nameOf(context: Context, use: NameUse, { roleName, displayName }: Request): string {
  const { bounded, longest } = context.rules.names
  const name = nameFor(context, use, roleName, displayName)
  if (name === '') throw badRequest('the username template gives an empty name')
  return bounded(name, use, longest[use])
}

function sessionName(context: Context, request: Request): string {
  const asked = textField(request.body, 'role_session_name')
  return asked ? asked.slice(0, context.rules.names.longest.role_session_name) : nameOf(context, 'STS', request)
}

function roleArnOf({ rules }: Context, { role, body }: Request): string {
  const allowed = role.given.role_arns ?? []
  const arn = rules.roleArn(textField(body, 'role_arn') ?? '', allowed)
  if (arn === undefined) throw badRequest(`role_arn must be one of ${allowed.join(', ')}`)
  return arn
}

function ttlOf({ rules, variation }: Context, type: SessionType, { role, body }: Request): number {
  const request = durationField(body, 'ttl') || undefined
  const cap = role.given.max_sts_ttl || undefined
  if (request && cap && request > cap && variation().sessionAboveCap === 'refused')
    throw badRequest(`ttl is above max_sts_ttl, ${cap} seconds`)
  return rules.lifetimes[type]({ request, role: role.given.default_sts_ttl || undefined, cap })
}

function mfaCodeOf({ rules }: Context, type: SessionType, { role, body }: Request): string {
  const code = textField(body, 'mfa_code') ?? ''
  if (code === '' && role.given.mfa_serial_number && rules.withDevice.includes(type))
    throw badRequest('missing mfa_code: the role has mfa_serial_number')
  return code
}

function sessionNameOf(context: Context, type: SessionType, request: Request): string {
  if (type === 'assumed_role') return sessionName(context, request)
  return type === 'federation_token' ? nameOf(context, 'STS', request) : ''
}

/** Opens a session. Groups filter it, except sessions of the root user itself. */
async function sessionFor(context: Context, type: SessionType, request: Request): Promise<Issued & { ttl: number }> {
  const { rules, variation } = context
  const { role } = request
  const settled = {
    mfaCode: mfaCodeOf(context, type, request),
    roleArn: type === 'assumed_role' ? roleArnOf(context, request) : '',
    name: sessionNameOf(context, type, request),
    ttl: ttlOf(context, type, request),
  }
  const provider = providerOf(context)
  const groups = type === 'session_token' ? [] : await policiesOfGroups(provider, role.given.iam_groups ?? [])
  const ask: Ask = { role, ...settled, groups }
  const issued = await openSession(provider, rules.actions[type], rules.sessions[type], ask, variation())
  return { ...issued, ttl: settled.ttl }
}

/** Makes a user with its key. If a step fails, everything that was made is removed, now or later. */
async function userFor(context: Context, request: Request): Promise<AccessKey & { readonly username: string }> {
  const { rules, store, variation } = context
  const name = nameOf(context, 'IAM', request)
  // The other fields are those of sessions.
  const ask: Ask = { role: request.role, name, roleArn: '', ttl: 0, mfaCode: '', groups: [] }
  const provider = providerOf(context)
  await createUser(provider, rules.user, ask, variation()).catch(async (error) => {
    // The response was lost. If the user was made, it belongs to this mount, unless a lease already has a user of this
    // name.
    if (!isCertain(error) && !store.users.has(name)) await discard(context, { kind: 'bare-user', username: name })
    throw error
  })
  store.users.add(name)
  const key = await furnishUser(provider, rules.user, ask, variation()).catch(async (error) => {
    store.users.delete(name)
    await discard(context, { kind: 'user', username: name })
    throw error
  })
  return { ...key, username: name }
}

/** Removes the user of a lease. If this fails, the lease remains. */
export async function revokeUser(context: Context, username: string): Promise<void> {
  await removeUser(providerOf(context), username)
  context.store.users.delete(username)
}

function reply(
  context: Context,
  { id, secret, token }: AccessKey & { token?: string | undefined },
  lease: Lease,
): Reply {
  const newer = formAt(context) === 'older' ? {} : { session_token: token ?? null }
  return { kind: 'data', data: { access_key: id, secret_key: secret, security_token: token ?? null, ...newer }, lease }
}

async function userReply(context: Context, request: Request): Promise<Reply> {
  const { lease, lease_max: maxTtl } = leaseOf(context)
  const { username, ...key } = await userFor(context, request)
  const revoke = (): Promise<void> => revokeUser(context, username)
  return reply(context, key, { ttl: Math.min(lease, maxTtl), maxTtl, renewable: true, revoke, kept: { username } })
}

/** A session ends by itself, because the provider cannot revoke it. */
async function sessionReply(context: Context, type: SessionType, request: Request): Promise<Reply> {
  const { ttl, ...issued } = await sessionFor(context, type, request)
  return reply(context, issued, { ttl, renewable: false, revoke() {} })
}

export const giveOut =
  (way: Way) =>
  async (call: Call, context: Context): Promise<Reply> => {
    const request = requestOf(context, call)
    const type = typeOf(context, way, request)
    try {
      return await (type === 'iam_user' ? userReply(context, request) : sessionReply(context, type, request))
    } catch (error) {
      throw refusalOf(error, `credentials of role ${request.roleName} were not made (${codeOf(error)})`)
    }
  }
