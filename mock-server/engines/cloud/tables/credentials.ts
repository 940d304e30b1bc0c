/** What is asked of the provider for each credential type: document 3, Role, and the generate-credentials rules. */
import type { AccessKey, Role } from '../store.ts'
import type { CredentialType } from './types.ts'

export type Way = 'creds' | 'sts'

/** Credentials as the provider issued them. */
export interface Issued extends AccessKey {
  readonly token: string | undefined
}

/** What credentials of a role are asked with. */
export interface Ask {
  readonly role: Role
  /** Of the user or the session; empty where there is none. */
  readonly name: string
  readonly roleArn: string
  /** Seconds. */
  readonly ttl: number
  readonly mfaCode: string
  /** What the role's groups bring: documents written into them, and ARNs attached to them. */
  readonly groups: { readonly documents: readonly string[]; readonly arns: readonly string[] }
}

/** Which type a role gives out, by the way it is asked; one that was written with the legacy parameters is bound. */
export const ways: Readonly<Record<'legacy' | 'plain', Readonly<Record<Way, readonly CredentialType[]>>>> = {
  legacy: { creds: ['iam_user'], sts: ['assumed_role', 'federation_token'] },
  plain: {
    creds: ['iam_user', 'assumed_role', 'federation_token', 'session_token'],
    sts: ['iam_user', 'assumed_role', 'federation_token', 'session_token'],
  },
}

/** One policy document with the statements of all. */
export function combined(documents: readonly string[]): string | undefined {
  if (documents.length < 2) return documents[0]
  const statements = documents.flatMap((text) => (JSON.parse(text) as { Statement?: unknown }).Statement ?? [])
  return JSON.stringify({ Version: '2012-10-17', Statement: statements })
}

const own = ({ role }: Ask): readonly string[] => (role.given.policy_document ? [role.given.policy_document] : [])
const unique = (arns: readonly string[]): readonly string[] => [...new Set(arns)]
const whenSet = (text: string | undefined): string | undefined => text || undefined

export const user = {
  made: 'each-time' as 'each-time' | 'once' | 'never',
  path: ({ role }: Ask) => whenSet(role.given.user_path) as string | undefined,
  boundary: ({ role }: Ask) => whenSet(role.given.permissions_boundary_arn) as string | undefined,
  tags: ({ role }: Ask) => role.given.iam_tags ?? {},
  attached: ({ role }: Ask) => role.given.policy_arns ?? [],
  inline: ({ role }: Ask) => whenSet(role.given.policy_document) as string | undefined,
  groups: ({ role }: Ask) => role.given.iam_groups ?? [],
  /** Of a step that the provider refuses. */
  failedStep: 'fails' as 'fails' | 'ignored',
}
export type UserRules = typeof user

export interface SessionRules {
  /** How many sessions are opened; the first is given. */
  readonly sessions: number
  readonly policy: (ask: Ask) => string | undefined
  readonly policyArns: (ask: Ask) => readonly string[]
  readonly tags: (ask: Ask) => Readonly<Record<string, string>>
  readonly externalId: (ask: Ask) => string | undefined
  readonly serial: (ask: Ask) => string | undefined
  readonly code: (ask: Ask) => string | undefined
}

const nothing: SessionRules = {
  sessions: 1,
  policy: () => undefined,
  policyArns: () => [],
  tags: () => ({}),
  externalId: () => undefined,
  serial: () => undefined,
  code: () => undefined,
}
const filtered = {
  policy: (ask: Ask) => combined([...own(ask), ...ask.groups.documents]),
  policyArns: (ask: Ask) => unique([...(ask.role.given.policy_arns ?? []), ...ask.groups.arns]),
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

/** Which of the role's ARNs is assumed; undefined is a refusal. */
export const roleArn = (asked: string, allowed: readonly string[]): string | undefined => {
  if (asked !== '') return allowed.includes(asked) ? asked : undefined
  return allowed.length === 1 ? allowed[0] : undefined
}

export interface TtlRule {
  /** The first that is there decides. */
  readonly sources: readonly ('request' | 'role' | 'default')[]
  /** Seconds. */
  readonly default: number
  /** Whether `max_sts_ttl` is asked for even where less would be. */
  readonly always?: 'cap'
  /** Which of them `max_sts_ttl` caps. */
  readonly capped: readonly ('request' | 'role' | 'default')[]
}
const bySources: TtlRule = {
  sources: ['request', 'role', 'default'],
  default: 3600,
  capped: ['request', 'role', 'default'],
}
export const ttls: Readonly<Record<SessionType, TtlRule>> = {
  assumed_role: bySources,
  federation_token: bySources,
  session_token: { ...bySources, sources: ['request', 'default'] },
}

export interface MfaRule {
  /** Whether its call takes a code. */
  readonly asked: boolean
  /** Of a role with a device, without a code. */
  readonly absent: 'refused' | 'without-device'
  readonly withoutDevice: 'optional' | 'required'
}
const byDevice: MfaRule = { asked: true, absent: 'refused', withoutDevice: 'optional' }

/** `mfa_code`: required only when the role has `mfa_serial_number`. */
export const mfa: Readonly<Record<SessionType, MfaRule>> = {
  assumed_role: byDevice,
  federation_token: { ...byDevice, asked: false },
  session_token: byDevice,
}

/** What a reply holds: what was issued, keys that nobody issued, or those of the configuration. */
export const replies: Readonly<Record<CredentialType, 'issued' | 'made-up' | 'root'>> = {
  iam_user: 'issued',
  assumed_role: 'issued',
  federation_token: 'issued',
  session_token: 'issued',
}
