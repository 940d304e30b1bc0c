/** Checks of the fields of static roles. */
import { without } from '../../fixtures/bodies.ts'
import type { SeenUser } from '../../fixtures/servers/provider/index.ts'
import {
  allOf,
  type Expectation,
  fieldOf,
  get,
  isRefusal,
  isSuccess,
  mismatch,
  next,
  notSuccess,
  post,
  refused,
  replyLacks,
  restsOn,
  shortfall,
  shown,
  statusSeen,
  succeeds,
  unchanged,
} from '../../harness/vocabulary/index.ts'
import { attempted, whereTaken } from '../given.ts'
import { seconds, secondsIn } from '../numbers.ts'
import { expectation } from '../records.ts'
import { rooted } from './given.ts'
import { givesNothing } from './no-credentials.ts'
import { seenAccount } from './provider.ts'
import { eachAsWritten, ifShown } from './shown.ts'
import {
  adopted,
  adoptedUser,
  configured,
  keyIn,
  otherStaticPath,
  period,
  periods,
  readStatic,
  soon,
  staticBody,
  staticCreds,
  staticPath,
  twoUsers,
  withUser,
  writeStatic,
} from './static-roles.ts'
import { madeAt, onlyKeysOf } from './then.ts'
import { topic } from './topic.ts'
import { checkAtProvider } from './witnessed.ts'
import { accountStays, staticRoleStays } from './witnesses.ts'

const staticIsRead = 'cloud/fields-static-roles/static-role-is-read'
const longPath = '{mount}/static-roles/{use}keeper-whose-name-is-longer-than-most'
const otherCreds = get('{mount}/static-creds/{use}keep')
const otherBody = { username: 'second-user', rotation_period: 7200 }
const otherStatic = post(otherStaticPath, otherBody)
const inHours = { ...otherBody, rotation_period: '24h' }

/** The reply holds one key of this user, and no secret of any other key. */
const keyOf = (name: string) =>
  expectation(`the reply holds a key of ${name}, and no other secret`, async ({ reply, scope }) => {
    const { users } = await seenAccount(scope)
    const text = shown(reply.json, 1e6)
    const isHeld = ({ id, secret }: SeenUser['keys'][number]): boolean => text.includes(id) && text.includes(secret)
    const given = users.find((user) => user.name === name)?.keys.find(isHeld)
    if (!given) return shortfall(reply, 'body', `a key of ${name}`, 'none')
    const other = users.flatMap(({ keys }) => keys).find(({ id, secret }) => id !== given.id && text.includes(secret))
    return other ? mismatch(reply, 'body', 'no other secret', `the secret of ${other.id}`) : undefined
  })

const noSecret = expectation('no secret key is in the reply', async ({ reply, scope }) => {
  if (!isSuccess(reply)) throw restsOn(notSuccess(reply), staticIsRead, reply)
  const text = shown(reply.json, 1e6)
  const keys = (await seenAccount(scope)).users.flatMap((user) => user.keys)
  const leaked = keys.find(({ secret }) => text.includes(secret))
  return leaked ? mismatch(reply, 'body', 'no secret key', `the secret of ${leaked.id}`) : undefined
})

const refusals = (
  [
    ['username-is-required', 'username.required', without(staticBody(), 'username')],
    ['rotation-period-is-required', 'period.required', without(staticBody(), 'rotation_period')],
    ['rotation-period-of-59-seconds-is-refused', 'period.minimum-refused', staticBody({ rotation_period: 59 })],
    ['rotation-period-of-59s-is-refused', 'period.minimum-refused', staticBody({ rotation_period: '59s' })],
    ['rotation-period-of-0-is-refused', 'period.minimum-refused', staticBody({ rotation_period: 0 })],
    ['rotation-period-must-be-a-duration', 'period.invalid', staticBody({ rotation_period: 'soon' })],
    ['empty-rotation-period-is-refused', 'period.invalid', staticBody({ rotation_period: '' })],
    ['empty-username-is-refused', 'username.empty', staticBody({ username: '' })],
  ] as const
).map(([id, requirement, body]) =>
  checkAtProvider(id, {
    requirement: `cloud.static-role.${requirement}`,
    given: withUser(),
    when: post(staticPath, body),
    then: [refused(staticRoleStays, accountStays)],
    control: writeStatic(),
  }),
)

/** A server may raise a period that is too short to the shortest allowed one; the read afterwards shows the period. */
const refusedOrAMinute: Expectation = {
  words: 'the request is refused, or what is shown is a period of a minute at least',
  touches: [readStatic],
  async judge({ reply, scope }) {
    if (isRefusal(reply)) return undefined
    if (!isSuccess(reply)) return mismatch(reply, 'status', '2xx, 4xx or 5xx', statusSeen(reply))
    const read = await scope.send(readStatic)
    const saw = secondsIn(fieldOf(read, 'rotation_period'))
    if (saw === undefined) throw replyLacks(read, 'which period was taken')
    return saw < period ? mismatch(read, 'rotation_period', `${period} seconds or more`, String(saw)) : undefined
  },
}

const taken = (
  [
    ['rotation-period-of-60-seconds', 'period.minute', 60],
    ...periods.map(([id, value]) => [`rotation-period-as-${id}`, `period.${id}`, value] as const),
  ] as const
).map(([id, requirement, value]) =>
  checkAtProvider(`${id}-is-accepted`, {
    requirement: `cloud.static-role.${requirement}`,
    given: withUser(),
    when: writeStatic({ rotation_period: value }),
    then: [succeeds],
  }),
)

