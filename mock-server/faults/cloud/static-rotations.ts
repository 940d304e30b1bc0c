/** Faults of the rotations of static roles, and of changes of their period. Timers are set by the name of the role. */
import type { Context } from '../../engines/cloud/context.ts'
import { alarmOf, awaitRotation, renewKey } from '../../engines/cloud/handlers/static-roles.ts'
import { discard } from '../../engines/cloud/provider/pending-removals.ts'
import type { Provider } from '../../engines/cloud/provider/provider.ts'
import type { AccessKey, RootConfig, StaticRole } from '../../engines/cloud/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import type { Form } from '../fault.ts'
import {
  after,
  type CloudFault,
  faults,
  type Here,
  inTable,
  nameIn,
  on,
  sending,
  showing,
  stored,
} from './cloud-operations.ts'
import { changesPeriod, isNew, remembersKeys, remembersNew, staticAt } from './static-roles.ts'

const write = ['POST static-roles/:name']
const remove = ['DELETE static-roles/:name']
const prefix = alarmOf('')
/** Returns the name of the role that a timer rotates. */
const roleOf = (alarm: string): string | undefined =>
  alarm.startsWith(prefix) ? alarm.slice(prefix.length) : undefined

type Due = () => Promise<void>
/** Changes what happens when the rotation of a role is due. `role` returns the role as it is. */
const due = (change: (name: string, usual: Due, role: () => StaticRole | undefined, here: Here) => Promise<void>) =>
  stored(
    'alarms',
    'set',
    ([alarm, at, usual], next, here) => {
      const name = roleOf(alarm) ?? ''
      next(alarm, at, () => change(name, usual, () => here.context.store.staticRoles.get(name), here))
    },
    ([alarm]) => roleOf(alarm) !== undefined,
  )
/** Does something after a successful rotation. */
const rotated = (act: (name: string, before: StaticRole, role: StaticRole, here: Here) => unknown) =>
  due(async (name, usual, role, here) => {
    const before = role()
    await usual()
    const present = role()
    if (before && present && present.key.id !== before.key.id) await act(name, before, present, here)
  })
const onlyRemembers = (form: Form<Context>): Form<Context> => Object.assign({}, form, { remembers: true })
/** Remembers how often each role was rotated. */
const counting = onlyRemembers(
  rotated((name, _before, _role, { memory }) => memory.set(name, Number(memory.get(name) ?? 0) + 1)),
)
/** Does not set the timers of some roles. */
const resting = (isAtRest: (name: string, here: Here) => boolean) =>
  stored(
    'alarms',
    'set',
    () => {},
    ([alarm], here) => roleOf(alarm) !== undefined && isAtRest(roleOf(alarm) ?? '', here),
  )
const endRotation = (call: Call, { context }: Here): void => context.alarms.cancel(alarmOf(nameIn(call)))
/** Sets the next rotation of a role to another time. */
function rotateAt(name: string, rotatesAt: number, { context }: Here): void {
  const role = context.store.staticRoles.get(name)
  if (!role) return
  context.store.staticRoles.set(name, { ...role, rotatesAt })
  awaitRotation(context, name, { ...role, rotatesAt })
}
/** Changes the calls to the provider while a rotation is handled. */
const rotating = (isMeant: (name: string, here: Here) => boolean, change: (provider: Provider) => Provider) => [
  due(async (name, usual, _role, here) => {
    if (!isMeant(name, here)) return usual()
    here.memory.set('under way', true)
    await usual().finally(() => here.memory.delete('under way'))
  }),
  stored(
    'providers',
    'for',
    ([config], next) => change(next(config)),
    (_given, { memory }) => memory.has('under way'),
  ),
]

