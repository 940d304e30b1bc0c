/** Differences that only a server itself can show: the reference server has a variation for each. */
import type { Difference } from '../../harness/vocabulary/index.ts'

export const ofServer: readonly Difference[] = [
  {
    id: 'set-id-in-status',
    says: 'The status of DR replication shows the id of the set as cluster id.',
    because: 'The field may be the id of the set, or that of the cluster (readings, 6).',
    areas: ['dr-replication'],
    variation: { drClusterId: 'set' },
  },
  {
    id: 'roles-change-late',
    says: 'A change of role takes effect after its reply, and the cluster serves nothing at first.',
    because: 'The documents do not say when a trigger takes effect.',
    areas: ['dr-replication', 'performance-replication'],
    variation: { roleChanges: 'late-and-unready' },
  },
]
