/** Mutants of roles: fields by type, lists, legacy parameters, transitions. The file is long because each field and each
 * transition can be broken on its own. */
import { anyListField } from '../../../kernel/http/body-fields.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { RoleField } from '../store.ts'
import { type LegacyField, roleFields } from '../tables/role-fields.ts'
import { type CredentialType, credentialTypes } from '../tables/types.ts'
import { type Change, type CloudMutant, inRow, inTable, kebab, mutant } from './cells.ts'

const use =
  (type: CredentialType, field: RoleField, rule: 'allowed' | 'prohibited' = 'allowed'): Change =>
  (tables) =>
    inRow('roleFields', field, { use: { ...tables.roleFields[field].use, [type]: rule } })(tables)

const prohibited: readonly (readonly [CredentialType, readonly RoleField[]])[] = [
  ['iam_user', ['role_arns', 'default_sts_ttl', 'max_sts_ttl', 'session_tags', 'external_id']],
  ['assumed_role', ['user_path', 'permissions_boundary_arn']],
  ['federation_token', ['role_arns', 'session_tags', 'external_id', 'user_path', 'permissions_boundary_arn']],
  [
    'session_token',
    [
      ...(['role_arns', 'policy_arns', 'policy_document', 'default_sts_ttl', 'max_sts_ttl', 'session_tags'] as const),
      ...(['external_id', 'user_path', 'permissions_boundary_arn'] as const),
    ],
  ],
]

const fields: readonly CloudMutant[] = prohibited.flatMap(([type, names]) =>
  names.map((name) =>
    mutant(`${kebab(type)}-takes-${kebab(name)}`, `A role of type ${type} with ${name} is accepted.`, use(type, name)),
  ),
)

const arraysRefused = mutant(
  'role-policy-arns-array-refused',
  'policy_arns is taken as a comma-separated string only.',
  (tables) => {
    const { read } = tables.roleFields.policy_arns
    return inRow('roleFields', 'policy_arns', {
      read: (body, name) => read(Array.isArray(body[name]) ? { [name]: {} } : body, name),
    })(tables)
  },
)

const withoutPolicies = (type: 'iam_user' | 'federation_token'): CloudMutant =>
  mutant(
    `${kebab(type)}-without-policies`,
    `A role of type ${type} with neither policy_arns nor policy_document is accepted.`,
    inTable('oneOf', { [type]: [] }),
  )

const refusesPolicyArns = (type: CredentialType): CloudMutant =>
  mutant(
    `${kebab(type)}-refuses-policy-arns`,
    `A role of type ${type} with policy_arns is refused.`,
    use(type, 'policy_arns', 'prohibited'),
  )

const unknown = (type: CredentialType): CloudMutant =>
  mutant(`${kebab(type)}-unknown`, `The credential_type ${type} is refused as unknown.`, (tables) => {
    const { newer, older } = tables.roles.known
    const known = { newer: newer.filter((one) => one !== type), older: older.filter((one) => one !== type) }
    return inTable('roles', { known })(tables)
  })

const types: readonly CloudMutant[] = [
  mutant(
    'credential-type-optional',
    'A role with other fields, but without credential_type, is accepted.',
    inTable('roles', { absentType: 'taken' }),
  ),
  mutant(
    'credential-type-open',
    'A role with an unknown credential_type is accepted.',
    inTable('roles', { unknownType: 'taken' }),
  ),
  mutant('role-without-anything', 'A role without any field is accepted.', inTable('roles', { nothing: 'taken' })),
  mutant(
    'assumed-role-without-role-arns',
    'A role of type assumed_role without role_arns is accepted.',
    use('assumed_role', 'role_arns'),
  ),
  withoutPolicies('iam_user'),
  withoutPolicies('federation_token'),
  refusesPolicyArns('assumed_role'),
  refusesPolicyArns('federation_token'),
  ...credentialTypes.map(unknown),
]

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const tagsGivenAs =
  (left: 'map' | 'list'): Change =>
  (tables) => {
    const { read } = tables.roleFields.session_tags
    return inRow('roleFields', 'session_tags', {
      read: (body, name) => (isMap(body[name]) === (left === 'map') ? undefined : read(body, name)),
    })(tables)
  }

