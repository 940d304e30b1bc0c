/** The reference server of a run that names no target. Its checks run in several threads, and each has one of its own. */
import { availableParallelism } from 'node:os'
import { mainCluster } from '../../run/clusters.ts'
import { leftOver, nothingIntended, rememberNames } from '../../safety/inventory.ts'
import { type ReferenceOptions, referenceTarget, startReference } from '../../targets/mock.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import type { OpenedTarget, OwnTarget } from '../../vitest/worker-plan.ts'
import { untilGone } from '../../wire/ask.ts'
import { provided } from './provider-stub.ts'

/** Plain data: it crosses into the threads. */
export interface EmbeddedOrder {
  readonly reference: ReferenceOptions
  readonly limits: Partial<Pick<ResolvedTarget, 'timeoutMs' | 'maxRps'>>
  /** Checks need a cloud provider beside it. */
  readonly needsProvider: boolean
}

/** More threads would hold more memory than they save time. */
const mostThreads = 2
/** Fewer checks are done before a second thread has loaded what it needs. */
const fewChecks = 400
/** Checks of clusters send one request after the other, and a thread that asks itself is answered in half the time. Fewer
 * of them are done before more clusters have started. */
const fewChecksOfClusters = 20

/** What each thread is told, so that it opens one for itself; undefined where one thread is enough, which judges the
 * server of the process. */
export function ownTargetOf(order: EmbeddedOrder, checks: number): OwnTarget | undefined {
  const workers = checks < fewChecks ? 1 : Math.min(mostThreads, availableParallelism())
  const { clusters = 1 } = order.reference
  const asksItself = clusters > 1 && checks >= fewChecksOfClusters
  return workers > 1 || asksItself ? { module: import.meta.url, order, workers } : undefined
}

/** Whoever opens it closes it. */
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
