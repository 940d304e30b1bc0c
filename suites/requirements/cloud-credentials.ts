/** Cloud engine: what is asked of the provider for each credential type, and static roles. */
import {
  endpoint,
  limit,
  must,
  newer,
  older,
  type Rows,
  roleField,
  rule,
  should,
  staticField,
  transition,
  versioning,
} from './cloud-sources.ts'

const sessionTypes = ['assumed-role', 'federation-token', 'session-token'] as const
const roleTtlTypes = ['assumed-role', 'federation-token'] as const
type Row = Rows[string]

const each = <T extends string>(types: readonly T[], id: string, row: (type: T) => Row): Rows =>
  Object.fromEntries(types.map((type) => [`${type}.${id}`, row(type)]))

const gated = (type: string) => (type === 'session-token' ? { applies: newer } : {})

const lifetimes: Rows = {
  ...each(sessionTypes, 'ttl.request', (type) => ({
    level: 'must',
    says: `The \`ttl\` of the request is asked for (${type}).`,
    source: rule(4, 34),
    ...gated(type),
  })),
  ...each(sessionTypes, 'ttl.default', (type) => ({
    level: 'must',
    says: `Without any \`ttl\`, 3600 seconds are asked for (${type}).`,
    source: limit('STS `ttl` default', 34),
    ...gated(type),
  })),
  ...each(roleTtlTypes, 'ttl.role-default', (type) => ({
    level: 'must',
    says: `Without \`ttl\`, the role's \`default_sts_ttl\` is asked for (${type}).`,
    source: rule(4, 34),
  })),
  ...each(roleTtlTypes, 'ttl.capped', (type) => ({
    level: 'must',
    says: `No more than the role's \`max_sts_ttl\` is asked for (${type}).`,
    source: rule(4, 37),
  })),
  ...each(roleTtlTypes, 'ttl.default-capped', (type) => ({
    level: 'must',
    says: `Without \`ttl\` no more than the role's \`max_sts_ttl\` is asked for either (${type}).`,
    source: roleField('max_sts_ttl', 37),
  })),
}

const filters: Rows = {
  ...each(roleTtlTypes, 'policy-document', (type) => ({
    level: 'must',
    says: `The \`policy_document\` is the session's policy (${type}).`,
    source: roleField('policy_document'),
  })),
  ...each(roleTtlTypes, 'policy-arns', (type) => ({
    level: 'must',
    says: `The \`policy_arns\` are the session's policies (${type}).`,
    source: roleField('policy_arns'),
  })),
  ...each(roleTtlTypes, 'group-documents', (type) => ({
    level: 'must',
    says: `Inline policies of \`iam_groups\` are combined with \`policy_document\` (${type}).`,
    source: roleField('iam_groups'),
  })),
  ...each(roleTtlTypes, 'group-arns', (type) => ({
    level: 'must',
    says: `Managed policies of \`iam_groups\` are combined with \`policy_arns\` (${type}).`,
    source: roleField('iam_groups'),
  })),
}

export const credentialsMust: Rows = {
  ...must({
    'iam-user.issued': [
      'Credentials of an `iam_user` role are those of a new user.',
      endpoint('GET `/cloud/creds/:name`'),
    ],
    'iam-user.policy-arns': ['Every one of `policy_arns` is attached to the user.', roleField('policy_arns')],
    'iam-user.policy-document': ['The `policy_document` augments the user.', roleField('policy_document')],
    'iam-user.groups': ['The user is added to every one of `iam_groups`.', roleField('iam_groups')],
    'iam-user.tags': ['The user has the `iam_tags`.', roleField('iam_tags')],
    'iam-user.path': ['The user has the `user_path`.', roleField('user_path')],
    'iam-user.path-default': ['Without `user_path` the path is `/`.', roleField('user_path')],
    'iam-user.boundary': ['The user has the `permissions_boundary_arn`.', roleField('permissions_boundary_arn')],
    'iam-user.no-boundary': [
      'Without `permissions_boundary_arn` no boundary is attached.',
      roleField('permissions_boundary_arn'),
    ],
    'assumed-role.issued': [
      'Credentials of an `assumed_role` role are those of AssumeRole.',
      endpoint('POST `/cloud/sts/:name`'),
    ],
    'assumed-role.session-tags': ['The session has the `session_tags`.', roleField('session_tags'), newer],
    'assumed-role.external-id': ['The role is assumed with `external_id`.', roleField('external_id'), newer],
    'assumed-role.only-arn': ['`role_arn` is optional where the role allows exactly one.', rule(2)],
    'assumed-role.arn-required': ['`role_arn` is required where the role allows several.', rule(2)],
    'assumed-role.arn-matches': ['A `role_arn` that is not among `role_arns` is refused.', rule(2)],
    'assumed-role.arn-assumed': ['The role of `role_arn` is the one that is assumed.', rule(2)],
    'assumed-role.session-name': ['The session has the `role_session_name`.', rule(3)],
    'assumed-role.session-name-64': [
      'A `role_session_name` of 64 characters is used whole.',
      limit('`role_session_name`'),
    ],
    'assumed-role.session-name-cut': [
      'A longer `role_session_name` is truncated to 64 characters.',
      limit('`role_session_name`'),
    ],
    'assumed-role.session-name-made': ['Without `role_session_name` one is generated.', rule(3)],
    'federation-token.issued': [
      'Credentials of a `federation_token` role are those of GetFederationToken.',
      endpoint('POST `/cloud/sts/:name`'),
    ],
    'session-token.issued': [
      'Credentials of a `session_token` role are those of GetSessionToken.',
      endpoint('POST `/cloud/sts/:name`'),
      newer,
    ],
    'session-token.mfa-serial': ['The `mfa_serial_number` of the role is sent.', roleField('mfa_serial_number'), newer],
    'session-token.mfa-code': ['The `mfa_code` of the request is sent.', rule(5), newer],
    'session-token.mfa-code-required': [
      'Without `mfa_code` a role with `mfa_serial_number` gives nothing.',
      rule(5),
      newer,
    ],
    'session-token.mfa-code-optional': ['Without `mfa_serial_number` no `mfa_code` is required.', rule(5), newer],
    'legacy.creds': ['`creds` of a legacy role gives a user.', rule(1)],
    'legacy.sts': ['`sts` of a legacy role gives an assumed role or federation token.', rule(1)],
    'legacy.policy-used': ['The legacy `policy` is the policy of the user.', roleField('policy (legacy)')],
    'legacy.arn-used': ['The legacy `arn` is attached to the user.', roleField('arn (legacy)')],
    'username.64': ['A user name of 64 characters is used.', limit('IAM username length')],
    'username.65': ['A user name over 64 characters answers 500.', limit('IAM username length')],
    'sts-username.32': ['An STS user name of 32 characters is used.', limit('STS username length', 40)],
    'sts-username.33': ['An STS user name over 32 characters answers 500.', limit('STS username length', 40)],
  }),
  ...lifetimes,
  ...filters,
}

