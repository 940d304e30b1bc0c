/** Checks of the lease configuration and its effects. */
import { allowing } from '../../fixtures/cloud/policies.ts'
import type { Ceremony, Expectation, JsonObject, Matcher } from '../../harness/vocabulary/index.ts'
import {
  afterSuccess,
  allOf,
  DoesNotApply,
  fieldOf,
  isRefusal,
  isSuccess,
  matcher,
  mismatch,
  next,
  notSuccess,
  post,
  refused,
  restsOn,
  StepFailed,
  shortfall,
  shown,
  succeeds,
} from '../../harness/vocabulary/index.ts'
import { whereTaken } from '../given.ts'
import { seconds } from '../numbers.ts'
import { action, expectation } from '../records.ts'
import { boundary, readOnly } from './full-roles.ts'
import {
  creds,
  deleteRole,
  mountedAlone,
  mountedAs,
  onTwin,
  readLease,
  role,
  rootedWithAny,
  rotateRoot,
} from './given.ts'
import { givenAndRevoked, noUserLeft, revocable } from './leases.ts'
import { assertTelling, ifShown, showsAsWritten } from './shown.ts'
import { givesUser, madeUsers } from './then.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'
import { leaseStays } from './witnesses.ts'

const writeLease = (body: JsonObject) => post('{mount}/config/lease', body)
const usual = { lease: '2h', lease_max: '4h' }

const leaseIsRead = 'cloud/fields-lease/lease-configuration-is-read'

const showsBoth = expectation('`lease` and `lease_max` are shown', ({ reply }) => {
  if (!isSuccess(reply)) throw restsOn(notSuccess(reply), leaseIsRead, reply)
  const missing = ['lease', 'lease_max'].find((name) => (fieldOf(reply, name) ?? null) === null)
  return missing === undefined ? undefined : mismatch(reply, missing, 'a value', 'none')
})

/** The read shows the settings, and changes after other settings are written: a fixed reply proves nothing. */
const readsSettings: Expectation = {
  words: succeeds.words,
  touches: [writeLease({ lease: '77m', lease_max: '7h' }), readLease],
  async judge(seen, before) {
    if (!isSuccess(seen.reply)) return succeeds.judge(seen, before)
    assertTelling(seen.reply, ['lease', 'lease_max'])
    const written = await seen.scope.send(writeLease({ lease: '77m', lease_max: '7h' }))
    const again = await seen.scope.send(readLease)
    if (!isSuccess(written) || again.text !== seen.reply.text) return undefined
    throw new StepFailed('no-effect', { asked: written.asked, seenBy: again.asked }, again)
  },
}

const shownSettings = [
  check('lease-configuration-is-read', {
    requirement: 'cloud.lease.reads',
    given: mountedAlone(),
    when: writeLease({ lease: '77m', lease_max: '7h' }),
    then: [
      afterSuccess(
        next(
          readLease,
          allOf('it shows what was written', [succeeds, showsAsWritten({ lease: '77m', lease_max: '7h' })]),
        ),
      ),
    ],
  }),
  check('lease-configuration-shows-both-settings', {
    requirement: 'cloud.lease.shows',
    given: [...mountedAlone(), writeLease(usual)],
    when: readLease,
    then: [allOf('both are shown as they were written', [showsBoth, showsAsWritten(usual)])],
  }),
]

const former = { lease: '7h', lease_max: '9h' }
const reads = (
  [
    ['lease-reads-as-given', 'lease.kept', { ...usual, lease: '90m' }, 'lease', 5400],
    ['lease-max-reads-as-given', 'lease.max-kept', { ...usual, lease_max: '5h' }, 'lease_max', 18_000],
    ['lease-in-hours', 'lease.hours', { ...usual, lease: '3h' }, 'lease', 10_800],
    ['lease-in-minutes', 'lease.minutes', { lease: '45m', lease_max: '250m' }, 'lease', 2700],
    ['lease-in-seconds', 'lease.seconds', { lease: '5430s', lease_max: '9030s' }, 'lease', 5430],
  ] as const
).map(([id, requirement, body, name, wanted]) =>
  check(id, {
    requirement: `cloud.${requirement}`,
    given: [
      ...mountedAlone(),
      ...(id.startsWith('lease-in') ? [writeLease(former)] : []),
      ...(id === 'lease-in-seconds' ? [mountedAs('twin'), onTwin(writeLease(former))] : []),
    ],
    when: writeLease(body),
    then: [
      afterSuccess(
        allOf(
          `GET of the lease configuration shows \`${name}\` as ${wanted} seconds, and the other as it was written`,
          [next(readLease, ifShown(name, seconds(wanted), leaseIsRead)), next(readLease, showsAsWritten(body))],
        ),
      ),
    ],
  }),
)

