/** Faults of static roles: writes, reads and deletions. */

import { providerOf } from '../../engines/cloud/context.ts'
import type { Body } from '../../engines/cloud/fields.ts'
import { alarmOf, shownOf, wantedIn } from '../../engines/cloud/handlers/static-roles.ts'
import { isCode } from '../../engines/cloud/provider/failures.ts'
import type { Provider } from '../../engines/cloud/provider/provider.ts'
import { keysOf, removeKeys, removeUser, stripUser } from '../../engines/cloud/provider/users.ts'
import type { AccessKey, StaticRole } from '../../engines/cloud/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import { parseDuration } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import {
  after,
  type CloudFault,
  calling,
  fault,
  faults,
  type Here,
  inTable,
  isSet,
  madeUp,
  nameIn,
  naming,
  on,
  refusing,
  refusingAfterwards,
  sending,
  showing,
  whenRefused,
  withBody,
} from './cloud-operations.ts'

const write = ['POST static-roles/:name']
const read = ['GET static-roles/:name']
const remove = ['DELETE static-roles/:name']
const readKey = ['GET static-creds/:name']

type When = (call: Call, here: Here) => boolean
export const staticAt = (call: Call, { context }: Here): StaticRole | undefined =>
  context.store.staticRoles.get(nameIn(call))
const isKnown: When = (call, here) => staticAt(call, here) !== undefined
export const isNew: When = (call, here) => !isKnown(call, here)
const periodIn = ({ body }: Call): number | undefined => parseDuration(body.rotation_period)
/** Returns whether a write changes the period of a role. */
export const changesPeriod: When = (call, here) => {
  const known = staticAt(call, here)
  const period = periodIn(call)
  return known !== undefined && period !== undefined && period !== known.period
}
const isRefused: When = (call, here) => {
  try {
    wantedIn(call, here.context, staticAt(call, here))
    return false
  } catch {
    return true
  }
}
const others = (call: Call, { context }: Here): readonly (readonly [string, StaticRole])[] =>
  [...context.store.staticRoles].filter(([name]) => name !== nameIn(call))
const put = (call: Call, { context }: Here, role: StaticRole): void =>
  void context.store.staticRoles.set(nameIn(call), role)

const period = (change: (text: string, body: Body) => unknown) =>
  sending(write, (body) =>
    typeof body.rotation_period === 'string' ? { rotation_period: change(body.rotation_period, body) } : {},
  )

/** Accepts a write with another period than the one that is stored. */
const acceptingPeriod = (when: When) =>
  on(
    write,
    (call, here) => periodIn(call) !== undefined && when(call, here),
    async (call, next, here) => {
      await next(withBody(call, { rotation_period: 60 }))
      const role = staticAt(call, here)
      if (!role) throw new Error('the role was not stored')
      const changed = { ...role, period: periodIn(call) ?? 60 }
      put(call, here, changed)
      return shownOf(nameIn(call), changed)
    },
  )

const withUser = (when: When, act: (provider: Provider, username: string, here: Here) => Promise<unknown>) =>
  on(
    write,
    (call, here) => isSet(call.body.username) && when(call, here) && !isRefused(call, here),
    async (call, next, here) => {
      await act(providerOf(here.context), String(call.body.username), here)
      return next(call)
    },
  )
const keyless = (provider: Provider): Provider => ({
  ...provider,
  iam: async (action, input) =>
    action === 'CreateAccessKey'
      ? ({ AccessKey: { AccessKeyId: 'none', SecretAccessKey: 'none' } } as never)
      : provider.iam(action, input),
})

