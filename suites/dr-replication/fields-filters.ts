import { post, refused, replyLacks, topic, unseen } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { replicating, replicationNames, roleCheck } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import { askWhenReady } from '../replication/readiness.ts'
import { status } from '../replication/roles.ts'
import { clusterIdIn } from '../replication/then/status.ts'

/** Provides `{secondaryId}`, the id by which a paths filter would be addressed. */
const secondaryId = action(
  '`secondaryId` is the cluster id of second',
  { touches: [status(dr, 'second')], provides: ['secondaryId'] },
  async (scope) => {
    const reply = await askWhenReady(scope, status(dr, 'second'))
    const id = clusterIdIn(reply)
    if (id === undefined) throw replyLacks(reply, 'a cluster_id', 'second')
    scope.save('secondaryId', id)
  },
)

export default topic('dr-replication/fields-filters', {
  about: 'DR replication has no paths filters; only performance replication has them.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [
    roleCheck('paths-filters-are-not-served', {
      requirement: dr.requirement('paths-filter.performance-only'),
      given: [...replicating(dr), secondaryId],
      when: post(`${dr.prefix}/primary/paths-filter/{secondaryId}`, { mode: 'deny', paths: ['{shared}/'] }),
      then: [refused(unseen('there is no endpoint that would show the filter'))],
      control: status(dr),
    }),
  ],
})
