/** Checks that a change to one object leaves its neighbours unchanged. */
import { allowing, managedPolicy } from '../../fixtures/cloud/policies.ts'
import type { Exchange, Expectation, JsonObject } from '../../harness/vocabulary/index.ts'
import {
  afterSuccess,
  allOf,
  DoesNotApply,
  fieldOf,
  isRefusal,
  isSuccess,
  mismatch,
  next,
  notSuccess,
  post,
  restsOn,
  shown,
  succeeds,
} from '../../harness/vocabulary/index.ts'
import { shownSoFar, whereTaken } from '../given.ts'
import {
  anyRole,
  creds,
  deleteRole,
  least,
  listRoles,
  mountedAlone,
  readerArn,
  readLease,
  readRole,
  readRoot,
  role,
  roleName,
  rootBody,
  rooted,
  rootedWith,
  rotateRoot,
  shownBefore,
  sts,
  writeRole,
  writeRoot,
} from './given.ts'
import { needs, seenAccount } from './provider.ts'
import { namesExactly, showsAsWritten, stillAsWritten } from './shown.ts'
import {
  adopted,
  after,
  afterRotation,
  configured,
  deleteOtherStatic,
  deleteStatic,
  firstGiven,
  keyIn,
  keysAre,
  otherStaticPath,
  passes,
  period,
  readStatic,
  rootReplaced,
  staticBody,
  staticCreds,
  twoUsers,
  userBeside,
  withUser,
  writeStatic,
} from './static-roles.ts'
import { called, policies, wholeUser } from './then.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'

const timed = { needs: [...needs, 'clock'], lock: 'clock' } as const
const long = { rotation_period: 3600 }
const staticIsRead = 'cloud/fields-static-roles/static-role-is-read'
const staticRoleShown = shownBefore(readStatic, succeeds, staticIsRead)

const rotated = keysAre('there is a newer key than `first`', (keys, scope) =>
  keys.at(-1) !== undefined && keys.at(-1) !== scope.value('first') ? undefined : shown(keys),
)

/** A role may have the name of the static role. */
const namesake = 'keeper'
const ofOneName = [...rooted(twoUsers), ...anyRole('iam_user', namesake), writeStatic(long), staticRoleShown]

const apart = [
  checkAtProvider('list-of-roles-names-no-static-role', {
    requirement: 'cloud.role.lists',
    applies: { feature: 'cloud.static-roles' },
    given: [...rooted(twoUsers), ...anyRole('iam_user'), writeStatic(long)],
    when: listRoles,
    then: [namesExactly(roleName)],
  }),
  checkAtProvider('deletion-of-a-static-role-spares-the-role-of-its-name', {
    requirement: 'cloud.static-role.apart',
    given: ofOneName,
    when: deleteStatic,
    then: [afterSuccess(next(readRole(namesake), succeeds))],
  }),
  checkAtProvider('deletion-of-a-role-spares-the-static-role-of-its-name', {
    requirement: 'cloud.static-role.apart',
    given: ofOneName,
    when: deleteRole(namesake),
    then: [afterSuccess(next(readStatic, succeeds))],
  }),
  checkAtProvider('deletion-spares-another-static-role-of-its-user', {
    requirement: 'cloud.static-role.delete-spares',

    // The documents do not say whether a user may have several static roles (reading 42).
    given: [...withUser(), writeStatic(long), staticRoleShown, whereTaken(post(otherStaticPath, staticBody(long)))],
    when: deleteOtherStatic,
    then: [afterSuccess(next(readStatic, succeeds))],
  }),
]

const lease = { lease: '77m', lease_max: '7h' }
const leased = [post('{mount}/config/lease', lease), shownSoFar(readLease, showsAsWritten(lease))]

/** Neither value is a default, so a reset would show. */
const ofTheRoot = { region: 'eu-north-1', max_retries: 3 }

const besideTheRoot = [
  ...(
    [
      ['rotation-of-the-root', rotateRoot],
      ['second-root', writeRoot()],
    ] as const
  ).map(([what, when]) =>
    checkAtProvider(`${what}-keeps-the-lease`, {
      requirement: 'cloud.lease.outlives-root',
      given: [...rooted(), ...leased],
      when,
      then: [afterSuccess(stillAsWritten(readLease, lease))],
    }),
  ),
  check('lease-configuration-keeps-the-root', {
    requirement: 'cloud.lease.spares-root',
    given: [...mountedAlone(), writeRoot(rootBody(ofTheRoot)), shownSoFar(readRoot, showsAsWritten(ofTheRoot))],
    when: post('{mount}/config/lease', lease),
    then: [afterSuccess(stillAsWritten(readRoot, ofTheRoot))],
  }),
  check('second-root-keeps-rotations-of-static-roles', {
    requirement: 'cloud.static-role.rotates',
    ...timed,
    given: [
      ...rooted({ users: [{ name: adopted }, { name: 'spare', keys: 1 }] }),
      writeStatic(),
      firstGiven,
      ...rootReplaced,
    ],
    when: afterRotation('first'),
    then: [rotated],
  }),
]

const twoPeriods = 2 * period
/** Seconds after the period that a server may need to notice that it is over. */
const late = 82
const periodOfOther = (seconds: number): Exchange =>
  post(otherStaticPath, { username: userBeside, rotation_period: seconds })

