import { isOfTheWay, type Reply, StepFailed } from '../vocabulary/index.ts'
import type { Timer } from '../wire/timer.ts'
import { OfTheWay, TransportTrouble, whyStopped } from './interruptions.ts'

/** Between two questions. */
const shortestPauseMs = 5
/** Of all the time there is, so that near servers are asked more often than far ones. */
const longestPause = 0.01

interface Patience {
  readonly until: (reply: Reply) => boolean
  readonly seconds: number
  /** How long the target is given to settle. */
  readonly patience: number
  readonly timer: Timer
  readonly signal: AbortSignal | undefined
}

/** Asks until the reply is as it must be, or time is up: then the last reply is given. A reply of the way is none: while
 * there is no other, the target is asked again for as long as it is given to settle. So is a target that cannot be reached;
 * `StepFailed` where it could not be reached to the last. */
export async function pollUntil(
  { until, seconds, patience, timer, signal }: Patience,
  asked: string,
  ask: () => Promise<{ readonly reply: Reply; forget(): void }>,
): Promise<Reply> {
  const started = timer.now()
  const longestPauseMs = Math.max(shortestPauseMs, seconds * 1000 * longestPause)
  for (let pause = shortestPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const isOver = (longest: number) => timer.now() + pause > started + longest * 1000
    try {
      const { reply, forget } = await ask()
      if (!isOfTheWay(reply)) {
        if (isOver(seconds) || until(reply)) return reply
      } else if (isOver(Math.max(seconds, patience))) throw new OfTheWay(reply)
      forget()
    } catch (error) {
      if (!(error instanceof TransportTrouble)) throw error
      if (isOver(Math.max(seconds, patience)))
        throw new StepFailed('poll-unanswered', { asked, trouble: error.trouble }, error)
    }
    await timer.wait(pause, signal)
    if (signal?.aborted) throw whyStopped(signal)
  }
}
