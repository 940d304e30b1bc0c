/** A clock that is moved on instead of waiting. */
import type { Timer } from '../wire/timer.ts'

export function jumpingTimer(): Timer {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    wait: (ms) =>
      new Promise((resolve) => {
        aheadMs += Math.max(0, ms)
        setImmediate(resolve)
      }),
  }
}
