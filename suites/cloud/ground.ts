/** The mounts that checks share. */
import { allowing, managedPolicy } from '../../fixtures/cloud/policies.ts'
import type { Companion, JsonObject, Neighbours, SharedGround } from '../../harness/vocabulary/index.ts'
import type { Frame } from '../frame.ts'
import { deleteRole, mountedAlone, readRole, readRoot, writeRole } from './given.ts'

/** Roles on a mount without root credentials. Nothing there calls the provider, so that the account is not looked at. What
 * uses a role or configures the mount needs a mount of its own, and so does what judges a list as a whole. */
const withoutRoot: SharedGround = {
  givens: [mountedAlone()],
  leave: /^(POST|GET|DELETE) \{mount\}\/roles\/\{use\}[\w-]+$/,
  grows: /^LIST \{mount\}\/roles$/,
  frame: [readRoot],
}

export const sharedMounts: readonly SharedGround[] = [withoutRoot]

const ofRole = (name: string) => ({
  write: writeRole({ credential_type: 'iam_user', policy_document: allowing('s3:GetObject') }, name),
  read: readRole(name),
  remove: deleteRole(name),
})
const [first, second] = [ofRole('neighbour'), ofRole('second-neighbour')]

/** Roles that nothing uses, so that the provider is not called for them. */
export const neighbours: readonly Neighbours[] = [
  { before: /^\w+ \{mount\}\//, sends: [first.write, first.remove] },
  { before: /^\w+ \{mount\}\/roles/, sends: [second.write, second.read, second.remove] },
  { before: /^(GET|LIST) \{mount\}\/(config|roles|static-roles)/, sends: [], repeats: 2 },
  { before: /^(POST \{mount\}\/sts|GET \{mount\}\/creds)\//, sends: [], ahead: 2, unlessDecided: /identity-token/ },
  { before: /^POST \{mount\}\/config\/lease$/, sends: [], ahead: 2 },
]

const rowsOfRoot: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['access_key', 'max_retries', 'region', 'iam_endpoint', 'sts_endpoint', 'role_arn', 'username_template'].map(
      (field) => [field, `cloud.root.${field.replaceAll('_', '-')}.kept`],
    ),
  ),
  identity_token_audience: 'cloud.root.audience.kept',
  identity_token_ttl: 'cloud.root.identity-token-ttl.number',
}

export const frames: readonly Frame[] = [
  {
    written: /^POST \{mount\}\/roles\/[^/]+$/,
    gone: 'cloud.role.reads',
    changed: (_, { credential_type }) =>
      typeof credential_type === 'string'
        ? `cloud.role.${credential_type.replaceAll('_', '-')}.reads-as-written`
        : 'cloud.role.reads',
  },
  {
    written: /^POST \{mount\}\/static-roles\/[^/]+$/,
    gone: 'cloud.static-role.reads',
    changed: () => 'cloud.static-role.reads-as-written',
  },
  {
    written: /^POST \{mount\}\/config\/root$/,
    changedBy: /\/config\/rotate-root$/,
    gone: 'cloud.root.reads',
    changed: (field) => rowsOfRoot[field] ?? 'cloud.root.reads',
  },
  { written: /^POST \{mount\}\/config\/lease$/, gone: 'cloud.lease.reads', changed: () => 'cloud.lease.kept' },
]

/** The rows that reads contradict. */
export const readRows: readonly string[] = [
  ...Object.values(rowsOfRoot),
  ...['iam-user', 'assumed-role', 'federation-token', 'session-token'].map(
    (type) => `cloud.role.${type}.reads-as-written`,
  ),
  ...['role.reads', 'static-role.reads-as-written', 'root.reads', 'lease.kept'].map((row) => `cloud.${row}`),
]

const roles = /^POST \{mount\}\/roles\/[^/]+$/
const ofUsers: Readonly<Record<string, JsonObject[string]>> = {
  policy_arns: ['ReadOnlyAccess', 'SecurityAudit'].map(managedPolicy),
  iam_tags: ['Team=Assay', 'Stage=Test'],
  user_path: '/Assay/',
  permissions_boundary_arn: managedPolicy('Billing'),
}
const ofSessions = { policy_arns: ofUsers.policy_arns ?? [] } as const
const rowsOfFields: Readonly<Record<string, string>> = {
  user_path: 'cloud.iam-user.path',
  permissions_boundary_arn: 'cloud.iam-user.boundary',
}

/** Fields that make no difference to the others of a role. Those that a server may lack are not among them. */
export const companions: readonly Companion[] = (
  [
    ['iam_user', ofUsers],
    ['assumed_role', ofSessions],
    ['federation_token', ofSessions],
  ] as const
).flatMap(([type, fields]) =>
  Object.entries(fields).map(([field, value]) => ({
    ...{ to: roles, field, value, row: rowsOfFields[field] ?? 'cloud.role.lists.array' },
    beside: { credential_type: type },
    unless: /whole|nothing-more|polic|arns|tags|path|boundary|group|update|required|legacy|spares|anew/,
  })),
)
