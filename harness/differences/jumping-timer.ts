/** A clock that is moved on, with short waits only. */
import type { Settle } from '../run/settling.ts'
import type { Timer } from '../wire/timer.ts'
import type { Opening } from './player.ts'

/** What a server does by itself takes real time, unless it can settle. */
const longestRealMs = 20

export interface JumpingTimer extends Timer {
  /** The same difference. While it answers without asking the server, waits take no real time: nobody can see what the
   * server does meanwhile. */
  watching(open: Opening): Opening
}

export function jumpingTimer(settle?: Settle): JumpingTimer {
  let aheadMs = 0
  let isServerAsked = true
  const letPass = async (ms: number): Promise<void> => {
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
        return server(sent, (changed) => {
          isServerAsked = true
          return pass(changed)
        })
      }
    },
  }
}