const configured = 'static role absent, POST'
const elapses = 'static role present, rotation period elapses'

export const staticMust: Rows = must({
  'static-role.username.required': ['A static role without `username` is refused.', staticField('username'), newer],
  'static-role.period.required': [
    'A static role without `rotation_period` is refused.',
    staticField('rotation_period'),
    newer,
  ],
  'static-role.period.minimum': [
    'A `rotation_period` under a minute is refused.',
    limit('`rotation_period` minimum'),
    newer,
  ],
  'static-role.period.minute': [
    'A `rotation_period` of a minute is accepted.',
    limit('`rotation_period` minimum'),
    newer,
  ],
  'static-role.period.duration': ['`rotation_period` may be a duration string.', staticField('rotation_period'), newer],
  'static-role.period.number': ['`rotation_period` may be a number of seconds.', staticField('rotation_period'), newer],
  'static-role.reads': ['GET reads a static role.', endpoint('GET `/cloud/static-roles/:name`'), newer],
  'static-role.creates-key': ['A key of the user is created at configuration.', transition(configured, 42), newer],
  'static-role.creds': [
    '`static-creds` gives the current credentials.',
    endpoint('GET `/cloud/static-creds/:name`'),
    newer,
  ],
  'static-role.full': [
    'Where the user has two keys the oldest is rotated at configuration.',
    transition(configured, 42),
    newer,
  ],
  'static-role.one-key': ['A user with one key gets a second.', transition(configured, 42), newer],
  'static-role.rotates': ['When the period has elapsed there is a new key.', transition(elapses, 43), newer],
  'static-role.not-early': ['Before the period has elapsed nothing is rotated.', transition(elapses, 43), newer],
  'static-role.first-adds': [
    'The first rotation creates the second key and keeps the first.',
    transition(elapses, 43),
    newer,
  ],
  'static-role.next-replaces': ['The following rotation replaces the oldest key.', transition(elapses, 43), newer],
  'static-role.creds-follow': [
    '`static-creds` gives the rotated key.',
    endpoint('GET `/cloud/static-creds/:name`'),
    newer,
  ],
  'static-role.period-resets': [
    'A new `rotation_period` counts from the change.',
    transition('POST … with new `rotation_period`'),
    newer,
  ],
  'static-role.deletes': ['DELETE removes a static role.', transition('static role present, DELETE'), newer],
  'static-role.delete-leaves-user': [
    'DELETE leaves the IAM user in place.',
    transition('static role present, DELETE'),
    newer,
  ],
  'static-creds.role-needed': [
    '`static-creds` of a static role that does not exist are refused.',
    endpoint('GET `/cloud/static-creds/:name`'),
    newer,
  ],
  'static-role.older': ['The older form has no static roles.', versioning('2'), older],
})

export const credentialsShould: Rows = should({
  'iam-user.new-each-time': ['Each request makes a user of its own.', roleField('credential_type')],
  'static-role.user-exists': [
    'A static role of a user that does not exist is refused.',
    staticField('One static role maps to one existing IAM user'),
    newer,
  ],
  'static-role.deleted-rests': [
    'A deleted static role is rotated no more.',
    transition('static role present, DELETE'),
    newer,
  ],
})
