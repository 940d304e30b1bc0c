/** Checks of updating, listing and deleting roles. */
import { allowing } from '../../fixtures/cloud/policies.ts'
import { type CredentialType, credentialTypes } from '../../fixtures/cloud/roles.ts'
import type { Exchange, JsonObject } from '../../harness/vocabulary/index.ts'
import { afterSuccess, allOf, isSuccess, next, refused, stepRefused, succeeds } from '../../harness/vocabulary/index.ts'
import { ifTaken, sentTogether, whereTaken } from '../given.ts'
import { action } from '../records.ts'
import { audit, billing, earlierRoles, account as fullAccount, fullRoles, otherRoles, readOnly } from './full-roles.ts'
import {
  anyRole,
  creds,
  deleteRole,
  least,
  listRoles,
  mountedAlone,
  mountedAs,
  onTwin,
  readerArn,
  readRole,
  role,
  roleName,
  rooted,
  rootedWith,
  sts,
  writeRole,
  writerArn,
} from './given.ts'
import { apartAsWritten, eachAsWritten, namesEach, namesExactly } from './shown.ts'
import { called, hasDocument, policies, wholeSession, wholeUser } from './then.ts'
import { topic } from './topic.ts'
import { check, checkAtProvider } from './witnessed.ts'
import { accountStays, roleRefused } from './witnesses.ts'

const document = allowing('s3:GetObject')
const user = (fields: JsonObject): JsonObject => ({ credential_type: 'iam_user', ...fields })
/** It begins as the first one does: names are compared as a whole. */
const other = `${roleName}-2`
/** Roles that a server could keep in a list of their own. */
const further = [
  { word: 'assumed-role', body: least('assumed_role') },
  { word: 'session-token', body: least('session_token'), applies: { feature: 'cloud.session-token' } },
  { word: 'legacy', body: { policy: document } },
] as const

const deviceOf = (type: CredentialType, word: string): JsonObject =>
  type === 'session_token' ? { mfa_serial_number: `arn:aws:iam::123456789012:mfa/${word}` } : {}

/** Other checks judge types that the API of the target lacks. */
const shown = credentialTypes.map((type) => {
  const word = type.replaceAll('_', '-')
  const body = { ...fullRoles[type], ...deviceOf(type, 'assay') }
  return check(`${word}-role-reads-as-written`, {
    requirement: [
      `cloud.role.${word}.reads-as-written`,
      ...(type === 'assumed_role' ? ['cloud.spelling.escaped-name'] : []),
    ],
    ...(type === 'session_token' ? { applies: { feature: 'cloud.mfa' } } : {}),
    given: [...mountedAlone(fullAccount), ...role(body), ...role(otherRoles[type], other)],
    when: readRole(),
    then: [eachAsWritten(body, readRole(other), otherRoles[type], 'cloud/transitions/post-creates-a-role')],
  })
})

/** Before the update, each field has another value. A second role of the type keeps the values that it has. */
const shownUpdated = credentialTypes.map((type) => {
  const word = type.replaceAll('_', '-')
  const [body, earlier] = [
    { ...fullRoles[type], ...deviceOf(type, 'assay') },
    { ...earlierRoles[type], ...deviceOf(type, 'other') },
  ]
  return check(`updated-${word}-role-reads-as-written`, {
    requirement: [
      `cloud.role.${word}.reads-as-written`,
      ...(type === 'assumed_role' ? ['cloud.spelling.other-form'] : []),
    ],
    ...(type === 'session_token' ? { applies: { feature: 'cloud.mfa' } } : {}),
    given: [...mountedAlone(fullAccount), ...role(earlier), ...role(earlier, other), writeRole(body)],
    when: readRole(),
    then: [eachAsWritten(body, readRole(other), earlier, 'cloud/transitions/post-creates-a-role')],
  })
})

/** The rules of a type hold for updates as they do for new roles. */
const updating = [
  check('update-with-a-field-that-its-type-prohibits-is-refused', {
    requirement: 'cloud.role.iam-user.no-role-arns',
    given: [...mountedAlone(), ...role(least('iam_user'))],
    when: writeRole(least('iam_user', { role_arns: [writerArn] })),
    then: [roleRefused],
    control: writeRole(least('iam_user')),
  }),
  check('update-of-a-session-token-with-a-policy-document-is-refused', {
    requirement: 'cloud.role.session-token.no-policy-document',
    given: [...mountedAlone(), ...role(least('session_token'))],
    when: writeRole(least('session_token', { policy_document: document })),
    then: [roleRefused],
    control: writeRole(least('session_token')),
  }),
]

