/** Requirements of cloud that underlie others: where the provider is reached, what gives credentials of a type at all,
 * and the fields of roles and requests, each by the part of a user or a session that shows it. */
import type { Underlying } from '../../harness/vocabulary/index.ts'
import { inArea, on } from '../resting-rows.ts'

const sent = ['POST status']
/** The requests that call the provider. */
const callsIam = ['{GET */creds/*,POST */{sts,static-roles}/*,POST */config/rotate-root} status 2xx']
const ofSessions = ['AssumeRole', 'GetFederationToken', 'GetSessionToken']

const ofCloud = inArea('cloud', {
  'role.creates': ['*', ['{GET,POST} status 2xx', 'LIST *', 'GET reply']],
  'role.reads': ['role.*', ['GET status 2xx']],
  'root.reads': [
    'root.{*.kept,*.default,*.number,*.duration}',
    ['GET {status 2xx,access_key,identity_token_ttl,max_retries}'],
  ],
  'static-role.reads': ['static-role.*', ['GET status 2xx']],
  // Calls go to the endpoint that is shown.
  'root.iam-endpoint.kept': ['*', callsIam],
  'root.sts-endpoint.kept': ['*', ['{GET */creds/*,POST */sts/*} status 2xx']],
  'root.optional': ['root.{keys-optional,not-validated}', ['POST */config/root status 2xx']],
  'sts.one-session': ['*', [`* of {${ofSessions}} at the provider`]],
  ...Object.fromEntries(
    [
      ['assumed-role', 'AssumeRole'],
      ['federation-token', 'GetFederationToken'],
      ['session-token', 'GetSessionToken'],
    ].map(([type, action]) => [
      `${type}.issued`,
      ['*', ['POST */sts/* status 2xx', `POST calls at the provider ${action}*`]],
    ]),
  ),
  'role.updates': ['role.*.reads-as-written role.update-empties legacy.alone *.session-tags *.ttl.default-capped'],
  // Two roles are written, and each is looked at.
  'role.update-spares': [
    'role.*.reads-as-written *.whole *.nothing-more assumed-role.arn-matches sts.one-session',
    ['POST */sts/* status *', '* at the provider', 'GET *'],
  ],
  'role.deletes': ['role.delete* role.creates-anew'],
  'role.role-arns.array': ['assumed-role.{arn-*,session-name,ttl.request} role.assumed-role.reads-as-written'],
  'root.overwrites': [
    'root.{overwrites-shown,region.used,*-endpoint.used,not-validated} root.username-template.* root.identity-token-ttl.duration lease.outlives-root',
  ],
  'root.identity-token.role': ['root.identity-token*', sent],
  'rotate-root.returns-key': ['rotate-root.* lease.outlives-root', ['POST status 2xx', 'GET access_key']],
  'role.role-arns.string': ['assumed-role.{arn-*,whole} role.assumed-role.reads-as-written'],
  'rotate-root.only-keys': ['rotate-root.* lease.revocation', ['reply', 'provider', 'body']],
  'iam-user.issued': ['*', ['GET */creds/* status 2xx', 'GET calls at the provider CreateUser']],
  'iam-user.new-each-time': ['root.username-template.* lease.revocation-spares'],
  'lease.reads': ['lease.{kept,max-kept,spares-root}', ['POST */config/lease status 2xx']],
  'session-token.mfa-code-optional': ['session-token.* sts.one-session root.sts-endpoint.used', sent],
  'static-role.creates-key': [
    'static-role.* static-creds.own',
    ['POST status 2xx', 'GET */static-{creds,roles}/* status 2xx', 'body', 'what the provider has of *'],
  ],
  'static-role.rotates': ['static-role.*', ['what the provider has of *']],
  'static-role.first-adds': ['static-role.*', ['what the provider has of *']],
  'static-role.deleted-unread': ['static-role.*', ['DELETE status']],
})

