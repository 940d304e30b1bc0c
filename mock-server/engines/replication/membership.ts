/** The membership of a cluster in one kind of replication: its mode, its primary and its secondaries. It is plain data,
 * and saved in a state file. */
import type { ClusterCertificate } from '../../kernel/cluster/cluster-listener.ts'
import type { Filter } from './rules/filters.ts'
import type { Mode } from './rules/transitions.ts'

/** What a primary knows about one of its secondaries. */
export interface Registration {
  readonly id: string
  readonly secret: string
  /** The id of the primary's set when the token was issued. */
  readonly setId: string
  /** When the activation token expires, in milliseconds since the epoch. A secondary that has activated it stays
   * registered. */
  readonly expiresAt: number
  /** The activation token until it is unwrapped, or an empty text if it was encrypted. */
  readonly wrapped: string
  readonly activated: boolean
  /** Empty until the secondary has connected. */
  readonly clusterId: string
  readonly apiAddress: string
  readonly clusterAddress: string
  /** The certificate authority of the secondary's own cluster, as PEM. Empty until it has connected. */
  readonly authority: string
}

/** What a secondary knows about its primary. */
export interface Upstream {
  /** The id of this secondary at the primary. */
  readonly id: string
  readonly secret: string
  readonly apiAddress: string
  readonly clusterAddress: string
  /** The certificates with which the primary and this secondary prove themselves to each other. */
  readonly trust: LinkTrust
}

/** The certificates, as PEM, by which both sides of the link recognise each other. */
export interface LinkTrust extends ClusterCertificate {
  /** The certificate authority of the primary. */
  readonly authority: string
}

export interface Membership {
  readonly mode: Mode
  /** Empty if the cluster has no cluster id. */
  readonly clusterId: string
  /** The id of the set of clusters that share the data. Its first primary chose it. */
  readonly setId: string
  /** The address that secondaries get instead of the configured cluster address; empty if it is not replaced. */
  readonly primaryClusterAddr: string
  readonly registrations: readonly Registration[]
  /** The filters by the cluster id of their secondary. */
  readonly filters: Readonly<Record<string, Filter>>
  readonly upstream: Upstream | undefined
  /** True once the cluster has received all data of its primary at the time of their first connection. */
  readonly synced: boolean
  /** The number of the latest write of the primary that has arrived. */
  readonly remoteWrites: number
  readonly root: string
  /** The mount paths that the primary withholds by a filter. */
  readonly filtered: readonly string[]
  /** The paths of the namespaces that the primary withholds by a filter. */
  readonly filteredNamespaces?: readonly string[]
}

export const noMembership: Membership = {
  ...{ mode: 'disabled', clusterId: '', setId: '', primaryClusterAddr: '' },
  ...{ registrations: [], filters: {}, upstream: undefined },
  ...{ synced: true, remoteWrites: 0, root: '', filtered: [] },
}

/** The data that a DR secondary stores and does not serve. */
export interface Asleep {
  readonly parts: Readonly<Record<string, unknown>>
}

export interface Progress {
  readonly writes: number
  /** The hash of the data that a secondary without a filter would have. */
  readonly root: string
}
