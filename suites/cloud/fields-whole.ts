import { allowing } from '../../fixtures/cloud/policies.ts'
import type { Applies, Check, Expectation, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import { allOf, DoesNotApply, isRefusal } from '../../harness/vocabulary/index.ts'
import { type CheckRow, requirementsIn, rowsOf } from '../rows.ts'
import {
  account,
  audit,
  billing,
  document,
  fullRoles,
  inGroup,
  otherRoles,
  readOnly,
  wantedUser,
} from './full-roles.ts'
import { creds, least, namesAreHeeded, readerArn, role, rooted, sts } from './given.ts'
import {
  givesSession,
  givesUser,
  noMoreThan,
  oneSession,
  onlyKeysOf,
  type WantedSession,
  wholeSession,
  wholeUser,
} from './then.ts'
import { topic } from './topic.ts'
import { checkAtProvider } from './witnessed.ts'

const word = (type: string): string => type.replaceAll('_', '-')

interface CredentialRow extends CheckRow<string | readonly string[]> {
  readonly role: JsonObject
  readonly other: JsonObject
  readonly body?: JsonObject
  readonly given?: readonly Step[]
  readonly then: readonly [Expectation, ...Expectation[]]
  readonly applies?: Applies
}

const users: readonly CredentialRow[] = [
  {
    id: 'new-user-has-all-that-the-role-says',
    requirement: 'iam-user.whole',
    role: fullRoles.iam_user,
    other: otherRoles.iam_user,
    then: [wholeUser(wantedUser)],
  },
  {
    id: 'new-user-has-nothing-more',
    requirement: 'iam-user.nothing-more',
    role: least('iam_user'),
    other: otherRoles.iam_user,
    then: [
      allOf('one user is new, with what the role says and nothing more, and its key is given', [
        wholeUser({ documents: [allowing('s3:GetObject')] }),
        givesUser,
      ]),
    ],
  },
]

const actions = {
  assumed_role: 'AssumeRole',
  federation_token: 'GetFederationToken',
  session_token: 'GetSessionToken',
} as const

interface Session {
  readonly type: keyof typeof actions
  readonly body: JsonObject
  readonly whole: WantedSession
  /** The effects of the smallest valid role. */
  readonly bare: WantedSession
  /** Steps before the request for the whole session. */
  readonly given?: readonly Step[]
}
const wantedFilters = { documents: [document, inGroup], arns: [readOnly, audit, billing], seconds: 2400 }

const sessions: readonly Session[] = [
  {
    type: 'assumed_role',
    body: { role_arn: readerArn, role_session_name: 'assay-session', ttl: '40m' },
    whole: {
      ...wantedFilters,
      ...{ name: 'assay-session', roleArn: readerArn, externalId: 'assay-external' },
      tags: { team: 'assay', stage: 'test' },
    },
    bare: { roleArn: readerArn },
    given: [...role(least('assumed_role'), 'plain'), namesAreHeeded('plain')],
  },
  {
    type: 'federation_token',
    body: { ttl: '40m' },
    whole: wantedFilters,
    bare: { documents: [allowing('s3:GetObject')] },
  },
  { type: 'session_token', body: { ttl: '40m' }, whole: { seconds: 2400 }, bare: {} },
]

/** The documents assign a path to legacy roles only, so a server may serve roles of these types through `sts` alone. */
const ifGiven = (expectation: Expectation): Expectation => ({
  ...expectation,
  words: `the role gives nothing there, or ${expectation.words}`,
  judge(seen, before) {
    const { reply } = seen
    if (isRefusal(reply)) throw DoesNotApply.refused(reply, `${reply.asked} gives nothing of a role of this type`)
    return expectation.judge(seen, before)
  },
})

/** A request through `creds` names no role to assume. */
const only = { role_arns: [readerArn] }
const throughCreds = (
  [
    [
      'assumed_role',
      only,
      { roleArn: readerArn, externalId: 'assay-external', tags: { team: 'assay', stage: 'test' } },
    ],
    ['federation_token', {}, {}],
  ] as const
).flatMap(([type, fields, wanted]) => [
  checkAtProvider(`${word(type)}-through-creds-has-all-that-the-role-says`, {
    requirement: `cloud.${word(type)}.whole`,
    given: [...rooted(account), ...role({ ...fullRoles[type], ...fields })],
    when: creds(),
    then: [ifGiven(wholeSession(actions[type], { ...wantedFilters, ...wanted, seconds: 1200 }))],
  }),
  checkAtProvider(`${word(type)}-through-creds-lasts-no-longer-than-the-role-s-cap`, {
    requirement: `cloud.${word(type)}.ttl.default-capped`,
    given: [...rooted(account), ...role(least(type, { max_sts_ttl: '40m' }))],
    when: creds(),
    then: [ifGiven(noMoreThan(actions[type], 2400))],
  }),
])

/** Returns the smallest request: what it leaves out has no default that matters. */
const bareBody = (type: Session['type']): JsonObject =>
  type === 'assumed_role' ? { role_arn: readerArn, role_session_name: 'assay' } : {}

const asked = sessions.flatMap(({ type, body, whole, bare, given = [] }): CredentialRow[] =>
  rowsOf<CredentialRow>({
    [`${word(type)}-is-asked-for-with-all-that-is-said`]: {
      requirement: `${word(type)}.whole`,
      role: fullRoles[type],
      other: otherRoles[type],
      body,
      given,
      then: [wholeSession(actions[type], whole)],
    },
    [`${word(type)}-is-asked-for-with-nothing-more`]: {
      requirement: `${word(type)}.nothing-more`,
      role: least(type),
      other: otherRoles[type],
      body: bareBody(type),
      then: [
        allOf('one session is asked for with what is said and nothing more, and is given; no user changes', [
          wholeSession(actions[type], bare),
          givesSession,
          onlyKeysOf(),
        ]),
      ],
    },
    [`${word(type)}-opens-one-session`]: {
      requirement: 'sts.one-session',
      role: least(type),
      other: otherRoles[type],
      body: bareBody(type),
      then: [oneSession],
      ...(type === 'session_token' ? { applies: { feature: 'cloud.session-token' } } : {}),
    },
  }),
)

const judged = ({
  id,
  requirement,
  role: body,
  other,
  body: request,
  given = [],
  then,
  applies,
}: CredentialRow): Check =>
  checkAtProvider(id, {
    requirement: requirementsIn('cloud.', requirement),
    given: [...rooted(account), ...role(body), ...role(other, 'other'), ...given],
    when: body.credential_type === 'iam_user' ? creds() : sts(request ?? {}),
    then,
    ...(applies ? { applies } : {}),
  })

export default topic('cloud/fields-whole', {
  about: 'The whole request to the provider for each type of credentials, next to a role with other values.',
  checks: [...[...users, ...asked].map(judged), ...throughCreds],
})
