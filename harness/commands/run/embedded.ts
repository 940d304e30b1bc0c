/** Starts the reference server for a run without a target. If the checks run in several threads, each thread has its
 * own server. */
import { availableParallelism } from 'node:os'
import { mainCluster } from '../../run/clusters.ts'
import { leftOver, nothingIntended, rememberNames } from '../../safety/inventory.ts'
import { type ReferenceOptions, referenceTarget, startReference } from '../../targets/mock.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import type { OpenedTarget, OwnTarget } from '../../vitest/worker-plan.ts'
import { untilGone } from '../../wire/ask.ts'
import { provided } from './provider-stub.ts'

/** Plain data, because it is passed to the threads. */
export interface EmbeddedOrder {
  readonly reference: ReferenceOptions
  readonly limits: Partial<Pick<ResolvedTarget, 'timeoutMs' | 'maxRps'>>
  /** True if checks need a cloud provider. */
  readonly needsProvider: boolean
}

/** With more threads, the cost in memory outweighs the time saved. */
const mostThreads = 2
/** Below this number, the checks finish before a second thread has loaded what it needs. */
const fewChecks = 400
/** Checks of clusters send one request after the other, and are twice as fast if the server is in their own thread.
 * Below this number, they finish before more clusters have started. */
const fewChecksOfClusters = 20

/** Returns what each thread needs to start its own server; undefined if one thread is enough, which then judges the
 * server of this process. */
export function ownTargetOf(order: EmbeddedOrder, checks: number): OwnTarget | undefined {
  const workers = checks < fewChecks ? 1 : Math.min(mostThreads, availableParallelism())
  const { clusters = 1 } = order.reference
  const hasOwnServer = clusters > 1 && checks >= fewChecksOfClusters
  return workers > 1 || hasOwnServer ? { module: import.meta.url, order, workers } : undefined
}

/** Starts a server; the caller has to close it. */
export async function openTarget({ reference, limits, needsProvider }: EmbeddedOrder): Promise<OpenedTarget> {
  const server = await startReference({ ...reference, testKeys: true })
  const plain = { ...referenceTarget(server), ...limits }
  const { target, close } = needsProvider ? await provided(plain) : { target: plain, close: async () => {} }
  return {
    target,
    async watch({ ask, dialect, plan: { runId } }) {
      const asking = untilGone(ask(mainCluster))
      const before = await rememberNames(asking, dialect)
      return () => leftOver(before, { runId, ask: asking, dialect, intended: nothingIntended })
    },
    async close() {
      await close()
      await server.close()
    },
  }
}
