/** What one mount of the cloud engine holds. */
import type { CredentialType } from './tables/types.ts'

/** Fields of `config/root` as they were written, with their defaults. */
export interface RootConfig {
  readonly access_key: string
  readonly secret_key: string
  readonly role_arn: string
  readonly identity_token_audience: string
  /** Seconds. */
  readonly identity_token_ttl: number
  readonly region: string
  readonly iam_endpoint: string
  readonly sts_endpoint: string
  readonly max_retries: number
  readonly username_template: string
}

/** Seconds. */
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
  /** Seconds; 0 is unset. */
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
  /** One, unless the role was written with the legacy parameters. */
  readonly types: readonly CredentialType[]
  readonly legacy: boolean
  /** What was given; the defaults of the rest are in the table of fields. */
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
  /** Seconds. */
  readonly period: number
  /** Milliseconds since the epoch: when its present key was made, and when the next one is due. */
  readonly rotatedAt: number
  readonly rotatesAt: number
  readonly key: AccessKey
  readonly firstKey: AccessKey
}

/** Something at the provider that must go, and could not be removed when it should have been. */
export type Leftover =
  /** A user with all that hangs on it. */
  | { readonly kind: 'user'; readonly username: string }
  /** A user that may have been made: removed only while nothing hangs on it. */
  | { readonly kind: 'bare-user'; readonly username: string }
  | { readonly kind: 'key'; readonly username: string; readonly key: string }
  /** Keys of a user that were not there before one was asked for. */
  | { readonly kind: 'keys-beside'; readonly username: string; readonly known: readonly string[] }

export interface Pending {
  readonly leftover: Leftover
  readonly attempts: number
  /** Milliseconds since the epoch. */
  readonly nextAt: number
}

export interface Store {
  root: RootConfig | undefined
  /** The access key that reads of `config/root` show, where it is not the one in use. */
  shownKey: string | undefined
  lease: LeaseConfig | undefined
  readonly roles: Map<string, Role>
  /** Names of roles that were deleted and not made again. */
  readonly deletedRoles: Set<string>
  readonly staticRoles: Map<string, StaticRole>
  /** Names of users that leases stand for. */
  readonly users: Set<string>
  readonly pending: Map<string, Pending>
}

export const emptyStore = (): Store => ({
  root: undefined,
  shownKey: undefined,
  lease: undefined,
  roles: new Map(),
  deletedRoles: new Set(),
  staticRoles: new Map(),
  users: new Set(),
  pending: new Map(),
})

/** The store as JSON, and back. */
export const toJson = (store: Store): unknown => ({
  ...store,
  roles: [...store.roles],
  deletedRoles: [...store.deletedRoles],
  staticRoles: [...store.staticRoles],
  users: [...store.users],
  pending: [...store.pending],
})

export function fromJson(state: unknown): Store {
  const kept = state as {
    root?: RootConfig
    shownKey?: string
    lease?: LeaseConfig
    roles: [string, Role][]
    deletedRoles: string[]
    staticRoles: [string, StaticRole][]
    users: string[]
    pending: [string, Pending][]
  }
  return {
    root: kept.root,
    shownKey: kept.shownKey,
    lease: kept.lease,
    roles: new Map(kept.roles),
    deletedRoles: new Set(kept.deletedRoles),
    staticRoles: new Map(kept.staticRoles),
    users: new Set(kept.users),
    pending: new Map(kept.pending),
  }
}
