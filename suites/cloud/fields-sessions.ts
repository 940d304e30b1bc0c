/** Checks of what the fields of sessions do at the provider. */

import { idOf } from '../../fixtures/api/terms.ts'
import { without } from '../../fixtures/bodies.ts'
import { allowing, managedPolicy } from '../../fixtures/cloud/policies.ts'
import type { AccountState } from '../../fixtures/servers/provider/index.ts'
import type { Ceremony, Check, Expectation, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import {
  about,
  allOf,
  eachRefused,
  isRefusal,
  isSuccess,
  next,
  post,
  refused,
  requestWords,
  succeeds,
} from '../../harness/vocabulary/index.ts'
import { unlessRefused, whereTaken } from '../given.ts'
import { action } from '../records.ts'
import { type CheckRow, requirementsIn, rowsOf } from '../rows.ts'
import {
  assumable,
  creds,
  least,
  namesAreHeeded,
  readerArn,
  role,
  rooted,
  rootedWith,
  shownBefore,
  sts,
  writeRole,
  writerArn,
} from './given.ts'
import {
  called,
  givesSession,
  lifetime,
  madeAt,
  noMoreThan,
  parameter,
  policies,
  policyArns,
  sent,
  sessionName,
  tagged,
  taggedByList,
} from './then.ts'
import { topic } from './topic.ts'
import { checkAtProvider } from './witnessed.ts'
import { accountStays } from './witnesses.ts'

const actions = {
  assumed_role: 'AssumeRole',
  federation_token: 'GetFederationToken',
  session_token: 'GetSessionToken',
} as const
type SessionType = keyof typeof actions
const sessionTypes = Object.keys(actions) as SessionType[]
const filteredTypes = ['assumed_role', 'federation_token'] as const
type FilteredType = (typeof filteredTypes)[number]

const document = allowing('s3:GetObject')
/** A document with a single statement need not have it in a list. */
const groupDocument = JSON.stringify({
  Version: '2012-10-17',
  Statement: { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: '*' },
})
/** The provider accepts the characters of Latin-1 in documents. */
const inLatin1 = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::assay/Größe/*' }],
})
const readOnly = managedPolicy('ReadOnlyAccess')
const audit = managedPolicy('SecurityAudit')
const [third, fourth] = [allowing('sns:Publish'), allowing('ec2:RunInstances')] as const
/** The provider URL-encodes the documents of groups. A wrong decoder changes the `+` or the `%20`. */
const fifth = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::assay/one+two%20three/*' }],
})
const sixth = allowing('kms:Decrypt')
const moreArns = ['job-function/Billing', 'job-function/ViewOnlyAccess', 'PowerUserAccess'].map(managedPolicy)
/** Each group has several policies of both kinds. */
const fullGroups: AccountState = {
  groups: [
    { name: 'devs', documents: [groupDocument, third], policyArns: [audit, ...moreArns.slice(0, 1)] },
    { name: 'ops', documents: [fourth, fifth], policyArns: moreArns.slice(1) },
    { name: 'staff', documents: [sixth] },
  ],
}
const plainGroups = {
  documents: [{ name: 'devs', documents: [groupDocument] }],
  arns: [{ name: 'devs', policyArns: [audit] }],
}

interface SessionRow extends CheckRow<string | readonly string[]> {
  readonly role: JsonObject
  /** The field of `plain` that the request leaves out. */
  readonly omits?: 'role_arn' | 'role_session_name'
  readonly state?: AccountState
  readonly body?: JsonObject
  /** Steps that show what this check relies on and another check judges. */
  readonly given?: readonly Step[]
  readonly then: readonly [Expectation, ...Expectation[]]
}

/** The body of a request for an assumed role if none of its fields is judged. It is set so that no default matters. */
const plain: JsonObject = { role_arn: readerArn, role_session_name: 'assay' }

const judged = ({ id, requirement, role, omits, state = {}, body = {}, given = [], then }: SessionRow): Check =>
  checkAtProvider(id, {
    requirement: requirementsIn('cloud.', requirement),
    given: [...rootedWith(role, { ...assumable, ...state }), ...given],
    when: sts({ ...(role.credential_type === 'assumed_role' ? (omits ? without(plain, omits) : plain) : {}), ...body }),
    then,
  })

const issued = sessionTypes.map((type): SessionRow => {
  const word = idOf(type)
  return {
    id: `${word}-gives-what-the-provider-gave`,
    requirement: [`${word}.issued`, 'root.sts-endpoint.used'],
    role: least(type),
    then: [called(actions[type]), givesSession, madeAt('sts', new RegExp(`^${actions[type]}$`))],
  }
})

const lifetimes = sessionTypes.flatMap((type): SessionRow[] => {
  const word = idOf(type)
  return [
    {
      id: `${word}-asks-for-the-ttl`,
      requirement: `${word}.ttl.request`,
      role: least(type),
      // A shorter lifetime, or one in whole minutes, would not reveal a server that cuts lifetimes to an hour, or to
      // whole minutes.
      body: { ttl: '7201s' },
      then: [lifetime(actions[type], 7201)],
    },
    {
      id: `${word}-asks-for-an-hour-by-default`,
      requirement: [`${word}.ttl.default`, ...(type === 'federation_token' ? ['spelling.no-body'] : [])],
      role: least(type),
      then: [lifetime(actions[type], 3600)],
    },
  ]
})

const byDefault = (default_sts_ttl: string) => ({ default_sts_ttl })
const upTo = (max_sts_ttl: string) => ({ max_sts_ttl })
const capped = { ...byDefault('20m'), ...upTo('40m') }
const roleLifetimes = filteredTypes.flatMap((type): SessionRow[] => {
  const word = idOf(type)
  const exactly = (seconds: number) => lifetime(actions[type], seconds)
  const atMost = (seconds: number) => noMoreThan(actions[type], seconds)
  const row = (fact: string, fields: JsonObject, wanted: Expectation, ttl?: string): Omit<SessionRow, 'id'> => ({
    ...{ requirement: `${word}.ttl.${fact}`, role: least(type, fields), then: [wanted] },
    ...(ttl === undefined ? {} : { body: { ttl } }),
  })
  return rowsOf<SessionRow>({
    [`${word}-asks-for-the-role-s-default`]: row('role-default', byDefault('2h'), exactly(7200)),
    [`${word}-asks-for-the-ttl-before-the-role-s-default`]: row('request', byDefault('20m'), exactly(7200), '2h'),
    [`${word}-asks-for-a-ttl-below-the-role-s-default`]: row('request', byDefault('40m'), exactly(1800), '30m'),
    [`${word}-asks-for-no-more-than-the-role-s-cap`]: row('capped', capped, atMost(2400), '50m'),
    // A cap above the default of an hour, too.
    [`${word}-asks-for-no-more-than-a-cap-above-an-hour`]: row('capped', upTo('2h'), atMost(7200), '3h'),
    [`${word}-asks-for-a-ttl-between-an-hour-and-the-cap`]: row('spared', upTo('2h'), exactly(5400), '90m'),
    [`${word}-asks-for-an-hour-by-default-below-a-greater-cap`]: row('default', upTo('2h'), exactly(3600)),
    [`${word}-asks-for-a-ttl-below-the-cap`]: row('spared', capped, exactly(1800), '30m'),
    [`${word}-asks-for-a-ttl-that-is-the-cap`]: row('request', capped, exactly(2400), '40m'),
    [`${word}-asks-for-the-role-s-default-below-the-cap`]: row('spared', capped, exactly(1200)),
    [`${word}-asks-for-no-more-than-the-role-s-cap-by-default`]: row('default-capped', upTo('40m'), atMost(2400)),
  })
})

/** The fields that a role of a filtered type needs besides its filters. */
const bare: Readonly<Record<FilteredType, JsonObject>> = {
  assumed_role: { credential_type: 'assumed_role', role_arns: [readerArn] },
  federation_token: { credential_type: 'federation_token' },
}

const filters = filteredTypes.flatMap((type): SessionRow[] => {
  const word = idOf(type)
  const action = actions[type]
  return rowsOf<SessionRow>({
    [`${word}-is-filtered-by-the-document`]: {
      requirement: `${word}.policy-document`,
      role: { ...bare[type], policy_document: inLatin1 },
      then: [policies(action, [inLatin1])],
    },
    [`${word}-is-filtered-by-the-arns`]: {
      requirement: `${word}.policy-arns`,
      // There are three policies, because a server that keeps at most two would pass with two.
      role: { ...bare[type], policy_arns: [readOnly, audit, ...moreArns.slice(0, 1)] },
      then: [policyArns(action, [readOnly, audit, ...moreArns.slice(0, 1)])],
    },
    [`${word}-combines-documents-of-groups`]: {
      requirement: `${word}.group-documents`,
      role: { ...bare[type], policy_document: document, iam_groups: ['devs'] },
      state: { groups: plainGroups.documents },
      then: [policies(action, [document, groupDocument])],
    },
    [`${word}-combines-arns-of-groups`]: {
      requirement: `${word}.group-arns`,
      role: { ...bare[type], policy_arns: [readOnly], iam_groups: ['devs'] },
      state: { groups: plainGroups.arns },
      then: [policyArns(action, [readOnly, audit])],
    },
    [`${word}-has-documents-of-groups-where-it-has-no-own`]: {
      requirement: `${word}.group-documents`,
      role: { ...bare[type], policy_arns: [readOnly], iam_groups: ['devs'] },
      state: { groups: plainGroups.documents },
      then: [policies(action, [groupDocument])],
    },
    [`${word}-has-arns-of-groups-where-it-has-no-own`]: {
      requirement: `${word}.group-arns`,
      role: { ...bare[type], policy_document: document, iam_groups: ['devs'] },
      state: { groups: plainGroups.arns },
      then: [policyArns(action, [audit])],
    },
    [`${word}-combines-all-policies-of-all-groups`]: {
      requirement: [`${word}.group-documents`, `${word}.group-arns`, 'root.iam-endpoint.used'],
      role: { ...bare[type], policy_document: document, policy_arns: [readOnly], iam_groups: ['devs', 'ops', 'staff'] },
      state: fullGroups,
      then: [
        about(
          `cloud.${word}.group-documents`,
          policies(action, [document, groupDocument, third, fourth, fifth, sixth]),
        ),
        about(`cloud.${word}.group-arns`, policyArns(action, [readOnly, audit, ...moreArns])),
        madeAt('iam', /Group/),
      ],
    },
  })
})

/** These tags reveal a server that writes keys or values in lower case, or cuts a value at its `=`. */
const tags = { Team: 'Assay', stage: 'test=1' }
const assumed = (fields: JsonObject = {}): JsonObject => ({ ...bare.assumed_role, ...fields })
/** The account has no role of this name, and none is assumed. */
const nobodysArn = readerArn.replace(/reader$/, 'nobody')
const longExternalId = 'Assay-External.1+2:of-somebody-whose-id-is-longer-than-most'
/** The two ends differ, so that the result shows which one was cut. */
const nameOf = (length: number): string => `first-${'x'.repeat(length - 11)}-last`

const assuming: readonly SessionRow[] = [
  ...rowsOf<SessionRow>({
    'assumed-role-without-own-policies-has-those-of-its-groups': {
      requirement: ['assumed-role.group-documents', 'assumed-role.group-arns'],
      role: assumed({ iam_groups: ['devs'] }),
      state: { groups: [{ name: 'devs', documents: [groupDocument], policyArns: [audit] }] },
      then: [policies('AssumeRole', [groupDocument]), policyArns('AssumeRole', [audit])],
    },
    'session-tags-are-taken-as-a-map': {
      requirement: 'role.session-tags.map',
      role: assumed({ session_tags: tags }),
      then: [tagged('AssumeRole', tags)],
    },
    'each-session-tag-is-sent': {
      requirement: 'assumed-role.session-tags',
      role: assumed({ session_tags: { ...tags, Place: 'far away' } }),
      then: [tagged('AssumeRole', { ...tags, Place: 'far away' })],
    },
    'session-tag-without-text-is-sent': {
      requirement: 'assumed-role.session-tags',
      role: assumed(),
      given: [whereTaken(writeRole(assumed({ session_tags: { ...tags, empty: '' } })))],
      then: [tagged('AssumeRole', { ...tags, empty: '' })],
    },
    'external-id-is-sent': {
      requirement: 'assumed-role.external-id',
      role: assumed({ external_id: longExternalId }),
      then: [parameter('AssumeRole', 'ExternalId', longExternalId)],
    },
    'role-arns-are-taken-as-a-string': {
      requirement: 'role.role-arns.string',
      role: assumed({ role_arns: `${readerArn},${writerArn}` }),
      body: { role_arn: readerArn },
      then: [parameter('AssumeRole', 'RoleArn', readerArn)],
    },
    'each-of-role-arns-in-a-string-counts': {
      requirement: ['role.role-arns.string', 'spelling.blanks'],
      // There are three roles, because a server that keeps at most two would pass with two.
      role: assumed({ role_arns: `${readerArn},${nobodysArn},${writerArn}` }),
      body: { role_arn: writerArn },
      then: [parameter('AssumeRole', 'RoleArn', writerArn)],
    },
    'each-of-role-arns-in-an-array-counts': {
      requirement: 'role.role-arns.array',
      role: assumed({ role_arns: [writerArn, nobodysArn, readerArn] }),
      body: { role_arn: readerArn },
      then: [parameter('AssumeRole', 'RoleArn', readerArn)],
    },
    'role-arns-are-taken-as-an-array': {
      requirement: 'role.role-arns.array',
      role: assumed({ role_arns: [readerArn, writerArn] }),
      body: { role_arn: writerArn },
      then: [parameter('AssumeRole', 'RoleArn', writerArn)],
    },
    'only-role-is-assumed-unasked': {
      requirement: 'assumed-role.only-arn',
      role: assumed(),
      omits: 'role_arn',
      then: [parameter('AssumeRole', 'RoleArn', readerArn)],
    },
    'role-asked-for-is-assumed': {
      requirement: ['assumed-role.arn-assumed', 'assumed-role.session-name', 'assumed-role.ttl.request'],
      role: assumed({ role_arns: [readerArn, writerArn] }),
      // A server that keeps what an earlier request asked for does not do what this one asks for.
      given: [sts({ role_arn: readerArn, role_session_name: 'assay-before', ttl: '20m' })],
      body: { role_arn: writerArn, ttl: '30m' },
      then: [
        allOf('the role, the name and the lifetime are those of the request', [
          parameter('AssumeRole', 'RoleArn', writerArn),
          sessionName('assay'),
          lifetime('AssumeRole', 1800),
        ]),
      ],
    },
    'session-has-the-name': {
      requirement: 'assumed-role.session-name',
      role: assumed(),
      body: { role_session_name: 'Assay.Session_1+2=3@home' },
      then: [sessionName('Assay.Session_1+2=3@home')],
    },
    'session-has-a-name-of-64': {
      requirement: 'assumed-role.session-name-64',
      role: assumed(),
      body: { role_session_name: nameOf(64) },
      given: [namesAreHeeded()],
      then: [sessionName(nameOf(64))],
    },
  }),
  ...[65, 100].map(
    (length): SessionRow => ({
      id: `session-name-of-${length}-is-cut-to-64`,
      requirement: 'assumed-role.session-name-cut',
      role: assumed(),
      body: { role_session_name: nameOf(length) },
      given: [namesAreHeeded()],
      then: [sessionName(nameOf(length).slice(0, 64))],
    }),
  ),
  {
    id: 'session-name-is-made-where-none-is-given',
    requirement: 'assumed-role.session-name-made',
    role: assumed(),
    omits: 'role_session_name',
    then: [
      sent(
        'AssumeRole',
        'RoleSessionName',
        'a RoleSessionName of 2 to 64 characters',
        ({ parameters: { RoleSessionName = '' } }) =>
          RoleSessionName.length >= 2 && RoleSessionName.length <= 64
            ? undefined
            : `RoleSessionName ${RoleSessionName}`,
      ),
    ],
  },
]

const pairs = ['Team=Assay', 'stage=test']
const pairsWithSigns = ['Team=Assay', 'query=a=1+b/2@c:3=']
const signs = writeRole(assumed({ session_tags: pairsWithSigns }), 'signs')
const tagsAsArray = writeRole(assumed({ session_tags: pairs }))
const tagsAsString = writeRole(assumed({ session_tags: pairs.join(',') }))
/** The documents do not say how a list is encoded (reading 57). */
const tagsInEitherForm: Ceremony = {
  kind: 'ceremony',
  words: `${requestWords(post(tagsAsArray.path))} with \`session_tags\` as an array or, where that is refused, as a string with commas`,
  touches: [tagsAsArray, tagsAsString],
  async run(scope) {
    const reply = await scope.send(tagsAsArray)
    return isRefusal(reply) ? scope.send(tagsAsString) : reply
  },
}
const listed = (
  [
    ['tagged-by-a-list-of-session-tags', 'listed', tagsInEitherForm],
    ['session-tags-are-taken-as-a-list', 'list', tagsAsArray],
  ] as const
).map(([id, requirement, when]) =>
  checkAtProvider(id, {
    requirement: `cloud.role.session-tags.${requirement}`,
    given: [
      ...rooted(assumable),
      shownBefore(writeRole(least('assumed_role'), 'other'), succeeds, 'cloud/fields-roles/assumed-role-is-accepted'),
    ],
    when,
    then: [
      allOf('the role is taken, and its sessions have the tags', [
        succeeds,
        next(sts(plain), taggedByList('AssumeRole', pairs)),
        next(signs, unlessRefused(next(sts(plain, 'signs'), taggedByList('AssumeRole', pairsWithSigns)))),
      ]),
    ],
  }),
)

/** A server may refuse a contradictory role when it is written. Then the earlier role remains, whose sessions last an
 * hour. */
const mayBeRefused = (body: JsonObject): Step =>
  action(
    `the role is written with ${Object.keys(body).join(', ')}, which may be refused`,
    { touches: [writeRole(body)], provides: ['isWritten'] },
    async (scope) => {
      scope.save('isWritten', String(isSuccess(await scope.send(writeRole(body)))))
    },
  )
const eitherOf = (action: string, most: number): Expectation => {
  const bounded = noMoreThan(action, most)
  return {
    ...bounded,
    judge: (seen, before) => (seen.scope.value('isWritten') === 'true' ? bounded.judge(seen, before) : undefined),
  }
}

const again = checkAtProvider('each-request-opens-a-session', {
  requirement: 'cloud.sts.new-each-time',
  given: [...rootedWith(least('federation_token')), sts()],
  when: sts(),
  then: [givesSession],
})

const serial = 'arn:aws:iam::123456789012:mfa/assay'
/** A role `updated` to which these fields come by an update, and which shows them in sessions. */
const updated = (
  body: JsonObject,
  fields: JsonObject,
  asked: JsonObject,
  then: Expectation,
  see: string,
): readonly Step[] => [
  ...role(body, 'updated'),
  writeRole({ ...body, ...fields }, 'updated'),
  shownBefore(sts(asked, 'updated'), then, `cloud/${see}`),
]
const withDevice = (body: JsonObject, action: string, asked: JsonObject = {}): readonly Step[] =>
  updated(
    body,
    { mfa_serial_number: serial },
    { ...asked, mfa_code: '123456' },
    parameter(action, 'SerialNumber', serial),
    'fields-sessions/updated-device-is-sent',
  )

const choice = [
  checkAtProvider('role-to-assume-is-required-among-several', {
    requirement: 'cloud.assumed-role.arn-required',
    given: [
      ...rootedWith(assumed({ role_arns: [readerArn, writerArn] }), assumable),
      ...updated(
        assumed(),
        { role_arns: [readerArn, writerArn] },
        { role_arn: writerArn, role_session_name: 'assay' },
        parameter('AssumeRole', 'RoleArn', writerArn),
        'transitions-roles/update-replaces-each-attribute-of-an-assumed-role',
      ),
    ],
    when: sts({ role_session_name: 'assay' }),
    then: [eachRefused([sts({ role_session_name: 'assay' }, 'updated')], accountStays)],
    control: sts(plain),
  }),
  checkAtProvider('role-to-assume-is-required-among-several-through-creds', {
    requirement: 'cloud.assumed-role.arn-required-through-creds',

    // A request through `creds` has no field that could name the role.
    given: rootedWith(assumed({ role_arns: [readerArn, writerArn] }), assumable),
    when: creds(),
    then: [refused(accountStays)],
    control: sts(plain),
  }),
  checkAtProvider('role-of-a-longer-name-is-not-assumed', {
    requirement: 'cloud.assumed-role.arn-matches',
    given: rootedWith(assumed(), { roles: ['reader', 'reader-admin'] }),
    when: sts({ ...plain, role_arn: `${readerArn}-admin` }),
    then: [refused(accountStays)],
    control: sts(plain),
  }),
  checkAtProvider('role-of-the-same-name-below-another-path-is-not-assumed', {
    requirement: 'cloud.assumed-role.arn-matches',
    given: rootedWith(assumed(), { roles: ['reader', 'other/reader'] }),
    when: sts({ ...plain, role_arn: readerArn.replace(/reader$/, 'other/reader') }),
    then: [refused(accountStays)],
    control: sts(plain),
  }),
  ...filteredTypes.map((type) =>
    checkAtProvider(`${idOf(type)}-asks-for-no-more-than-the-cap-where-the-role-s-default-is-more`, {
      requirement: `cloud.${idOf(type)}.ttl.default-capped`,
      given: [
        ...rootedWith(least(type), assumable),
        mayBeRefused(least(type, { default_sts_ttl: '50m', max_sts_ttl: '40m' })),
      ],
      when: sts(type === 'assumed_role' ? plain : {}),
      then: [eitherOf(actions[type], 2400)],
    }),
  ),
  checkAtProvider('role-outside-the-list-is-not-assumed', {
    requirement: 'cloud.assumed-role.arn-matches',

    // Another role allows the ARN, which must not matter for this role.
    given: [...rootedWith(assumed(), assumable), ...role(assumed({ role_arns: [writerArn] }), 'other')],
    when: sts({ ...plain, role_arn: writerArn }),
    then: [refused(accountStays)],
    control: sts(plain),
  }),
]

const device: AccountState = { mfa: { serial, code: '123456' } }
const guarded: JsonObject = { credential_type: 'session_token', mfa_serial_number: serial }
const hardware = 'GAHT12345678'

const mfa = [
  judged({
    id: 'mfa-serial-is-sent',
    requirement: ['session-token.mfa-serial', 'session-token.ttl.request'],
    role: guarded,
    state: device,
    body: { mfa_code: '123456', ttl: '40m' },
    then: [
      parameter('GetSessionToken', 'SerialNumber', serial),
      about('cloud.session-token.ttl.request', lifetime('GetSessionToken', 2400)),
    ],
  }),
  judged({
    id: 'mfa-code-is-sent',
    requirement: 'session-token.mfa-code',
    role: guarded,
    // A server that parses the code as a number loses its leading zero.
    state: { mfa: { serial, code: '012345' } },
    body: { mfa_code: '012345' },
    then: [parameter('GetSessionToken', 'TokenCode', '012345')],
  }),
  checkAtProvider('number-of-a-hardware-device-is-sent', {
    requirement: 'cloud.session-token.mfa-serial',
    given: [
      ...rooted({ mfa: { serial: hardware, code: '123456' } }),
      shownBefore(writeRole(guarded, 'other'), succeeds, 'cloud/fields-sessions/mfa-serial-is-sent'),
    ],
    when: writeRole({ ...guarded, mfa_serial_number: hardware }),
    then: [
      allOf('the role is taken, and the number is sent', [
        succeeds,
        next(sts({ mfa_code: '123456' }), parameter('GetSessionToken', 'SerialNumber', hardware)),
      ]),
    ],
  }),
  checkAtProvider('updated-device-is-sent', {
    requirement: 'cloud.role.updates',
    applies: { feature: ['cloud.session-token', 'cloud.mfa'] },
    given: [...rootedWith({ ...guarded, mfa_serial_number: `${serial}-before` }, device), writeRole(guarded)],
    when: sts({ mfa_code: '123456' }),
    then: [parameter('GetSessionToken', 'SerialNumber', serial)],
  }),
  judged({
    id: 'role-is-assumed-with-the-device',
    requirement: 'assumed-role.mfa',
    role: assumed({ mfa_serial_number: serial }),
    state: device,
    body: { mfa_code: '123456' },
    then: [
      allOf('the device and its code are sent', [
        parameter('AssumeRole', 'SerialNumber', serial),
        parameter('AssumeRole', 'TokenCode', '123456'),
      ]),
    ],
  }),
  checkAtProvider('mfa-code-is-required-to-assume-with-a-device', {
    requirement: 'cloud.assumed-role.mfa-code-required',
    given: [
      ...rootedWith(assumed({ mfa_serial_number: serial }), { ...assumable, ...device }),
      ...withDevice(assumed(), 'AssumeRole', plain),
    ],
    when: sts(plain),
    then: [eachRefused([sts(plain, 'updated')], accountStays)],
    control: sts({ ...plain, mfa_code: '123456' }),
  }),
  checkAtProvider('mfa-code-is-required-with-a-device', {
    requirement: 'cloud.session-token.mfa-code-required',
    given: [...rootedWith(guarded, device), ...withDevice({ credential_type: 'session_token' }, 'GetSessionToken')],
    when: sts(),
    then: [eachRefused([sts({}, 'updated')], accountStays)],
    control: sts({ mfa_code: '123456' }),
  }),
  checkAtProvider('mfa-code-is-required-through-creds', {
    requirement: 'cloud.session-token.mfa-code-required-through-creds',
    given: rootedWith(guarded, device),
    when: creds(),
    then: [refused(accountStays)],
    control: sts({ mfa_code: '123456' }),
  }),
  checkAtProvider('external-id-and-tags-are-sent-beside-a-device', {
    requirement: [
      'cloud.assumed-role.external-id',
      'cloud.assumed-role.session-tags',
      'cloud.assumed-role.ttl.request',
    ],
    applies: { feature: ['cloud.external-id', 'cloud.session-tags', 'cloud.mfa'] },
    given: rootedWith(assumed({ mfa_serial_number: serial, external_id: 'Assay-External.1', session_tags: tags }), {
      ...assumable,
      ...device,
    }),
    when: sts({ ...plain, mfa_code: '123456', ttl: '40m' }),
    then: [
      allOf('the external id and the tags are sent, and the lifetime that was requested', [
        parameter('AssumeRole', 'ExternalId', 'Assay-External.1'),
        tagged('AssumeRole', tags),
        lifetime('AssumeRole', 2400),
      ]),
    ],
  }),
  checkAtProvider('mfa-code-is-not-required-without-a-device', {
    requirement: 'cloud.session-token.mfa-code-optional',
    given: rootedWith(least('session_token')),
    when: sts(),
    then: [succeeds],
  }),
]

export default topic('cloud/fields-sessions', {
  about: 'The effect of role and request fields at the provider, for the three types of temporary credentials.',
  checks: [
    ...[...issued, ...lifetimes, ...roleLifetimes, ...filters, ...assuming].map(judged),
    ...listed,
    again,
    ...choice,
    ...mfa,
  ],
})
