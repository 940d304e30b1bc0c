import { isOfTheWay, type Reply, StepFailed } from '../vocabulary/index.ts'
import type { Timer } from '../wire/timer.ts'
import { OfTheWay, TransportTrouble, whyStopped } from './interruptions.ts'

/** The first pause between two questions. */
const shortestPauseMs = 5
/** The longest pause is this share of the timeout, so that a short timeout still allows many questions. */
const longestPause = 0.01
/** The pauses are longer, and fewer, where the target settles during each of them. */
const longestSettling = 0.25

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
  ask: Ask,
): Promise<Reply> {
  const started = timer.now()
  let troubledSince: number | undefined
  const { growth, longest } = pausesFor(seconds, timer)
  for (let pause = shortestPauseMs; ; pause = Math.min(pause * growth, longest)) {
    const isOver = () => timer.now() + pause > started + seconds * 1000
    const answer = await answerOf(ask)
    if ('reply' in answer && !isOfTheWay(answer.reply)) {
      troubledSince = undefined
      if (isOver() || until(answer.reply)) return answer.reply
    } else {
      troubledSince ??= timer.now()
      if (isOver() && timer.now() + pause > troubledSince + patience * 1000) throw unsettled(asked, answer)
    }
    if ('reply' in answer) answer.forget()
    await timer.wait(pause, signal)
    if (signal?.aborted) throw whyStopped(signal)
  }
}

function pausesFor(seconds: number, { settles }: Timer): { readonly growth: number; readonly longest: number } {
  const longest = Math.max(shortestPauseMs, seconds * 1000 * (settles ? longestSettling : longestPause))
  return { growth: settles ? 4 : 1.5, longest }
}

type Ask = () => Promise<{ readonly reply: Reply; forget(): void }>
type Answer = Awaited<ReturnType<Ask>> | { readonly trouble: TransportTrouble }

async function answerOf(ask: Ask): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof TransportTrouble) || error instanceof OfTheWay) throw error
    return { trouble: error }
  }
}

const unsettled = (asked: string, answer: Answer): Error =>
  'reply' in answer
    ? new OfTheWay(answer.reply)
    : new StepFailed('poll-unanswered', { asked, trouble: answer.trouble.trouble }, answer.trouble)