export const ofStaticRotations: readonly CloudFault[] = faults({
  'static-never-rotates': 'Static roles are never rotated.',
  'static-failed-rotation-is-the-last': 'After a failed rotation, a static role is no longer rotated.',
  'static-rotates-all': 'The rotation of one static role renews the keys of all static roles.',
  'static-only-the-first-rotates': 'Only the static role that was created first is rotated.',
  'static-rotates-twice-only': 'After two rotations, a static role is no longer rotated.',
  'static-rotation-signs-old-root': 'Rotations use the root credentials with which the static role was created.',
  'static-rotates-early': 'Rotations happen after half the rotation_period.',
  'static-rotation-replaces-own': 'A rotation deletes the key that it replaces at once.',
  'static-rotation-deletes-newest': 'A rotation deletes the newest of two keys instead of the oldest.',
  'static-rotation-counts-own-keys':
    'A rotation counts only the keys that the static role made, not all keys of the user.',
  'static-period-change-ignored': 'A change of rotation_period is ignored.',
  'static-period-second-change-ignored': 'A second change of rotation_period is ignored.',
  'static-period-change-once': 'A change of rotation_period applies only to the next rotation.',
  'static-period-change-from-last':
    'After a change, rotation_period counts from the last rotation instead of from the change.',
  'static-period-longer-afterwards': 'A longer rotation_period takes effect only after the next rotation.',
  'static-same-period-ends-rotations':
    'A static role that is written again with the same rotation_period is no longer rotated.',
  'static-period-change-resets-all': 'A change of rotation_period postpones the rotations of all static roles.',
  'static-rotates-after-delete': 'A deleted static role is still rotated.',
  'static-creds-stale-later': 'The key of the first rotation is returned even after later rotations.',
  'static-made-again-never-rotates': 'A static role that is created again after its deletion is never rotated.',
}).by({
  'static-never-rotates': resting(() => true),
  'static-failed-rotation-is-the-last': due(async (name, usual, role, { context }) => {
    const before = role()
    await usual()
    if (role()?.rotatedAt === before?.rotatedAt) context.alarms.cancel(alarmOf(name))
  }),
  'static-rotates-all': rotated(async (_name, { username }, _role, { context }) => {
    const others = [...context.store.staticRoles.values()].filter((other) => other.username !== username)
    for (const other of others) await renewKey(context, '', other.username, 'rotation')
  }),
  'static-only-the-first-rotates': resting((name, { context }) => name !== [...context.store.staticRoles.keys()][0]),
  'static-rotates-twice-only': [
    counting,
    due(async (name, usual, _role, { memory }) => {
      if (Number(memory.get(name) ?? 0) < 2) await usual()
    }),
  ],
  'static-rotation-signs-old-root': [
    remembersNew((_role, { context }) => context.store.root),
    due(async (name, usual, _role, { memory }) => {
      memory.set('under way', memory.get(name))
      await usual().finally(() => memory.delete('under way'))
    }),
    stored(
      'providers',
      'for',
      ([config], next, { memory }) => next((memory.get('under way') ?? config) as RootConfig),
      (_given, { memory }) => memory.has('under way'),
    ),
  ],
  'static-rotates-early': stored(
    'alarms',
    'set',
    ([alarm, at, usual], next, { context: { store, clock } }) => {
      const name = roleOf(alarm) ?? ''
      const role = store.staticRoles.get(name)
      const early = at - ((role?.period ?? 0) * 1000) / 2
      const rotatesAt = early > clock.now() ? early : at
      if (role) store.staticRoles.set(name, { ...role, rotatesAt })
      next(alarm, rotatesAt, usual)
    },
    ([alarm]) => roleOf(alarm) !== undefined,
  ),
  'static-rotation-replaces-own': rotated((_name, { username, key }, _role, { context }) =>
    discard(context, { kind: 'key', username, key: key.id }),
  ),
  'static-rotation-deletes-newest': inTable('staticRoles', ({ leaving }) => ({
    leaving: (keys, when) => (when === 'rotation' ? keys.at(-1) : leaving(keys, when)),
  })),
  'static-rotation-counts-own-keys': [
    counting,
    rotating(
      (name, { memory }) => !memory.has(name),
      (provider) => ({
        ...provider,
        iam: async (action, input) => (action === 'DeleteAccessKey' ? ({} as never) : provider.iam(action, input)),
      }),
    ),
  ],
  'static-period-change-ignored': sending(write, (_body, call, here) =>
    changesPeriod(call, here) ? { rotation_period: staticAt(call, here)?.period } : {},
  ),
  'static-period-second-change-ignored': [
    on(
      write,
      changesPeriod,
      async (call, next, { memory }) => {
        const reply = await next(call)
        memory.set(nameIn(call), true)
        return reply
      },
      { remembers: true },
    ),
    sending(write, (_body, call, here) =>
      changesPeriod(call, here) && here.memory.has(nameIn(call))
        ? { rotation_period: staticAt(call, here)?.period }
        : {},
    ),
  ],
  'static-period-change-once': [
    remembersNew((role) => role.period),
    rotated((name, _before, { rotatedAt, period }, here) => {
      const first = Number(here.memory.get(name) ?? period)
      if (first !== period) rotateAt(name, rotatedAt + first * 1000, here)
    }),
  ],
  'static-period-change-from-last': after(write, changesPeriod, (call, here) => {
    const { rotatedAt, period } = staticAt(call, here) as StaticRole
    rotateAt(nameIn(call), rotatedAt + period * 1000, here)
  }),
  'static-period-longer-afterwards': on(write, changesPeriod, async (call, next, here) => {
    const before = staticAt(call, here)
    const reply = await next(call)
    const role = staticAt(call, here)
    if (before && role && role.period > before.period) rotateAt(nameIn(call), before.rotatesAt, here)
    return reply
  }),
  'static-same-period-ends-rotations': after(
    write,
    (call, here) => !isNew(call, here) && !changesPeriod(call, here),
    endRotation,
  ),
  'static-period-change-resets-all': after(write, changesPeriod, (call, here) => {
    const { store, clock } = here.context
    for (const [name, { period }] of store.staticRoles)
      if (name !== nameIn(call)) rotateAt(name, clock.now() + period * 1000, here)
  }),
  'static-rotates-after-delete': on(
    remove,
    (call, here) => !isNew(call, here),
    async (call, next, here) => {
      const { context } = here
      const { username, period, rotatesAt } = staticAt(call, here) as StaticRole
      const reply = await next(call)
      const goOn = (at: number): void =>
        context.alarms.set(alarmOf(nameIn(call)), at, async () => {
          await renewKey(context, '', username, 'rotation').catch(() => {})
          goOn(context.clock.now() + period * 1000)
        })
      goOn(rotatesAt)
      return reply
    },
  ),
  'static-creds-stale-later': [
    onlyRemembers(
      rotated((name, _before, { key }, { memory }) => {
        if (!memory.has(name)) memory.set(name, key)
      }),
    ),
    showing(
      ['GET static-creds/:name'],
      (call, here) =>
        here.memory.has(nameIn(call)) &&
        (here.memory.get(nameIn(call)) as AccessKey).id !== staticAt(call, here)?.key.id,
      (_fields, { memory }, call) => {
        const { id, secret } = memory.get(nameIn(call)) as AccessKey
        return { access_key: id, secret_key: secret }
      },
    ),
  ],
  'static-made-again-never-rotates': [remembersKeys, resting((name, { memory }) => memory.has(name))],
})
