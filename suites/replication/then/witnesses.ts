/** Witnesses of what a refused request must leave unchanged, as far as a cluster shows it. */
import type { Scope, Unseen, Witness } from '../../../harness/vocabulary/index.ts'
import { replyLacks, requestOf, unseen } from '../../../harness/vocabulary/index.ts'
import type { Cluster, Replication } from '../kind.ts'
import { status } from '../roles.ts'
import { eventually } from '../timing.ts'
import { clusterIdIn, roleIn } from './status.ts'

/** The ids that clusters showed before a request, by cluster. */
const formerIds = new WeakMap<Scope, Map<string, string>>()

/** Shows the role and the cluster id, which the document names as fields of the status. A cluster that is getting ready
 * may show neither for a moment. The witness reads once; separate checks judge that a request has no later effect. */
export function roleStays(of: Replication, cluster: Cluster): Witness {
  const reading = status(of, cluster)
  return {
    kind: 'witness',
    words: `${cluster} shows its role and cluster id`,
    touches: [reading],
    steady: true,
    async look(scope, moment) {
      const former = formerIds.get(scope) ?? new Map<string, string>()
      formerIds.set(scope, former)
      const isExpected = moment === 'after' && former.has(cluster)
      const reply = await eventually(
        scope,
        reading,
        (seen) => roleIn(seen) !== undefined && !(isExpected && clusterIdIn(seen) === undefined),
      )
      const [role, id] = [roleIn(reply), clusterIdIn(reply)]
      if (role === undefined) throw replyLacks(reply, 'a mode', cluster)
      if (moment === 'before' && id !== undefined) former.set(cluster, id)
      return { ...requestOf(reply), state: { role, cluster_id: former.has(cluster) ? (id ?? null) : null } }
    },
  }
}

export const tokenUnseen: Unseen = unseen('an activation token shows only in the reply that gives it')
export const keyUnseen: Unseen = unseen('a key pair shows only in the reply that gives its public key')
