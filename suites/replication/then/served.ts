/** This module holds a cluster that has just got a role to serving its status. */
import {
  type Exchange,
  type Expectation,
  isDenied,
  isRefusal,
  isSuccess,
  notSuccess,
  type Reply,
  type Scope,
} from '../../../harness/vocabulary/index.ts'
import { type Cluster, dr, type Replication } from '../kind.ts'
import { attemptRead } from '../operation-token.ts'
import { isRefused } from '../readiness.ts'
import { status } from '../roles.ts'
import { eventually } from '../timing.ts'

/** So many refused reads between other requests are no accident, even of two nodes that are asked in turn. */
const readsOfEach = [3, 3]

const isDown = (seen: Reply): boolean => isRefusal(seen) && !isDenied(seen)

/** Returns the last reply if all reads are refused. */
async function refusedReading(scope: Scope, reading: Exchange, reads: number): Promise<Reply | undefined> {
  let last: Reply | undefined
  for (let count = 0; count < reads; count += 1) {
    last = await scope.send(reading)
    if (!isDown(last)) return undefined
  }
  return last
}

/** Expects that a cluster which serves other requests serves its status as well. A cluster that is changing its role may
 * serve nothing, so a refused read counts only between two requests that are served. */
export const isServedMeanwhile = (of: Replication, cluster: Cluster): Expectation => {
  const reading = status(of, cluster)
  const other = of.kind === 'dr' ? attemptRead(cluster) : status(dr, cluster)
  return {
    words: `the status of ${cluster} is served while other requests are`,
    touches: [other, reading],
    async judge({ reply, scope }) {
      if (isRefused(reply) || !isSuccess(await eventually(scope, other, isSuccess, 'late'))) return undefined
      let refused: Reply | undefined
      for (const reads of readsOfEach) {
        refused = await refusedReading(scope, reading, reads)
        if (!refused || !isSuccess(await scope.send(other))) return undefined
      }
      return refused && notSuccess(refused)
    },
  }
}
