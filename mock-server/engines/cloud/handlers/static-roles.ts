/** The endpoints `static-roles` and `static-creds`: existing users whose keys the mount rotates. */
import type { Call, Reply } from '../../../kernel/contracts.ts'
import { done } from '../../../kernel/contracts.ts'
import { textField } from '../../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { type Context, madeUp } from '../context.ts'
import { makeKeyOrNone } from '../provider/access-keys.ts'
import { isCode, refusalOf } from '../provider/failures.ts'
import { discard } from '../provider/pending-removals.ts'
import type { Provider } from '../provider/provider.ts'
import { keysOf, removeKeys, removeUser, stripUser } from '../provider/users.ts'
import type { StaticRules } from '../rules/static-roles.ts'
import type { AccessKey, RootConfig, StaticRole, Store } from '../store.ts'
import { dataOf } from './replies.ts'

/** The milliseconds after which a failed rotation is retried. */
const secondTry = 10_000
const retryAfter = { 'tried-again': secondTry, 'given-up': Number.MAX_SAFE_INTEGER / 2 } as const

const nameIn = (call: Call, { rules }: Context): string => rules.staticRoles.nameOf(call.params.name ?? '')
const noKey: AccessKey = { id: '', secret: '' }

/** The root configuration when each static role was created. Only a mutant needs it. */
const firstRoots = new WeakMap<Store, Map<string, RootConfig | undefined>>()

/** Returns the configuration that signs the calls for a role, or undefined for the current one. */
function signedFor({ store, rules }: Context, name = ''): RootConfig | undefined {
  if (rules.staticRoles.rotation.signedBy === 'present') return undefined
  const roots = firstRoots.get(store) ?? new Map<string, RootConfig | undefined>()
  firstRoots.set(store, roots)
  const first = roots.get(name) ?? store.root
  roots.set(name, first)
  return first
}

/** The keys of deleted static roles. Only a mutant needs them. */
const deletedKeys = new WeakMap<Store, Map<string, AccessKey>>()

type Room = Pick<StaticRules['rotation'], 'makesRoomAt' | 'goes'> & Partial<Pick<StaticRules['rotation'], 'counts'>>

/** Makes a new key for a user. If the user already has as many keys as the provider allows, one is deleted first, but
 * never the key of another static role of the same user. `name` is the role for which the key is made. */
async function renewKey(
  context: Context,
  name: string | undefined,
  username: string,
  { makesRoomAt, goes, counts = 'all' }: Room,
): Promise<AccessKey> {
  const provider = context.provider(signedFor(context, name))
  const keys = await keysOf(provider, username)
  const others = [...context.store.staticRoles].filter(([other, role]) => other !== name && role.username === username)
  const free = keys.filter(({ id }) => !others.some(([, { key }]) => key.id === id))
  const own = context.store.staticRoles.get(name ?? '')?.rotations ?? 0
  const isFull = (counts === 'all' ? keys.length : own + 1) >= makesRoomAt
  if (isFull && free.length === 0)
    throw badRequest(
      `the keys of ${username} are those of the static roles ${others.map(([other]) => other).join(', ')}`,
    )
  const leaving = isFull ? (goes === 'oldest' ? free[0] : free.at(-1)) : undefined
  if (leaving) await provider.iam('DeleteAccessKey', { UserName: username, AccessKeyId: leaving.id })
  const staying = keys.filter((key) => key !== leaving).map(({ id }) => id)
  return makeKeyOrNone(context, provider, username, staying)
}

const alarmOf = (name: string): string => `rotation of ${name}`

function awaitRotation(context: Context, name: string, role: StaticRole): void {
  const { rotation, madeAgain } = context.rules.staticRoles
  const [first] = context.store.staticRoles.keys()
  if (rotation.of === 'the-first' && name !== first) return
  if (!rotation.rotates || (madeAgain === 'at-rest' && deletedKeys.get(context.store)?.has(name))) return
  context.alarms.set(alarmOf(name), role.rotatesAt, () => context.inTurn('keys', () => rotate(context, name, role)))
}

