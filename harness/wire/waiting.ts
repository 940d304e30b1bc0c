import type { Timer } from './timer.ts'

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
