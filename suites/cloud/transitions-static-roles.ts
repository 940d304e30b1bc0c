/** Checks of the life of a static role. */
import type { JsonObject, Step } from '../../harness/vocabulary/index.ts'
import {
  absent,
  afterSuccess,
  allOf,
  DoesNotApply,
  isRefusal,
  isSuccess,
  next,
  post,
  StepFailed,
  shortfall,
  shown,
  stepRefused,
  succeeds,
} from '../../harness/vocabulary/index.ts'
import { action, expectation } from '../records.ts'
import { rooted, rotateRoot, shownBefore, writeRoot } from './given.ts'
import { givesNothing } from './no-credentials.ts'
import { needs, script } from './provider.ts'
import {
  adopted,
  adoptedUser,
  after,
  afterRotation,
  configured,
  deleteOtherStatic,
  deleteStatic,
  firstGiven,
  keyIn,
  keysAre,
  keysComeToBe,
  otherStaticPath,
  passes,
  period,
  readStatic,
  rootReplaced,
  rotatedAgain,
  rotatedOnce,
  soon,
  staticCreds,
  twoUsers,
  withoutRotation,
  withUser,
  writeStatic,
} from './static-roles.ts'
import { everyCall, onlyKeysOf } from './then.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'

/** All checks share the clock: while it is moved, no other check that depends on time may run. */
const timed = { needs: [...needs, 'clock'], lock: 'clock' } as const
const half = period / 2 - 5
const long = 3600

const rotated = keysAre('there is a new key', (keys, scope) =>
  keys.at(-1) !== undefined && keys.at(-1) !== scope.value('first') ? undefined : shown(keys),
)
const atRest = keysAre('the key `first` is the only one still', (keys, scope) =>
  keys.length === 1 && keys[0] === scope.value('first') ? undefined : shown(keys),
)

const configuring = [
  checkAtProvider('a-key-is-made-at-configuration', {
    requirement: 'cloud.static-role.creates-key',
    given: withUser(),
    when: writeStatic({ rotation_period: long }),
    then: [keysComeToBe('the user has a key', (keys) => (keys.length === 1 ? undefined : shown(keys)))],
  }),
  ...(
    [
      ['a-user-with-two-keys-loses-the-oldest', 'full', 2, 'the oldest key is replaced and the newer stays'],
      ['a-user-with-one-key-gets-a-second', 'one-key', 1, 'the key stays and there is a second'],
    ] as const
  ).map(([id, row, count, words]) =>
    checkAtProvider(id, {
      requirement: `cloud.static-role.${row}`,
      given: [...withUser(count), remembered()],
      when: writeStatic({ rotation_period: long }),
      then: [
        keysComeToBe(words, (keys, scope) =>
          keys.length === 2 && keys[0] === scope.value('newer') ? undefined : shown(keys),
        ),
      ],
    }),
  ),
]

/** Saves the id of the user's newest key as `{newer}`. */
function remembered() {
  return {
    kind: 'action' as const,
    words: `\`newer\` is the newest key of ${adopted}`,
    touches: [],
    provides: ['newer'],
    async run(scope: Parameters<typeof adoptedUser>[0]) {
      const newest = (await adoptedUser(scope))?.keys.at(-1)?.id
      if (newest === undefined) throw new StepFailed('provider-shows-no', { what: `key of ${adopted}` })
      scope.save('newer', newest)
    },
  }
}

const givesNewest = expectation('the reply holds the newest key of the user', async ({ reply, scope }) => {
  const user = await adoptedUser(scope)
  const [key, newest] = [isSuccess(reply) ? keyIn(reply, user) : undefined, user?.keys.at(-1)?.id]
  return key !== undefined && key === newest
    ? undefined
    : shortfall(reply, 'body', `the key ${newest}`, key ?? 'none of the user')
})