const tagsRefusedAs =
  (isRefused: (value: unknown) => boolean): Change =>
  (tables) => {
    const { read } = tables.roleFields.session_tags
    return inRow('roleFields', 'session_tags', {
      read(body, name) {
        if (body[name] !== undefined && isRefused(body[name])) throw badRequest(`${name} cannot be read`)
        return read(body, name)
      },
    })(tables)
  }

const forms: readonly CloudMutant[] = [
  mutant(
    'role-arns-string-whole',
    'A comma-separated string of role_arns is taken as one ARN.',
    inRow('roleFields', 'role_arns', {
      read: (body, name) => (typeof body[name] === 'string' ? [body[name]] : anyListField(body, name)),
    }),
  ),
  mutant(
    'role-arns-string-first',
    'Of a comma-separated string of role_arns only the first is kept.',
    inRow('roleFields', 'role_arns', {
      read: (body, name) =>
        typeof body[name] === 'string' ? anyListField(body, name)?.slice(0, 1) : anyListField(body, name),
    }),
  ),
  mutant(
    'role-arns-array-first',
    'Of a JSON array of role_arns only the first is kept.',
    inRow('roleFields', 'role_arns', {
      read: (body, name) =>
        Array.isArray(body[name]) ? anyListField(body, name)?.slice(0, 1) : anyListField(body, name),
    }),
  ),
  mutant(
    'session-tags-only-map',
    'session_tags given as anything but a map are refused.',
    tagsRefusedAs((value) => !isMap(value)),
  ),
  mutant('session-tags-array-refused', 'session_tags given as a JSON array are refused.', tagsRefusedAs(Array.isArray)),
  mutant(
    'mfa-serial-arns-only',
    'An mfa_serial_number that is not an ARN is refused.',
    inRow('roleFields', 'mfa_serial_number', {
      fault: (serial) => (serial.startsWith('arn:') ? undefined : 'must be an ARN'),
    }),
  ),
  mutant('session-tags-map-ignored', 'session_tags given as a map are dropped.', tagsGivenAs('map')),
  mutant('session-tags-list-ignored', 'session_tags given as a list of key=value are dropped.', tagsGivenAs('list')),
]

const otherFields = Object.keys(roleFields)
const mixes = (field: LegacyField, other: string): CloudMutant =>
  mutant(
    `legacy-${field}-mixes-with-${kebab(other)}`,
    `A role with the legacy ${field} and ${other} is accepted.`,
    (tables) => inRow('legacy', 'beside', { [field]: [other] })(tables),
  )
const refused = (field: LegacyField): CloudMutant =>
  mutant(`legacy-${field}-refused`, `A role with only the legacy ${field} is refused.`, (tables) =>
    inTable('legacy', { taken: tables.legacy.taken.filter((one) => one !== field) })(tables),
  )
const dropped = (field: LegacyField, does: string): CloudMutant =>
  mutant(`legacy-${field}-dropped`, does, (tables) =>
    inRow('legacy', 'means', {
      [field]: (value: string) => ({ ...tables.legacy.means[field](value), field: undefined }),
    })(tables),
  )

const legacy: readonly CloudMutant[] = [
  ...(['policy', 'arn'] as const).flatMap((field) =>
    ['credential_type', ...otherFields].map((one) => mixes(field, one)),
  ),
  refused('policy'),
  refused('arn'),
  dropped('policy', 'The legacy policy is not put on users.'),
  dropped('arn', 'The legacy arn is not attached to users.'),
  mutant(
    'legacy-creds-gives-sts',
    'creds of a legacy role opens a federated session instead of making a user.',
    inRow('ways', 'legacy', { creds: ['federation_token', 'iam_user'] }),
  ),
  mutant(
    'legacy-arn-sts-gives-user',
    'sts of a role with the legacy arn makes a user.',
    inRow('ways', 'legacy', { sts: ['assumed_role', 'federation_token', 'iam_user'] }),
  ),
  mutant('legacy-sts-gives-user', 'sts of a legacy role makes a user.', inRow('ways', 'legacy', { sts: ['iam_user'] })),
]

