import { type Reply, StepFailed } from '../vocabulary/index.ts'
import type { Timer } from '../wire/timer.ts'
import { TransportTrouble, whyStopped } from './interruptions.ts'

/** Between two questions. */
const shortestPauseMs = 5
/** Of all the time there is, so that near servers are asked more often than far ones. */
const longestPause = 0.01

interface Patience {
  readonly until: (reply: Reply) => boolean
  readonly seconds: number
  readonly timer: Timer
  readonly signal: AbortSignal | undefined
}

/** Asks until the reply is as it must be, or time is up: then the last reply is given. A target that cannot be reached
 * meanwhile is asked again; `StepFailed` where it could not be reached to the last. */
export async function pollUntil(
  { until, seconds, timer, signal }: Patience,
  asked: string,
  ask: () => Promise<{ readonly reply: Reply; forget(): void }>,
): Promise<Reply> {
  const deadline = timer.now() + seconds * 1000
  const longestPauseMs = Math.max(shortestPauseMs, seconds * 1000 * longestPause)
  for (let pause = shortestPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const isLast = timer.now() + pause > deadline
    try {
      const { reply, forget } = await ask()
      if (isLast || until(reply)) return reply
      forget()
    } catch (error) {
      if (!(error instanceof TransportTrouble)) throw error
      if (isLast) throw new StepFailed(`${asked} was asked again and again, and to the last: ${error.message}`)
    }
    await timer.wait(pause, signal)
    if (signal?.aborted) throw whyStopped(signal)
  }
}
