/** Where a cluster stands in replication of one kind: plain data, kept in a state file. */
import type { SavedMount } from '../../kernel/mounts/mounts.ts'
import type { Filter } from './tables/filters.ts'
import type { Mode, Trigger } from './tables/transitions.ts'

/** A secondary, as its primary knows it. */
export interface Registration {
  readonly id: string
  readonly secret: string
  /** Of the primary when it was issued. */
  readonly setId: string
  /** When its activation token ends; a secondary that has activated it stays. */
  readonly expiresAt: number
  /** The activation token while it waits to be unwrapped; empty for one that was encrypted. */
  readonly wrapped: string
  readonly activated: boolean
  /** Empty until it has connected. */
  readonly clusterId: string
  readonly apiAddress: string
  readonly clusterAddress: string
}

/** A primary, as its secondary knows it. */
export interface Upstream {
  /** The secondary's own name there. */
  readonly id: string
  readonly secret: string
  readonly apiAddress: string
  readonly clusterAddress: string
}

export interface StoredFilter extends Filter {
  readonly deleted: boolean
}

export interface Membership {
  readonly mode: Mode
  /** Empty where the cluster has none. */
  readonly clusterId: string
  /** The set of clusters that the data belong to, as its first primary named it. */
  readonly setId: string
  /** What it was before it was disabled. */
  readonly former: { readonly mode: Mode; readonly clusterId: string }
  /** What brought it here. */
  readonly by: Trigger | ''
  /** What secondaries are told in place of the configured cluster address; empty for none. */
  readonly primaryClusterAddr: string
  readonly registrations: readonly Registration[]
  /** By cluster id of the secondary. */
  readonly filters: Readonly<Record<string, StoredFilter>>
  readonly upstream: Upstream | undefined
  /** The primary that it followed before it was one. */
  readonly past: Upstream | undefined
  /** Whether it has everything that its primary had when they first met. */
  readonly synced: boolean
  /** It holds what it held before it joined, too. */
  readonly mingled: boolean
  /** The latest write of the primary that has arrived. */
  readonly remoteWrites: number
  readonly root: string
  /** Mount paths that its primary keeps back. */
  readonly filtered: readonly string[]
  /** The other secondaries of its primary, where that tells. */
  readonly peers: readonly Registration[]
}

export const noMembership: Membership = {
  ...{ mode: 'disabled', clusterId: '', setId: '', by: '', primaryClusterAddr: '' },
  former: { mode: 'disabled', clusterId: '' },
  ...{ registrations: [], filters: {}, upstream: undefined, past: undefined, peers: [] },
  ...{ synced: true, mingled: false, remoteWrites: 0, root: '', filtered: [] },
}

/** What a DR secondary holds and does not serve. */
export interface Asleep {
  readonly parts: Readonly<Record<string, unknown>>
  readonly beside: readonly SavedMount[]
}

export interface Progress {
  /** How many writes this cluster has made. */
  readonly writes: number
  /** Hash of what a secondary without filters would have. */
  readonly root: string
}
