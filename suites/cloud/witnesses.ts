/** What a refused request must leave unchanged, at the target and at the provider. */
import { get, lists, reads, refused, type Witness } from '../../harness/vocabulary/index.ts'
import { listRoles, readRole, readRoot, roleName } from './given.ts'
import { accountShownBy, seenAccount } from './provider.ts'
import { readStatic } from './static-roles.ts'

const roleFields = [
  'credential_type',
  'credential_types',
  'role_arns',
  'policy_arns',
  'policy_document',
  'iam_groups',
  'iam_tags',
  'default_sts_ttl',
  'max_sts_ttl',
  'session_tags',
  'external_id',
  'user_path',
  'permissions_boundary_arn',
  'mfa_serial_number',
  'policy',
  'arn',
] as const

export const rootStays: Witness = reads(readRoot, {
  fields: [
    'max_retries',
    'access_key',
    'role_arn',
    'identity_token_audience',
    'identity_token_ttl',
    'region',
    'iam_endpoint',
    'sts_endpoint',
    'username_template',
  ],
})
export const leaseStays: Witness = reads(get('{mount}/config/lease'), { fields: ['lease', 'lease_max'] })
export const roleStays = (name?: string): Witness => reads(readRole(name), { fields: roleFields })
/** Expects that the role is refused, and that it is read and listed as before. */
export const roleRefused = refused(roleStays(), lists(listRoles, `{use}${roleName}`))
export const staticRoleStays: Witness = reads(readStatic, { fields: ['username', 'rotation_period'] })

/** Witness of the users, their keys and policies, and the sessions at the provider. Calls that the provider refuses,
 * and changes that a server undoes before it replies, leave nothing to see. */
export const accountStays: Witness = {
  kind: 'witness',
  words: 'the provider shows the same users, keys, policies and sessions',
  touches: [],
  steady: true,
  async look(scope) {
    const { users, policies, sessions } = await seenAccount(scope)
    return {
      ...accountShownBy(scope),
      state: {
        users: users.map(({ name, keys, attached, inline, groups, tags }) => ({
          ...{ name, attached, inline, groups, tags },
          keys: keys.map(({ id }) => id),
        })),
        policies: policies.map(({ arn, document }) => ({ arn, document })),
        sessions: sessions.map(({ id }) => id),
      },
    }
  },
}
