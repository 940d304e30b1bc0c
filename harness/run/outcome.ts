import {
  type Blocker,
  DoesNotApply,
  type FoundMismatch,
  RestsOn,
  StepFailed,
  type Verdict,
} from '../vocabulary/index.ts'
import { CircuitOpen, Interrupted, OfTheWay, ReplyTooLarge, TimeIsUp, TransportTrouble } from './interruptions.ts'

/** What judging one check came to. */
export interface Outcome {
  readonly verdict: Verdict
  readonly blocker?: Blocker
  readonly mismatches?: readonly FoundMismatch[]
}

/** The positive twin of a negative check did not succeed. */
export class ControlRefused extends StepFailed {}

const failingMend = 'see whether the target is up, and what stands in front of it, and run again'

const wayMend =
  'run again once what stands before the target lets requests through; a server that refuses with such a status cannot be judged by its refusals'

const tooLargeMend = 'see why the target sends so much; README lists the bounds on what is received'

export const permissionMend = 'give a token with the policy that `assay plan --policy` prints'

/** Whether an error says something about the target or the way to it; any other is a defect of the suite. */
export const isForeseen = (error: Error): boolean =>
  error instanceof StepFailed ||
  error instanceof DoesNotApply ||
  error instanceof TransportTrouble ||
  error instanceof Interrupted ||
  error instanceof TimeIsUp ||
  error instanceof CircuitOpen

const seeExchange = (status: number | undefined): string | undefined => {
  if (status === undefined) return undefined
  return `see the exchange: ${status < 400 ? 'its reply does not show what is to be judged' : 'the target refused a step that must work'}`
}

const framesShown = 3

/** The whole message, since a cut could leave a part of a secret, and where it was thrown. */
function beginningOf(stack: string, message: string): string {
  const at = stack.indexOf(message)
  const frames = stack.slice(at < 0 ? 0 : at + message.length).split('\n')
  return `${stack.slice(0, Math.max(0, at))}${at < 0 ? '' : message}${frames.slice(0, framesShown + 1).join('\n')}`
}

/** What an error makes of a check. A failing step is never a `fail`, and a broken suite never the target's fault. */
export function blockedBy(error: unknown): Outcome {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof Interrupted)
    return { verdict: 'not-verified', blocker: { kind: 'interrupted', reason, mend: 'run again' } }
  if (error instanceof TimeIsUp) {
    const mend = `give it more time with --max-duration, now ${error.seconds}, or fewer checks`
    return { verdict: 'not-verified', blocker: { kind: 'time', reason, mend } }
  }
  if (error instanceof CircuitOpen)
    return { verdict: 'not-verified', blocker: { kind: 'failing-target', reason, mend: failingMend } }
  if (error instanceof ReplyTooLarge)
    return { verdict: 'not-verified', blocker: { kind: 'reply-size', reason, mend: tooLargeMend } }
  if (error instanceof OfTheWay)
    return { verdict: 'not-verified', blocker: { kind: 'failing-target', reason, mend: wayMend } }
  if (error instanceof TransportTrouble) return { verdict: 'error', blocker: { kind: 'transport', reason } }
  if (error instanceof DoesNotApply) return { verdict: 'not-applicable', blocker: { kind: 'optional', reason } }
  if (error instanceof StepFailed) {
    const status = error.reply?.status
    if (status === 401 || status === 403)
      return { verdict: 'not-verified', blocker: { kind: 'permission', reason, mend: permissionMend } }
    const kind = error instanceof ControlRefused ? 'control' : error instanceof RestsOn ? 'rests-on' : 'given'
    const mend = error.mend ?? seeExchange(status)
    return { verdict: 'not-verified', blocker: { kind, reason, ...(mend ? { mend } : {}) } }
  }
  const stack = error instanceof Error ? (error.stack ?? reason) : reason
  return {
    verdict: 'error',
    blocker: {
      kind: 'suite',
      reason: beginningOf(stack, reason),
      mend: 'report this defect of the suite',
    },
  }
}
