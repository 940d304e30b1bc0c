/** Lets time pass while clusters settle. Reference servers advance their own clocks, so that no real time is waited
 * for. */
import type { ResolvedTarget } from '../targets/target.ts'
import type { WireOutcome } from '../wire/client.ts'
import type { Timer } from '../wire/timer.ts'
import { clustersOf } from './clusters.ts'

/** Lets time pass on the clusters. Resolves to false if they cannot do so. */
export type Settle = (ms: number) => Promise<boolean>

/** Returns a timer whose waits pass on the clusters if they can, and otherwise on the given timer. A wait never takes
 * longer than on the given timer. */
export function settlingTimer(timer: Timer, settle: Settle | undefined): Timer {
  if (!settle) return timer
  let aheadMs = 0
  return {
    settles: true,
    now: () => timer.now() + aheadMs,
    async wait(ms, signal) {
      if (signal?.aborted) return
      const started = timer.now()
      const isSettled = await settle(ms)
      const left = Math.max(0, ms - (timer.now() - started))
      if (isSettled) aheadMs += left
      else await timer.wait(left, signal)
    },
  }
}

type Control = (method: string, path: string, body: string) => Promise<WireOutcome>

/** Lets time pass through the control listener. Returns undefined if the target has no such listener or only one
 * cluster. */
export function settleBy(control: Control, target: ResolvedTarget): Settle | undefined {
  if (target.control === undefined || clustersOf(target).length === 0) return undefined
  return async (ms) => {
    const { reply } = await control('POST', '/clock/settle', JSON.stringify({ seconds: ms / 1000 }))
    return reply !== undefined && reply.status < 300
  }
}
