/** Checks of the users that credentials are issued for. */
import { isDeepStrictEqual } from 'node:util'
import { allowing, conditional, managedPolicy } from '../../fixtures/cloud/policies.ts'
import type { Ceremony, Expectation, JsonObject, Reply } from '../../harness/vocabulary/index.ts'
import {
  allOf,
  DoesNotApply,
  isRefusal,
  isSuccess,
  mismatch,
  next,
  requestWords,
  StepFailed,
  shown,
  stepRefused,
  succeeds,
  together,
} from '../../harness/vocabulary/index.ts'
import { sentTogether, unlessRefused } from '../given.ts'
import { type CheckRow, rowsOf } from '../rows.ts'
import { creds, rooted, rootedWith, sts, writeRole } from './given.ts'
import {
  called,
  givesUser,
  hasDocument,
  holdsPairs,
  listed,
  madeUsers,
  ofCalls,
  policies,
  user,
  wholeUser,
} from './then.ts'
import { topic } from './topic.ts'
import { checkAtProvider } from './witnessed.ts'

const document = conditional('assay')
const readOnly = managedPolicy('ReadOnlyAccess')
const audit = managedPolicy('SecurityAudit')
const billing = managedPolicy('job-function/Billing')
const boundary = managedPolicy('PowerUserAccess')
const base: JsonObject = { credential_type: 'iam_user', policy_document: document }
const attachedOnly: JsonObject = { credential_type: 'iam_user', policy_arns: [readOnly] }
const groups = { groups: ['devs', 'ops', 'staff', 'admins'].map((name) => ({ name })) }

/** Compares two sets: any added policy or group would widen what the user may do (reading 70). */
const are = (words: string, wanted: readonly string[], seen: readonly string[]): string | undefined =>
  isDeepStrictEqual(wanted.toSorted(), seen.toSorted()) ? undefined : `${words} ${shown(seen)}`

const tags = ['Team=Assay', 'stage=test run', 'owner=ops', 'cost=none']
/** No document says whether a value may have the sign that ends the key. */
const tagsWithSigns = ['Team=Assay', 'query=a=1+b/2@c:3=']
const hasTags = (wanted: readonly string[]): Expectation =>
  user('tags', `has the tags ${wanted.join(', ')}`, (seen) =>
    holdsPairs(seen.tags, wanted) ? undefined : shown(seen.tags),
  )

interface UserRow extends CheckRow {
  readonly role: JsonObject
  readonly then: Expectation
}

const rows: readonly UserRow[] = rowsOf<UserRow>({
  'each-policy-arn-is-attached': {
    requirement: 'policy-arns',
    // There are three policies, because a server that keeps at most two would pass with two.
    role: { credential_type: 'iam_user', policy_arns: [readOnly, audit, billing] },
    then: user(
      'attached policies',
      `has the policies ${readOnly}, ${audit} and ${billing} and no other`,
      ({ attached }) => are('attached', [readOnly, audit, billing], attached),
    ),
  },
  'policy-document-is-put': {
    requirement: 'policy-document',
    // The provider accepts the characters of Latin-1 in documents.
    role: { ...base, policy_document: conditional('Größe') },
    then: hasDocument(conditional('Größe')),
  },
  'user-joins-each-group': {
    requirement: 'groups',
    role: { ...base, iam_groups: ['devs', 'ops', 'staff'] },
    then: user('groups', 'is in devs, ops and staff and no other group', (seen) =>
      are('groups', ['devs', 'ops', 'staff'], seen.groups),
    ),
  },
  'user-has-the-tags': {
    requirement: 'tags',
    // The checks of full roles judge tags and a path beside a document.
    role: { ...attachedOnly, iam_tags: tags },
    then: together(
      hasTags(tags),
      next(
        writeRole({ ...attachedOnly, iam_tags: tagsWithSigns }, 'signs'),
        unlessRefused(next(creds('signs'), hasTags(tagsWithSigns))),
      ),
    ),
  },
  'user-has-the-path': {
    requirement: 'path',
    role: { ...attachedOnly, user_path: '/assay/Checks/' },
    then: user('path', 'has the path /assay/Checks/', ({ path }) => (path === '/assay/Checks/' ? undefined : path)),
  },
  'path-is-a-slash-by-default': {
    requirement: 'path-default',
    role: base,
    then: user('path', 'has the path /', ({ path }) => (path === '/' ? undefined : path)),
  },
  'user-has-the-boundary': {
    requirement: 'boundary',
    // The checks of full roles judge a boundary beside a document.
    role: { ...attachedOnly, permissions_boundary_arn: boundary },
    then: user('boundary', `has the boundary ${boundary}`, (seen) =>
      seen.boundary === boundary ? undefined : (seen.boundary ?? 'none'),
    ),
  },
  'no-boundary-unless-given': {
    requirement: 'no-boundary',
    role: base,
    then: user('boundary', 'has no boundary', (seen) => seen.boundary),
  },
  'key-of-a-new-user-is-given': { requirement: 'issued', role: base, then: givesUser },
})

const users = rows.map(({ id, requirement, role, then }) =>
  checkAtProvider(id, {
    requirement: `cloud.iam-user.${requirement}`,
    given: rootedWith(role, groups),
    when: creds(),
    then: [then],
  }),
)

