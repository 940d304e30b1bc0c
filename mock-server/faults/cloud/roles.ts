/** Mutants of roles: fields by type, lists, legacy parameters, transitions. */

import { type LegacyField, roleFields } from '../../engines/cloud/rules/role-fields.ts'
import { type CredentialType, credentialTypes } from '../../engines/cloud/rules/types.ts'
import type { RoleField } from '../../engines/cloud/store.ts'
import { anyListField } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
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
  'policy_arns is accepted only as a comma-separated string.',
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
    'A role with fields but without credential_type is accepted.',
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
    'A comma-separated string of role_arns is stored as one ARN.',
    inRow('roleFields', 'role_arns', {
      read: (body, name) => (typeof body[name] === 'string' ? [body[name]] : anyListField(body, name)),
    }),
  ),
  mutant(
    'role-arns-string-first',
    'Only the first ARN of a comma-separated string of role_arns is stored.',
    inRow('roleFields', 'role_arns', {
      read: (body, name) =>
        typeof body[name] === 'string' ? anyListField(body, name)?.slice(0, 1) : anyListField(body, name),
    }),
  ),
  mutant(
    'role-arns-array-first',
    'Only the first ARN of a JSON array of role_arns is stored.',
    inRow('roleFields', 'role_arns', {
      read: (body, name) =>
        Array.isArray(body[name]) ? anyListField(body, name)?.slice(0, 1) : anyListField(body, name),
    }),
  ),
  mutant(
    'role-arns-two-at-most',
    'Only the first two of role_arns are stored.',
    inRow('roleFields', 'role_arns', { stored: (value) => value.slice(0, 2) }),
  ),
  mutant(
    'session-tags-only-map',
    'session_tags are refused unless they are given as a map.',
    tagsRefusedAs((value) => !isMap(value)),
  ),
  mutant(
    'session-tags-array-refused',
    'session_tags are refused if they are given as a JSON array.',
    tagsRefusedAs(Array.isArray),
  ),
  mutant(
    'mfa-serial-arns-only',
    'An mfa_serial_number that is not an ARN is refused.',
    inRow('roleFields', 'mfa_serial_number', {
      fault: (serial) => (serial.startsWith('arn:') ? undefined : 'must be an ARN'),
    }),
  ),
  mutant('session-tags-map-ignored', 'session_tags are ignored if they are given as a map.', tagsGivenAs('map')),
  mutant(
    'session-tags-list-ignored',
    'session_tags are ignored if they are given as a list of key=value.',
    tagsGivenAs('list'),
  ),
]

const otherFields = Object.keys(roleFields)
const mixes = (field: LegacyField, other: string): CloudMutant =>
  mutant(
    `legacy-${field}-mixes-with-${kebab(other)}`,
    `A role with the legacy parameter ${field} and with ${other} is accepted.`,
    (tables) => inRow('legacy', 'beside', { [field]: [other] })(tables),
  )
const refused = (field: LegacyField): CloudMutant =>
  mutant(`legacy-${field}-refused`, `A role with only the legacy parameter ${field} is refused.`, (tables) =>
    inTable('legacy', { taken: tables.legacy.taken.filter((one) => one !== field) })(tables),
  )
const dropped = (field: LegacyField, does: string): CloudMutant =>
  mutant(`legacy-${field}-dropped`, does, (tables) =>
    inRow('legacy', 'means', {
      [field]: (value: string) => ({ ...tables.legacy.means[field](value), field: undefined }),
    })(tables),
  )

const administrator = 'arn:aws:iam::aws:policy/AdministratorAccess'
const everything = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}'

const legacy: readonly CloudMutant[] = [
  ...(['policy', 'arn'] as const).flatMap((field) =>
    ['credential_type', ...otherFields].map((one) => mixes(field, one)),
  ),
  refused('policy'),
  refused('arn'),
  dropped('policy', 'The legacy parameter policy is not put on users.'),
  dropped('arn', 'The legacy parameter arn is not attached to users.'),
  mutant(
    'legacy-arn-adds-a-document',
    'The user of a role with the legacy parameter arn may do everything.',
    (tables) => {
      const { inline } = tables.user
      return inTable('user', {
        inline: (ask) => (ask.role.legacy && ask.role.given.policy_arns ? everything : inline(ask)),
      })(tables)
    },
  ),
  mutant(
    'legacy-policy-adds-administrator',
    'The user of a role with the legacy parameter policy also has the policy AdministratorAccess.',
    (tables) => {
      const { attached } = tables.user
      return inTable('user', {
        attached: (ask) => (ask.role.legacy && ask.role.given.policy_document ? [administrator] : attached(ask)),
      })(tables)
    },
  ),
  mutant(
    'legacy-creds-gives-sts',
    'creds of a legacy role opens a federated session instead of creating a user.',
    inRow('ways', 'legacy', { creds: ['federation_token', 'iam_user'] }),
  ),
  mutant(
    'legacy-arn-sts-gives-user',
    'sts of a role with the legacy parameter arn creates a user.',
    inRow('ways', 'legacy', { sts: ['assumed_role', 'federation_token', 'iam_user'] }),
  ),
  mutant(
    'legacy-sts-gives-user',
    'sts of a legacy role creates a user.',
    inRow('ways', 'legacy', { sts: ['iam_user'] }),
  ),
]

