/** Faults of the fields of roles: by type, in their forms, and of the legacy parameters. */
import { formAt } from '../../engines/cloud/context.ts'
import { fieldsOf, isSet } from '../../engines/cloud/handlers/roles.ts'
import { type LegacyField, roleFields } from '../../engines/cloud/rules/role-fields.ts'
import { type CredentialType, credentialTypes } from '../../engines/cloud/rules/types.ts'
import type { Role, RoleField } from '../../engines/cloud/store.ts'
import { type Call, done } from '../../kernel/contracts.ts'
import { anyListField } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import {
  type CloudFault,
  fault,
  faults,
  type Here,
  inRow,
  inTable,
  kebab,
  nameIn,
  roleAt,
  sending,
  whenRefused,
} from './cloud-operations.ts'

const write = ['POST roles/:name']

const use = (type: CredentialType, field: RoleField, rule: 'allowed' | 'prohibited' = 'allowed') =>
  inRow('roleFields', field, ({ use: before }) => ({ use: { ...before, [type]: rule } }))

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

const fields: readonly CloudFault[] = prohibited.flatMap(([type, names]) =>
  names.map((name) =>
    fault(`${kebab(type)}-takes-${kebab(name)}`, `A role of type ${type} with ${name} is accepted.`, use(type, name)),
  ),
)

const arraysRefused: CloudFault = {
  ...fault(
    'role-policy-arns-array-refused',
    'policy_arns is accepted only as a comma-separated string.',
    inRow('roleFields', 'policy_arns', ({ read }) => ({
      read: (body, name) => read(Array.isArray(body[name]) ? { [name]: {} } : body, name),
    })),
  ),
  shared: true,
}

const withoutPolicies = (type: 'iam_user' | 'federation_token'): CloudFault =>
  fault(
    `${kebab(type)}-without-policies`,
    `A role of type ${type} with neither policy_arns nor policy_document is accepted.`,
    inTable('oneOf', { [type]: [] }),
  )

const refusesPolicyArns = (type: CredentialType): CloudFault =>
  fault(
    `${kebab(type)}-refuses-policy-arns`,
    `A role of type ${type} with policy_arns is refused.`,
    use(type, 'policy_arns', 'prohibited'),
  )

const unknown = (type: CredentialType): CloudFault =>
  fault(
    `${kebab(type)}-unknown`,
    `The credential_type ${type} is refused as unknown.`,
    inTable('knownTypes', ({ newer, older }) => ({
      newer: newer.filter((one) => one !== type),
      older: older.filter((one) => one !== type),
    })),
  )

const typeIn = ({ body }: Call): string => String(body.credential_type ?? '')
const isNew = (call: Call, here: Here): boolean => [undefined, true].includes(roleAt(call, here)?.legacy)
const isLegacy = ({ body }: Call): boolean => Boolean(body.policy || body.arn)

/** Returns a role with all readable fields of the body, valid or not. */
export function asSent(call: Call, { context }: Here): Role {
  const given: Record<string, unknown> = {}
  for (const [name, rule] of fieldsOf(context)) {
    try {
      given[name] = rule.read(call.body, name)
    } catch {}
  }
  return { types: [(typeIn(call) || 'iam_user') as CredentialType], legacy: false, given }
}

const accepting = (when: (call: Call, here: Here) => boolean) =>
  whenRefused(write, when, (call, here) => {
    here.context.store.roles.set(nameIn(call), asSent(call, here))
    return done
  })

const types: readonly CloudFault[] = [
  ...faults({
    'credential-type-optional': 'A role with fields but without credential_type is accepted.',
    'credential-type-open': 'A role with an unknown credential_type is accepted.',
    'role-without-anything': 'A role without any field is accepted.',
    'assumed-role-without-role-arns': 'A role of type assumed_role without role_arns is accepted.',
  }).by({
    'credential-type-optional': sending(write, (body, call, here) =>
      isNew(call, here) && !isLegacy(call) && !body.credential_type && Object.values(body).some(isSet)
        ? { credential_type: isSet(body.role_arns) ? 'assumed_role' : 'iam_user' }
        : {},
    ),
    'credential-type-open': accepting(
      (call, { context }) =>
        typeIn(call) !== '' && !context.rules.knownTypes[formAt(context)].some((type) => type === typeIn(call)),
    ),
    'role-without-anything': accepting((call, here) => isNew(call, here) && !Object.values(call.body).some(isSet)),
    'assumed-role-without-role-arns': use('assumed_role', 'role_arns'),
  }),
  withoutPolicies('iam_user'),
  withoutPolicies('federation_token'),
  refusesPolicyArns('assumed_role'),
  refusesPolicyArns('federation_token'),
  ...credentialTypes.map(unknown),
]

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const tagsGivenAs = (left: 'map' | 'list') =>
  inRow('roleFields', 'session_tags', ({ read }) => ({
    read: (body, name) => (isMap(body[name]) === (left === 'map') ? undefined : read(body, name)),
  }))

const tagsRefusedAs = (isRefused: (value: unknown) => boolean) =>
  inRow('roleFields', 'session_tags', ({ read }) => ({
    read(body, name) {
      if (body[name] !== undefined && isRefused(body[name])) throw badRequest(`${name} cannot be read`)
      return read(body, name)
    },
  }))

