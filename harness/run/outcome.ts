import {
  type Blocker,
  blockerOf,
  DoesNotApply,
  type FoundMismatch,
  StepFailed,
  type Verdict,
} from '../vocabulary/index.ts'
import { CircuitOpen, Interrupted, OfTheWay, ReplyTooLarge, TimeIsUp, TransportTrouble } from './interruptions.ts'

/** Judging one check comes to an outcome. */
export interface Outcome {
  readonly verdict: Verdict
  readonly blocker?: Blocker
  readonly mismatches?: readonly FoundMismatch[]
}

/** Tells whether an error says something about the target or the way to it; any other is a defect of the suite. */
export const isForeseen = (error: Error): boolean =>
  error instanceof StepFailed ||
  error instanceof DoesNotApply ||
  error instanceof TransportTrouble ||
  error instanceof Interrupted ||
  error instanceof TimeIsUp ||
  error instanceof CircuitOpen

const framesShown = 3

/** The whole message, since a cut could leave a part of a secret, and where it was thrown. */
function beginningOf(stack: string, message: string): string {
  const at = stack.indexOf(message)
  const frames = stack.slice(at < 0 ? 0 : at + message.length).split('\n')
  return `${stack.slice(0, Math.max(0, at))}${at < 0 ? '' : message}${frames.slice(0, framesShown + 1).join('\n')}`
}

const notVerified = (blocker: Blocker): Outcome => ({ verdict: 'not-verified', blocker })

/** Returns what an error makes of a check. A failing step is never a `fail`, and a broken suite never the target's
 * fault. */
export function blockedBy(error: unknown): Outcome {
  const says = error instanceof Error ? error.message : String(error)
  const exchange = exchangeOf(error)
  if (error instanceof Interrupted) return notVerified(blockerOf('interrupted', {}))
  if (error instanceof TimeIsUp) return notVerified(blockerOf('time-over', { seconds: error.seconds }))
  if (error instanceof CircuitOpen) return notVerified(blockerOf('target-failing', { says }))
  if (error instanceof ReplyTooLarge) return notVerified(blockerOf('reply-too-large', troubleOf(error), exchange))
  if (error instanceof OfTheWay) return notVerified(blockerOf('in-the-way', wayOf(error), exchange))
  if (error instanceof TransportTrouble)
    return { verdict: 'error', blocker: blockerOf('no-reply', troubleOf(error), exchange) }
  if (error instanceof DoesNotApply) return { verdict: 'not-applicable', blocker: blockerOf('left-open', { says }) }
  if (error instanceof StepFailed) return notVerified(stepBlocker(error, exchange))
  const stack = error instanceof Error ? (error.stack ?? says) : says
  return { verdict: 'error', blocker: blockerOf('defect', { says: beginningOf(stack, says) }) }
}

const troubleOf = ({ asked, trouble }: TransportTrouble) => ({ asked, trouble })
const wayOf = ({ asked, status, attempts }: OfTheWay) => ({ asked, status, attempts })

/** The request that went wrong. */
function exchangeOf(error: unknown): number | undefined {
  if (error instanceof StepFailed) return error.reply?.exchange
  return error instanceof TransportTrouble ? error.exchange : undefined
}

/** A denial is a matter of permission, whatever the step was about. */
function stepBlocker({ code, facts, reply }: StepFailed, exchange: number | undefined): Blocker {
  if (code !== 'step-denied' && reply && (reply.status === 401 || reply.status === 403))
    return blockerOf('step-denied', { asked: reply.asked, answer: String(reply.status) }, exchange)
  return blockerOf(code, facts as never, exchange)
}
