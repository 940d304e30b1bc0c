/** The rules of replication, as cells. Most are the same for both kinds: document 1, States and transitions. */

import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { Edition, Route } from '../../../kernel/contracts.ts'
import { seam } from '../../../kernel/seam.ts'
import { type FilterRules, filterRules } from './filters.ts'
import { type StatusRules, statusRules } from './status.ts'
import { type TokenRules, tokenRules } from './tokens.ts'
import { type Cell, type Effect, effects, type Mode, type Trigger, transitions } from './transitions.ts'

export type Endpoint =
  | 'status'
  | 'change'
  | 'primary/secondary-token'
  | 'primary/revoke-secondary'
  | 'primary/paths-filter'
  | 'primary/dynamic-filter'
  | 'secondary/dynamic-filter'

export interface KindRules {
  /** A trigger without a cell is refused. */
  readonly transitions: Readonly<Record<Mode, Partial<Readonly<Record<Trigger, Cell>>>>>
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
  /** primary/enable enables replication of its own kind, or of both kinds. */
  readonly enables: 'own-kind' | 'both-kinds'
  /** The trigger that a trigger also causes in the other kind of replication. */
  readonly besides: Partial<Readonly<Record<Trigger, Trigger>>>
  /** The parts of the data that no wipe removes and no copy replaces. */
  readonly spares: readonly string[]
  /** Returns what remains of a spared part after a wipe. */
  readonly spared: (state: unknown) => unknown
  readonly tokens: TokenRules
  readonly status: StatusRules
  readonly filters: FilterRules
  /** A secondary takes over the first copy of the data, and later changes, if these flags are true. */
  readonly takes: { readonly first: boolean; readonly later: boolean }
  /** A primary sends tokens, leases and local mounts to its secondaries if these flags are true. */
  readonly sends: { readonly tokens: boolean; readonly localMounts: boolean }
  /** If true, secondaries know each other, so that they find the one that is promoted. */
  readonly introduces: boolean
  readonly paths: { readonly servedOnDrSecondary: (path: string) => boolean }
  /** What a promoted DR secondary becomes in performance replication if its primary belonged to a performance set: rule
   * 2. */
  readonly performance: {
    readonly ofPrimary: 'joined' | 'left-out'
    readonly ofSecondary: 'joined' | 'unconnected'
  }
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
  promotion: {
    unsynced: 'refused',
    lost: 'refused',
    sound: 'promoted',
  },
  enables: 'own-kind',
  besides: {},
  spares: [],
  tokens: tokenRules,
  status: statusRules,
  filters: filterRules,
  takes: { first: true, later: true },
  introduces: false,
  paths: {
    servedOnDrSecondary: (path) => openOnDrSecondary.has(path) || path.startsWith('sys/replication/dr/secondary/'),
  },
  performance: { ofPrimary: 'joined', ofSecondary: 'joined' },
  // Seam: a spared part is unchanged.
  spared: seam((state) => state),
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