/** A server may refuse one of two requests at the same time. */
const twiceAtOnce: Ceremony = {
  kind: 'ceremony',
  words: `${requestWords(creds())}, sent twice at the same time`,
  touches: [creds()],
  async run(scope) {
    const replies = await sentTogether(scope, [creds(), creds()])
    const refusal = replies.find((reply) => !isSuccess(reply))
    if (refusal) throw DoesNotApply.refused(refusal, `${refusal.asked} is refused at the same time as another`)
    return replies.at(-1) as Reply
  },
}

const each = [
  checkAtProvider('lists-of-a-role-may-be-arrays', {
    requirement: 'cloud.role.lists.array',
    given: rooted(),
    when: writeRole({ credential_type: 'iam_user', policy_arns: [readOnly, audit] }),
    then: [
      allOf('the role is taken, and gives a user with each of its policies', [
        succeeds,
        next(
          creds(),
          user('attached policies', `has ${readOnly} and ${audit}`, ({ attached }) =>
            are('attached', [readOnly, audit], attached),
          ),
        ),
      ]),
    ],
  }),
  checkAtProvider('each-request-makes-a-user', {
    requirement: 'cloud.iam-user.new-each-time',
    given: [...rootedWith(base), creds()],
    when: twiceAtOnce,
    then: [
      {
        words: 'the provider has two more new users',
        before: async (scope) => (await madeUsers(scope)).length,
        async judge({ reply, scope }, before) {
          const more = (await madeUsers(scope)).length - Number(before)
          if (before === 0) throw new StepFailed('provider-shows-no', { what: 'user of the first request' })
          return more >= 2 ? undefined : mismatch(reply, 'provider', 'two users more', `${more} more`)
        },
      },
    ],
  }),
]

/** The documents say what a legacy role gives through `sts`, but not that it gives anything there. So a refusal without
 * a call at the provider is not judged. */
const sessionAndNoUser = ofCalls('what is called gives a session, and no user', (log, { reply }) => {
  const isSession = log.some(
    ({ action, outcome }) => /^(AssumeRole|GetFederationToken)$/.test(action) && outcome === 'ok',
  )
  const isUser = log.some(({ action }) => action === 'CreateUser')
  if (isSession && !isUser) return undefined
  if (log.length === 0 && isRefusal(reply)) throw stepRefused(reply)
  return mismatch(reply, 'provider', 'AssumeRole or GetFederationToken, and no CreateUser', listed(log))
})

/** The documents do not say what a role with an existing policy gives through `sts`, so a refusal is accepted. */
const nothingOrSession: Expectation = {
  ...sessionAndNoUser,
  words: `the request is refused and makes no user, or ${sessionAndNoUser.words}`,
  async judge(seen, before) {
    if (!isRefusal(seen.reply)) return sessionAndNoUser.judge(seen, before)
    const [made] = await madeUsers(seen.scope)
    return made ? mismatch(seen.reply, 'provider', 'no new user', made.name) : undefined
  },
}

/** A legacy role gives a user or a session, depending on the path of the request. */
const legacy = [
  checkAtProvider('legacy-policy-is-the-user-s', {
    requirement: ['cloud.legacy.policy-used', 'cloud.iam-user.nothing-more'],
    given: rootedWith({ policy: conditional('Größe') }),
    when: creds(),
    then: [wholeUser({ documents: [conditional('Größe')] })],
  }),
  checkAtProvider('legacy-arn-is-attached', {
    requirement: ['cloud.legacy.arn-used', 'cloud.iam-user.nothing-more'],
    given: rootedWith({ arn: readOnly }),
    when: creds(),
    then: [wholeUser({ attached: [readOnly] })],
  }),
  checkAtProvider('legacy-role-gives-a-user-through-creds', {
    requirement: 'cloud.legacy.creds',
    given: rootedWith({ policy: document }),
    when: creds(),
    then: [called('CreateUser')],
  }),
  checkAtProvider('legacy-arn-gives-no-user-through-sts', {
    requirement: 'cloud.legacy.sts',
    given: rootedWith({ arn: readOnly }),
    when: sts(),
    then: [nothingOrSession],
    control: creds(),
  }),
  checkAtProvider('legacy-policy-is-the-session-s', {
    requirement: 'cloud.legacy.policy-of-session',
    given: rootedWith({ policy: document }),
    when: sts(),
    then: [policies('GetFederationToken', [document])],
  }),
  checkAtProvider('legacy-role-that-is-written-again-has-the-new-policy', {
    requirement: 'cloud.role.updates',
    given: [...rootedWith({ policy: allowing('s3:GetObject') }), writeRole({ policy: document })],
    when: creds(),
    then: [hasDocument(document, 'has the policy of the update')],
  }),
  checkAtProvider('legacy-role-gives-no-user-through-sts', {
    requirement: 'cloud.legacy.sts',
    given: rootedWith({ policy: document }),
    when: sts(),
    then: [sessionAndNoUser],
  }),
]

export default topic('cloud/fields-iam-user', {
  about: 'The effect of the fields of an `iam_user` role, and of a legacy role, at the provider.',
  checks: [...users, ...each, ...legacy],
})
