/** Time while clusters settle. Reference servers of one group let it pass by themselves: nobody waits for real time there. */
import type { ResolvedTarget } from '../targets/target.ts'
import type { WireOutcome } from '../wire/client.ts'
import type { Timer } from '../wire/timer.ts'
import { clustersOf } from './clusters.ts'

type Control = (method: string, path: string, body: string) => Promise<WireOutcome>

/** The same timer for every other target. A wait never takes longer than on the given timer. */
export function settlingTimer(timer: Timer, target: ResolvedTarget, control: Control): Timer {
  if (target.control === undefined || clustersOf(target).length === 0) return timer
  let aheadMs = 0
  return {
    now: () => timer.now() + aheadMs,
    async wait(ms, signal) {
      if (signal?.aborted) return
      const started = timer.now()
      const { reply } = await control('POST', '/clock/settle', JSON.stringify({ seconds: ms / 1000 }))
      const left = Math.max(0, ms - (timer.now() - started))
      if (reply && reply.status < 300) aheadMs += left
      else await timer.wait(left, signal)
    },
  }
}