const endings = (
  [
    ['user', 'iam_user', creds, 'creds'],
    ['session', 'federation_token', sts, 'sts'],
  ] as const
).map(([word, type, asking, path]) =>
  checkAtProvider(`deleted-role-gives-no-${word}`, {
    requirement: `cloud.role.deleted-gives-nothing`,
    given: [
      ...rooted(),
      ...anyRole(type),
      ...anyRole(type, other),
      { ...(asking as () => Exchange)(), words: `the role gives a ${word}` },
      deleteRole(),
    ],
    when: path === 'creds' ? creds() : sts(),
    then: [refused(accountStays)],
    control: path === 'creds' ? creds(other) : sts({}, other),
  }),
)

/** Every field differs from that of the full role. */
const changedUser = user({
  policy_document: allowing('sqs:ReceiveMessage'),
  policy_arns: [billing],
  iam_groups: ['devs'],
  iam_tags: ['team=other', 'stage=live'],
  user_path: '/changed/',
  permissions_boundary_arn: audit,
})
const wantedChanged = {
  ...{ documents: [allowing('sqs:ReceiveMessage')], attached: [billing], groups: ['devs'] },
  ...{ tags: { team: 'other', stage: 'live' }, path: '/changed/', boundary: audit },
}
const changedSession = {
  credential_type: 'assumed_role',
  role_arns: [writerArn],
  policy_document: allowing('sqs:ReceiveMessage'),
  policy_arns: [audit],
  iam_groups: ['ops'],
  default_sts_ttl: '25m',
  max_sts_ttl: '50m',
  session_tags: { team: 'other', stage: 'live' },
  external_id: 'changed-external',
}
/** The `max_sts_ttl` of this role must not apply to the role that replaces it. */
const cappedBefore = { ...fullRoles.assumed_role, max_sts_ttl: '22m' }
const wantedSession = {
  ...{ roleArn: writerArn, documents: [allowing('sqs:ReceiveMessage')], arns: [audit, billing], seconds: 1500 },
  ...{ tags: { team: 'other', stage: 'live' }, externalId: 'changed-external' },
}

/** Which names are allowed is not documented, so a server may refuse these. */
const namesApart = (
  [
    ['long-names-of-roles-stand-apart', ['one', 'two'].map((end) => `worker-whose-name-is-longer-than-most-${end}`)],
    ['signs-in-names-of-roles-stand-apart', ['worker.b_c', 'worker-b-c']],
    // A server may treat what follows a dot as a format.
    ['names-of-roles-with-dots-stand-apart', ['worker.one', 'worker.two']],
  ] as const
).map(([id, [first, second]]) => {
  const [body, otherBody] = [least('iam_user'), user({ policy_document: allowing('sqs:SendMessage') })]
  return check(id, {
    requirement: 'cloud.role.update-spares',
    given: [...mountedAlone(), whereTaken(writeRole(body, first))],
    when: writeRole(otherBody, second),
    then: [
      ifTaken(
        apartAsWritten([readRole(first), body], [readRole(second), otherBody], 'cloud/transitions/post-creates-a-role'),
      ),
    ],
  })
})

/** The other types of sessions have fields that users must not have. */
const typesOfSessions = [
  { word: 'federation-token', type: 'federation_token' },
  { word: 'session-token', type: 'session_token', applies: { feature: 'cloud.session-token' } },
] as const

/** A server could end its list after a number of entries, such as 100. */
const many = Array.from({ length: 105 }, (_, at) => `${roleName}-${at}`)
const manyWritten = many.map((name) => writeRole(least('iam_user'), name))
const manyRoles = action(
  `${many.length} roles are written, some of them at the same time`,
  { touches: manyWritten.slice(0, 1) },
  async (scope) => {
    for (const reply of await sentTogether(scope, manyWritten)) if (!isSuccess(reply)) throw stepRefused(reply)
  },
)

