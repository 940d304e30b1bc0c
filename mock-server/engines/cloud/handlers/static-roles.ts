/** The endpoints `static-roles` and `static-creds`: existing users whose keys the mount rotates. */
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { durationField } from '../../../kernel/http/duration.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { type Context, providerOf } from '../context.ts'
import { makeKeyOrNone } from '../provider/access-keys.ts'
import { isCode, refusalOf } from '../provider/failures.ts'
import type { Provider } from '../provider/provider.ts'
import { keysOf } from '../provider/users.ts'
import type { AccessKey, StaticRole } from '../store.ts'
import { dataOf } from './replies.ts'

/** The shortest and the longest wait before a failed rotation is retried, in milliseconds. */
const [soonest, latest] = [10_000, 3_600_000]

/** Each retry waits as long as the rotation is overdue, so that a role whose user is gone costs little. */
const retryAt = (now: number, { rotatedAt, period }: StaticRole): number =>
  now + Math.min(Math.max(now - rotatedAt - period * 1000, soonest), latest)

const nameIn = ({ params }: Call): string => params.name ?? ''
const noKey: AccessKey = { id: '', secret: '' }

/** Makes a new key for a user. If the user already has as many keys as the provider allows, one is deleted first, but
 * never the key of another static role of the same user. `name` is the role for which the key is made. */
export async function renewKey(
  context: Context,
  name: string,
  username: string,
  when: 'creation' | 'rotation',
): Promise<AccessKey> {
  const { quota, leaving } = context.rules.staticRoles
  const provider = providerOf(context)
  const keys = await keysOf(provider, username)
  const others = [...context.store.staticRoles].filter(([other, role]) => other !== name && role.username === username)
  const free = keys.filter(({ id }) => !others.some(([, { key }]) => key.id === id))
  const isFull = keys.length >= quota
  if (isFull && free.length === 0)
    throw badRequest(
      `the keys of ${username} are those of the static roles ${others.map(([other]) => other).join(', ')}`,
    )
  const deleted = isFull ? leaving(free, when) : undefined
  if (deleted) await provider.iam('DeleteAccessKey', { UserName: username, AccessKeyId: deleted.id })
  const staying = keys.filter((key) => key !== deleted).map(({ id }) => id)
  return makeKeyOrNone(context, provider, username, staying)
}

export const alarmOf = (name: string): string => `rotation of ${name}`

export function awaitRotation(context: Context, name: string, { rotatesAt }: StaticRole): void {
  context.alarms.set(alarmOf(name), rotatesAt, () => context.inTurn('keys', () => rotate(context, name)))
}

/** Renews the key of a role and sets the next timer. */
async function rotate(context: Context, name: string): Promise<void> {
  const { store, clock } = context
  const role = store.staticRoles.get(name)
  if (!role || role.rotatesAt > clock.now()) return
  let next: StaticRole
  try {
    const key = await renewKey(context, name, role.username, 'rotation')
    const now = clock.now()
    next = { ...role, key, rotatedAt: now, rotatesAt: now + role.period * 1000 }
  } catch {
    next = { ...role, rotatesAt: retryAt(clock.now(), role) }
  }
  if (!store.staticRoles.has(name)) return
  store.staticRoles.set(name, next)
  awaitRotation(context, name, next)
}

/** Restores the timers after a restart from a state file. */
export function resumeRotations(context: Context): void {
  for (const [name, role] of context.store.staticRoles) {
    awaitFirstKey(context, name, role)
    awaitRotation(context, name, role)
  }
}

interface Wanted {
  readonly username: string
  readonly period: number
}

export function wantedIn({ body }: Call, { rules }: Context, known: StaticRole | undefined): Wanted {
  const { shortestPeriod } = rules.staticRoles
  const username = textField(body, 'username') || known?.username
  if (!username) throw badRequest('missing username')
  if (known && username !== known.username)
    throw badRequest(`the role is for ${known.username}: another user needs another role`)
  const period = durationField(body, 'rotation_period') ?? known?.period
  if (period === undefined) throw badRequest('missing rotation_period')
  if (period < shortestPeriod) throw badRequest(`rotation_period is below ${shortestPeriod} seconds`)
  return { username, period }
}