const transitions: readonly CloudMutant[] = [
  mutant(
    'role-update-ignored',
    'A write of a role that is there changes nothing.',
    inTable('roles', { update: 'ignored' }),
  ),
  mutant(
    'role-update-merges-tags',
    'A write of a role that is there adds its tags to those of before.',
    inTable('roles', { updatedTags: 'merged' }),
  ),
  mutant(
    'role-update-judges-what-is-sent',
    'A write of a role that is there keeps what its new type prohibits, unless the request has it.',
    inTable('roles', { judged: 'sent' }),
  ),
  mutant(
    'legacy-role-keeps-groups',
    'A write of a role that is there with a legacy parameter keeps its iam_groups.',
    inTable('roles', { legacyKeeps: ['iam_groups'] }),
  ),
  mutant(
    'role-delete-takes-the-static-role-of-its-name',
    'DELETE of a role removes the static role of the same name, too.',
    inRow('roles', 'present', { namesake: 'goes' }),
  ),
  mutant(
    'static-role-listed-as-role',
    'LIST of roles names static roles, too.',
    inTable('roles', { listed: ['present', 'static'] }),
  ),
  mutant(
    'role-update-keeps-cap',
    'A write of a role that is there keeps its max_sts_ttl.',
    inTable('roles', { updateKeeps: ['max_sts_ttl'] }),
  ),
  mutant(
    'role-update-keeps-device',
    'A write of a role that is there keeps its mfa_serial_number.',
    inTable('roles', { updateKeeps: ['mfa_serial_number'] }),
  ),
  mutant(
    'role-type-kept',
    'A write of a role that is there keeps its credential_type.',
    inTable('roles', { otherType: 'ignored' }),
  ),
  mutant(
    'role-type-change-refused',
    'A write of a role that is there with another credential_type is refused.',
    inTable('roles', { otherType: 'refused' }),
  ),
  mutant('role-update-all', 'A write of a role that is there changes all roles.', inTable('roles', { update: 'all' })),
  mutant('role-delete-all', 'DELETE of a role removes all roles.', inRow('roles', 'present', { delete: 'all-gone' })),
  mutant(
    'role-delete-takes-longer-names',
    'DELETE of a role removes roles as well whose names begin with its own.',
    inRow('roles', 'present', { delete: 'longer-names-gone' }),
  ),
  mutant(
    'role-kept-as-first-used',
    'Once a role has given credentials, no write changes what it gives.',
    inTable('roles', { used: 'as-at-first' }),
  ),
  mutant(
    'role-judged-at-creation-only',
    'What a type prohibits or requires is taken by a write of a role that is there.',
    inTable('roles', { judged: 'creation' }),
  ),
  mutant(
    'role-read-shows-last',
    'A read of a role shows the one that was made last.',
    inRow('roles', 'present', { shows: 'last' }),
  ),
  mutant(
    'role-read-shows-first-values',
    'A read of a role shows what it was given when it was made.',
    inRow('roles', 'present', { shows: 'as-made' }),
  ),
  mutant(
    'role-read-shows-root-secret',
    'A read of a role holds the secret key of the root configuration.',
    inRow('roles', 'present', { secret: 'shown' }),
  ),
  mutant('role-not-created', 'A write of a new role stores nothing.', inTable('roles', { creation: 'forgotten' })),
  mutant('role-not-listed', 'LIST leaves roles out.', inTable('roles', { listed: [] })),
  ...credentialTypes.map((type) =>
    mutant(
      `${type.replaceAll('_', '-')}-role-not-listed`,
      `LIST leaves out roles of the type ${type}.`,
      inTable('roles', { lists: ({ types, legacy }) => legacy || !types.includes(type) }),
    ),
  ),
  mutant(
    'legacy-role-not-listed',
    'LIST leaves out roles that were written with the legacy parameters.',
    inTable('roles', { lists: ({ legacy }) => !legacy }),
  ),
  mutant(
    'updated-role-not-listed',
    'LIST leaves out roles that were written again.',
    inTable('roles', { lists: (_role, isUpdated) => !isUpdated }),
  ),
  mutant(
    'role-made-again-not-listed',
    'LIST leaves out a role that was made again after its deletion.',
    inTable('roles', { lists: (_role, _isUpdated, isMadeAgain) => !isMadeAgain }),
  ),
  mutant(
    'role-made-again-is-kept',
    'DELETE of a role that was made again after its deletion succeeds and keeps it.',
    (tables) => inRow('roles', 'present', { deleteAgain: 'kept' })(tables),
  ),
  mutant('legacy-role-delete-keeps', 'DELETE of a role with the legacy parameters succeeds and keeps it.', (tables) =>
    inTable('legacy', { deletion: 'kept' })(tables),
  ),
  mutant(
    'session-role-made-again-is-as-before',
    'A role for sessions that is made again after its deletion has the fields from before that it is not given.',
    inTable('roles', { madeAgain: 'as-before' }),
  ),
  mutant(
    'role-update-keeps-what-is-emptied',
    'An update ignores empty lists and texts.',
    inTable('roles', { emptied: 'kept' }),
  ),
  mutant('role-names-are-cut', 'Names of roles count up to the 32nd character.', (tables) =>
    inTable('roles', { nameOf: (name) => name.slice(0, 32) })(tables),
  ),
  mutant('role-names-fall-together', 'Dots and underscores in names of roles count as hyphens.', (tables) =>
    inTable('roles', { nameOf: (name) => name.replaceAll(/[._]/g, '-') })(tables),
  ),
  mutant('role-names-end-at-a-dot', 'Of the name of a role what follows its last dot does not count.', (tables) =>
    inTable('roles', { nameOf: (name) => name.replace(/\.[^.]*$/, '') })(tables),
  ),
  mutant(
    'role-in-use-is-not-deleted',
    'DELETE of a role that has given users is refused.',
    inRow('roles', 'present', { deleteInUse: 'refused' }),
  ),
  mutant(
    'legacy-role-keeps-its-types',
    'A legacy role that is written with a credential_type gives what it gave before as well.',
    inTable('legacy', { replaced: 'types-stay' }),
  ),
  mutant(
    'legacy-role-update-ignored',
    'A write of a legacy role that is there with the legacy parameters changes nothing.',
    inTable('legacy', { update: 'kept' }),
  ),
  mutant(
    'legacy-sessions-unfiltered',
    'Sessions of a legacy role have no policy.',
    inTable('legacy', { sessions: 'unfiltered' }),
  ),
  mutant(
    'deleted-role-listed',
    'LIST still names deleted roles.',
    inTable('roles', { listed: ['present', 'deleted'] }),
  ),
  mutant('role-delete-answers-a-refusal', 'DELETE removes a role, and answers with a refusal.', (tables) => ({
    ...tables,
    refusedYetDone: ['deletion of a role'],
  })),
  mutant('role-delete-keeps', 'DELETE of a role succeeds and keeps it.', inRow('roles', 'present', { delete: 'kept' })),
  mutant(
    'role-read-fails',
    'A read of a role that is there answers 404.',
    inRow('roles', 'present', { read: 'not-found' }),
  ),
  mutant(
    'missing-role-read-403',
    'A read of a role that is not there answers 403.',
    inRow('roles', 'missing', { read: 'permission-denied' }),
  ),
  mutant(
    'missing-role-delete-204',
    'DELETE of a role that is not there answers 204.',
    inRow('roles', 'missing', { delete: 'done' }),
  ),
  mutant(
    'deleted-role-delete-204',
    'DELETE of a role that was deleted answers 204.',
    inRow('roles', 'missing', { deleteAgain: 'done' }),
  ),
  mutant(
    'missing-role-creds',
    'creds of a role that is not there makes a user without policies.',
    inRow('roles', 'missing', { creds: { types: ['iam_user'], legacy: false, given: {} } }),
  ),
  mutant(
    'missing-role-sts',
    'sts of a role that is not there opens a session of the root user.',
    inRow('roles', 'missing', { sts: { types: ['session_token'], legacy: false, given: {} } }),
  ),
]

export const ofRoles: readonly CloudMutant[] = [
  ...fields,
  ...types,
  ...forms,
  ...legacy,
  ...transitions,
  { ...arraysRefused, shared: true },
]