/** What a read or a reply shows while a statement is contradicted without which it shows nothing of its own. */
const ofShown = inArea('cloud', {
  // The least role of a type has a document, and is refused if that is not kept.
  ...Object.fromEntries(
    ['iam-user', 'assumed-role', 'federation-token', 'session-token'].map((type) => [
      `role.${type}.taken`,
      [
        `role.{updates,lists.array,${type}.policy-arns-taken} ${type}.{whole,group-documents}`,
        ['POST */roles/* status 2xx', 'policy documents of *'],
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['assumed-role', 'federation-token'].map((type) => [
      `role.${type}.policy-arns-taken`,
      [`role.lists.array ${type}.{whole,group-arns}`, ['POST */roles/* status 2xx', 'PolicyArns of *']],
    ]),
  ),
  'role.creates': ['role.{*.reads-as-written,update-spares,deletes,read-missing}', ['GET *']],
  'iam-user.issued': ['legacy.creds lease.*', ['GET {body,lease_duration,calls at the provider}']],
  'federation-token.issued': ['sts.new-each-time legacy.sts', ['body', 'provider']],
  'assumed-role.issued': [
    'root.{identity-token.role,overwrites} legacy.sts',
    ['body', 'provider', 'AssumeRoleWithWebIdentity *'],
  ],
  'session-token.mfa-serial': ['session-token.mfa-code-required*', ['{GET,POST} status 4xx *']],
  'assumed-role.mfa': ['assumed-role.mfa-code-required', ['POST status 4xx *']],
})

/** A field of a role or of a request: the part of a user or a session that shows it, the field of the role, and
 * further rows of the type that look at this part. */
type Field = readonly [part: string, field: string, rows?: string]

const arns: Field = ['PolicyArns', 'policy_arns', 'group-arns']
const documents: Field = ['policy documents', 'policy_document', 'group-documents']
const filters = {
  'policy-arns': arns,
  'policy-document': documents,
  'group-documents': ['{policy documents,PolicyArns}', 'iam_groups', 'group-arns'],
  'group-arns': ['PolicyArns', 'iam_groups'],
  'ttl.role-default': ['seconds', 'default_sts_ttl', 'ttl.{spared,capped,default-capped}'],
  'ttl.capped': ['seconds', 'max_sts_ttl', 'ttl.default-capped'],
} as const
const ofRequests = {
  'ttl.request': ['seconds', 'ttl', 'ttl.{spared,capped}'],
  'ttl.default': ['seconds', 'ttl', 'ttl.default-capped'],
} as const

const fields: Readonly<Record<string, readonly [of: string, rows: Readonly<Record<string, Field>>]>> = {
  'iam-user': [
    'the new user',
    {
      'policy-arns': ['attached policies', 'policy_arns'],
      'policy-document': ['policy documents', 'policy_document'],
      groups: ['groups', 'iam_groups'],
      tags: ['tags', 'iam_tags'],
      path: ['path', 'user_path'],
      'path-default': ['path', 'user_path'],
      boundary: ['boundary', 'permissions_boundary_arn'],
      'no-boundary': ['boundary', 'permissions_boundary_arn'],
    },
  ],
  'assumed-role': [
    'AssumeRole',
    {
      ...filters,
      ...ofRequests,
      'only-arn': ['RoleArn', 'role_arns'],
      'session-tags': ['Tags', 'session_tags'],
      'external-id': ['ExternalId', 'external_id'],
      'session-name': ['RoleSessionName', 'role_session_name', 'session-name-*'],
      mfa: ['{SerialNumber,TokenCode}', 'mfa_serial_number'],
    },
  ],
  'federation-token': ['GetFederationToken', { ...filters, ...ofRequests }],
  'session-token': [
    'GetSessionToken',
    {
      ...ofRequests,
      'mfa-serial': ['{SerialNumber,TokenCode}', 'mfa_serial_number', 'mfa-code'],
      'mfa-code': ['TokenCode', 'mfa_code'],
    },
  ],
}

/** Users and sessions have more than the role says if they have what it does not. */
const defaults: ReadonlySet<string> = new Set(['path-default', 'no-boundary', 'ttl.default', 'only-arn'])
const changes = 'role.{updates,update-empties,update-spares,creates-anew,delete-spares,lists.array}'
const rowsOf = (type: string, row: string, more: string | undefined): readonly string[] => [
  changes,
  `role.${type}.reads-as-written`,
  `${type}.{whole,provider-refusal}`,
  ...(defaults.has(row) ? [`${type}.nothing-more`] : []),
  ...(more ? [`${type}.${more}`] : []),
]

/** What a type does with a field is looked at wherever all that a user or a session has is looked at. */
const ofFields: Readonly<Record<string, readonly Underlying[]>> = Object.fromEntries(
  Object.entries(fields).flatMap(([type, [of, rows]]) =>
    Object.entries(rows).map(([row, [part, field, more]]) => [
      `cloud.${type}.${row}`,
      on(
        rowsOf(type, row, more).map((one) => `cloud.${one}`),
        [`GET ${field}`, `${part} of ${of} at the provider`],
      ),
    ]),
  ),
)

export const foundationsOfCloud = [ofCloud, ofShown, ofFields]
