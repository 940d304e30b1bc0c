/** Finds out whether a cluster holds a value, whatever its role. A cluster that denies reads shows neither presence nor
 * absence. */
import type { Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { isOfTheWay, isSuccess, stepRefused, unreadable } from '../../harness/vocabulary/index.ts'
import { assertRole } from './given.ts'
import type { Cluster, Replication } from './kind.ts'
import { attemptCancel, attemptStart, operationToken } from './operation-token.ts'
import { askWhenReady, isRefused } from './readiness.ts'
import { promote, status } from './roles.ts'
import { isMarked } from './then/sentinels.ts'
import { roleIn } from './then/status.ts'
import { eventually, type Length } from './timing.ts'

/** Returns undefined if the reply shows neither presence nor absence: the cluster is not ready, or denies the read. */
export function isThere(scope: Scope, mount: string, reply: Reply): boolean | undefined {
  if (isMarked(scope, mount, reply)) return true
  return reply.status === 404 || isSuccess(reply) ? false : undefined
}

/** Reads until the value is present, or absent, as wanted. If a reply shows neither, the read is repeated. A cluster that
 * admits its callers, but goes on failing to read what it should hold, does not hold it. */
export async function readUntil(
  scope: Scope,
  mount: string,
  reading: Exchange,
  wanted: boolean,
  length: Length = 'effect',
): Promise<Reply> {
  const first = await eventually(scope, reading, (seen) => isThere(scope, mount, seen) === wanted, length)
  if (isThere(scope, mount, first) !== undefined) return first
  // A wipe removes the operator's token too.
  if (first.status === 401 || first.status === 403) await scope.admit(reading.cluster ?? 'main')
  const reply = await eventually(scope, reading, (seen) => isThere(scope, mount, seen) !== undefined)
  if (isThere(scope, mount, reply) !== undefined) return reply
  if (!wanted || reply.status < 500 || isOfTheWay(reply)) throw unreadable(reply)
  await scope.admit(reading.cluster ?? 'main')
  return reply
}

/** Gives the operator read access to a cluster. A DR secondary shows its data only after it is promoted. Returns
 * whether the promotion had to be forced, which may lose data. */
export async function openUp(scope: Scope, of: Replication, cluster: Cluster): Promise<{ readonly forced: boolean }> {
  let forced = false
  if (of.kind === 'dr' && roleIn(await askWhenReady(scope, status(of, cluster))) === 'secondary') {
    forced = !(await isPromoted(scope, of, cluster))
    if (forced) {
      await scope.perform(operationToken(cluster))
      const reply = await askWhenReady(scope, promote(of, cluster))
      if (isRefused(reply)) throw stepRefused(reply, cluster)
      await assertRole(scope, of, cluster, 'primary')
    }
  }
  await scope.admit(cluster)
  return { forced }
}

async function isPromoted(scope: Scope, of: Replication, cluster: Cluster): Promise<boolean> {
  await scope.perform(operationToken(cluster))
  if (isRefused(await askWhenReady(scope, promote(of, cluster, {})))) return false
  const isPrimary = (seen: Reply) => roleIn(seen) === 'primary'
  return isPrimary(await eventually(scope, status(of, cluster), isPrimary))
}

/** Returns the requests that a plan can name. The others use names that are created during the check, or no client
 * token. */
export const openingUp = (of: Replication, cluster: Cluster): readonly Exchange[] =>
  of.kind === 'performance' ? [] : [status(of, cluster), attemptStart(cluster), attemptCancel(cluster)]