/** Expects that a change of the static role is refused. A server that accepts it cannot show what a refusal leaves. */
const changeRefused = (fields: JsonObject, wrong: JsonObject): Step => {
  const change = writeStatic({ ...fields, ...wrong })
  return action(`a change of the static role with ${shown(wrong)} is refused`, { touches: [change] }, async (scope) => {
    const reply = await scope.send(change)
    if (isSuccess(reply)) throw DoesNotApply.shown(reply, `${reply.asked} takes ${shown(wrong)} for a static role`)
    if (!isRefusal(reply)) throw stepRefused(reply)
  })
}
const refusedToChange = (fields: JsonObject, wrong: JsonObject): readonly Step[] => [
  ...rooted(twoUsers),
  writeStatic(fields),
  firstGiven,
  changeRefused(fields, wrong),
]
const holdsThe = (name: string) =>
  expectation(`the reply holds the key \`${name}\``, async ({ reply, scope }) => {
    const key = isSuccess(reply) ? keyIn(reply, await adoptedUser(scope)) : undefined
    return key === scope.value(name)
      ? undefined
      : shortfall(reply, 'body', `the key \`${name}\``, key ?? 'none of the user')
  })

const rotating = [
  check('key-is-rotated-after-the-period', {
    requirement: 'cloud.static-role.rotates',
    ...timed,
    given: configured(),
    when: afterRotation('first'),
    then: [rotated],
  }),
  check('nothing-is-rotated-before-the-period', {
    requirement: 'cloud.static-role.not-early',
    ...timed,
    given: [
      ...rooted(twoUsers),
      writeStatic({ rotation_period: 80 }),
      firstGiven,
      // What is written beside it is no reason to rotate it.
      ...[writeRoot(), post(otherStaticPath, { username: 'second-user', rotation_period: long }), deleteOtherStatic],
    ],
    when: after(60),
    then: [atRest],
  }),
  check('first-rotation-keeps-the-first-key', {
    requirement: 'cloud.static-role.first-adds',
    ...timed,
    given: [...configured(), ...rotatedOnce],
    when: staticCreds,
    then: [
      keysAre('the key `first` is there still', (keys, scope) =>
        keys.includes(scope.value('first')) ? undefined : shown(keys),
      ),
    ],
  }),
  check('next-rotation-replaces-the-first-key', {
    requirement: ['cloud.static-role.next-replaces', 'cloud.static-role.creds-follow'],
    ...timed,
    given: [...configured(), ...rotatedOnce],
    when: afterRotation('second'),
    then: [
      keysAre('`second` is the older of two keys', (keys, scope) =>
        keys.length === 2 && keys[0] === scope.value('second') && keys[1] !== scope.value('first')
          ? undefined
          : shown(keys),
      ),
      soon(givesNewest),
    ],
  }),
  check('static-creds-give-the-rotated-key', {
    requirement: 'cloud.static-role.creds-follow',
    ...timed,
    given: [...configured(), ...rotatedOnce],
    when: staticCreds,
    then: [holdsThe('second')],
  }),
  check('third-rotation-makes-a-key', {
    requirement: ['cloud.static-role.rotates', 'cloud.static-role.creds-follow'],
    ...timed,
    given: [...configured(), ...rotatedOnce, ...rotatedAgain],
    when: afterRotation('third'),
    then: [
      keysAre('`third` is the older of two keys', (keys, scope) =>
        keys.length === 2 && keys[0] === scope.value('third') ? undefined : shown(keys),
      ),
      soon(givesNewest),
    ],
  }),
  ...(
    [
      ['two-keys', 2],
      ['one-key', 1],
    ] as const
  ).map(([word, keys]) =>
    check(`rotation-counts-${word}-from-before`, {
      requirement: ['cloud.static-role.counts-all-keys', 'cloud.static-role.creds-follow'],
      ...timed,
      given: configured({}, keys),
      when: afterRotation('first'),
      then: [
        keysAre('`first` is the older of two keys', (seen, scope) =>
          seen.length === 2 && seen[0] === scope.value('first') ? undefined : shown(seen),
        ),
        soon(givesNewest),
      ],
    }),
  ),
  check('refused-change-keeps-the-rotation', {
    requirement: 'cloud.static-role.rotates',
    ...timed,
    // A server whose period began anew with each refusal would have rotated nothing by then. Any other one has had more
    // than a minute to notice the end of the period.
    given: [
      ...rooted(twoUsers),
      ...[writeStatic(), firstGiven],
      ...[passes(period - 10), changeRefused({}, { rotation_period: 30 })],
      ...[passes(period - 5), changeRefused({}, { rotation_period: 30 })],
    ],
    when: after(period - 15),
    then: [rotated],
  }),
  check('static-role-is-rotated-after-a-rotation-that-failed', {
    requirement: 'cloud.static-role.rotates-after-failure',
    ...timed,
    // The server may try again at once, or when the next period has elapsed.
    given: [...configured(), script({ kind: 'denied', action: 'CreateAccessKey', times: 1 }), passes(period + half)],
    when: afterRotation('first'),
    then: [rotated],
  }),
  check('rotation-of-the-root-keeps-rotations-of-static-roles', {
    requirement: 'cloud.static-role.rotates',
    ...timed,
    given: [...configured(), rotateRoot],
    when: afterRotation('first'),
    then: [rotated],
  }),
  check('rotations-are-signed-by-the-root-that-is-set', {
    requirement: 'cloud.root.overwrites',
    ...timed,
    applies: { feature: 'cloud.static-roles' },
    given: [
      ...rooted({ users: [{ name: adopted }, { name: 'spare', keys: 1 }] }),
      writeStatic(),
      firstGiven,
      ...rootReplaced,
    ],
    when: afterRotation('first'),
    then: [
      everyCall('keys are made with `second`', /^CreateAccessKey$/, ({ action, key }, scope) =>
        key === scope.value('second') ? undefined : `${action} signed by ${key}`,
      ),
    ],
  }),
  check('rotation-spares-other-static-roles', {
    requirement: 'cloud.static-role.rotates-its-own',
    ...timed,
    // The role that is rotated is not the first one of its mount.
    given: [
      ...rooted(twoUsers),
      post(otherStaticPath, { username: 'second-user', rotation_period: long }),
      writeStatic(),
      firstGiven,
    ],
    when: afterRotation('first'),
    then: [rotated, onlyKeysOf(adopted)],
  }),
  check('new-period-is-heeded', {
    requirement: 'cloud.static-role.period-resets',
    ...timed,
    given: [...configured({ rotation_period: long }), writeStatic({ rotation_period: 2 * long }), writeStatic()],
    when: afterRotation('first'),
    then: [rotated],
  }),
  check('new-period-counts-for-each-rotation', {
    requirement: 'cloud.static-role.period-resets',
    ...timed,
    given: [...configured({ rotation_period: long }), writeStatic(), ...rotatedOnce],
    when: afterRotation('second'),
    then: [
      keysAre('there is a newer key than `second`', (keys, scope) =>
        keys.at(-1) !== undefined && keys.at(-1) !== scope.value('second') ? undefined : shown(keys),
      ),
    ],
  }),
  check('longer-period-puts-the-rotation-off', {
    requirement: 'cloud.static-role.period-resets',
    ...timed,
    given: [...configured(), writeStatic({ rotation_period: long })],
    // A server may check only once a minute which rotations are due.
    when: after(period * 2 + half),
    then: [atRest],
  }),
  check('new-period-counts-from-the-change', {
    requirement: 'cloud.static-role.period-resets',
    ...timed,
    given: [...configured({ rotation_period: 65 }), passes(period - 15), writeStatic({ rotation_period: 100 })],
    // Between the end of the former period and this moment lies a whole minute, in which any server checks once.
    when: after(period + 20),
    then: [atRest],
  }),
]

