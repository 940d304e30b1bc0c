/** Cloud engine: roles of four credential types, and legacy ones. */
import {
  endpoint,
  error,
  must,
  newer,
  older,
  type Rows,
  roleField,
  should,
  transition,
  versioning,
} from './cloud-sources.ts'

export const credentialTypes = ['iam_user', 'assumed_role', 'federation_token', 'session_token'] as const
export type CredentialType = (typeof credentialTypes)[number]

export const kebab = (text: string): string => text.replaceAll('_', '-')

interface Prohibition {
  readonly field: string
  readonly types: readonly CredentialType[]
  readonly reading?: number
  readonly isNewer?: boolean
}

/** Which field a role of which type may not have: the whole table. */
export const prohibitions: readonly Prohibition[] = [
  { field: 'role_arns', types: ['iam_user', 'federation_token', 'session_token'] },
  { field: 'policy_arns', types: ['session_token'] },
  { field: 'policy_document', types: ['session_token'] },
  { field: 'default_sts_ttl', types: ['iam_user', 'session_token'], reading: 35 },
  { field: 'max_sts_ttl', types: ['iam_user', 'session_token'], reading: 35 },
  { field: 'session_tags', types: ['iam_user', 'federation_token', 'session_token'], isNewer: true },
  { field: 'external_id', types: ['iam_user', 'federation_token', 'session_token'], isNewer: true },
  { field: 'user_path', types: ['assumed_role', 'federation_token', 'session_token'] },
  { field: 'permissions_boundary_arn', types: ['assumed_role', 'federation_token', 'session_token'] },
]

/** The lifetimes of a session token are contested between two rows. */
const isShould = (field: string, type: CredentialType): boolean => /sts_ttl$/.test(field) && type === 'session_token'

const prohibited = (wanted: 'must' | 'should'): Rows =>
  Object.fromEntries(
    prohibitions.flatMap(({ field, types, reading, isNewer }) =>
      types
        .filter((type) => isShould(field, type) === (wanted === 'should'))
        .map((type) => [
          `role.${kebab(type)}.no-${kebab(field)}`,
          {
            level: wanted,
            says: `A role of type \`${type}\` with \`${field}\` is refused.`,
            source: roleField(field, reading),
            ...(isNewer || type === 'session_token' ? { applies: newer } : {}),
          },
        ]),
    ),
  )

export const roleMust: Rows = {
  ...prohibited('must'),
  ...must({
    'role.credential-type.required': [
      'A role without `credential_type` or legacy field is refused.',
      roleField('credential_type'),
    ],
    'role.credential-type.closed': ['A role of another `credential_type` is refused.', roleField('credential_type')],
    'role.iam-user.taken': ['A role of type `iam_user` is accepted.', roleField('credential_type')],
    'role.assumed-role.taken': ['A role of type `assumed_role` is accepted.', roleField('credential_type')],
    'role.federation-token.taken': ['A role of type `federation_token` is accepted.', roleField('credential_type')],
    'role.session-token.taken': ['A role of type `session_token` is accepted.', roleField('credential_type'), newer],
    ...Object.fromEntries(
      (['assumed_role', 'federation_token'] as const).map((type) => [
        `role.${kebab(type)}.policy-arns-taken`,
        [`A role of type \`${type}\` with \`policy_arns\` is accepted.`, roleField('policy_arns')] as const,
      ]),
    ),
    'role.older.no-session-token': [
      'In the older form a role of type `session_token` is refused.',
      versioning('2'),
      older,
    ],
    'role.assumed-role.role-arns-required': [
      'A role of type `assumed_role` without `role_arns` is refused.',
      roleField('role_arns'),
    ],
    'role.iam-user.policies-required': [
      'A role of type `iam_user` with neither `policy_arns` nor `policy_document` is refused.',
      roleField('policy_arns', 36),
    ],
    'role.federation-token.policies-required': [
      'A role of type `federation_token` with neither `policy_arns` nor `policy_document` is refused.',
      roleField('policy_arns', 36),
    ],
    'role.role-arns.string': ['`role_arns` may be a comma-separated string.', roleField('role_arns')],
    'role.role-arns.array': ['`role_arns` may be a JSON array.', roleField('role_arns')],
    'role.session-tags.map': ['`session_tags` may be a map.', roleField('session_tags'), newer],
    'role.session-tags.list': ['`session_tags` may be a list of `key=value`.', roleField('session_tags'), newer],
    'role.legacy.not-mixed': [
      'A role that mixes legacy and other parameters is refused.',
      roleField('policy, arn (legacy)'),
    ],
    'role.legacy.policy': ['A role with the legacy `policy` alone is accepted.', roleField('policy (legacy)')],
    'role.legacy.arn': ['A role with the legacy `arn` alone is accepted.', roleField('arn (legacy)')],
    'role.creates': ['POST creates a role, which GET then finds.', transition('role absent or present, POST')],
    'role.updates': ['POST updates a role with new attributes.', transition('role absent or present, POST')],
    'role.reads': ['GET reads a role.', endpoint('GET `/cloud/roles/:name`')],
    'role.lists': ['LIST names the roles.', endpoint('LIST `/cloud/roles`')],
    'role.deletes': ['DELETE removes a role.', transition('role present, DELETE')],
    'role.deleted-unlisted': ['A deleted role is no longer listed.', transition('role present, DELETE')],
    'role.read-missing': ['Reading a role that does not exist answers 404.', error('Read or delete of a role')],
    'role.delete-missing': ['Deleting a role that does not exist answers 404.', error('Read or delete of a role', 38)],
    'creds.role-needed': [
      'Credentials of a role that does not exist are refused.',
      endpoint('GET `/cloud/creds/:name`'),
    ],
    'sts.role-needed': [
      'STS credentials of a role that does not exist are refused.',
      endpoint('POST `/cloud/sts/:name`'),
    ],
  }),
}

export const roleShould: Rows = {
  ...prohibited('should'),
  ...should({
    'role.older.no-session-tags': ['In the older form no session tags are sent.', versioning('2'), older],
    'role.older.no-external-id': ['In the older form no external id is sent.', versioning('2'), older],
  }),
}
