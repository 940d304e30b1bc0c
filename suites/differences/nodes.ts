/** Clusters of several nodes, through which a correct service is judged. */
import type { Area, Difference, SeveralNodes } from '../../harness/vocabulary/index.ts'

/** The areas of replication change the roles of whole clusters, and are judged at active nodes. */
const areas: readonly Area[] = ['policies', 'pki', 'plugin-catalog', 'mfa-legacy', 'mfa-identity', 'cloud']

const of = (id: string, says: string, nodes: SeveralNodes): Difference => ({
  ...{ id, says, nodes, areas, isProbed: true },
  because: 'The documents speak of a service, and not of its nodes (readings, 74).',
})

export const ofNodes: readonly Difference[] = [
  ...[20, 500, 3000].map((readLagMs) =>
    of(`standby-reads-${readLagMs}-ms-late`, `A standby node answers reads, ${readLagMs} ms behind the active node.`, {
      ...{ standbys: 'read', address: 'standby', readLagMs },
    }),
  ),
  of('standby-forwards', 'A standby node sends every request on to the active node.', {
    ...{ standbys: 'forward', address: 'standby' },
  }),
  of('standby-sends-clients-on', 'A standby node redirects to the active node, whose host is allowed.', {
    ...{ standbys: 'redirect', address: 'standby' },
  }),
  of('balancer-of-three', 'A load balancer gives each request to the next of three nodes, two of them 500 ms behind.', {
    ...{ standbys: 'read', address: 'balancer', readLagMs: 500 },
  }),
  of('balancer-that-hides-its-nodes', 'The same, and the load balancer answers health requests as the active node.', {
    ...{ standbys: 'read', address: 'balancer', readLagMs: 500, hidesNodes: true },
  }),
]
