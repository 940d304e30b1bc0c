/** The place of a cluster in one kind of replication: plain data, saved in a state file. */
import type { ClusterCertificate } from '../../kernel/cluster/cluster-listener.ts'
import type { SavedMount } from '../../kernel/mounts/mounts.ts'
import type { Filter } from './tables/filters.ts'
import type { Mode, Trigger } from './tables/transitions.ts'

/** A secondary, as its primary knows it. */
export interface Registration {
  readonly id: string
  readonly secret: string
  /** The set of the primary when the token was issued. */
  readonly setId: string
  /** The end of the activation token. A secondary that has activated it stays registered. */
  readonly expiresAt: number
  /** The activation token while it waits to be unwrapped. Empty if it was encrypted. */
  readonly wrapped: string
  readonly activated: boolean
  /** Empty until the secondary has connected. */
  readonly clusterId: string
  readonly apiAddress: string
  readonly clusterAddress: string
  /** The PEM of the certificate authority of the secondary's own cluster. Empty until it has connected. */
  readonly authority: string
}

/** A primary, as its secondary knows it. */
export interface Upstream {
  /** The id of this secondary at the primary. */
  readonly id: string
  readonly secret: string
  readonly apiAddress: string
  readonly clusterAddress: string
  /** What the primary proves itself by, and this secondary in turn. */
  readonly trust: LinkTrust
}

/** Both sides of the link know each other by certificates, as PEM. */
export interface LinkTrust extends ClusterCertificate {
  /** The certificate authority of the primary. */
  readonly authority: string
}

export interface StoredFilter extends Filter {
  readonly deleted: boolean
  /** The number of writes of the primary before it was set. */
  readonly writes: number
  /** The mode that it had first, and the paths of the mounts that were there when it was last set. Only mutants ask. */
  readonly firstMode?: string
  readonly mounts?: readonly string[]
}

export interface Membership {
  readonly mode: Mode
  /** Empty if the cluster has none. */
  readonly clusterId: string
  /** The set of clusters that share the data, named by its first primary. */
  readonly setId: string
  /** The mode before the cluster was disabled, and the trigger that had led to it. */
  readonly former: { readonly mode: Mode; readonly clusterId: string; readonly by: Trigger | '' }
  /** The trigger that led to this mode. */
  readonly by: Trigger | ''
  /** The address that secondaries are told instead of the configured cluster address; empty for none. */
  readonly primaryClusterAddr: string
  /** The last such address before this mode. Only a mutant asks. */
  readonly formerAddress: string
  readonly registrations: readonly Registration[]
  /** The keys are the cluster ids of the secondaries. */
  readonly filters: Readonly<Record<string, StoredFilter>>
  readonly upstream: Upstream | undefined
  /** The primary that it followed before it became a primary. */
  readonly past: Upstream | undefined
  /** True if it has received all the data that its primary had when they first connected. */
  readonly synced: boolean
  /** True if it kept its own data when it joined. */
  readonly mingled: boolean
  /** The latest write of the primary that has arrived. */
  readonly remoteWrites: number
  readonly root: string
  /** The mount paths that its primary filters. */
  readonly filtered: readonly string[]
  /** The paths of namespaces that its primary filters. */
  readonly filteredNamespaces?: readonly string[]
  /** The other secondaries of its primary, if the primary tells them. */
  readonly peers: readonly Registration[]
}

export const noMembership: Membership = {
  ...{ mode: 'disabled', clusterId: '', setId: '', by: '', primaryClusterAddr: '', formerAddress: '' },
  former: { mode: 'disabled', clusterId: '', by: '' },
  ...{ registrations: [], filters: {}, upstream: undefined, past: undefined, peers: [] },
  ...{ synced: true, mingled: false, remoteWrites: 0, root: '', filtered: [] },
}

/** A DR secondary stores this and does not serve it. */
export interface Asleep {
  readonly parts: Readonly<Record<string, unknown>>
  readonly beside: readonly SavedMount[]
}

export interface Progress {
  /** Counts the writes of this cluster. */
  readonly writes: number
  /** The hash of what a secondary without filters would have. */
  readonly root: string
}
