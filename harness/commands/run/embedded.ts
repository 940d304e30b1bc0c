/** The reference server of a run that names no target. Its checks run in several threads, and each has one of its own. */
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

/** What each thread is told, so that it opens one for itself. */
export const ownTargetOf = (order: EmbeddedOrder): OwnTarget => ({ module: import.meta.url, order })

/** Whoever opens it closes it. */
export async function openTarget({ reference, limits, needsProvider }: EmbeddedOrder): Promise<OpenedTarget> {
  const server = await startReference(reference)
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
