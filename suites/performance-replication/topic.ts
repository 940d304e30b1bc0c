import type { SharedGround, Topic } from '../../harness/vocabulary/index.ts'
import { arrived } from '../replication/then/sentinels.ts'
import { topic as bare } from '../replication/topic.ts'
import { filter, twoMounts, twoPaths } from './filters.ts'

/** A secondary that is in touch with its primary, whose two mounts filters name. Each check removes its filter, after which
 * second has both mounts again. An auth mount that one check has removed could still be on second in the next. */
const filteredPair: SharedGround = {
  lock: 'clusters',
  givens: [twoMounts, twoPaths],
  needs: ['clusters', 'key-shares'],
  neighbours: 'before-each',
  leave:
    /^((GET|POST|DELETE) sys\/replication\/performance\/primary\/paths-filter\/\{(filterId|unknownId)\}|GET sys\/replication\/performance\/(primary|secondary)\/dynamic-filter\/\{filterId\}|GET \{\w+\}\/marker|(GET|POST) \{\w+\}\/\{use\}later|(POST|DELETE) sys\/mounts\/\{fresh\}|POST \{fresh\}\/marker)$/,
  restores: (['shared', 'other'] as const).map((mount) => ({
    after: /^(POST|DELETE) sys\/replication\/performance\/primary\/paths-filter\//,
    sends: arrived(mount, 'second'),
  })),
  frame: [filter],
}

/** Makes a topic whose checks share a pair of clusters with filters. */
export const topic = (id: string, body: Parameters<typeof bare>[1]): Topic =>
  bare(id, { ...body, grounds: [filteredPair] })
