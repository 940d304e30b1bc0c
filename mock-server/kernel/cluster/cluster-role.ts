/** The role of this cluster in replication, as far as the pipeline needs it. Only the replication engine changes it. */
export const replicationKinds = ['dr', 'performance'] as const
export type ReplicationKind = (typeof replicationKinds)[number]

export interface ClusterRole {
  readonly modes: Record<ReplicationKind, 'disabled' | 'primary' | 'secondary'>
  /** False while the cluster changes to a new role. It then serves only its health, its seal and `sys/init`. */
  ready: boolean
  /** Tells whether a DR secondary serves this path (below `/v1/`). */
  servesOnDrSecondary: (path: string) => boolean
}

export const createClusterRole = (): ClusterRole => ({
  modes: { dr: 'disabled', performance: 'disabled' },
  ready: true,
  servesOnDrSecondary: () => true,
})
