/** The three signals that follow each other when a run ends early, by an interrupt or because its time is over. */
import { setMaxListeners } from 'node:events'
import { boundMs } from './bounds.ts'
import type { Timer } from './timer.ts'

export interface Stopping {
  /** Once aborted, no check starts, no check sends anything more, and all waits end. */
  readonly stop: AbortSignal
  /** Once aborted, exchanges that were in progress at the stop are cut off. */
  readonly cut: AbortSignal
  /** Once aborted, undos are cut off too; the journal keeps what they have not taken back. */
  readonly end: AbortSignal
  /** Clears the timers of the signals that have not been aborted yet. */
  close(): void
}

export interface Graces {
  /** Milliseconds from `stop` to `cut`. */
  readonly graceMs: number
  /** Milliseconds from `stop` to `end`; never less than `graceMs`. */
  readonly takeBackMs: number
}

export const gracesOfChecks = (): Graces => ({ graceMs: boundMs('grace'), takeBackMs: boundMs('checksTakeBack') })
export const gracesOfRun = (): Graces => ({ graceMs: boundMs('grace'), takeBackMs: boundMs('takeBack') })
/** The graces of a command that has nothing to undo after an interrupt. */
export const gracesOfOthers = (): Graces => ({ graceMs: boundMs('grace'), takeBackMs: 0 })

export function stoppingAfter(stop: AbortSignal, timer: Timer, { graceMs, takeBackMs }: Graces): Stopping {
  const [cut, end, closed] = [new AbortController(), new AbortController(), new AbortController()]
  // Every exchange in progress adds a listener, and their number is not bounded.
  for (const signal of [stop, cut.signal, end.signal, closed.signal]) setMaxListeners(0, signal)
  const abortAfter = async (ms: number, controller: AbortController) => {
    await timer.wait(ms, closed.signal)
    if (!closed.signal.aborted) controller.abort(stop.reason)
  }
  const begin = () => {
    void abortAfter(graceMs, cut)
    void abortAfter(Math.max(graceMs, takeBackMs), end)
  }
  if (stop.aborted) begin()
  else stop.addEventListener('abort', begin, { once: true })
  return {
    stop,
    cut: cut.signal,
    end: end.signal,
    close() {
      stop.removeEventListener('abort', begin)
      closed.abort()
    },
  }
}

export function neverStopping(): Stopping {
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  return { stop: signal, cut: signal, end: signal, close: () => {} }
}
