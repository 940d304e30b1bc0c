/** The role of this cluster in replication, as far as the pipeline has to know it. The replication engine changes it;
 * without replication it stays as it is made here. */
export const replicationKinds = ['dr', 'performance'] as const
export type ReplicationKind = (typeof replicationKinds)[number]

export interface ClusterRole {
  readonly modes: Record<ReplicationKind, 'disabled' | 'primary' | 'secondary'>
  /** False while the cluster gets used to a new role and serves nothing but its health. */
  ready: boolean
  /** Tells whether a DR secondary serves this path (below `/v1/`). */
  servesOnDrSecondary: (path: string) => boolean
}

export const createClusterRole = (): ClusterRole => ({
  modes: { dr: 'disabled', performance: 'disabled' },
  ready: true,
  servesOnDrSecondary: () => true,
})
