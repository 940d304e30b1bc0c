/** A timer whose clock jumps to the end of each wait, so that waits are short in real time. */
import type { Settle } from '../run/settling.ts'
import type { Timer } from '../wire/timer.ts'
import type { Opening } from './player.ts'

/** The longest real wait in milliseconds. It gives the server time for background work, unless the server can
 * settle. */
const longestRealMs = 20

export interface JumpingTimer extends Timer {
  /** Returns the same difference, but watched: after a request that it answers without the server, waits take no
   * real time, because the check cannot see the background work of the server. A server that can settle does it when
   * it is asked next. */
  watching(open: Opening): Opening
}

export function jumpingTimer(settle?: Settle): JumpingTimer {
  let aheadMs = 0
  let isServerAsked = true
  let owedMs = 0
  const letPass = async (ms: number): Promise<void> => {
    if (!isServerAsked) owedMs += ms
    if (isServerAsked && (await settle?.(ms))) return
    await new Promise((resolve) => setTimeout(resolve, isServerAsked ? Math.min(ms, longestRealMs) : 0))
  }
  return {
    ...(settle ? { settles: true } : {}),
    now: () => Date.now() + aheadMs,
    async wait(ms) {
      const startedAt = Date.now()
      await letPass(ms)
      aheadMs += Math.max(0, ms - (Date.now() - startedAt))
    },
    watching: (open) => (parts) => {
      const server = open(parts)
      return (sent, pass) => {
        isServerAsked = false
        return server(sent, async (changed) => {
          isServerAsked = true
          const ms = owedMs
          owedMs = 0
          if (ms > 0) await settle?.(ms)
          return pass(changed)
        })
      }
    },
  }
}
