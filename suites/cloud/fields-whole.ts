import { allowing } from '../../fixtures/cloud/policies.ts'
import type { Check, Expectation, JsonObject } from '../../harness/vocabulary/index.ts'
import { topic } from '../../harness/vocabulary/index.ts'
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
import { creds, least, readerArn, role, rooted, sts } from './given.ts'
import { needs } from './provider.ts'
import { givesSession, givesUser, oneSession, onlyKeysOf, type WantedSession, wholeSession, wholeUser } from './then.ts'
import { check } from './witnessed.ts'

interface Row {
  readonly id: string
  readonly requirement: string | readonly string[]
  readonly role: JsonObject
  readonly other: JsonObject
  readonly body?: JsonObject
  readonly then: readonly [Expectation, ...Expectation[]]
  readonly mutants: readonly [string, ...string[]]
}

const users: readonly Row[] = [
  {
    id: 'new-user-has-all-that-the-role-says',
    requirement: 'iam-user.whole',
    role: fullRoles.iam_user,
    other: otherRoles.iam_user,
    then: [wholeUser(wantedUser)],
    mutants: ['iam-user-document-beside-arns-dropped'],
  },
  {
    id: 'new-user-has-nothing-more',
    requirement: 'iam-user.nothing-more',
    role: least('iam_user'),
    other: otherRoles.iam_user,
    then: [wholeUser({ documents: [allowing('s3:GetObject')] }), givesUser],
    mutants: ['iam-user-is-administrator'],
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
  /** What the least role comes to. */
  readonly bare: WantedSession
}
const wantedFilters = { documents: [document, inGroup], arns: [readOnly, audit, billing], seconds: 2400 }

const sessions: readonly Session[] = [
  {
    type: 'assumed_role',
    body: { role_arn: readerArn, role_session_name: 'assay-session', ttl: '40m' },
    whole: {
      ...wantedFilters,
      ...{ roleArn: readerArn, name: 'assay-session', externalId: 'assay-external' },
      tags: { team: 'assay', stage: 'test' },
    },
    bare: { roleArn: readerArn },
  },
  {
    type: 'federation_token',
    body: { ttl: '40m' },
    whole: wantedFilters,
    bare: { documents: [allowing('s3:GetObject')] },
  },
  {
    type: 'session_token',
    body: { ttl: '40m' },
    whole: { seconds: 2400 },
    bare: {},
  },
]

const word = (type: string): string => type.replaceAll('_', '-')

const asked = sessions.flatMap(({ type, body, whole, bare }): Row[] => [
  {
    id: `${word(type)}-is-asked-for-with-all-that-is-said`,
    requirement: `${word(type)}.whole`,
    role: fullRoles[type],
    other: otherRoles[type],
    body,
    then: [wholeSession(actions[type], whole)],
    mutants: [`${word(type)}-ttl-ignored`],
  },
  {
    id: `${word(type)}-is-asked-for-with-nothing-more`,
    requirement: `${word(type)}.nothing-more`,
    role: least(type),
    other: otherRoles[type],
    then: [wholeSession(actions[type], bare), givesSession, onlyKeysOf()],
    mutants: [`${word(type)}-ttl-default-7200`],
  },
  {
    id: `${word(type)}-opens-one-session`,
    requirement: 'sts.one-session',
    role: least(type),
    other: otherRoles[type],
    then: [oneSession],
    mutants: [`${word(type)}-asked-twice`],
  },
])

const judged = ({ id, requirement, role: body, other, body: request, then, mutants }: Row): Check =>
  check(id, {
    requirement: [requirement].flat().map((one) => `cloud.${one}`),
    needs,
    given: [...rooted(account), ...role(body), ...role(other, 'other')],
    when: body.credential_type === 'iam_user' ? creds() : sts(request ?? {}),
    then,
    mutants: mutants.map((mutant) => `cloud/${mutant}`) as [string, ...string[]],
  })

export default topic('cloud/fields-whole', {
  about: 'All that is asked of the provider for each type of credentials, compared as a whole, beside another role.',
  names: ['mount'],
  checks: [...users, ...asked].map(judged),
})