/** A server may ignore that a change names another user, and keep the user of the static role. */
const refusedOrMoved: Expectation = {
  words: 'the request is refused, or the key is that of the user that is shown',
  touches: [readStatic, staticCreds],
  async judge({ reply, scope }) {
    if (isRefusal(reply)) return undefined
    if (!isSuccess(reply)) return notSuccess(reply)
    const shownRole = await scope.send(readStatic)
    const name = fieldOf(shownRole, 'username')
    const given = await scope.send(staticCreds)
    const user = (await seenAccount(scope)).users.find((one) => one.name === name)
    if (!user) throw DoesNotApply.shown(shownRole, `${shownRole.asked} shows no username`)
    return keyIn(given, user) === undefined ? mismatch(given, 'body', `a key of ${user.name}`, 'none') : undefined
  },
}

const rotating = [
  check('new-period-spares-rotations-of-other-static-roles', {
    requirement: 'cloud.static-role.rotates',
    ...timed,
    given: [
      ...rooted(twoUsers),
      writeStatic({ rotation_period: twoPeriods }),
      firstGiven,
      periodOfOther(3600),
      passes(twoPeriods - 20),
      periodOfOther(7200),
    ],
    when: after(20 + late),
    then: [rotated],
  }),
  checkAtProvider('static-role-that-shows-another-user-gives-its-key', {
    requirement: 'cloud.static-role.user-changed',
    given: [...rooted(twoUsers), writeStatic(long), staticRoleShown],
    when: writeStatic({ ...long, username: userBeside }),
    then: [refusedOrMoved],
  }),
  check('static-role-that-is-written-again-as-it-is-is-rotated', {
    requirement: 'cloud.static-role.rotates',
    ...timed,
    given: [...configured(), whereTaken(writeStatic()), firstGiven],
    when: afterRotation('first'),
    then: [rotated],
  }),
  check('static-role-that-is-made-again-is-rotated', {
    requirement: 'cloud.static-role.rotates',
    ...timed,
    given: [...configured(), deleteStatic, writeStatic(), firstGiven],
    when: afterRotation('first'),
    then: [rotated],
  }),
]

const document = allowing('s3:GetObject')
const other = allowing('sqs:SendMessage')
const anotherType = 'cloud/transitions-roles/update-gives-a-role-another-type'

/** The role has a field that its new type prohibits. So the change is refused, or the field is gone afterwards. */
const changedWhole: Expectation = {
  words: 'the request is refused, or the role shows no `role_arns` any more',
  touches: [readRole()],
  async before(scope) {
    const reply = await scope.send(readRole())
    return shown(fieldOf(reply, 'role_arns') ?? null).includes('reader')
  },
  async judge({ reply, scope }, wasShown) {
    if (isRefusal(reply)) return undefined
    if (!isSuccess(reply)) return notSuccess(reply)
    const read = await scope.send(readRole())
    if (!isSuccess(read)) return notSuccess(read)
    if (wasShown !== true) throw DoesNotApply.shown(read, `${read.asked} does not show \`role_arns\``)
    const saw = shown(fieldOf(read, 'role_arns') ?? null)
    if (!saw.includes('reader')) return undefined
    const found = mismatch(read, 'role_arns', 'none', saw)
    // A role that still has its old type may keep its `role_arns`; another check judges the type.
    const isChanged = shown(fieldOf(read, 'credential_type') ?? fieldOf(read, 'credential_types')).includes('iam_user')
    if (!isChanged) throw restsOn(found, anotherType, read)
    return found
  },
}

const legacyBody: JsonObject = { policy: document }
const replacing = [
  checkAtProvider('role-of-another-type-has-no-field-that-it-prohibits', {
    requirement: 'cloud.role.iam-user.no-role-arns',
    given: rootedWith({ credential_type: 'assumed_role', role_arns: [readerArn], policy_document: document }),
    when: writeRole(least('iam_user')),
    then: [changedWhole],
  }),
  checkAtProvider('role-that-replaces-a-legacy-role-is-of-its-type', {
    requirement: 'cloud.role.updates',

    // A server may refuse to replace a legacy role by one with a type.
    given: [...rootedWith(legacyBody), whereTaken(writeRole(least('federation_token', { policy_document: other })))],
    when: sts(),
    then: [
      allOf('the role gives a federated session with the policy of the update', [
        called('GetFederationToken'),
        policies('GetFederationToken', [other]),
      ]),
    ],
  }),
  checkAtProvider('legacy-role-has-nothing-of-the-role-before', {
    requirement: 'cloud.legacy.alone',

    // A server may refuse to replace a role with a type by a legacy one.
    given: [
      ...rooted({ groups: [{ name: 'devs' }] }),
      ...role({
        ...{ credential_type: 'iam_user', policy_arns: [managedPolicy('ReadOnlyAccess')], iam_groups: ['devs'] },
        ...{ user_path: '/before/', permissions_boundary_arn: managedPolicy('PowerUserAccess') },
      }),
      whereTaken(writeRole(legacyBody)),
    ],
    when: creds(),
    then: [wholeUser({ documents: [document] })],
  }),
]

export default topic('cloud/transitions-neighbours', {
  about: 'What a change of one object leaves to those beside it, and to the one that takes its place.',
  checks: [...apart, ...besideTheRoot, ...rotating, ...replacing],
})