/** A server may refuse these leases: the documents do not say that a duration may have several suffixes, and state no
 * upper bound. */
const whereAccepted = (
  [
    ['in-hours-and-minutes', { ...usual, lease: '1h15m' }, 4500],
    ['of-more-than-a-day', { lease: '30h', lease_max: '40h' }, 108_000],
  ] as const
).map(([word, body, wanted]) =>
  check(`lease-${word}-reads-as-given`, {
    requirement: 'cloud.lease.kept',
    given: [...mountedAlone(), whereTaken(writeLease(body))],
    when: readLease,
    then: [ifShown('lease', seconds(wanted), leaseIsRead)],
  }),
)

const refusals = (
  [
    ['lease-is-required', 'lease.required', { lease_max: '4h' }],
    ['lease-max-is-required', 'lease.max-required', { lease: '2h' }],
    ['lease-in-days-is-refused', 'lease.no-days', { lease: '1d', lease_max: '48h' }],
    ['lease-max-in-days-is-refused', 'lease.no-days', { lease: '24h', lease_max: '2d' }],
    ['lease-without-a-suffix-is-refused', 'lease.suffix', { lease: '7200', lease_max: '4h' }],
    ['lease-that-is-a-number-is-refused', 'lease.suffix', { lease: 7200, lease_max: '4h' }],
    ['lease-that-is-no-duration-is-refused', 'lease.invalid', { lease: 'soon', lease_max: '4h' }],
    ['lease-max-that-is-no-duration-is-refused', 'lease.invalid', { lease: '2h', lease_max: 'later' }],
    ['empty-lease-max-is-refused', 'lease.invalid', { lease: '2h', lease_max: '' }],
    ['lease-max-without-a-suffix-is-refused', 'lease.suffix', { lease: '2h', lease_max: '14400' }],
    ['empty-lease-is-refused', 'lease.invalid', { lease: '', lease_max: '4h' }],
  ] as const
).map(([id, requirement, wrong]) =>
  check(id, {
    requirement: `cloud.${requirement}`,
    // One of the refused requests would be the first configuration.
    given: [...mountedAlone(), ...(id === 'lease-is-required' ? [] : [writeLease({ lease: '7h', lease_max: '9h' })])],
    when: writeLease(wrong),
    then: [refused(leaseStays)],
    control: writeLease({ ...usual, ...(requirement === 'lease.no-days' ? { lease: '24h', lease_max: '48h' } : {}) }),
  }),
)

/** A server may refuse a lease above its maximum at once, or shorten it when it is used. */
const leasedBeyond: Ceremony = {
  kind: 'ceremony',
  words: 'a lease of 4 hours with a maximum of 2 is configured, then credentials are asked for',
  touches: [writeLease({ lease: '4h', lease_max: '2h' }), creds()],
  async run(scope) {
    const written = await scope.send(writeLease({ lease: '4h', lease_max: '2h' }))
    return isRefusal(written) ? written : scope.send(creds())
  },
}

/** Judges the duration of the lease of credentials. No document says where a reply shows it, so a reply without it is
 * not judged. */
const leaseOf = (wanted: Matcher) =>
  expectation(`the lease is ${wanted.words}`, ({ reply, scope }) => {
    // Some servers report 0 here and the true value in `data`.
    const lease = isSuccess(reply) ? fieldOf(reply, 'lease_duration') : undefined
    const saw = lease === 0 ? (fieldOf(reply, 'ttl') ?? lease) : lease
    if (isSuccess(reply) && saw === undefined)
      throw DoesNotApply.shown(reply, `the reply to ${reply.asked} shows no lease`)
    return wanted.matches(saw, scope) ? undefined : shortfall(reply, 'lease_duration', wanted.words, shown(saw))
  })