const writes: readonly CloudFault[] = [
  ...faults({
    'static-username-optional': 'A static role without username is accepted.',
    'static-user-changes-in-name-only': 'A change of username is accepted and shown, but the user stays the same.',
    'static-period-optional': 'A static role without rotation_period is accepted.',
    'static-period-59': 'A rotation_period of 59 seconds is accepted.',
    'static-period-unbound-later': 'An existing static role accepts a rotation_period below one minute.',
    'static-period-60-refused': 'A rotation_period of 60 seconds is refused.',
    'static-period-no-strings': 'rotation_period is refused if it is a duration string.',
    'static-period-no-numbers': 'rotation_period is refused if it is a number.',
    'static-no-key-at-first': 'No key is created when a static role is created.',
    'static-full-newest-rotated':
      'If the user has two keys when a static role is created, the newest is deleted instead of the oldest.',
    'static-full-refused': 'A static role for a user with two keys is refused.',
    'static-one-key-replaced': 'If the user has only one key when a static role is created, that key is deleted.',
    'static-period-hours-as-minutes': 'A rotation_period in hours is read as minutes.',
    'static-period-digits-as-minutes': 'A rotation_period that is a string of digits is read as minutes.',
    'static-period-first-unit-only': 'Only the first part of a rotation_period with several units counts.',
    'static-period-0': 'A rotation_period of 0 seconds is accepted.',
    'static-period-any': 'A rotation_period that is not a duration is accepted.',
    'static-role-names-are-cut': 'Only the first 32 characters of the name of a static role count.',
    'static-role-names-end-at-a-dot': 'The last dot of the name of a static role and everything after it are ignored.',
    'static-makes-administrator': 'The user of a static role gets the policy AdministratorAccess.',
    'static-strips-user': 'The user of a static role loses its groups and policies.',
    'static-creates-user': 'A static role for a user that does not exist at the provider creates the user.',
  }).by({
    'static-username-optional': whenRefused(
      write,
      (call, here) => isNew(call, here) && !isSet(call.body.username) && (periodIn(call) ?? 0) >= 60,
      (call, here) => {
        const now = here.context.clock.now()
        const times = { period: periodIn(call) ?? 0, rotatedAt: now, rotatesAt: Number.MAX_SAFE_INTEGER }
        const role = { username: '', userId: '', ...times, key: { id: '', secret: '' } }
        put(call, here, role)
        return shownOf(nameIn(call), role)
      },
    ),
    'static-user-changes-in-name-only': [
      on(
        write,
        (call, here) =>
          isKnown(call, here) && isSet(call.body.username) && call.body.username !== staticAt(call, here)?.username,
        async (call, next, here) => {
          const { username } = call.body
          await next(withBody(call, { username: '' }))
          here.memory.set(nameIn(call), username)
          return shownOf(nameIn(call), { ...(staticAt(call, here) as StaticRole), username: String(username) })
        },
      ),
      showing(
        read,
        (call, { memory }) => memory.has(nameIn(call)),
        (fields, { memory }, call) => ({ ...fields, username: memory.get(nameIn(call)) }),
      ),
    ],
    'static-period-optional': sending(write, (body, call, here) =>
      isNew(call, here) && !isSet(body.rotation_period) && body.rotation_period !== 0
        ? { rotation_period: 86_400 }
        : {},
    ),
    'static-period-59': inTable('staticRoles', { shortestPeriod: 59 }),
    'static-period-unbound-later': acceptingPeriod((call, here) => isKnown(call, here) && (periodIn(call) ?? 60) < 60),
    'static-period-60-refused': inTable('staticRoles', { shortestPeriod: 61 }),
    'static-period-no-strings': refusing(write, ({ body }) => /[a-z]/.test(String(body.rotation_period ?? ''))),
    'static-period-no-numbers': refusing(write, ({ body }) => /^\d+$/.test(String(body.rotation_period ?? ''))),
    'static-no-key-at-first': [
      calling(write, isNew, keyless),
      after(write, isNew, (call, here) => {
        const role = staticAt(call, here)
        if (role) put(call, here, { ...role, key: { id: '', secret: '' } })
      }),
    ],
    'static-full-newest-rotated': inTable('staticRoles', ({ leaving }) => ({
      leaving: (keys, when) => (when === 'creation' ? keys.at(-1) : leaving(keys, when)),
    })),
    'static-full-refused': withUser(isNew, async (provider, username) => {
      if ((await keysOf(provider, username).catch(() => [])).length >= 2) throw badRequest(`${username} has two keys`)
    }),
    'static-one-key-replaced': withUser(isNew, async (provider, username, { context }) => {
      const [only, ...more] = await keysOf(provider, username).catch(() => [])
      const isHeld = [...context.store.staticRoles.values()].some(({ key }) => key.id === only?.id)
      if (only && more.length === 0 && !isHeld)
        await provider.iam('DeleteAccessKey', { UserName: username, AccessKeyId: only.id })
    }),
    'static-period-hours-as-minutes': period((text) => text.replace(/h$/, 'm')),
    'static-period-digits-as-minutes': period((text) => (/^\d+$/.test(text) ? Number(text) * 60 : text)),
    'static-period-first-unit-only': period((text) => /^\d+[a-z]*/.exec(text)?.[0] ?? text),
    'static-period-0': acceptingPeriod((call) => periodIn(call) === 0),
    'static-period-any': period((text) => (text === '' || (parseDuration(text) ?? -1) >= 0 ? text : 3600)),
    'static-role-names-are-cut': naming([...write, ...read, ...remove, ...readKey], (name) => name.slice(0, 32)),
    'static-role-names-end-at-a-dot': naming([...write, ...read, ...remove, ...readKey], (name) =>
      name.replace(/\.[^.]*$/, ''),
    ),
    'static-makes-administrator': withUser(isNew, (provider, UserName) =>
      provider
        .iam('AttachUserPolicy', { UserName, PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' })
        .catch(() => {}),
    ),
    'static-strips-user': withUser(isNew, (provider, username) => stripUser(provider, username).catch(() => {})),
    'static-creates-user': withUser(isNew, (provider, UserName) =>
      provider.iam('GetUser', { UserName }).catch((error) => {
        if (isCode(error, 'NoSuchEntity')) return provider.iam('CreateUser', { UserName })
        return undefined
      }),
    ),
  }),
  ...(
    [
      [
        'static-short-period-loses-timer',
        'A refused rotation_period that is too short deletes the timer of rotations.',
      ],
      ['static-refused-change-loses-key', 'A refused change of a static role deletes its key.'],
      ['static-refused-change-loses-timer', 'A refused change of a static role deletes the timer of its rotations.'],
      ['static-refused-change-loses-role', 'A refused change of a static role deletes the role.'],
    ] as const
  ).map(([id, does]) =>
    fault(
      id,
      does,
      whenRefused(
        write,
        (call, here) =>
          isKnown(call, here) &&
          isRefused(call, here) &&
          (id !== 'static-short-period-loses-timer' || Number(call.body.rotation_period) < 60),
        (call, here) => {
          const role = staticAt(call, here)
          if (id.endsWith('-timer')) here.context.alarms.cancel(alarmOf(nameIn(call)))
          if (id.endsWith('-role')) here.context.store.staticRoles.delete(nameIn(call))
          if (id.endsWith('-key') && role) put(call, here, { ...role, key: { id: '', secret: '' } })
        },
      ),
    ),
  ),
]

const nameOfLast = ({ context }: Here): string => [...context.store.staticRoles.keys()].at(-1) ?? ''
const ofLast = (operations: readonly string[]) =>
  naming(operations, (name, here) => (here.context.store.staticRoles.has(name) ? nameOfLast(here) : name))

/** Remembers something of each role when it is created. */
export const remembersNew = (what: (role: StaticRole, here: Here) => unknown) =>
  on(
    write,
    isNew,
    async (call, next, here) => {
      const reply = await next(call)
      const role = staticAt(call, here)
      if (role) here.memory.set(nameIn(call), what(role, here))
      return reply
    },
    { remembers: true },
  )
const showingKey = (when: When, keyOf: (here: Here, name: string) => AccessKey) =>
  showing(readKey, when, (fields, here, call) => {
    const { id, secret } = keyOf(here, nameIn(call))
    return { ...fields, access_key: id, secret_key: secret }
  })

const reads: readonly CloudFault[] = faults({
  'static-read-shows-last': 'A read of any static role shows the one that was created last.',
  'static-read-shows-first-period': 'A read of a static role shows the rotation_period that it was created with.',
  'static-read-shows-key': 'A read of a static role also shows its key.',
  'static-creds-of-last': 'A request for the key of any static role returns that of the one created last.',
  'static-other-creds': 'Made-up credentials are returned for static roles.',
  'static-creds-stale': 'The key that was made when the static role was created is returned even after rotations.',
  'static-read-fails': 'A read of an existing static role returns 404.',
  'static-missing-creds': 'Made-up credentials are returned for a static role that does not exist.',
}).by({
  'static-read-shows-last': ofLast(read),
  'static-read-shows-first-period': [
    remembersNew((role) => role.period),
    showing(
      read,
      (call, here) => here.memory.has(nameIn(call)) && here.memory.get(nameIn(call)) !== staticAt(call, here)?.period,
      (fields, { memory }, call) => ({ ...fields, rotation_period: memory.get(nameIn(call)) }),
    ),
  ],
  'static-read-shows-key': showing(read, isKnown, (fields, here, call) => {
    const { id: access_key, secret: secret_key } = staticAt(call, here)?.key ?? { id: '', secret: '' }
    return { ...fields, access_key, secret_key }
  }),
  'static-creds-of-last': ofLast(readKey),
  'static-other-creds': showing(readKey, isKnown, (_fields, { context }) => madeUp(context)),
  'static-creds-stale': [
    remembersNew((role) => role.key),
    showingKey(
      (call, here) =>
        here.memory.has(nameIn(call)) &&
        (here.memory.get(nameIn(call)) as AccessKey).id !== staticAt(call, here)?.key.id,
      ({ memory }, name) => memory.get(name) as AccessKey,
    ),
  ],
  'static-read-fails': refusing(read, isKnown, 'not-found'),
  'static-missing-creds': on(readKey, isNew, (_call, _next, { context }) => ({ kind: 'data', data: madeUp(context) })),
})

export const remembersKeys = on(
  remove,
  isKnown,
  async (call, next, here) => {
    const role = staticAt(call, here)
    const reply = await next(call)
    here.memory.set(nameIn(call), role?.key)
    return reply
  },
  { remembers: true },
)
const removing = (act: (role: StaticRole, here: Here, call: Call) => unknown) =>
  on(remove, isKnown, async (call, next, here) => {
    const role = staticAt(call, here) as StaticRole
    const reply = await next(call)
    await act(role, here, call)
    return reply
  })
const forgets = (isGone: (role: StaticRole, removed: StaticRole) => boolean) =>
  removing((removed, { context: { store } }) => {
    for (const [name, role] of store.staticRoles) if (isGone(role, removed)) store.staticRoles.delete(name)
  })

const deletions: readonly CloudFault[] = faults({
  'static-delete-takes-the-role-of-its-name': 'DELETE of a static role also removes the role with the same name.',
  'static-delete-takes-roles-of-its-user': 'DELETE of a static role removes all static roles of its user.',
  'static-delete-removes-user': 'DELETE of a static role deletes its user at the provider.',
  'static-delete-strips-user': 'DELETE of a static role removes the groups and policies of its user.',
  'static-delete-takes-other-keys': 'DELETE of a static role deletes the keys of the users of other static roles.',
  'static-delete-refused': 'DELETE removes the static role, but the reply is a refusal.',
  'static-delete-keeps': 'DELETE succeeds but keeps the static role.',
  'static-delete-all': 'DELETE of one static role removes all static roles.',
  'static-delete-ends-all-rotations': 'After DELETE of one static role, no static role is rotated any more.',
  'static-made-again-has-old-key': 'A static role that is created again after its deletion returns its old key.',
}).by({
  'static-delete-takes-the-role-of-its-name': removing((_role, { context: { store } }, call) => {
    store.roles.delete(nameIn(call))
  }),
  'static-delete-takes-roles-of-its-user': forgets(({ username }, removed) => username === removed.username),
  'static-delete-removes-user': removing(({ username }, { context }) => removeUser(providerOf(context), username)),
  'static-delete-strips-user': removing(({ username }, { context }) => stripUser(providerOf(context), username)),
  'static-delete-takes-other-keys': removing(async (_role, { context }) => {
    for (const { username } of context.store.staticRoles.values()) await removeKeys(providerOf(context), username)
  }),
  'static-delete-refused': refusingAfterwards(remove, isKnown),
  'static-delete-keeps': on(remove, isKnown, () => ({ kind: 'empty' })),
  'static-delete-all': forgets(() => true),
  'static-delete-ends-all-rotations': removing((_role, here, call) => {
    for (const [name] of others(call, here)) here.context.alarms.cancel(alarmOf(name))
  }),
  'static-made-again-has-old-key': [
    remembersKeys,
    after(
      write,
      (call, here) => isNew(call, here) && here.memory.has(nameIn(call)),
      (call, here) => {
        const role = staticAt(call, here)
        if (role) put(call, here, { ...role, key: here.memory.get(nameIn(call)) as AccessKey })
      },
    ),
  ],
})

export const ofStaticRoles: readonly CloudFault[] = [...writes, ...reads, ...deletions]