const transitions: readonly CloudMutant[] = [
  mutant(
    'role-update-ignored',
    'An update of a role succeeds but changes nothing.',
    inTable('roles', { update: 'ignored' }),
  ),
  mutant(
    'role-update-merges-tags',
    'An update of a role adds the given tags to the earlier ones.',
    inTable('roles', { updatedTags: 'merged' }),
  ),
  mutant(
    'role-update-judges-what-is-sent',
    'An update of a role to another type keeps stored fields that the new type prohibits instead of being refused.',
    inTable('roles', { judged: 'sent' }),
  ),
  mutant(
    'legacy-role-keeps-groups',
    'An update of a role with a legacy parameter keeps its iam_groups.',
    inTable('roles', { legacyKeeps: ['iam_groups'] }),
  ),
  mutant(
    'role-delete-takes-the-static-role-of-its-name',
    'DELETE of a role also removes the static role with the same name.',
    inRow('roles', 'present', { namesake: 'goes' }),
  ),
  mutant(
    'static-role-listed-as-role',
    'LIST of roles also names static roles.',
    inTable('roles', { listed: ['present', 'static'] }),
  ),
  mutant(
    'role-update-keeps-cap',
    'An update of a role keeps its max_sts_ttl.',
    inTable('roles', { updateKeeps: ['max_sts_ttl'] }),
  ),
  mutant(
    'role-update-keeps-device',
    'An update of a role keeps its mfa_serial_number.',
    inTable('roles', { updateKeeps: ['mfa_serial_number'] }),
  ),
  mutant(
    'role-type-kept',
    'An update of a role keeps its credential_type.',
    inTable('roles', { otherType: 'ignored' }),
  ),
  mutant(
    'role-type-kept-for-sessions',
    'An update of a role for sessions keeps its credential_type.',
    inTable('roles', { otherType: 'ignored-for-sessions' }),
  ),
  mutant(
    'role-type-change-refused',
    'An update of a role with another credential_type is refused.',
    inTable('roles', { otherType: 'refused' }),
  ),
  mutant('role-update-all', 'An update of one role changes all roles.', inTable('roles', { update: 'all' })),
  mutant('role-delete-all', 'DELETE of one role removes all roles.', inRow('roles', 'present', { delete: 'all-gone' })),
  mutant(
    'role-delete-takes-longer-names',
    'DELETE of a role also removes roles whose names begin with its name.',
    inRow('roles', 'present', { delete: 'longer-names-gone' }),
  ),
  mutant(
    'role-kept-as-first-used',
    'Once a role has issued credentials, updates have no effect on later ones.',
    inTable('roles', { used: 'as-at-first' }),
  ),
  mutant(
    'role-judged-at-creation-only',
    'An update of a role is not checked against what its type requires and prohibits.',
    inTable('roles', { judged: 'creation' }),
  ),
  mutant(
    'role-update-judged-for-users-only',
    'An update of a role is checked against what its type requires and prohibits only if the type is iam_user.',
    inTable('roles', { judged: 'updates-of-users' }),
  ),
  mutant(
    'hundred-roles-listed-at-most',
    'LIST names only the first 100 roles.',
    inTable('roles', { listedAtMost: 100 }),
  ),
  mutant(
    'roles-written-at-once-are-lost',
    'Of roles that are written at the same time, only the one whose write ends last is stored.',
    inTable('roles', { atOnce: 'the last' }),
  ),
  mutant('two-roles-listed-at-most', 'LIST names only the first two roles.', inTable('roles', { listedAtMost: 2 })),
  mutant(
    'role-read-shows-last',
    'A read of any role shows the one that was created last.',
    inRow('roles', 'present', { shows: 'last' }),
  ),
  mutant(
    'role-read-shows-first-values',
    'A read of a role shows the values with which it was created.',
    inRow('roles', 'present', { shows: 'as-made' }),
  ),
  mutant(
    'role-read-shows-root-secret',
    'A read of a role also shows the secret key of the root configuration.',
    inRow('roles', 'present', { secret: 'shown' }),
  ),
  mutant(
    'role-not-created',
    'A write of a new role succeeds but stores nothing.',
    inTable('roles', { creation: 'forgotten' }),
  ),
  mutant('role-not-listed', 'LIST names no roles.', inTable('roles', { listed: [] })),
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
    'LIST leaves out roles that were updated.',
    inTable('roles', { lists: (_role, isUpdated) => !isUpdated }),
  ),
  mutant(
    'role-made-again-not-listed',
    'LIST leaves out roles that were created again after their deletion.',
    inTable('roles', { lists: (_role, _isUpdated, isMadeAgain) => !isMadeAgain }),
  ),
  mutant(
    'role-made-again-is-kept',
    'DELETE of a role that was created again after its deletion succeeds but keeps the role.',
    (tables) => inRow('roles', 'present', { deleteAgain: 'kept' })(tables),
  ),
  mutant(
    'legacy-role-delete-keeps',
    'DELETE of a role with the legacy parameters succeeds but keeps the role.',
    (tables) => inTable('legacy', { deletion: 'kept' })(tables),
  ),
  mutant(
    'session-role-made-again-is-as-before',
    'A role for sessions that is created again after its deletion gets the earlier values of missing fields.',
    inTable('roles', { madeAgain: 'as-before' }),
  ),
  mutant(
    'role-update-keeps-what-is-emptied',
    'An update of a role ignores empty lists and texts.',
    inTable('roles', { emptied: 'kept' }),
  ),
  mutant('role-names-are-cut', 'Only the first 32 characters of the name of a role count.', (tables) =>
    inTable('roles', { nameOf: (name) => name.slice(0, 32) })(tables),
  ),
  mutant('role-names-fall-together', 'Dots and underscores in the name of a role are treated as hyphens.', (tables) =>
    inTable('roles', { nameOf: (name) => name.replaceAll(/[._]/g, '-') })(tables),
  ),
  mutant(
    'role-names-end-at-a-dot',
    'The last dot of the name of a role and everything after it are ignored.',
    (tables) => inTable('roles', { nameOf: (name) => name.replace(/\.[^.]*$/, '') })(tables),
  ),
  mutant(
    'role-in-use-is-not-deleted',
    'DELETE of a role that has issued users is refused.',
    inRow('roles', 'present', { deleteInUse: 'refused' }),
  ),
  mutant(
    'legacy-role-keeps-its-types',
    'A legacy role that is updated with a credential_type still issues its earlier types of credentials as well.',
    inTable('legacy', { replaced: 'types-stay' }),
  ),
  mutant(
    'legacy-role-update-ignored',
    'An update of a legacy role with the legacy parameters succeeds but changes nothing.',
    inTable('legacy', { update: 'kept' }),
  ),
  mutant(
    'legacy-sessions-unfiltered',
    'Sessions of a legacy role are opened without its policies.',
    inTable('legacy', { sessions: 'unfiltered' }),
  ),
  mutant(
    'deleted-role-listed',
    'LIST still names deleted roles.',
    inTable('roles', { listed: ['present', 'deleted'] }),
  ),
  mutant('role-delete-answers-a-refusal', 'DELETE removes the role, but the reply is a refusal.', (tables) => ({
    ...tables,
    refusedYetDone: ['deletion of a role'],
  })),
  mutant(
    'role-delete-keeps',
    'DELETE of a role succeeds but keeps the role.',
    inRow('roles', 'present', { delete: 'kept' }),
  ),
  mutant(
    'role-read-fails',
    'A read of an existing role returns 404.',
    inRow('roles', 'present', { read: 'not-found' }),
  ),
  mutant(
    'missing-role-read-403',
    'A read of a role that does not exist returns 403.',
    inRow('roles', 'missing', { read: 'permission-denied' }),
  ),
  mutant(
    'deleted-role-read-400',
    'A read of a role that was deleted returns 400.',
    inRow('roles', 'missing', { readAgain: 'bad-request' }),
  ),
  mutant(
    'missing-role-delete-204',
    'DELETE of a role that does not exist returns 204.',
    inRow('roles', 'missing', { delete: 'done' }),
  ),
  mutant(
    'deleted-role-delete-204',
    'DELETE of a role that was already deleted returns 204.',
    inRow('roles', 'missing', { deleteAgain: 'done' }),
  ),
  mutant(
    'missing-role-creds',
    'creds of a role that does not exist creates a user without policies.',
    inRow('roles', 'missing', { creds: { types: ['iam_user'], legacy: false, given: {} } }),
  ),
  mutant(
    'missing-role-sts',
    'sts of a role that does not exist opens a session of the root user.',
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