/** Renews the key of a role and sets the next timer. `asSet` is the state of the role when this timer was set. */
async function rotate(context: Context, name: string, asSet: StaticRole): Promise<void> {
  const { store, clock, rules } = context
  const { rotation, deletion } = rules.staticRoles
  const role = store.staticRoles.get(name) ?? (deletion.rotation === 'goes-on' ? asSet : undefined)
  if (!role || role.rotatesAt > clock.now()) return
  const { rotations = 0 } = role
  if (rotations >= rotation.most) return
  let next: StaticRole
  try {
    const key = await renewKey(context, name, role.username, rotation)
    const others = [...store.staticRoles.values()].filter(({ username }) => username !== role.username)
    if (rotation.renews === 'all')
      for (const { username } of others) await renewKey(context, undefined, username, rotation)
    const now = clock.now()
    const period = rules.staticRoles.newPeriod.holds === 'once' ? (role.firstPeriod ?? role.period) : role.period
    const counted = { rotations: rotations + 1, secondKey: role.secondKey ?? key }
    next = { ...role, ...counted, key, rotatedAt: now, rotatesAt: now + rotation.after(period) * 1000 }
  } catch {
    next = { ...role, rotatesAt: clock.now() + retryAfter[rotation.failed] }
  }
  if (store.staticRoles.has(name)) store.staticRoles.set(name, next)
  if (rotation.replaced === 'deleted' && next.key !== role.key)
    await discard(context, { kind: 'key', username: role.username, key: role.key.id })
  awaitRotation(context, name, next)
}

/** Restores the timers after a restart from a state file. */
export function resumeRotations(context: Context): void {
  for (const [name, role] of context.store.staticRoles) awaitRotation(context, name, role)
}

interface Wanted {
  readonly username: string
  /** The period in seconds. */
  readonly period: number
}

function periodIn({ read, invalid }: StaticRules['period'], { body }: Call): number | undefined {
  try {
    return read(body, 'rotation_period')
  } catch (error) {
    if (invalid === 'taken') return 3600
    throw error
  }
}

function wantedIn(call: Call, context: Context, known: StaticRole | undefined): Wanted {
  const rules = context.rules.staticRoles
  const username = textField(call.body, 'username') || known?.username || ''
  if (username === '' && rules.username.absent === 'refused') throw badRequest('missing username')
  if (known && username !== known.username && rules.username.changed === 'refused')
    throw badRequest(`the role is for ${known.username}: another user needs another role`)
  const asked = periodIn(rules.period, call) ?? known?.period
  const period = asked ?? rules.period.absent
  if (period === 'refused') throw badRequest('missing rotation_period')
  const isBound = !known || rules.period.bounds === 'each-write'
  if (isBound && period < rules.period.shortest && !(period === 0 && rules.period.zero === 'taken'))
    throw badRequest(`rotation_period is below ${rules.period.shortest} seconds`)
  return { username, period }
}

async function userId(context: Context, provider: Provider, UserName: string): Promise<string> {
  const { unknownUser } = context.rules.staticRoles
  try {
    return (await provider.iam('GetUser', { UserName })).User?.UserId ?? ''
  } catch (error) {
    if (!isCode(error, 'NoSuchEntity')) throw error
    if (unknownUser === 'created') return (await provider.iam('CreateUser', { UserName })).User?.UserId ?? ''
    throw badRequest(`the provider has no user ${UserName}`)
  }
}

async function adopt(context: Context, name: string, { username, period }: Wanted): Promise<StaticRole> {
  const { clock, rules } = context
  const { configuration, quota, rotation } = rules.staticRoles
  const provider = context.provider()
  if (rules.staticRoles.beside === 'administrator')
    await provider.iam('AttachUserPolicy', {
      UserName: username,
      PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess',
    })
  const id = await userId(context, provider, username)
  if (rules.staticRoles.beside === 'stripped') await stripUser(provider, username)
  if (configuration.full === 'refused' && (await keysOf(provider, username)).length >= quota)
    throw badRequest(`${username} has ${quota} keys already`)
  const isMade = configuration.key === 'made' && context.variation().firstStaticKey === 'at-once'
  const made = isMade ? await renewKey(context, name, username, configuration) : noKey
  const old = rules.staticRoles.madeAgain === 'old-key' ? deletedKeys.get(context.store)?.get(name) : undefined
  const key = old ?? made
  if (context.variation().adoptedUsers === 'tagged')
    await provider.iam('TagUser', { UserName: username, Tags: [{ Key: 'managed-by', Value: 'static-roles' }] })
  const now = clock.now()
  const rotatesAt = now + rotation.after(period) * 1000
  return { username, userId: id, period, firstPeriod: period, rotatedAt: now, rotatesAt, key, firstKey: key }
}

