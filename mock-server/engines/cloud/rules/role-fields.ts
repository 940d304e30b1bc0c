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
  readonly fault?: (value: Value) => string | undefined
  /** Returns the value that is stored. */
  readonly stored: (value: Value) => Value | undefined
  /** Returns the value that a read shows, or undefined to leave the field out. */
  readonly shown: (value: Value) => unknown
}
export type RoleFields = { readonly [Name in RoleField]: FieldRule<RoleValues[Name]> }

const both: readonly Form[] = ['newer', 'older']
const newer: readonly Form[] = ['newer']
const same = <Value>(value: Value): Value => value

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
  ...{ read: anyListField, fallback: [], use, forms, stored: same, shown: same },
})
const texts = (use: Uses, forms: readonly Form[], fallback = ''): FieldRule<string> => ({
  ...{ read: textField, fallback, use, forms, stored: same, shown: same },
})
const maps = (use: Uses, forms: readonly Form[]): FieldRule<Readonly<Record<string, string>>> => ({
  ...{ read: tags, fallback: {}, use, forms, stored: same, shown: same },
})
const durations = (use: Uses, forms: readonly Form[]): FieldRule<number> => ({
  ...{ read: durationField, fallback: 0, use, forms, stored: same, shown: same },
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
    fault: (path) => (/^\/(?:[\x21-\x7f]{0,510}\/)?$/.test(path) ? undefined : 'must begin and end with a slash'),
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

export type LegacyField = 'policy' | 'arn'
type Meaning = {
  readonly types: readonly CredentialType[]
  /** The field in which the value is stored, if any. */
  readonly field: 'policy_document' | 'role_arns' | 'policy_arns' | undefined
}

/** The meaning of the legacy parameters: document 3, Role, last rows. */
export const legacy: {
  readonly taken: readonly LegacyField[]
  /** The fields with which each legacy parameter may be combined in one write. The legacy parameter takes
   * precedence. */
  readonly beside: Readonly<Record<LegacyField, readonly string[]>>
  readonly means: Readonly<Record<LegacyField, (value: string) => Meaning>>
  /** A session of a legacy role is limited by the role's policies, or by none. */
  readonly sessions: 'filtered' | 'unfiltered'
  /** A write with legacy parameters replaces an existing legacy role, or leaves it unchanged. */
  readonly update: 'replaced' | 'kept'
  readonly deletion: 'gone' | 'kept'
  /** A role that replaces a legacy role has only its own type, or also the types of the legacy role. */
  readonly replaced: 'wholly' | 'types-stay'
} = {
  taken: ['policy', 'arn'],
  beside: { policy: [], arn: [] },
  sessions: 'filtered',
  update: 'replaced',
  deletion: 'gone',
  replaced: 'wholly',
  means: {
    policy: () => ({ types: ['iam_user', 'federation_token'], field: 'policy_document' }),
    arn: (value) =>
      value.includes(':role/')
        ? { types: ['assumed_role'], field: 'role_arns' }
        : { types: ['iam_user'], field: 'policy_arns' },
  },
}