const positive = matcher('more than 0 seconds', (value) => Number(value) > 0)
const atMost = (most: number) => matcher(`${most} seconds at most`, (value) => Number(value) <= most)

/** If the configuration is refused, there is no lease to judge. */
const boundOrRefused: Expectation = {
  words: 'the lease is 7200 seconds at most, or the configuration is refused',
  judge: (seen, before) => (isRefusal(seen.reply) ? undefined : leaseOf(atMost(7200)).judge(seen, before)),
}

/** Saves the name of the user whose lease will not be revoked, which is the only new user so far. */
const firstUser = action('a user was created before: `first`', { provides: ['first'] }, async (scope) => {
  const [made] = await madeUsers(scope)
  if (!made) throw new StepFailed('provider-shows-no', { what: 'new user' })
  scope.save('first', made.name)
})
const firstUserLeft = expectation('the user of the other lease remains, with its key', async ({ reply, scope }) => {
  const left = (await madeUsers(scope)).find(({ name }) => name === scope.value('first'))
  if (left?.keys.length === 1) return undefined
  return mismatch(reply, 'provider', 'the user of the other lease, with its key', left ? 'no key' : 'no such user')
})

const leases = [
  checkAtProvider('credentials-are-given-without-lease-configuration', {
    requirement: 'cloud.lease.optional',
    given: rootedWithAny('iam_user'),
    when: creds(),
    then: [givesUser],
  }),
  checkAtProvider('credentials-have-a-lease-without-configuration', {
    requirement: 'cloud.lease.by-default',
    given: rootedWithAny('iam_user'),
    when: creds(),
    then: [leaseOf(positive)],
  }),
  checkAtProvider('credentials-have-the-configured-lease', {
    requirement: 'cloud.lease.sets-duration',

    // Credentials are requested before the change, because a server must not keep using their lease afterwards.
    given: [...rootedWithAny('iam_user'), writeLease(usual), creds(), writeLease({ lease: '17m', lease_max: '4h' })],
    when: creds(),
    then: [leaseOf(seconds(1020))],
  }),
  checkAtProvider('no-lease-is-longer-than-lease-max', {
    requirement: 'cloud.lease.max-bounds',
    given: rootedWithAny('iam_user'),
    when: leasedBeyond,
    then: [boundOrRefused],
  }),
  check('lease-is-readable-where-none-was-configured', {
    requirement: 'cloud.lease.reads-defaults',
    given: mountedAlone(),
    when: readLease,
    then: [readsSettings],
  }),
  checkAtProvider('lease-of-another-user-stays', {
    requirement: 'cloud.lease.revocation-spares',
    given: [...rootedWithAny('iam_user'), creds(), firstUser],
    when: givenAndRevoked(),
    then: [firstUserLeft],
  }),
  checkAtProvider('revoked-lease-takes-the-user-back', {
    requirement: 'cloud.lease.revocation',

    // The provider refuses to delete a user that has keys or policies, or is in a group.
    given: [
      ...rootedWithAny('iam_user', { groups: [{ name: 'devs' }] }),
      revocable,
      ...role({
        ...{ credential_type: 'iam_user', policy_document: allowing('s3:GetObject'), policy_arns: [readOnly] },
        ...{ iam_groups: ['devs'], user_path: '/assay/', permissions_boundary_arn: boundary },
      }),
    ],
    when: givenAndRevoked([], '', true),
    then: [noUserLeft],
  }),
  checkAtProvider('revoked-lease-takes-the-user-of-a-deleted-role-back', {
    requirement: 'cloud.lease.revocation',
    given: [...rootedWithAny('iam_user'), revocable],
    when: givenAndRevoked([deleteRole()], 'then the role is deleted, '),
    then: [noUserLeft],
  }),
  checkAtProvider('revoked-lease-takes-the-user-back-after-a-rotation-of-the-root', {
    requirement: 'cloud.lease.revocation',
    given: [...rootedWithAny('iam_user'), revocable],
    when: givenAndRevoked([rotateRoot], 'then the root credentials are rotated, '),
    then: [noUserLeft],
  }),
]

export default topic('cloud/fields-lease', {
  about: 'The lease configuration, and its effect on the credentials of IAM users.',
  names: ['mount', 'twin'],
  checks: [...shownSettings, ...reads, ...whereAccepted, ...refusals, ...leases],
})
