import { setMaxListeners } from 'node:events'
import { Interrupted, TimeIsUp } from '../way/interruptions.ts'
import { realTimer, type Timer } from '../wire/timer.ts'

export interface TimeLimit {
  /** Aborted by an interrupt or when the time is over; its reason says which. */
  readonly signal: AbortSignal
  close(): void
}

/** Limits a run to a number of seconds. The clean-up afterwards has its own bounds. */
export function limitTime(seconds: number, interrupt: AbortSignal, timer: Timer = realTimer): TimeLimit {
  const [ended, closed] = [new AbortController(), new AbortController()]
  setMaxListeners(0, ended.signal)
  const onInterrupt = () => ended.abort(new Interrupted())
  if (interrupt.aborted) onInterrupt()
  interrupt.addEventListener('abort', onInterrupt)
  const timeIsOver = async () => {
    await timer.wait(seconds * 1000, closed.signal)
    if (!closed.signal.aborted) ended.abort(new TimeIsUp(seconds))
  }
  void timeIsOver()
  return {
    signal: ended.signal,
    close() {
      interrupt.removeEventListener('abort', onInterrupt)
      closed.abort()
    },
  }
}
