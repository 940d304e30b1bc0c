/** The rules of replication, as cells. Most are the same for both kinds: document 1, States and transitions. */

import type { ReplicationKind } from '../../../kernel/cluster/cluster-role.ts'
import type { Edition, Route } from '../../../kernel/contracts.ts'
import { seam } from '../../../kernel/seam.ts'
import { type FilterRules, filterRules } from './filters.ts'
import { type JoiningRules, joiningRules } from './joining.ts'
import { type StatusRules, statusRules } from './status.ts'
import { type TokenRules, tokenRules } from './tokens.ts'
import { type Cell, type Effect, effects, type Mode, type Trigger, transitions } from './transitions.ts'

export interface OperationTokenRule {
  /** Returns whether the token is accepted. `isClients` returns whether it is a client token in the data that the
   * cluster stores and does not serve. */
  readonly isValid: (token: string, isLive: boolean, isClients: () => boolean) => boolean
  readonly without: 'refused' | 'refused-but-done'
  /** Returns whether a request with this body needs no operation token. */
  readonly exempts: (body: Readonly<Record<string, unknown>>) => boolean
  /** A blank token is judged like any other, or accepted. */
  readonly blank: 'judged' | 'taken'
}

/** Names what may keep a wrong server from carrying out a trigger. */
export interface Circumstances {
  /** The trigger that led to the current mode. */
  readonly by: Trigger | ''
  /** Secondaries have joined, or are connected now. */
  readonly isJoined: boolean
  readonly isConnected: boolean
  /** The primary of this secondary is out of reach. */
  readonly isLost: boolean
}

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
  /** A request for a token that is encrypted to a public key needs the usual access, or no sudo. */
  readonly accessByKey: 'as-usual' | 'token'
  readonly editions: Readonly<Record<'status' | 'others', readonly Edition[]>>
  /** The triggers that need a DR operation token, with the rule for each. */
  readonly operationToken: Partial<Readonly<Record<Trigger, OperationTokenRule>>>
  /** What promotion does with a secondary that never had all data, with one that lost its primary, and with any
   * other. */
  readonly promotion: Readonly<Record<'unsynced' | 'lost' | 'sound', 'refused' | 'promoted'>> & {
    /** Promotion of a secondary that is connected to its primary depends on its data only, or is refused. */
    readonly connected: 'by-its-data' | 'refused'
    readonly forced: 'promoted' | 'as-unforced'
    /** Whether a promotion without the field `force` is forced. */
    readonly unsaid: 'unforced' | 'forced'
    /** The value of the field `force` decides, or its mere presence, or its value unless an address is given. */
    readonly flag: 'its-value' | 'its-presence' | 'its-value-without-an-address'
  }
  /** Returns whether a trigger is refused although the mode allows it, because of what the cluster has been through. */
  readonly hinders: (trigger: Trigger, now: Circumstances) => boolean
  /** primary/enable on a demoted primary is refused as on every secondary, or makes it primary. */
  readonly enabledAsDemoted: 'refused' | 'primary'
  /** The status of a primary is open to the callers in `access`, or needs a client token. */
  readonly statusOfPrimary: 'as-usual' | 'token'
  /** primary/enable enables replication of its own kind, or of both kinds. */
  readonly enables: 'own-kind' | 'both-kinds'
  /** The trigger that a trigger also causes in the other kind of replication. */
  readonly besides: Partial<Readonly<Record<Trigger, Trigger>>>
  /** The parts of the data that no wipe removes and no copy replaces. */
  readonly spares: readonly string[]
  /** Returns what remains of a spared part after a wipe. */
  readonly spared: (state: unknown) => unknown
  readonly joining: JoiningRules
  readonly tokens: TokenRules
  readonly status: StatusRules
  readonly filters: FilterRules
  /** A secondary takes over the first copy of the data, and later changes, if these flags are true. */
  readonly takes: { readonly first: boolean; readonly later: boolean }
  /** A primary sends tokens, leases and local mounts to its secondaries if these flags are true. */
  readonly sends: { readonly tokens: boolean; readonly localMounts: boolean }
  readonly localMounts: 'kept' | 'overwritten'
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
  accessByKey: 'as-usual',
  editions: { status: ['enterprise', 'premium'], others: ['enterprise', 'premium'] },
  promotion: {
    unsynced: 'refused',
    lost: 'refused',
    sound: 'promoted',
    connected: 'by-its-data',
    forced: 'promoted',
    unsaid: 'unforced',
    flag: 'its-value',
  },
  enables: 'own-kind',
  besides: {},
  spares: [],
  joining: joiningRules,
  tokens: tokenRules,
  status: statusRules,
  filters: filterRules,
  takes: { first: true, later: true },
  localMounts: 'kept',
  introduces: false,
  paths: {
    servedOnDrSecondary: (path) => openOnDrSecondary.has(path) || path.startsWith('sys/replication/dr/secondary/'),
  },
  performance: { ofPrimary: 'joined', ofSecondary: 'joined' },
  // Seams: only the mode decides whether a trigger is possible, and a spared part is unchanged.
  hinders: seam(() => false),
  enabledAsDemoted: 'refused',
  statusOfPrimary: 'as-usual',
  spared: seam((state) => state),
}

const liveToken: OperationTokenRule = {
  isValid: (_token, isLive) => isLive,
  without: 'refused',
  blank: 'judged',
  // Seam: every request needs an operation token.
  exempts: seam(() => false),
}

export type ReplicationRules = Readonly<Record<ReplicationKind, KindRules>>

export const replicationRules: ReplicationRules = {
  dr: {
    ...common,
    operationToken: {
      'secondary/promote': liveToken,
      'secondary/update-primary': liveToken,
      'secondary/forget-primary': liveToken,
      // The document states no condition for disabling, but an ordinary token cannot authorize it here: readings, 1.
      'secondary/disable': liveToken,
    },
    sends: { tokens: true, localMounts: true },
    // Filters exist in performance replication only: document 1, Performance-only endpoints.
    filters: { ...filterRules, served: false },
  },
  performance: { ...common, operationToken: {}, sends: { tokens: false, localMounts: false } },
}
