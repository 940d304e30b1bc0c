/** The rules of replication. Most are the same for both kinds: document 1, States and transitions. */

import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { Edition, Route } from '../../../kernel/contracts.ts'
import { type FilterRules, filterRules } from './filters.ts'
import { type TokenRules, tokenRules } from './tokens.ts'
import { type Effect, effects, type Mode, type Trigger, transitions } from './transitions.ts'

export type Endpoint =
  | 'status'
  | 'change'
  | 'primary/secondary-token'
  | 'primary/revoke-secondary'
  | 'primary/paths-filter'
  | 'primary/dynamic-filter'
  | 'secondary/dynamic-filter'

export interface KindRules {
  /** A trigger that leads to no mode is refused. */
  readonly transitions: Readonly<Record<Mode, Partial<Readonly<Record<Trigger, Mode>>>>>
  readonly effects: Readonly<Record<Trigger, Effect>>
  /** A cluster accepts secondaries (`serves`) or connects to a primary (`follows`) in the modes whose flags are
   * true. */
  readonly serves: Readonly<Record<Mode, boolean>>
  readonly follows: Readonly<Record<Mode, boolean>>
  readonly access: Readonly<Record<Endpoint, Route['access']>>
  readonly editions: Readonly<Record<'status' | 'others', readonly Edition[]>>
  /** The triggers that need a DR operation token. */
  readonly operationToken: readonly Trigger[]
  /** What promotion does with a secondary that never had all data, with one that lost its primary, and with any
   * other. */
  readonly promotion: Readonly<Record<'unsynced' | 'lost' | 'sound', 'refused' | 'promoted'>>
  readonly tokens: TokenRules
  readonly filters: FilterRules
  /** A primary sends tokens, leases and local mounts to its secondaries if these flags are true. */
  readonly sends: { readonly tokens: boolean; readonly localMounts: boolean }
  readonly paths: { readonly servedOnDrSecondary: (path: string) => boolean }
}

const openOnDrSecondary: ReadonlySet<string> = new Set([
  'sys/health',
  'sys/seal-status',
  'sys/init',
  'sys/unseal',
  'sys/replication/status',
  'sys/replication/dr/status',
  'sys/replication/performance/status',
])

const common: Omit<KindRules, 'operationToken' | 'sends'> = {
  transitions,
  effects,
  serves: { disabled: false, primary: true, secondary: false },
  follows: { disabled: false, primary: false, secondary: true },
  access: {
    status: 'anyone',
    change: 'token',
    'primary/secondary-token': 'sudo',
    'primary/revoke-secondary': 'token',
    'primary/paths-filter': 'token',
    'primary/dynamic-filter': 'token',
    'secondary/dynamic-filter': 'token',
  },
  editions: { status: ['enterprise', 'premium'], others: ['enterprise', 'premium'] },
  promotion: { unsynced: 'refused', lost: 'refused', sound: 'promoted' },
  tokens: tokenRules,
  filters: filterRules,
  paths: {
    servedOnDrSecondary: (path) => openOnDrSecondary.has(path) || path.startsWith('sys/replication/dr/secondary/'),
  },
}

export type ReplicationRules = Readonly<Record<ReplicationKind, KindRules>>

export const replicationRules: ReplicationRules = {
  dr: {
    ...common,
    // The document states no condition for disabling, but an ordinary token cannot authorize it here: readings, 1.
    operationToken: ['secondary/promote', 'secondary/update-primary', 'secondary/disable'],
    sends: { tokens: true, localMounts: true },
    // Filters exist in performance replication only: document 1, Performance-only endpoints.
    filters: { ...filterRules, served: false },
  },
  performance: { ...common, operationToken: [], sends: { tokens: false, localMounts: false } },
}
