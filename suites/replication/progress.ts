/** Reads the values by which two clusters show how far replication has come. A DR secondary shows nothing else. */
import { fieldOf, notInTime, type Reply, type Scope } from '../../harness/vocabulary/index.ts'
import type { Cluster, Replication } from './kind.ts'
import { askWhenReady } from './readiness.ts'
import { status } from './roles.ts'
import { hasCaughtUp, isSettled, progressNumbersIn, walIn } from './then/status.ts'
import { eventually } from './timing.ts'

export interface Way {
  readonly from: Cluster
  readonly to: Cluster
}

/** On a primary with other writers the numbers keep rising, so they are read again at most this often. */
const rounds = 4

/** Waits until a secondary shows that it has everything that its primary shows. */
export async function hasAll(
  scope: Scope,
  of: Replication,
  { from, to }: Way,
  seconds = scope.patience,
): Promise<Reply | undefined> {
  for (let round = 0; round < rounds; round += 1) {
    const primary = await askWhenReady(scope, status(of, from))
    const isMet = (seen: Reply) => isSettled(seen) && hasCaughtUp(seen, primary) === true
    const reply = await eventually(scope, status(of, to), isMet, seconds / rounds)
    if (isMet(reply)) return reply
  }
  return undefined
}

const shownBy = (reply: Reply): string =>
  `${walIn(reply) ?? progressNumbersIn(reply).join(' ')} ${fieldOf(reply, 'merkle_root')}`

export const progressOf = async (scope: Scope, of: Replication, cluster: Cluster): Promise<string> =>
  shownBy(await askWhenReady(scope, status(of, cluster)))

/** Waits until the status of a primary shows a write. Before that, no secondary can be said to have the write. */
export async function assertMoved(scope: Scope, of: Replication, cluster: Cluster, before: string): Promise<void> {
  const reply = await eventually(scope, status(of, cluster), (seen) => shownBy(seen) !== before)
  if (shownBy(reply) === before) throw notInTime(`the status of ${cluster} to show what was written`, reply, before)
}
