/** Time as the harness spends it; tests inject one that does not wait. */
export interface Timer {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** True where nothing is under way at the target after a wait: a few long waits show as much as many short ones. */
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

/** Spaces requests so that no more than `perSecond` start in any second; 0 is unlimited. Answers undefined where the
 * caller may go on at once, so that the unlimited case costs nothing. When a run stops, whoever waits goes on at once,
 * and the queue starts anew: what is taken back then must not stand behind checks that send nothing any more. */
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

/** What is waited for, for how long already, and for how long at most. */
export type Waiting = (asked: string, seconds: number, longestSeconds: number) => void

const tellEveryMs = 1000

/** Tells once a second that something is still waited for. */
export async function whileWaiting<T>(
  work: Promise<T>,
  asked: string,
  longestMs: number,
  timer: Timer,
  tell: Waiting,
): Promise<T> {
  const done = new AbortController()
  const telling = async () => {
    for (let seconds = 1; ; seconds++) {
      await timer.wait(tellEveryMs, done.signal)
      if (done.signal.aborted) return
      tell(asked, seconds, longestMs / 1000)
    }
  }
  void telling()
  try {
    return await work
  } finally {
    done.abort()
  }
}
