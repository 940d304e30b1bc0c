/** These types describe what one mount of the cloud engine stores. */
import type { CredentialType } from './rules/types.ts'

/** The fields of `config/root` that were written, and the defaults of all others. */
export interface RootConfig {
  readonly access_key: string
  readonly secret_key: string
  readonly role_arn: string
  readonly identity_token_audience: string
  /** The lifetime of identity tokens, in seconds. */
  readonly identity_token_ttl: number
  readonly region: string
  readonly iam_endpoint: string
  readonly sts_endpoint: string
  readonly max_retries: number
  readonly username_template: string
}

/** Both values are in seconds. */
export interface LeaseConfig {
  readonly lease: number
  readonly lease_max: number
}

export interface RoleValues {
  readonly role_arns: readonly string[]
  readonly policy_arns: readonly string[]
  readonly policy_document: string
  readonly iam_groups: readonly string[]
  readonly iam_tags: Readonly<Record<string, string>>
  /** Both lifetimes are in seconds; 0 means unset. */
  readonly default_sts_ttl: number
  readonly max_sts_ttl: number
  readonly session_tags: Readonly<Record<string, string>>
  readonly external_id: string
  readonly user_path: string
  readonly permissions_boundary_arn: string
  readonly mfa_serial_number: string
}
export type RoleField = keyof RoleValues

export interface Role {
  /** A role has one type, unless it was written with the legacy parameters. */
  readonly types: readonly CredentialType[]
  readonly legacy: boolean
  /** The fields that were written. The defaults of the others are in the table of fields. */
  readonly given: Partial<RoleValues>
}

export interface AccessKey {
  readonly id: string
  readonly secret: string
}

export interface StaticRole {
  readonly username: string
  /** The provider's own id of the user. */
  readonly userId: string
  /** The period of the rotations, in seconds. */
  readonly period: number
  /** When the current key was made and when the next one is due, in milliseconds since the epoch. */
  readonly rotatedAt: number
  readonly rotatesAt: number
  readonly key: AccessKey
}

/** A user or key at the provider that must be removed, and could not be removed in time. */
export type Leftover =
  | { readonly kind: 'user'; readonly username: string }
  /** A user that may have been made. It is removed only while it has no keys and policies. */
  | { readonly kind: 'bare-user'; readonly username: string }
  | { readonly kind: 'key'; readonly username: string; readonly key: string }
  /** Keys of a user that did not exist before a new one was made. */
  | { readonly kind: 'keys-beside'; readonly username: string; readonly known: readonly string[] }

export interface Pending {
  readonly leftover: Leftover
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly nextAt: number
}

export interface Store {
  root: RootConfig | undefined
  lease: LeaseConfig | undefined
  readonly roles: Map<string, Role>
  readonly staticRoles: Map<string, StaticRole>
  /** Names of the users that have leases. */
  readonly users: Set<string>
  readonly pending: Map<string, Pending>
}

export const emptyStore = (): Store => ({
  root: undefined,
  lease: undefined,
  roles: new Map(),
  staticRoles: new Map(),
  users: new Set(),
  pending: new Map(),
})

export const toJson = (store: Store): unknown => ({
  ...store,
  roles: [...store.roles],
  staticRoles: [...store.staticRoles],
  users: [...store.users],
  pending: [...store.pending],
})

export function fromJson(state: unknown): Store {
  const kept = state as {
    root?: RootConfig
    lease?: LeaseConfig
    roles: [string, Role][]
    staticRoles: [string, StaticRole][]
    users: string[]
    pending: [string, Pending][]
  }
  return {
    root: kept.root,
    lease: kept.lease,
    roles: new Map(kept.roles),
    staticRoles: new Map(kept.staticRoles),
    users: new Set(kept.users),
    pending: new Map(kept.pending),
  }
}