const forms: readonly CloudFault[] = faults({
  'role-arns-string-whole': 'A comma-separated string of role_arns is stored as one ARN.',
  'role-arns-string-first': 'Only the first ARN of a comma-separated string of role_arns is stored.',
  'role-arns-array-first': 'Only the first ARN of a JSON array of role_arns is stored.',
  'role-arns-two-at-most': 'Only the first two of role_arns are stored.',
  'session-tags-only-map': 'session_tags are refused unless they are given as a map.',
  'session-tags-array-refused': 'session_tags are refused if they are given as a JSON array.',
  'mfa-serial-arns-only': 'An mfa_serial_number that is not an ARN is refused.',
  'session-tags-map-ignored': 'session_tags are ignored if they are given as a map.',
  'session-tags-list-ignored': 'session_tags are ignored if they are given as a list of key=value.',
}).by({
  'role-arns-string-whole': inRow('roleFields', 'role_arns', {
    read: (body, name) => (typeof body[name] === 'string' ? [body[name]] : anyListField(body, name)),
  }),
  'role-arns-string-first': inRow('roleFields', 'role_arns', {
    read: (body, name) =>
      typeof body[name] === 'string' ? anyListField(body, name)?.slice(0, 1) : anyListField(body, name),
  }),
  'role-arns-array-first': inRow('roleFields', 'role_arns', {
    read: (body, name) =>
      Array.isArray(body[name]) ? anyListField(body, name)?.slice(0, 1) : anyListField(body, name),
  }),
  'role-arns-two-at-most': inRow('roleFields', 'role_arns', ({ read }) => ({
    read: (body, name) => read(body, name)?.slice(0, 2),
  })),
  'session-tags-only-map': tagsRefusedAs((value) => !isMap(value)),
  'session-tags-array-refused': tagsRefusedAs(Array.isArray),
  'mfa-serial-arns-only': inRow('roleFields', 'mfa_serial_number', {
    invalid: (serial) => (serial.startsWith('arn:') ? undefined : 'must be an ARN'),
  }),
  'session-tags-map-ignored': tagsGivenAs('map'),
  'session-tags-list-ignored': tagsGivenAs('list'),
})

const mixes = (field: LegacyField, other: string): CloudFault =>
  fault(
    `legacy-${field}-mixes-with-${kebab(other)}`,
    `A role with the legacy parameter ${field} and with ${other} is accepted.`,
    sending(write, (body) => (body[field] && isSet(body[other]) ? { [other]: undefined } : {})),
  )
const refused = (field: LegacyField): CloudFault =>
  fault(
    `legacy-${field}-refused`,
    `A role with only the legacy parameter ${field} is refused.`,
    sending(write, (body) => (body[field] ? { [field]: undefined } : {})),
  )
const dropped = (field: LegacyField, does: string): CloudFault =>
  fault(
    `legacy-${field}-dropped`,
    does,
    inTable('legacy', (before) => ({ [field]: (value: string) => ({ ...before[field](value), body: {} }) })),
  )

const administrator = 'arn:aws:iam::aws:policy/AdministratorAccess'
const everything = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}'

const legacy: readonly CloudFault[] = [
  ...faults({
    'legacy-arn-adds-a-document': 'The user of a role with the legacy parameter arn may do everything.',
    'legacy-policy-adds-administrator':
      'The user of a role with the legacy parameter policy also has the policy AdministratorAccess.',
    'legacy-creds-gives-sts': 'creds of a legacy role opens a federated session instead of creating a user.',
    'legacy-arn-sts-gives-user': 'sts of a role with the legacy parameter arn creates a user.',
    'legacy-sts-gives-user': 'sts of a legacy role creates a user.',
  }).by({
    'legacy-arn-adds-a-document': inTable('user', ({ inline }) => ({
      inline: (ask) => (ask.role.legacy && ask.role.given.policy_arns ? everything : inline(ask)),
    })),
    'legacy-policy-adds-administrator': inTable('user', ({ attached }) => ({
      attached: (ask) => (ask.role.legacy && ask.role.given.policy_document ? [administrator] : attached(ask)),
    })),
    'legacy-creds-gives-sts': inRow('ways', 'legacy', { creds: ['federation_token', 'iam_user'] }),
    'legacy-arn-sts-gives-user': inRow('ways', 'legacy', { sts: ['assumed_role', 'federation_token', 'iam_user'] }),
    'legacy-sts-gives-user': inRow('ways', 'legacy', { sts: ['iam_user'] }),
  }),
  ...(['policy', 'arn'] as const).flatMap((field) =>
    ['credential_type', ...Object.keys(roleFields)].map((one) => mixes(field, one)),
  ),
  refused('policy'),
  refused('arn'),
  dropped('policy', 'The legacy parameter policy is not put on users.'),
  dropped('arn', 'The legacy parameter arn is not attached to users.'),
]

export const ofRoleFields: readonly CloudFault[] = [...fields, ...types, ...forms, ...legacy, arraysRefused]
