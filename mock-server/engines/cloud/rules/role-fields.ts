/** The fields of a role, and whether each credential type allows them: document 3, Role. */

import { anyListField, textField } from '../../../kernel/http/body-fields.ts'
import { durationField } from '../../../kernel/http/duration.ts'
import { type Body, policy, tags } from '../fields.ts'
import type { RoleField, RoleValues } from '../store.ts'
import type { CredentialType, Form } from './types.ts'

/** A write with a `prohibited` field is refused. */
export type Use = 'required' | 'allowed' | 'prohibited'

export interface FieldRule<Value> {
  readonly read: (body: Body, name: string) => Value | undefined
  readonly fallback: Value
  readonly use: Readonly<Record<CredentialType, Use>>
  readonly forms: readonly Form[]
  /** Returns what is wrong with a value of the right type, or undefined if it is valid. */
  readonly invalid?: (value: Value) => string | undefined
}
export type RoleFields = { readonly [Name in RoleField]: FieldRule<RoleValues[Name]> }

const both: readonly Form[] = ['newer', 'older']
const newer: readonly Form[] = ['newer']

type Uses = FieldRule<unknown>['use']
const everyType: Uses = {
  iam_user: 'allowed',
  assumed_role: 'allowed',
  federation_token: 'allowed',
  session_token: 'allowed',
}
const only = (...types: readonly CredentialType[]): Uses => ({
  iam_user: types.includes('iam_user') ? 'allowed' : 'prohibited',
  assumed_role: types.includes('assumed_role') ? 'allowed' : 'prohibited',
  federation_token: types.includes('federation_token') ? 'allowed' : 'prohibited',
  session_token: types.includes('session_token') ? 'allowed' : 'prohibited',
})
const policies = only('iam_user', 'assumed_role', 'federation_token')

const lists = (use: Uses, forms: readonly Form[]): FieldRule<readonly string[]> => ({
  ...{ read: anyListField, fallback: [], use, forms },
})
const texts = (use: Uses, forms: readonly Form[], fallback = ''): FieldRule<string> => ({
  ...{ read: textField, fallback, use, forms },
})
const maps = (use: Uses, forms: readonly Form[]): FieldRule<Readonly<Record<string, string>>> => ({
  ...{ read: tags, fallback: {}, use, forms },
})
const durations = (use: Uses, forms: readonly Form[]): FieldRule<number> => ({
  ...{ read: durationField, fallback: 0, use, forms },
})

export const roleFields: RoleFields = {
  role_arns: lists({ ...only('assumed_role'), assumed_role: 'required' }, both),
  policy_arns: lists(policies, both),
  policy_document: { ...texts(policies, both), read: policy },
  iam_groups: lists(everyType, both),
  iam_tags: maps(everyType, both),
  default_sts_ttl: durations(only('assumed_role', 'federation_token'), both),
  max_sts_ttl: durations(only('assumed_role', 'federation_token'), both),
  session_tags: maps(only('assumed_role'), newer),
  external_id: texts(only('assumed_role'), newer),
  user_path: {
    ...texts(only('iam_user'), both, '/'),
    invalid: (path) => (/^\/(?:[\x21-\x7f]{0,510}\/)?$/.test(path) ? undefined : 'must begin and end with a slash'),
  },
  permissions_boundary_arn: texts(only('iam_user'), both),
  mfa_serial_number: texts(everyType, newer),
}

/** At least one field of each group must be given. */
export const oneOf: Readonly<Record<CredentialType, readonly (readonly RoleField[])[]>> = {
  iam_user: [['policy_arns', 'policy_document']],
  assumed_role: [],
  federation_token: [['policy_arns', 'policy_document']],
  session_token: [],
}

/** The legacy parameters, and the role that each of them means: document 3, Role, last rows. */
export const legacy = {
  policy: (document: string) => ({
    types: ['iam_user', 'federation_token'] as readonly CredentialType[],
    body: { policy_document: document } as Body,
  }),
  arn: (arn: string) => ({
    types: [arn.includes(':role/') ? 'assumed_role' : 'iam_user'] as readonly CredentialType[],
    body: { [arn.includes(':role/') ? 'role_arns' : 'policy_arns']: [arn] } as Body,
  }),
}
export type LegacyField = keyof typeof legacy