async function userId(provider: Provider, UserName: string): Promise<string> {
  try {
    return (await provider.iam('GetUser', { UserName })).User?.UserId ?? ''
  } catch (error) {
    if (isCode(error, 'NoSuchEntity')) throw badRequest(`the provider has no user ${UserName}`)
    throw error
  }
}

async function adopt(context: Context, name: string, { username, period }: Wanted): Promise<StaticRole> {
  const { clock, variation } = context
  const provider = providerOf(context)
  const id = await userId(provider, username)
  const isMade = variation().firstStaticKey === 'at-once'
  const key = isMade ? await renewKey(context, name, username, 'creation') : noKey
  if (variation().adoptedUsers === 'tagged')
    await provider.iam('TagUser', { UserName: username, Tags: [{ Key: 'managed-by', Value: 'static-roles' }] })
  const now = clock.now()
  return { username, userId: id, period, rotatedAt: now, rotatesAt: now + period * 1000, key }
}

/** The milliseconds after which a role gets its first key, if this variation does not make it at once. */
const firstKeyDelay = 100

const firstKeyOf = (name: string): string => `first key of ${name}`
const hasKey = ({ key }: StaticRole): boolean => key.id !== ''

/** Makes the first key of a role a moment after it was configured, if this variation does so. */
function awaitFirstKey(context: Context, name: string, role: StaticRole): void {
  const { store, alarms } = context
  if (hasKey(role)) return
  const make = async (): Promise<void> => {
    const current = store.staticRoles.get(name)
    if (!current || hasKey(current)) return
    const key = await renewKey(context, name, current.username, 'creation').catch(() => noKey)
    store.staticRoles.set(name, { ...current, key })
  }
  alarms.set(firstKeyOf(name), role.rotatedAt + firstKeyDelay, () => context.inTurn('keys', make))
}

/** A new period starts now; the same period changes nothing. */
const changed = ({ clock }: Context, known: StaticRole, { period }: Wanted): StaticRole =>
  period === known.period ? known : { ...known, period, rotatesAt: clock.now() + period * 1000 }

export const writeStaticRole = (call: Call, context: Context): Promise<Reply> =>
  context.inTurn('keys', async () => {
    const { store } = context
    const name = nameIn(call)
    const known = store.staticRoles.get(name)
    try {
      const wanted = wantedIn(call, context, known)
      const role = known ? changed(context, known, wanted) : await adopt(context, name, wanted)
      store.staticRoles.set(name, role)
      if (!known) awaitFirstKey(context, name, role)
      awaitRotation(context, name, role)
      return shownOf(name, role)
    } catch (error) {
      throw refusalOf(error, `static role ${name} was not configured`)
    }
  })

export const shownOf = (name: string, { username, userId: id, period }: StaticRole): Reply =>
  dataOf({ name, id, username, rotation_period: period })

function roleAt(call: Call, { store }: Context): StaticRole {
  const role = store.staticRoles.get(nameIn(call))
  if (!role) throw new Refusal('not-found')
  return role
}

export const readStaticRole = (call: Call, context: Context): Reply => shownOf(nameIn(call), roleAt(call, context))

export const listStaticRoles = ({ store }: Context): Reply => dataOf({ keys: [...store.staticRoles.keys()].sort() })

/** Deletes a static role and leaves its user unchanged: document 3, States and transitions. Servers differ in what they
 * do with its key. */
export const deleteStaticRole = (call: Call, context: Context): Promise<Reply> =>
  context.inTurn('keys', async () => {
    const { store, alarms, variation } = context
    const name = nameIn(call)
    const role = store.staticRoles.get(name)
    if (!role) return done
    store.staticRoles.delete(name)
    alarms.cancel(alarmOf(name))
    alarms.cancel(firstKeyOf(name))
    const { username: UserName, key } = role
    if (variation().staticKeys === 'deleted' && hasKey(role))
      await providerOf(context).iam('DeleteAccessKey', { UserName, AccessKeyId: key.id })
    return done
  })

export function readStaticCredentials(call: Call, context: Context): Reply {
  const { id: access_key, secret: secret_key } = roleAt(call, context).key
  return dataOf({ access_key, secret_key })
}
