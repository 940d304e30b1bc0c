/** Time while clusters settle. Reference servers of one group let it pass by themselves: nobody waits for real time there. */
import type { ResolvedTarget } from '../targets/target.ts'
import type { WireOutcome } from '../wire/client.ts'
import type { Timer } from '../wire/timer.ts'
import { clustersOf } from './clusters.ts'

/** Lets so many milliseconds pass; false where the clusters cannot. */
export type Settle = (ms: number) => Promise<boolean>

/** A wait never takes longer than on the given timer. */
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

/** By the control listener, which only reference servers have. */
export function settleBy(control: Control, target: ResolvedTarget): Settle | undefined {
  if (target.control === undefined || clustersOf(target).length === 0) return undefined
  return async (ms) => {
    const { reply } = await control('POST', '/clock/settle', JSON.stringify({ seconds: ms / 1000 }))
    return reply !== undefined && reply.status < 300
  }
}
