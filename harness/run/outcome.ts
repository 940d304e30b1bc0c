import { SecretInUndo } from '../safety/journal.ts'
import {
  type Blocker,
  blockerOf,
  DoesNotApply,
  type FoundMismatch,
  isDenied,
  StepFailed,
  type Verdict,
} from '../vocabulary/index.ts'
import {
  CircuitOpen,
  FailedFast,
  GatewayAnswered,
  Interrupted,
  OfTheWay,
  ReplyTooLarge,
  TimeIsUp,
  TransportTrouble,
} from '../way/interruptions.ts'

/** What judging a check resulted in, before redaction. */
export interface Outcome {
  readonly verdict: Verdict
  readonly blocker?: Blocker
  readonly mismatches?: readonly FoundMismatch[]
  /** What was found about the requirements of the check, if other requirements are contradicted as well. */
  readonly own?: Outcome
}

const framesShown = 3

/** Returns the message and the first stack frames. The message is complete, because cutting it could leave a part of a
 * secret. */
function beginningOf(stack: string, message: string): string {
  const at = stack.indexOf(message)
  const frames = stack.slice(at < 0 ? 0 : at + message.length).split('\n')
  return `${stack.slice(0, Math.max(0, at))}${at < 0 ? '' : message}${frames.slice(0, framesShown + 1).join('\n')}`
}

const notVerified = (blocker: Blocker): Outcome => ({ verdict: 'not-verified', blocker })

const withoutFacts = [
  [Interrupted, 'interrupted'],
  [FailedFast, 'failed-fast'],
  [SecretInUndo, 'secret-as-id'],
] as const

/** Returns the outcome of a check that ended in an error. A failing step is never a `fail`, and a defect of the suite
 * is never held against the target. */
export function blockedBy(error: unknown): Outcome {
  const { message: says, stack } = error instanceof Error ? error : { message: String(error) }
  const exchange = exchangeOf(error)
  const [, code] = withoutFacts.find(([kind]) => error instanceof kind) ?? []
  if (code) return notVerified(blockerOf(code, {}))
  if (error instanceof TimeIsUp) return notVerified(blockerOf('time-over', { seconds: error.seconds }))
  if (error instanceof CircuitOpen) return notVerified(blockerOf('target-failing', { says }))
  if (error instanceof ReplyTooLarge) return notVerified(blockerOf('reply-too-large', troubleOf(error), exchange))
  if (error instanceof OfTheWay) return notVerified(blockerOf('in-the-way', wayOf(error), exchange))
  if (error instanceof GatewayAnswered) return notVerified(blockerOf('gateway-answered', gatewayFacts(error), exchange))
  if (error instanceof TransportTrouble) return notVerified(blockerOf('no-reply', troubleOf(error), exchange))
  if (error instanceof DoesNotApply) return { verdict: 'not-applicable', blocker: blockerOf('left-open', { says }) }
  if (error instanceof StepFailed) return notVerified(stepBlocker(error, exchange))
  return { verdict: 'error', blocker: blockerOf('defect', { says: beginningOf(stack ?? says, says) }) }
}

/** Returns whether an error is about the target, the connection to it or the end of the run; any other error is a defect of
 * the suite. */
export const isForeseen = (error: unknown): boolean => blockedBy(error).verdict !== 'error'

const troubleOf = ({ asked, trouble }: TransportTrouble) => ({ asked, trouble })
const gatewayFacts = ({ asked, status, who }: GatewayAnswered) => ({ asked, status, who })
const wayOf = ({ asked, status, attempts }: OfTheWay) => ({ asked, status, attempts })

/** Returns the number of the exchange that went wrong. */
function exchangeOf(error: unknown): number | undefined {
  if (error instanceof StepFailed) return error.reply?.exchange
  return error instanceof TransportTrouble ? error.exchange : undefined
}

/** Returns the obstacle of a failed step. After 401 or 403 it is always a missing permission. */
function stepBlocker({ code, facts, reply }: StepFailed, exchange: number | undefined): Blocker {
  if (code !== 'step-denied' && reply?.status !== undefined && isDenied({ status: reply.status }))
    return blockerOf('step-denied', { asked: reply.asked, answer: String(reply.status) }, exchange)
  return blockerOf(code, facts as never, exchange)
}
