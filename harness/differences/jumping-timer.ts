/** A clock that is moved on, with short waits only. */
import type { Timer } from '../wire/timer.ts'
import type { Opening } from './player.ts'

/** What the server does by itself takes real time. */
const longestRealMs = 20

export interface JumpingTimer extends Timer {
  /** The same difference. While it answers without asking the server, waits take no real time: nobody can see what the
   * server does meanwhile. */
  watching(open: Opening): Opening
}

export function jumpingTimer(): JumpingTimer {
  let aheadMs = 0
  let isServerAsked = true
  return {
    now: () => Date.now() + aheadMs,
    wait: (ms) => {
      const startedAt = Date.now()
      return new Promise((resolve) =>
        setTimeout(
          () => {
            aheadMs += Math.max(0, ms - (Date.now() - startedAt))
            resolve()
          },
          isServerAsked ? Math.min(ms, longestRealMs) : 0,
        ),
      )
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