/** The milliseconds after which a role gets its first key, if this variation does not make it at once. The clock of the
 * server may stand still, so they pass in real time. */
const moment = 100

/** Makes the first key of a role a moment later if this variation does so. */
function awaitFirstKey(context: Context, name: string, { username, key }: StaticRole): void {
  const { store, rules, variation } = context
  const { configuration } = rules.staticRoles
  if (variation().firstStaticKey === 'at-once' || configuration.key !== 'made' || key !== noKey) return
  const make = async (): Promise<void> => {
    const role = store.staticRoles.get(name)
    if (role?.key !== noKey) return
    const made = await renewKey(context, name, username, configuration)
    store.staticRoles.set(name, { ...role, key: made, firstKey: made })
  }
  setTimeout(() => context.inTurn('keys', make).catch(() => {}), moment).unref()
}

/** A new period starts now; the same period changes nothing. */
function changed(context: Context, before: StaticRole, { username, period }: Wanted): StaticRole {
  const { clock, rules } = context
  const known = username === before.username ? before : { ...before, shownUser: username }
  const { newPeriod, rotation } = rules.staticRoles
  const { changes = 0 } = known
  if (period === known.period || !newPeriod.taken || changes >= newPeriod.most) return known
  if (period > known.period && newPeriod.longer === 'afterwards') return { ...known, period }
  const from = newPeriod.countsFrom === 'now' ? clock.now() : known.rotatedAt
  return { ...known, period, changes: changes + 1, rotatesAt: from + rotation.after(period) * 1000 }
}

/** Postpones the rotations of all other static roles. Only a mutant does this. */
function resetOthers(context: Context, name: string): void {
  const { store, clock, rules } = context
  if (rules.staticRoles.newPeriod.resets !== 'all') return
  for (const [other, role] of store.staticRoles) {
    if (other === name) continue
    const next = { ...role, rotatesAt: clock.now() + role.period * 1000 }
    store.staticRoles.set(other, next)
    awaitRotation(context, other, next)
  }
}

/** Returns whether a write that changes nothing ends the rotations of a role. Only a mutant does this. */
const isAtRest = ({ rules }: Context, known: StaticRole | undefined, role: StaticRole): boolean =>
  role === known && rules.staticRoles.newPeriod.same === 'ends-rotations'

/** Damages a role whose change was refused. Only mutants do this. */
function spoil({ store, rules, alarms }: Context, name: string, known: StaticRole, { body }: Call): void {
  const { refusedChange } = rules.staticRoles
  if (refusedChange === 'key') store.staticRoles.set(name, { ...known, key: noKey })
  if (refusedChange === 'role') store.staticRoles.delete(name)
  const isShort = refusedChange === 'timer-for-short-period' && Number(body.rotation_period) < 60
  if (refusedChange === 'timer' || isShort) alarms.cancel(alarmOf(name))
}

export const writeStaticRole = (call: Call, context: Context): Promise<Reply> =>
  context.inTurn('keys', async () => {
    const { store, rules, clock } = context
    const name = nameIn(call, context)
    const known = store.staticRoles.get(name)
    try {
      const wanted = wantedIn(call, context, known)
      const role = known ? changed(context, known, wanted) : await adopt(context, name, wanted)
      store.staticRoles.set(name, role)
      if (!known) awaitFirstKey(context, name, role)
      if (isAtRest(context, known, role)) context.alarms.cancel(alarmOf(name))
      else awaitRotation(context, name, role)
      if (known && role !== known) resetOthers(context, name)
      return shownOf(name, role)
    } catch (error) {
      if (rules.refusedWrite === 'stored') {
        const [username, period] = [String(call.body.username ?? ''), 3600]
        const now = clock.now()
        const at = { rotatedAt: now, rotatesAt: Number.MAX_SAFE_INTEGER }
        store.staticRoles.set(name, { username, userId: '', period, key: noKey, firstKey: noKey, ...known, ...at })
      }
      if (known) spoil(context, name, known, call)
      throw refusalOf(error, `static role ${name} was not configured`)
    }
  })

