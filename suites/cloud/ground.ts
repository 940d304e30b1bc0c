/** The mounts that checks share. */
import { allowing, managedPolicy } from '../../fixtures/cloud/policies.ts'
import type { Companion, JsonObject, Neighbours, SharedGround } from '../../harness/vocabulary/index.ts'
import { del, post } from '../../harness/vocabulary/index.ts'
import type { Frame } from '../frame.ts'
import {
  creds,
  deleteRole,
  leasesEnded,
  mounted,
  mountedAlone,
  readLease,
  readRole,
  readRoot,
  sts,
  writeRole,
  writeRoot,
} from './given.ts'
import { neighbour } from './provider.ts'

/** Roles on a mount without root credentials. Nothing there calls the provider, so that the account is not looked at. What
 * judges a list as a whole needs a mount of its own. */
const withoutRoot: SharedGround = {
  givens: [mountedAlone()],
  leave: /^(POST|GET|DELETE) \{mount\}\/roles\/\{use\}[\w-]+$/,
  grows: /^LIST \{mount\}\/roles$/,
  frame: [readRoot],
}

/** Credentials of an account that only the check itself has: its key replaces that of the check before. What sets lifetimes
 * of leases needs a mount of its own. A static role would go on rotating keys by the root of the next check. */
const withAnyRoot: SharedGround = {
  givens: [[mounted]],
  needs: ['provider'],
  neighbours: 'before-each',
  leave:
    /^((POST|GET|DELETE) \{mount\}\/roles\/\{use\}[\w-]+|(POST|GET) \{mount\}\/(config\/rotate-root|creds\/\{use\}[\w-]+|sts\/\{use\}[\w-]+)|POST sys\/leases\/(revoke|renew|lookup)|(POST|GET|DELETE) \{mount\}\/static-(roles|creds)\/\{use\}[\w-]+)$/,
  grows: /^(LIST \{mount\}\/(static-)?roles|(POST|GET) \{mount\}\/config\/root)$/,
  restores: [
    { after: /^GET \{mount\}\/creds\//, sends: leasesEnded },
    { after: /^POST \{mount\}\/static-roles\/\{use\}\w+$/, sends: 'its deletion' },
  ],
  frame: [readLease],
}

/** Each check that moves the clock ends its leases and static roles, so that nothing falls due in the next. */
const whileTimePasses: SharedGround = { ...withAnyRoot, lock: 'clock', needs: ['provider', 'clock'] }

export const sharedMounts: readonly SharedGround[] = [withoutRoot, withAnyRoot, whileTimePasses]

const user = { credential_type: 'iam_user', policy_document: allowing('s3:GetObject') } as const
const ofRole = (name: string, body: JsonObject = user) => ({
  write: writeRole(body, name),
  read: readRole(name),
  remove: deleteRole(name),
})
const [first, second] = [ofRole('neighbour'), ofRole('second-neighbour')]

const staticPath = '{mount}/static-roles/neighbour'
const ofStaticRole = [post(staticPath, { username: neighbour, rotation_period: 3600 }), del(staticPath)]

const third = ofRole('third-neighbour', {
  credential_type: 'federation_token',
  policy_document: allowing('s3:GetObject'),
})
/** Root credentials are not validated, and the next ones replace them. */
const otherRoot = writeRoot({
  access_key: 'AKIAASSAYOFNEIGHBOUR',
  secret_key: 'made-up-secret-key-of-a-neighbour-000000',
})
const ofSession = [third.write, sts({}, 'third-neighbour'), creds('third-neighbour'), third.remove]
const asking = /^(POST \{mount\}\/sts|GET \{mount\}\/creds)\//
/** The provider is told to refuse a number of calls, or it is looked at how many come, and where. */
const callsCount = /identity-token|role-arn|retries|endpoint|provider-refusal|failure|region|one-session|key-in-use/

const ofNoCredentials = /^cloud\.(?!iam-user|assumed-role|federation-token|session-token|legacy|sts|creds)/

/** Roles that are not used, so that the provider is not called for them, a static role of a user that no check looks at, and
 * sessions. */
export const neighbours: readonly Neighbours[] = [
  {
    before: /^\w+ \{mount\}\/(roles|creds|sts|static-roles|config\/(lease|rotate-root))/,
    ...{ unlessDecided: callsCount, needs: 'provider', sends: ofStaticRole },
  },
  { before: /^\w+ \{mount\}\//, sends: [first.write, first.remove] },
  { before: /^\w+ \{mount\}\/roles/, sends: [second.write, second.read, second.remove] },
  ...[/^LIST \{mount\}\/roles/, /^GET \{mount\}\/(roles|static-roles)/, /^GET \{mount\}\/config\//].map((before) => ({
    ...{ before, sends: [], repeats: 2 },
  })),
  {
    before: /^POST \{mount\}\/config\/root$/,
    ...{ sends: [otherRoot, otherRoot], unlessDecided: /^cloud\.(?!root\.)|identity-token|audience/ },
  },
  { before: asking, sends: [], ahead: 2, unlessDecided: /identity-token/ },
  // What is at the provider may be compared with what was there before the judged request.
  {
    before: /^POST \{mount\}\/roles\//,
    unlessDecided: new RegExp(`${callsCount.source}|${ofNoCredentials.source}`),
    needs: 'provider',
    sends: ofSession,
  },
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
    written: /^POST \{\w+\}\/roles\/[^/]+$/,
    gone: 'cloud.role.reads',
    changed: (_, { credential_type }) =>
      typeof credential_type === 'string'
        ? `cloud.role.${credential_type.replaceAll('_', '-')}.reads-as-written`
        : 'cloud.role.reads',
  },
  {
    written: /^POST \{\w+\}\/static-roles\/[^/]+$/,
    gone: 'cloud.static-role.reads',
    changed: () => 'cloud.static-role.reads-as-written',
  },
  {
    written: /^POST \{\w+\}\/config\/root$/,
    changedBy: 'config/rotate-root',
    gone: 'cloud.root.reads',
    changed: (field) => rowsOfRoot[field] ?? 'cloud.root.reads',
  },
  { written: /^POST \{\w+\}\/config\/lease$/, gone: 'cloud.lease.reads', changed: () => 'cloud.lease.kept' },
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
  permissions_boundary_arn: managedPolicy('job-function/Billing'),
}
const ofSessions = { policy_arns: ofUsers.policy_arns ?? [] } as const
/** No session may be as long, so that it shortens none. */
const most = { max_sts_ttl: '12h' } as const
const rowsOfFields: Readonly<Record<string, string>> = {
  user_path: 'cloud.iam-user.path',
  permissions_boundary_arn: 'cloud.iam-user.boundary',
  max_sts_ttl: 'cloud.assumed-role.ttl.spared',
}

/** Fields that make no difference to the others of a role. Those that a server may lack are not among them. */
export const companions: readonly Companion[] = (
  [
    ['iam_user', ofUsers],
    ['assumed_role', { ...ofSessions, ...most }],
    ['federation_token', { ...ofSessions, ...most }],
  ] as const
).flatMap(([type, fields]) =>
  Object.entries(fields).map(([field, value]) => ({
    ...{ to: roles, field, value, row: rowsOfFields[field] ?? 'cloud.role.lists.array' },
    beside: { credential_type: type },
    unless: /whole|nothing-more|polic|arns|tags|path|boundary|group|update|required|legacy|spares|anew|ttl/,
  })),
)
