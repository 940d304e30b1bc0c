/** The rules for credentials, by credential type: document 3, Role, and the generate-credentials rules. */
import type { AccessKey, Role } from '../store.ts'
import type { CredentialType } from './types.ts'

export type Way = 'creds' | 'sts'

/** Credentials as the provider issued them. */
export interface Issued extends AccessKey {
  readonly token: string | undefined
}

/** The values with which credentials of a role are requested from the provider. */
export interface Ask {
  readonly role: Role
  /** The name of the user or the session; empty if it has none. */
  readonly name: string
  readonly roleArn: string
  /** The lifetime in seconds. */
  readonly ttl: number
  readonly mfaCode: string
  readonly groups: readonly GroupPolicies[]
}

/** The policies of one group: documents written into the group, and ARNs attached to it. */
export interface GroupPolicies {
  readonly documents: readonly string[]
  readonly arns: readonly string[]
}

/** The credential types that each endpoint issues. A role that was written with the legacy parameters issues users
 * through `creds` and sessions through `sts`. */
export const ways: Readonly<Record<'legacy' | 'plain', Readonly<Record<Way, readonly CredentialType[]>>>> = {
  legacy: { creds: ['iam_user'], sts: ['assumed_role', 'federation_token'] },
  plain: {
    creds: ['iam_user', 'assumed_role', 'federation_token', 'session_token'],
    sts: ['iam_user', 'assumed_role', 'federation_token', 'session_token'],
  },
}

/** Joins the statements of all documents into one document. */
export function combined(documents: readonly string[]): string | undefined {
  if (documents.length < 2) return documents[0]
  const statements = documents.flatMap((text) => (JSON.parse(text) as { Statement?: unknown }).Statement ?? [])
  return JSON.stringify({ Version: '2012-10-17', Statement: statements })
}

const own = ({ role }: Ask): readonly string[] => (role.given.policy_document ? [role.given.policy_document] : [])
const unique = (arns: readonly string[]): readonly string[] => [...new Set(arns)]
const whenSet = (text: string | undefined): string | undefined => text || undefined

/** What a new user gets from its role. */
export const user = {
  path: ({ role }: Ask) => whenSet(role.given.user_path) as string | undefined,
  boundary: ({ role }: Ask) => whenSet(role.given.permissions_boundary_arn) as string | undefined,
  tags: ({ role }: Ask) => role.given.iam_tags ?? {},
  attached: ({ role }: Ask) => role.given.policy_arns ?? [],
  inline: ({ role }: Ask) => whenSet(role.given.policy_document) as string | undefined,
  groups: ({ role }: Ask) => role.given.iam_groups ?? [],
}
export type UserRules = typeof user

export interface SessionRules {
  readonly policy: (ask: Ask) => string | undefined
  readonly policyArns: (ask: Ask) => readonly string[]
  readonly tags: (ask: Ask) => Readonly<Record<string, string>>
  readonly externalId: (ask: Ask) => string | undefined
  readonly serial: (ask: Ask) => string | undefined
  readonly code: (ask: Ask) => string | undefined
}

const nothing: SessionRules = {
  policy: () => undefined,
  policyArns: () => [],
  tags: () => ({}),
  externalId: () => undefined,
  serial: () => undefined,
  code: () => undefined,
}
const filtered = {
  policy: (ask: Ask) => combined([...own(ask), ...ask.groups.flatMap(({ documents }) => documents)]),
  policyArns: (ask: Ask) => unique([...(ask.role.given.policy_arns ?? []), ...ask.groups.flatMap(({ arns }) => arns)]),
}
const throughDevice = {
  serial: ({ role }: Ask) => whenSet(role.given.mfa_serial_number),
  code: ({ role, mfaCode }: Ask) => (role.given.mfa_serial_number ? whenSet(mfaCode) : undefined),
}

export type SessionType = Exclude<CredentialType, 'iam_user'>
export type SessionAction = 'AssumeRole' | 'GetFederationToken' | 'GetSessionToken'

export const actions: Readonly<Record<SessionType, SessionAction>> = {
  assumed_role: 'AssumeRole',
  federation_token: 'GetFederationToken',
  session_token: 'GetSessionToken',
}
export const sessions: Readonly<Record<SessionType, SessionRules>> = {
  assumed_role: {
    ...{ ...nothing, ...filtered, ...throughDevice },
    tags: ({ role }) => role.given.session_tags ?? {},
    externalId: ({ role }) => whenSet(role.given.external_id),
  },
  federation_token: { ...nothing, ...filtered },
  session_token: { ...nothing, ...throughDevice },
}

/** The types of sessions that the provider opens with the MFA device of the role. */
export const withDevice: readonly SessionType[] = ['assumed_role', 'session_token']

/** Returns the ARN that is assumed, or undefined to refuse the request. */
export const roleArn = (asked: string, allowed: readonly string[]): string | undefined => {
  if (asked !== '') return allowed.includes(asked) ? asked : undefined
  return allowed.length === 1 ? allowed[0] : undefined
}

/** Lifetimes of sessions in seconds: the `ttl` of the request, `default_sts_ttl` and `max_sts_ttl` of the role. */
export interface Lifetimes {
  readonly request: number | undefined
  readonly role: number | undefined
  readonly cap: number | undefined
}
type Lifetime = (asked: Lifetimes) => number
const anHour = 3600
const byRole: Lifetime = ({ request, role, cap }) =>
  Math.min(request ?? role ?? anHour, cap ?? Number.POSITIVE_INFINITY)

/** The lifetime that is requested from the provider. */
export const lifetimes: Readonly<Record<SessionType, Lifetime>> = {
  assumed_role: byRole,
  federation_token: byRole,
  session_token: ({ request }) => request ?? anHour,
}
