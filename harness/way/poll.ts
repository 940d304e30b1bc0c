import { type Exchange, isOfTheWay, type Reply, StepFailed } from '../vocabulary/index.ts'
import { boundMs } from '../wire/bounds.ts'
import type { Timer } from '../wire/timer.ts'
import { GatewayAnswered, OfTheWay, TransportTrouble, whyStopped } from './interruptions.ts'

/** The first pause between two requests. */
const shortestPauseMs = 5
/** The longest pause, as a share of the timeout. */
const longestPause = 0.01
/** No target is asked more often than so for long. */
const leastOfLongestMs = 50
/** The same if the target settles during each pause: the pauses are longer and fewer, because nothing changes between
 * them. */
const longestSettling = 0.25
const shortestSettlingMs = 100

export type Until = (reply: Reply) => boolean | Promise<boolean>

export interface Patience {
  readonly until: Until
  readonly seconds: number
  /** How many seconds the target has to settle. */
  readonly patience: number
  readonly timer: Timer
  readonly signal: AbortSignal | undefined
}

/** Sends a request until the reply is as expected. When the time is up, it returns the last reply. A target that cannot
 * be reached, or for which a proxy answers (429, 502, 503, 504), has `patience` seconds to settle from the first such
 * reply in a row; after that, `StepFailed` or `OfTheWay` is thrown. */
export async function pollUntil(
  { until, seconds, patience, timer, signal }: Patience,
  asked: string,
  ask: Ask,
): Promise<Reply> {
  const end = timer.now() + seconds * 1000
  let settleDeadline: number | undefined
  const { growth, longest } = pausesFor(seconds, timer)
  for (let pause = shortestPauseMs; ; pause = Math.min(pause * growth, longest)) {
    const { reply, unsettled, forget } = await answerOf(asked, ask)
    const now = timer.now()
    settleDeadline = unsettled && (settleDeadline ?? Math.max(end, now + patience * 1000))
    const last = settleDeadline ?? end
    if (!unsettled && ((await until(reply)) || now >= last)) return reply
    if (unsettled && now >= last) throw unsettled
    forget()
    // The last request is sent when the time is up, and not before.
    await waited(Math.min(pause, Math.max(1, last - now)), timer, signal)
  }
}

const reads: ReadonlySet<string> = new Set(['GET', 'LIST', 'HEAD'])

/** The polls of one check. */
export class Polls {
  /** True once the check has polled for an effect. */
  isAny = false
  /** True once a poll was in vain for as long as the target may take, and nothing that may change anything was sent since:
   * what has not happened by then does not happen any more. */
  isInVain = false
  /** Called when the check waits for long. */
  onLong: (() => void) | undefined

  /** Tells that time is to pass. It `isLong` if it has to be waited for. */
  timePasses(isLong: boolean): void {
    this.begin()
    if (isLong) this.onLong?.()
  }

  /** Tells that something may change from now on. */
  begin(): void {
    this.isInVain = false
  }

  sent({ method, undo, orUndo }: Exchange): void {
    if (!reads.has(method) || undo || orUndo) this.begin()
  }

  async reply(patience: Patience, asked: string, ask: Ask): Promise<Reply> {
    this.isAny = true
    let isMet = false
    const started = patience.timer.now()
    const until: Until = async (reply) => {
      isMet = await patience.until(reply)
      if (!isMet && patience.timer.now() - started >= boundMs('longPoll')) this.onLong?.()
      return isMet
    }
    const seconds = this.isInVain ? 0 : patience.seconds
    const reply = await pollUntil({ ...patience, until, seconds }, asked, ask)
    this.isInVain ||= !isMet && seconds >= patience.patience
    return reply
  }
}

async function waited(ms: number, timer: Timer, signal: AbortSignal | undefined): Promise<void> {
  await timer.wait(ms, signal)
  if (signal?.aborted) throw whyStopped(signal)
}

function pausesFor(seconds: number, { settles }: Timer): { readonly growth: number; readonly longest: number } {
  const [share, least] = settles ? [longestSettling, shortestSettlingMs] : [longestPause, leastOfLongestMs]
  return { growth: settles ? 8 : 1.5, longest: Math.max(least, seconds * 1000 * share) }
}

type Ask = () => Promise<{ readonly reply: Reply; forget(): void }>
/** A reply of the target, or the error that says why there is none. */
type Answer = { forget(): void } & ({ reply: Reply; unsettled?: undefined } | { reply?: Reply; unsettled: Error })

async function answerOf(asked: string, ask: Ask): Promise<Answer> {
  try {
    const { reply, forget } = await ask()
    return isOfTheWay(reply) ? { reply, forget, unsettled: new OfTheWay(reply) } : { reply, forget }
  } catch (error) {
    if (!(error instanceof TransportTrouble) || error instanceof OfTheWay || error instanceof GatewayAnswered)
      throw error
    const unsettled = new StepFailed('poll-unanswered', { asked, trouble: error.trouble }, error)
    return { unsettled, forget() {} }
  }
}
