/** The rules for credentials, by credential type: document 3, Role, and the generate-credentials rules. */
import { durationField } from '../../../kernel/http/duration.ts'
import type { Body } from '../fields.ts'
import type { AccessKey, Role, RoleField } from '../store.ts'
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

/** Credentials from this endpoint are made as if their role did not have these fields. */
export const lacks: Readonly<Record<Way, readonly RoleField[]>> = { creds: [], sts: [] }

/** The ARN that a request to this endpoint assumes if it names none and the role allows several: none, or the first. */
export const implied: Readonly<Record<Way, 'none' | 'first'>> = { creds: 'none', sts: 'none' }

/** Decodes the document of a group, which the provider encodes for URLs. */
export const groupDocument: (encoded: string) => string = decodeURIComponent

/** Joins the statements of all documents into one document. */
export function combined(documents: readonly string[]): string | undefined {
  if (documents.length < 2) return documents[0]
  const statements = documents.flatMap((text) => (JSON.parse(text) as { Statement?: unknown }).Statement ?? [])
  return JSON.stringify({ Version: '2012-10-17', Statement: statements })
}

const own = ({ role }: Ask): readonly string[] => (role.given.policy_document ? [role.given.policy_document] : [])
const unique = (arns: readonly string[]): readonly string[] => [...new Set(arns)]
const whenSet = (text: string | undefined): string | undefined => text || undefined

export const user = {
  /** `once-at-a-time`: requests for a role at the same time get the same user. */
  made: 'each-time' as 'each-time' | 'once' | 'once-at-a-time' | 'never',
  path: ({ role }: Ask) => whenSet(role.given.user_path) as string | undefined,
  boundary: ({ role }: Ask) => whenSet(role.given.permissions_boundary_arn) as string | undefined,
  tags: ({ role }: Ask) => role.given.iam_tags ?? {},
  attached: ({ role }: Ask) => role.given.policy_arns ?? [],
  inline: ({ role }: Ask) => whenSet(role.given.policy_document) as string | undefined,
  groups: ({ role }: Ask) => role.given.iam_groups ?? [],
  /** Users are made with the keys of the current root configuration, or with those that made the first user. */
  signedBy: 'present' as 'present' | 'first',
  /** If the provider refuses a step, the request fails, or the step is ignored. */
  failedStep: 'fails' as 'fails' | 'ignored',
}
export type UserRules = typeof user

export interface SessionRules {
  /** The number of sessions that the server opens. The first one is returned. */
  readonly sessions: number
  /** Each request opens a new session, or returns the first session of the role. */
  readonly opened: 'each-time' | 'once'
  readonly policy: (ask: Ask) => string | undefined
  readonly policyArns: (ask: Ask) => readonly string[]
  readonly tags: (ask: Ask) => Readonly<Record<string, string>>
  readonly externalId: (ask: Ask) => string | undefined
  readonly serial: (ask: Ask) => string | undefined
  readonly code: (ask: Ask) => string | undefined
}

const nothing: SessionRules = {
  sessions: 1,
  opened: 'each-time',
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
const withDevice = {
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
    ...{ ...nothing, ...filtered, ...withDevice },
    tags: ({ role }) => role.given.session_tags ?? {},
    externalId: ({ role }) => whenSet(role.given.external_id),
  },
  federation_token: { ...nothing, ...filtered },
  session_token: { ...nothing, ...withDevice },
}

/** Returns the ARN that is assumed, or undefined to refuse the request. `_ofOthers` are the ARNs that other roles
 * allow. */
export const roleArn = (
  asked: string,
  allowed: readonly string[],
  _ofOthers: readonly string[],
): string | undefined => {
  if (asked !== '') return allowed.includes(asked) ? asked : undefined
  return allowed.length === 1 ? allowed[0] : undefined
}

export interface TtlRule {
  /** The first source that is set decides. */
  readonly sources: readonly ('request' | 'role' | 'default')[]
  /** The default lifetime in seconds. */
  readonly default: number
  /** Reads the `ttl` of a request, in seconds. */
  readonly read: (body: Body, name: string) => number | undefined
  /** Lifetimes are cut to this many seconds. */
  readonly most: number
  /** `cap`: `max_sts_ttl` is always requested if it is set. */
  readonly always?: 'cap'
  /** `role`: at least `default_sts_ttl` is requested. */
  readonly least?: 'role'
  /** `max_sts_ttl` caps lifetimes from these sources. */
  readonly capped: readonly ('request' | 'role' | 'default')[]
  /** Lifetimes are rounded down to a multiple of this many seconds. */
  readonly unit: number
  /** A `ttl` that equals `max_sts_ttl` is requested, or refused. */
  readonly atCap?: 'refused'
  /** The `ttl` of a request is used, or is ignored if the role has an MFA device. */
  readonly withDevice?: 'ignored'
}
const bySources: TtlRule = {
  sources: ['request', 'role', 'default'],
  default: 3600,
  read: durationField,
  most: Number.POSITIVE_INFINITY,
  capped: ['request', 'role', 'default'],
  unit: 1,
}
export const ttls: Readonly<Record<SessionType, TtlRule>> = {
  assumed_role: bySources,
  federation_token: bySources,
  session_token: { ...bySources, sources: ['request', 'default'] },
}

export interface MfaRule {
  /** Whether the call to the provider accepts a code. */
  readonly asked: boolean
  /** If the role has a device and the request has no code, it is refused, or made without the device. */
  readonly absent: 'refused' | 'without-device'
  readonly withoutDevice: 'optional' | 'required'
}
const byDevice: MfaRule = { asked: true, absent: 'refused', withoutDevice: 'optional' }

/** `mfa_code` is required only if the role has `mfa_serial_number`. */
export const mfa: Readonly<Record<SessionType, MfaRule>> = {
  assumed_role: byDevice,
  federation_token: { ...byDevice, asked: false },
  session_token: byDevice,
}

/** A reply contains the issued keys, keys that were never issued, or the keys of the configuration. */
export const replies: Readonly<Record<CredentialType, 'issued' | 'made-up' | 'root'>> = {
  iam_user: 'issued',
  assumed_role: 'issued',
  federation_token: 'issued',
  session_token: 'issued',
}
