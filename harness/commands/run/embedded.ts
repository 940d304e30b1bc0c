/** Starts the reference server for a run without a target. */
import { availableParallelism } from 'node:os'
import { mainCluster } from '../../run/clusters.ts'
import { leftOver, nothingIntended, rememberNames } from '../../safety/inventory.ts'
import { type ReferenceOptions, referenceTarget, startReference } from '../../targets/mock.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import type { OpenedTarget, OwnTarget } from '../../vitest/worker-plan.ts'
import { untilGone } from '../../wire/ask.ts'
import { provided } from './provider-stub.ts'

/** Plain data, because it is passed to the thread of the checks. */
export interface EmbeddedOrder {
  readonly reference: ReferenceOptions
  readonly limits: Partial<Pick<ResolvedTarget, 'timeoutMs' | 'maxRps'>>
  /** True if checks need a cloud provider. */
  readonly needsProvider: boolean
}

/** A request within one thread takes a fifth less of the processor than one between two. Below this number, the checks
 * finish before another server has started. */
const fewChecks = 400
/** Checks of clusters send one request after the other, and are twice as fast within one thread. */
const fewChecksOfClusters = 20

/** Each further worker loads and compiles everything once more. PKI has a third of all requests, so that more workers
 * would wait for its one. */
const workersFor = (checks: number): number =>
  Math.max(1, Math.min(3, 1 + Math.floor(availableParallelism() / 2), Math.floor(checks / fewChecks)))

/** Returns what the threads of the checks need to start servers of their own; undefined if the one thread judges the
 * server of this process. */
export function ownTargetOf(order: EmbeddedOrder, checks: number): OwnTarget | undefined {
  const { clusters = 1 } = order.reference
  const few = clusters > 1 ? fewChecksOfClusters : fewChecks
  return checks < few ? undefined : { module: import.meta.url, order, workers: workersFor(checks) }
}

/** Starts a server; the caller has to close it. */
export async function openTarget({ reference, limits, needsProvider }: EmbeddedOrder): Promise<OpenedTarget> {
  const server = await startReference({ ...reference, testKeys: true })
  const plain = { ...referenceTarget(server), ...limits }
  const { target, close } = needsProvider ? await provided(plain) : { target: plain, close: async () => {} }
  return {
    target,
    settle: server.settle,
    async watch({ ask, dialect, plan: { runId } }) {
      const asking = untilGone(ask(mainCluster))
      const before = await rememberNames(asking, dialect)
      return async () => {
        const left = await leftOver(before, { runId, ask: asking, dialect, intended: nothingIntended })
        return left.map(({ words }) => words)
      }
    },
    async close() {
      await close()
      await server.close()
    },
  }
}
