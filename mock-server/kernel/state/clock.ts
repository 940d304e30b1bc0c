import type { Clock } from '../contracts.ts'
import { Timers } from './timers.ts'

/** A clock that follows real time and can be moved forward. */
export interface VirtualClock extends Clock {
  /** By how many milliseconds the clock is ahead of real time. */
  readonly ahead: number
  /** Removes every timer, and sets how far the clock is ahead of real time. */
  reset(ahead?: number): void
}

/** The longest wait that `setTimeout` accepts, in milliseconds. */
const longestWait = 2 ** 31 - 1

/** `real` returns real time in milliseconds. Timers do not keep the process alive. */
export function createClock(real: () => number = Date.now): VirtualClock {
  const timers = new Timers()
  let ahead = 0
  let alarm: NodeJS.Timeout | undefined
  let alarmAt = Number.POSITIVE_INFINITY

  const now = (): number => real() + ahead

  function setAlarm(at: number): void {
    if (at >= alarmAt) return
    clearTimeout(alarm)
    alarmAt = at
    alarm = setTimeout(ring, Math.min(Math.max(at - now(), 1), longestWait)).unref()
  }

  function silence(): void {
    clearTimeout(alarm)
    alarmAt = Number.POSITIVE_INFINITY
  }

  const ring = (): Promise<void> => runUntil(now())

  /** Moves the clock to `until`, and runs the timers that are due by then. Each sees its own time on the clock. */
  async function runUntil(until: number): Promise<void> {
    silence()
    for (let timer = timers.takeUntil(until); timer; timer = timers.takeUntil(until)) {
      ahead = Math.max(ahead, timer.at - real())
      await timer.due()
    }
    ahead = Math.max(ahead, until - real())
    // The alarm was set by where the clock was before.
    silence()
    const waiting = timers.first()
    if (waiting) setAlarm(waiting.at)
  }

  return {
    now,
    get ahead() {
      return ahead
    },
    at(at, due) {
      const timer = timers.add(at, due)
      setAlarm(at)
      return () => timers.cancel(timer)
    },
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`a clock can only move forward; saw ${ms} ms`)
      await runUntil(now() + ms)
    },
    reset(to = 0) {
      timers.clear()
      silence()
      ahead = to
    },
  }
}