export default topic('cloud/fields-static-roles', {
  about: 'The required fields of a static role, and the fields that are read.',
  checks: [
    ...refusals,
    checkAtProvider('no-static-role-has-a-period-under-a-minute', {
      requirement: 'cloud.static-role.period.minimum',
      given: withUser(),
      when: writeStatic({ rotation_period: 59 }),
      then: [refusedOrAMinute],
      control: writeStatic(),
    }),
    checkAtProvider('no-change-makes-a-period-under-a-minute', {
      requirement: 'cloud.static-role.period.minimum',
      given: [...withUser(), writeStatic({ rotation_period: 3600 })],
      when: writeStatic({ rotation_period: 59 }),
      then: [refusedOrAMinute],
      control: writeStatic(),
    }),
    ...taken,
    checkAtProvider('static-role-is-read', {
      requirement: 'cloud.static-role.reads',
      given: configured({ rotation_period: 3600 }),
      when: readStatic,
      then: [succeeds],
    }),
    checkAtProvider('static-role-reads-as-written', {
      requirement: 'cloud.static-role.reads-as-written',
      given: [...rooted(twoUsers), writeStatic({ rotation_period: 3600 }), post(otherStaticPath, inHours)],
      when: readStatic,
      then: [eachAsWritten(staticBody({ rotation_period: 3600 }), get(otherStaticPath), inHours, staticIsRead)],
    }),
    checkAtProvider('long-names-of-static-roles-stand-apart', {
      requirement: 'cloud.static-role.reads-as-written',

      // Which names are allowed is not documented.
      given: [
        ...rooted(twoUsers),
        whereTaken(post(`${longPath}.one`, staticBody({ rotation_period: 3600 }))),
        attempted(post(`${longPath}.two`, otherBody)),
      ],
      when: get(`${longPath}.one`),
      then: [eachAsWritten(staticBody({ rotation_period: 3600 }), get(`${longPath}.two`), otherBody, staticIsRead)],
    }),
    checkAtProvider('changed-static-role-reads-as-written', {
      requirement: 'cloud.static-role.reads-as-written',
      given: [
        ...rooted(twoUsers),
        writeStatic({ rotation_period: 3600 }),
        otherStatic,
        writeStatic({ rotation_period: 5400 }),
      ],
      when: readStatic,
      then: [eachAsWritten(staticBody({ rotation_period: 5400 }), get(otherStaticPath), otherBody, staticIsRead)],
    }),
    checkAtProvider('rotation-period-in-minutes-and-seconds-reads-as-written', {
      requirement: 'cloud.static-role.reads-as-written',

      // The documents do not say that a duration may have several units.
      given: [...withUser(), whereTaken(writeStatic({ rotation_period: '2m30s' }))],
      when: readStatic,
      then: [ifShown('rotation_period', seconds(150), staticIsRead)],
    }),
    checkAtProvider('rotation-period-of-digits-reads-as-written', {
      requirement: 'cloud.static-role.reads-as-written',

      // The document names the format `86400`, and does not say whether it may be a string.
      given: [...withUser(), whereTaken(writeStatic({ rotation_period: '86400' }))],
      when: readStatic,
      then: [ifShown('rotation_period', seconds(86_400), staticIsRead)],
    }),
    checkAtProvider('static-role-shows-no-secret', {
      requirement: 'cloud.static-role.secret-hidden',
      given: [...rooted(twoUsers), writeStatic({ rotation_period: 3600 }), otherStatic],
      when: readStatic,
      then: [allOf('no secret key is shown of either', [noSecret, next(get(otherStaticPath), noSecret)])],
    }),
    checkAtProvider('static-creds-are-those-of-the-role-asked-for', {
      requirement: 'cloud.static-creds.own',
      given: [...rooted(twoUsers), writeStatic({ rotation_period: 3600 }), otherStatic],
      when: staticCreds,
      then: [
        allOf('each of two static roles gives a key of its user, and no other secret', [
          soon(keyOf(adopted)),
          next(otherCreds, soon(keyOf('second-user'), otherCreds)),
        ]),
      ],
    }),
    checkAtProvider('static-role-changes-the-keys-of-its-user-only', {
      requirement: ['cloud.static-role.only-its-user', 'cloud.root.iam-endpoint.used'],
      given: rooted(twoUsers),
      when: writeStatic({ rotation_period: 3600 }),
      then: [onlyKeysOf(adopted), madeAt('iam', /AccessKey|User/)],
    }),
    checkAtProvider('static-creds-hold-the-key-of-the-user', {
      requirement: 'cloud.static-role.creds',
      given: [...withUser(), writeStatic({ rotation_period: 3600 })],
      when: staticCreds,
      then: [
        soon(
          expectation('the reply holds a key of the user', async ({ reply, scope }) => {
            if (keyIn(reply, await adoptedUser(scope)) !== undefined) return undefined
            return shortfall(reply, 'body', 'a key of the user', 'none')
          }),
        ),
      ],
    }),
    checkAtProvider('static-creds-of-a-missing-role-are-refused', {
      requirement: 'cloud.static-creds.role-needed',
      given: configured({ rotation_period: 3600 }),
      when: { ...staticCreds, path: '{mount}/static-creds/{use}nobody' },
      then: [givesNothing],
      control: staticCreds,
    }),
    checkAtProvider('no-user-is-created-for-a-static-role', {
      requirement: 'cloud.static-role.only-its-user',
      given: withUser(),
      when: writeStatic({ username: 'nobody' }),
      then: [unchanged(accountStays)],
      control: writeStatic(),
    }),
    checkAtProvider('user-that-does-not-exist-is-not-adopted', {
      requirement: 'cloud.static-role.user-exists',
      given: withUser(),
      when: writeStatic({ username: 'nobody' }),
      then: [refused(staticRoleStays, accountStays)],
      control: writeStatic(),
    }),
  ],
})
