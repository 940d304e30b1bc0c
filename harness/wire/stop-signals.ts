/** A run ends early, by an interrupt or because its time is over, in three moments, one after the other. */
import { setMaxListeners } from 'node:events'
import { boundMs } from './bounds.ts'
import type { Timer } from './timer.ts'

export interface Stopping {
  /** No check and no exchange of a check starts any more, and no wait goes on. */
  readonly stop: AbortSignal
  /** Exchanges that were under way then are cut off. */
  readonly cut: AbortSignal
  /** What takes things back is cut off too; the journal keeps the rest. */
  readonly end: AbortSignal
  /** Ends the waiting for the moments that have not come. */
  close(): void
}

export interface Graces {
  /** From `stop` to `cut`, ms. */
  readonly graceMs: number
  /** From `stop` to `end`, ms. */
  readonly takeBackMs: number
}

export const gracesOfChecks: Graces = { graceMs: boundMs('grace'), takeBackMs: boundMs('checksTakeBack') }
export const gracesOfRun: Graces = { graceMs: boundMs('grace'), takeBackMs: boundMs('takeBack') }
/** The graces of a command that has nothing to take back after an interrupt. */
export const gracesOfOthers: Graces = { graceMs: boundMs('grace'), takeBackMs: 0 }

export function stoppingAfter(stop: AbortSignal, timer: Timer, { graceMs, takeBackMs }: Graces): Stopping {
  const [cut, end, closed] = [new AbortController(), new AbortController(), new AbortController()]
  // Every exchange under way listens, and there may be any number of them.
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

/** The signals of a run that nothing ends early. */
export function neverStopping(): Stopping {
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  return { stop: signal, cut: signal, end: signal, close: () => {} }
}
