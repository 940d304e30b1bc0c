import { isOfTheWay, type Reply, StepFailed } from '../vocabulary/index.ts'
import type { Timer } from '../wire/timer.ts'
import { OfTheWay, TransportTrouble, whyStopped } from './interruptions.ts'

/** The first pause between two questions. */
const shortestPauseMs = 5
/** The longest pause is this share of the timeout, so that a short timeout still allows many questions. */
const longestPause = 0.01

interface Patience {
  readonly until: (reply: Reply) => boolean
  readonly seconds: number
  /** The target is given this long to settle. */
  readonly patience: number
  readonly timer: Timer
  readonly signal: AbortSignal | undefined
}

/** Asks until the reply is as it must be, or time is up: then the last reply is returned. A target that cannot be reached,
 * or for which something before it answers (429, 502, 503, 504), has `patience` to settle, counted from the first such
 * answer in a row; after that `StepFailed` or `OfTheWay` is thrown. */
export async function pollUntil(
  { until, seconds, patience, timer, signal }: Patience,
  asked: string,
  ask: () => Promise<{ readonly reply: Reply; forget(): void }>,
): Promise<Reply> {
  const started = timer.now()
  let troubledSince: number | undefined
  const longestPauseMs = Math.max(shortestPauseMs, seconds * 1000 * longestPause)
  for (let pause = shortestPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const isOver = () => timer.now() + pause > started + seconds * 1000
    const isUnsettled = () => {
      troubledSince ??= timer.now()
      return isOver() && timer.now() + pause > troubledSince + patience * 1000
    }
    try {
      const { reply, forget } = await ask()
      if (!isOfTheWay(reply)) {
        troubledSince = undefined
        if (isOver() || until(reply)) return reply
      } else if (isUnsettled()) throw new OfTheWay(reply)
      forget()
    } catch (error) {
      if (!(error instanceof TransportTrouble) || error instanceof OfTheWay) throw error
      if (isUnsettled()) throw new StepFailed('poll-unanswered', { asked, trouble: error.trouble }, error)
    }
    await timer.wait(pause, signal)
    if (signal?.aborted) throw whyStopped(signal)
  }
}
