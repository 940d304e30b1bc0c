/** A clock that is moved on, with short waits only: what the server does by itself takes real time. */
import type { Timer } from '../wire/timer.ts'

const longestRealMs = 20

export function jumpingTimer(): Timer {
  let aheadMs = 0
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
          Math.min(ms, longestRealMs),
        ),
      )
    },
  }
}
