/** The clock and the waits of the harness. Tests inject a timer that does not wait. */
export interface Timer {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** True if the target has finished everything in progress after each wait, so that a few long waits show as much as
   * many short ones. */
  readonly settles?: boolean
}

export const realTimer: Timer = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (ms <= 0 || signal?.aborted) return resolve()
      const timeout = setTimeout(finish, ms)
      function finish() {
        clearTimeout(timeout)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      signal?.addEventListener('abort', finish, { once: true })
    }),
}

interface PaceSignals {
  readonly stop: AbortSignal
  readonly end: AbortSignal
}

/** Returns a function that spaces requests so that at most `perSecond` start in any second; 0 means unlimited. The
 * function returns undefined if the caller may go on immediately, so that the unlimited case costs nothing. When the
 * run stops, all callers go on immediately and the queue is emptied, so that undos do not wait behind checks that no
 * longer send anything. */
export function createPace(
  perSecond: number,
  timer: Timer,
  { stop, end }: PaceSignals,
): () => Promise<void> | undefined {
  if (perSecond <= 0) return () => undefined
  const gap = 1000 / perSecond
  let free = 0
  let isStopped = false
  return () => {
    const now = timer.now()
    if (stop.aborted && !isStopped) {
      isStopped = true
      free = now
    }
    const start = Math.max(now, free)
    free = start + gap
    return start > now ? timer.wait(start - now, isStopped ? end : stop) : undefined
  }
}

/** Receives the exchange that is awaited, the seconds so far, and the seconds until its timeout. */
export type Waiting = (asked: string, seconds: number, longestSeconds: number) => void

const reportEveryMs = 1000

/** Calls `report` once a second until `work` is settled. */
export async function whileWaiting<T>(
  work: Promise<T>,
  asked: string,
  longestMs: number,
  timer: Timer,
  report: Waiting,
): Promise<T> {
  const done = new AbortController()
  const reporting = async () => {
    for (let seconds = 1; ; seconds++) {
      await timer.wait(reportEveryMs, done.signal)
      if (done.signal.aborted) return
      report(asked, seconds, longestMs / 1000)
    }
  }
  void reporting()
  try {
    return await work
  } finally {
    done.abort()
  }
}