const lastOf = (roles: ReadonlyMap<string, StaticRole>, asked: StaticRole): StaticRole =>
  [...roles.values()].at(-1) ?? asked

const shownOf = (name: string, { username, shownUser, userId: id, period }: StaticRole, more: object = {}): Reply =>
  dataOf({ name, id, username: shownUser ?? username, rotation_period: period, ...more })

export function readStaticRole(call: Call, context: Context): Reply {
  const { store, rules } = context
  const { read, shows, showsPeriod, readHolds } = rules.staticRoles
  const asked = store.staticRoles.get(nameIn(call, context))
  if (!asked || read === 'not-found') throw new Refusal('not-found')
  const role = shows === 'last' ? lastOf(store.staticRoles, asked) : asked
  const { id: access_key, secret: secret_key } = role.key
  const period = showsPeriod === 'first' ? (role.firstPeriod ?? role.period) : role.period
  return shownOf(nameIn(call, context), { ...role, period }, readHolds === 'key' ? { access_key, secret_key } : {})
}

export const listStaticRoles = ({ store }: Context): Reply => dataOf({ keys: [...store.staticRoles.keys()].sort() })

/** Deletes the key of a static role if this variation does so, because servers differ here. Everything else is done
 * only by mutants. */
async function deleteAtProvider({ username, key }: StaticRole, context: Context): Promise<void> {
  const { store, rules, variation } = context
  const { deletion } = rules.staticRoles
  if (deletion.otherKeys === 'deleted')
    for (const other of store.staticRoles.values()) await removeKeys(context.provider(), other.username)
  if (deletion.user === 'stripped') await stripUser(context.provider(), username)
  if (deletion.user === 'deleted') await removeUser(context.provider(), username)
  else if (deletion.role === 'gone' && variation().staticKeys === 'deleted' && key.id !== '')
    await context.provider().iam('DeleteAccessKey', { UserName: username, AccessKeyId: key.id })
}

/** Stops the rotations of a deleted static role. */
function endRotations({ store, rules, alarms }: Context, name: string): void {
  const { role, rotation } = rules.staticRoles.deletion
  if (rotation !== 'goes-on' && role === 'gone') alarms.cancel(alarmOf(name))
  if (rotation === 'all-end') for (const other of store.staticRoles.keys()) alarms.cancel(alarmOf(other))
}

/** Removes a static role from the store, and whatever a mutant removes with it. */
function forget({ store, rules }: Context, name: string, { username }: StaticRole): void {
  const { role, namesake } = rules.staticRoles.deletion
  const gone = {
    gone: [name],
    kept: [],
    'all-gone': [...store.staticRoles.keys()],
    'all-of-user-gone': [...store.staticRoles].flatMap(([other, one]) => (one.username === username ? [other] : [])),
  }
  for (const one of gone[role]) store.staticRoles.delete(one)
  if (namesake === 'goes') store.roles.delete(name)
}

/** Deletes a static role and leaves its user unchanged: document 3, States and transitions. */
export const deleteStaticRole = (call: Call, context: Context): Promise<Reply> =>
  context.inTurn('keys', async () => {
    const { store, rules } = context
    const { deletion } = rules.staticRoles
    const name = nameIn(call, context)
    const role = store.staticRoles.get(name)
    if (!role) return done
    deletedKeys.set(store, new Map([...(deletedKeys.get(store) ?? []), [name, role.key]]))
    forget(context, name, role)
    endRotations(context, name)
    await deleteAtProvider(role, context)
    if (deletion.answer === 'refused') throw badRequest(`static role ${name} was not deleted`)
    return done
  })

export function readStaticCredentials(call: Call, context: Context): Reply {
  const { credentials, missingCredentials, credentialsOf } = context.rules.staticRoles
  const known = context.store.staticRoles
  const asked = known.get(nameIn(call, context))
  const role = asked && credentialsOf === 'last' ? lastOf(known, asked) : asked
  if (!role && missingCredentials === 'not-found') throw new Refusal('not-found')
  const which = {
    current: role?.key,
    first: role?.firstKey,
    second: role?.secondKey ?? role?.key,
    'made-up': madeUp(context),
  }
  const { id, secret } = (role ? which[credentials] : which['made-up']) ?? noKey
  return dataOf({ access_key: id, secret_key: secret })
}