const holdsFirst = expectation('the reply holds a key of the user', async ({ reply, scope }) => {
  const key = isSuccess(reply) ? keyIn(reply, await adoptedUser(scope)) : undefined
  return key === undefined ? shortfall(reply, 'body', 'a key of the user', 'none') : undefined
})

const deleting = [
  checkAtProvider('refused-change-keeps-the-key', {
    requirement: 'cloud.static-role.creds',
    given: refusedToChange({ rotation_period: long }, { username: 'second-user' }),
    when: staticCreds,
    then: [holdsThe('first')],
  }),
  checkAtProvider('static-role-that-is-made-again-has-a-new-key', {
    requirement: ['cloud.static-role.creates-key', 'cloud.static-role.creds'],
    given: [...configured({ rotation_period: long }), deleteStatic, writeStatic({ rotation_period: long })],
    when: staticCreds,
    then: [
      soon(
        expectation('the reply holds a key of the user other than `first`', async ({ reply, scope }) => {
          const key = isSuccess(reply) ? keyIn(reply, await adoptedUser(scope)) : undefined
          return key !== undefined && key !== scope.value('first')
            ? undefined
            : shortfall(reply, 'body', 'a new key of the user', key ?? 'none of the user')
        }),
      ),
    ],
  }),
  checkAtProvider('deleted-static-role-gives-nothing', {
    ground: 'own',
    requirement: 'cloud.static-role.deletes',

    // The documents leave open whether the user's key is deleted with the static role, so the request for credentials
    // is judged.
    given: [...configured({ rotation_period: long }), deleteStatic],
    when: staticCreds,
    then: [givesNothing],
  }),
  checkAtProvider('deleted-static-role-is-not-read', {
    ground: 'own',
    requirement: 'cloud.static-role.deleted-unread',
    given: [
      ...configured({ rotation_period: long }),
      shownBefore(readStatic, succeeds, 'cloud/fields-static-roles/static-role-is-read'),
      // A server may have nothing left by which it calls the provider.
      writeRoot(),
    ],
    when: deleteStatic,
    then: [afterSuccess(next(readStatic, absent('static role', ['username', 'rotation_period'], readStatic)))],
  }),
  check('deletion-spares-rotations-of-other-static-roles', {
    requirement: 'cloud.static-role.delete-spares',
    ...timed,
    given: [
      ...rooted(twoUsers),
      writeStatic(),
      post(otherStaticPath, { username: 'second-user', rotation_period: long }),
      firstGiven,
      deleteOtherStatic,
    ],
    when: afterRotation('first'),
    then: [rotated],
  }),
  checkAtProvider('deletion-spares-other-static-roles', {
    requirement: 'cloud.static-role.delete-spares',
    given: [
      ...rooted(twoUsers),
      writeStatic({ rotation_period: long }),
      post(otherStaticPath, { username: 'second-user', rotation_period: long }),
    ],
    when: deleteOtherStatic,
    then: [
      afterSuccess(
        allOf('the other static role is read and gives its key', [
          next(readStatic, succeeds),
          next(staticCreds, soon(holdsFirst)),
        ]),
      ),
    ],
  }),
  checkAtProvider('user-stays-after-deletion', {
    requirement: 'cloud.static-role.delete-leaves-user',

    // The documents do not say what happens to the keys of the user, who is not deleted.
    given: [
      ...rooted(twoUsers),
      writeStatic({ rotation_period: long }),
      post(otherStaticPath, { username: 'second-user', rotation_period: long }),
      firstGiven,
    ],
    when: deleteStatic,
    then: [onlyKeysOf(adopted)],
  }),
  check('deleted-static-role-is-not-rotated', {
    requirement: 'cloud.static-role.deleted-rests',
    ...timed,
    given: [...configured(), deleteStatic],
    when: withoutRotation,
    then: [
      keysAre('there is no new key', (keys, scope) =>
        keys.every((key) => key === scope.value('first')) ? undefined : shown(keys),
      ),
    ],
  }),
]

export default topic('cloud/transitions-static-roles', {
  about: 'Static roles adopt a user, rotate its keys periodically, and leave the user in place when they are deleted.',
  checks: [...configuring, ...rotating, ...deleting],
})
