/** Roles with every field that their type allows, roles that differ from them in every field, and the account for
 * both. */
import { allowing, conditional, managedPolicy } from '../../fixtures/cloud/policies.ts'
import type { CredentialType } from '../../fixtures/cloud/roles.ts'
import type { AccountState } from '../../fixtures/servers/provider/index.ts'
import type { JsonObject } from '../../harness/vocabulary/index.ts'
import { assumable, readerArn, writerArn } from './given.ts'

export const document = conditional('assay')
export const inGroup = allowing('sqs:SendMessage')
export const [readOnly, audit, billing] = ['ReadOnlyAccess', 'SecurityAudit', 'job-function/Billing'].map(
  managedPolicy,
) as [string, string, string]
export const boundary = managedPolicy('PowerUserAccess')

export const account: AccountState = {
  ...assumable,
  groups: [
    { name: 'devs', documents: [inGroup] },
    { name: 'ops', policyArns: [billing] },
    { name: 'admins', policyArns: [managedPolicy('AdministratorAccess')] },
  ],
  users: [{ name: 'bystander', keys: 1 }],
}

const user = (fields: JsonObject): JsonObject => ({ credential_type: 'iam_user', ...fields })
const fullUser = user({
  policy_document: document,
  policy_arns: [readOnly, audit],
  iam_groups: ['devs', 'ops'],
  iam_tags: ['team=assay', 'stage=test'],
  user_path: '/assay/',
  permissions_boundary_arn: boundary,
})
export const wantedUser = {
  ...{ documents: [document], attached: [readOnly, audit], groups: ['devs', 'ops'] },
  ...{ tags: { team: 'assay', stage: 'test' }, path: '/assay/', boundary },
}

/** For each type, another role of the same mount, whose values the credentials must not have. */
export const otherRoles = {
  iam_user: user({ policy_arns: [managedPolicy('AdministratorAccess')], iam_groups: ['admins'], user_path: '/other/' }),
  assumed_role: { credential_type: 'assumed_role', role_arns: [writerArn], policy_arns: [billing] },
  federation_token: { credential_type: 'federation_token', policy_arns: [billing] },
  session_token: { credential_type: 'session_token', mfa_serial_number: 'arn:aws:iam::123456789012:mfa/other' },
} satisfies Readonly<Record<CredentialType, JsonObject>>

const filtered = {
  policy_document: document,
  policy_arns: [readOnly, audit],
  iam_groups: ['devs', 'ops'],
  default_sts_ttl: '20m',
  max_sts_ttl: '2h',
}

const earlierFilters = {
  policy_document: allowing('sns:Publish'),
  policy_arns: [billing],
  iam_groups: ['admins'],
  default_sts_ttl: '30m',
  max_sts_ttl: '3h',
}

/** Every field that a type allows, except the device of a session token, which would need a code. */
export const fullRoles: Readonly<Record<CredentialType, JsonObject>> = {
  iam_user: fullUser,
  assumed_role: {
    credential_type: 'assumed_role',
    ...filtered,
    role_arns: [readerArn, writerArn],
    session_tags: { team: 'assay', stage: 'test' },
    external_id: 'assay-external',
  },
  federation_token: { credential_type: 'federation_token', ...filtered },
  session_token: { credential_type: 'session_token' },
}

/** Roles with the same fields as the full ones, and another value in each. */
export const earlierRoles: Readonly<Record<CredentialType, JsonObject>> = {
  iam_user: user({
    policy_document: allowing('sns:Publish'),
    policy_arns: [billing],
    iam_groups: ['admins'],
    iam_tags: ['team=other', 'stage=before', 'owner=before'],
    user_path: '/other/',
    permissions_boundary_arn: billing,
  }),
  assumed_role: {
    credential_type: 'assumed_role',
    ...earlierFilters,
    role_arns: [writerArn],
    session_tags: { team: 'other', stage: 'before', owner: 'before' },
    external_id: 'other-external',
  },
  federation_token: { credential_type: 'federation_token', ...earlierFilters },
  session_token: { credential_type: 'session_token' },
}