export default topic('cloud/transitions-roles', {
  about: 'The content of a role after it was written, updated, deleted and written again, next to other roles.',
  names: ['mount', 'twin'],
  checks: [
    ...updating,
    ...shown,
    ...shownUpdated,
    ...endings,
    checkAtProvider('update-replaces-each-attribute-of-a-user', {
      requirement: 'cloud.role.updates',
      given: [...rootedWith(fullRoles.iam_user, fullAccount), writeRole(changedUser)],
      when: creds(),
      then: [wholeUser(wantedChanged)],
    }),
    checkAtProvider('update-replaces-each-attribute-of-an-assumed-role', {
      requirement: 'cloud.role.updates',
      applies: { feature: ['cloud.session-tags', 'cloud.external-id'] },
      given: [...rootedWith(cappedBefore, fullAccount), writeRole(changedSession)],
      when: sts(),
      then: [wholeSession('AssumeRole', wantedSession)],
    }),
    checkAtProvider('update-gives-a-role-another-type', {
      requirement: 'cloud.role.updates',
      given: rootedWith(user({ policy_document: document })),
      when: writeRole(least('federation_token', { policy_document: allowing('sqs:SendMessage') })),
      then: [
        afterSuccess(
          next(
            sts(),
            allOf('the role gives a federated session with the policy of the update', [
              called('GetFederationToken'),
              policies('GetFederationToken', [allowing('sqs:SendMessage')]),
            ]),
          ),
        ),
      ],
    }),
    ...typesOfSessions.map(({ word, type, ...rest }) =>
      checkAtProvider(`update-gives-a-${word}-role-another-type`, {
        requirement: 'cloud.role.updates',
        ...rest,
        given: rootedWith(least(type)),
        when: writeRole(user({ policy_document: allowing('sqs:SendMessage') })),
        then: [
          afterSuccess(
            next(
              creds(),
              allOf('the role gives a user with the policy of the update', [
                called('CreateUser'),
                hasDocument(allowing('sqs:SendMessage')),
              ]),
            ),
          ),
        ],
      }),
    ),
    check('list-names-each-of-many-roles', {
      requirement: 'cloud.role.lists',
      given: [...mountedAlone(), manyRoles],
      when: listRoles,
      then: [namesEach(many)],
    }),
    check('list-names-each-role-and-nothing-else', {
      requirement: 'cloud.role.lists',
      // The second write of a role is an update.
      given: [
        ...mountedAlone(),
        ...anyRole('iam_user'),
        ...anyRole('federation_token', other),
        ...anyRole('iam_user', 'third'),
        ...anyRole('iam_user').slice(0, 1),
      ],
      when: listRoles,
      then: [namesExactly(roleName, other, 'third')],
    }),
    // Each role has its own check, so that the others are judged even if the target refuses one.
    ...further.map(({ word, body, ...rest }) =>
      check(`${word}-role-is-listed`, {
        requirement: 'cloud.role.lists',
        ...rest,
        given: [...mountedAlone(), ...anyRole('iam_user', other), ...role(body)],
        when: listRoles,
        then: [namesExactly(other, roleName)],
      }),
    ),
    checkAtProvider('deletion-spares-other-roles', {
      ground: 'own',
      requirement: 'cloud.role.delete-spares',
      given: [
        ...rooted(),
        ...role(user({ policy_document: document })),
        ...role(user({ policy_arns: [readOnly] }), other),
        ...[mountedAs('twin'), onTwin(writeRole(user({ policy_arns: [readOnly] })))],
        // A role can be deleted although its users remain.
        creds(),
      ],
      when: deleteRole(),
      then: [
        afterSuccess(
          allOf('the other role alone is listed, is read, and gives a user', [
            next(listRoles, namesExactly(other)),
            next(readRole(other), succeeds),
            next(creds(other), wholeUser({ attached: [readOnly] })),
          ]),
        ),
      ],
    }),
    checkAtProvider('role-that-is-written-again-is-new', {
      requirement: 'cloud.role.creates-anew',
      given: [...rootedWith(fullRoles.iam_user, fullAccount), deleteRole(), ...role(user({ policy_arns: [readOnly] }))],
      when: creds(),
      then: [wholeUser({ attached: [readOnly] })],
    }),
    checkAtProvider('session-role-that-is-written-again-is-new', {
      requirement: 'cloud.role.creates-anew',
      applies: { feature: ['cloud.session-tags', 'cloud.external-id'] },
      given: [...rootedWith(cappedBefore, fullAccount), deleteRole(), ...role(least('assumed_role'))],
      when: sts({ role_arn: readerArn, role_session_name: 'assay' }),
      then: [wholeSession('AssumeRole', { roleArn: readerArn })],
    }),
    check('role-that-is-made-again-is-listed', {
      requirement: 'cloud.role.lists',
      given: [
        ...mountedAlone(),
        ...anyRole('iam_user', other),
        ...anyRole('iam_user'),
        deleteRole(),
        ...anyRole('iam_user'),
      ],
      when: listRoles,
      then: [namesExactly(other, roleName)],
    }),
    checkAtProvider('update-with-empty-lists-empties-them', {
      requirement: 'cloud.role.update-empties',
      given: [
        ...rootedWith(user({ policy_document: document, policy_arns: [readOnly], iam_groups: ['devs'] }), fullAccount),
        whereTaken(writeRole(user({ policy_document: document, policy_arns: [], iam_groups: [] }))),
      ],
      when: creds(),
      then: [wholeUser({ documents: [document] })],
    }),
    ...namesApart,
    checkAtProvider('update-of-a-role-spares-other-roles', {
      requirement: 'cloud.role.update-spares',
      given: [
        ...rootedWith(user({ policy_document: document })),
        ...role(user({ policy_arns: [readOnly] }), other),
        writeRole(least('iam_user', { policy_document: allowing('sqs:SendMessage') })),
      ],
      when: creds(other),
      then: [wholeUser({ attached: [readOnly] })],
    }),
  ],
})
