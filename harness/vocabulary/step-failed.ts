/** Errors of steps that fail. Each has a code of `reasons.ts`; none has words of its own. */
import type { Flaw, Mismatch } from './check.ts'
import { type AskedRequest, type Reply, requestOf } from './exchange.ts'
import type { FoundOtherwise, ObstacleCode, ObstacleFacts } from './obstacles.ts'
import { obstacles } from './reasons.ts'
import { isDenied, isNotReady, isOfTheWay, isRefusal, notSuccess, statusSeen } from './reply.ts'

/** The request that went wrong. */
type WrongRequest = AskedRequest & Pick<Partial<Reply>, 'status'>

/** Makes the check `not-verified`, never `fail`. */
export class StepFailed<Code extends ObstacleCode = ObstacleCode> extends Error {
  override readonly name = 'StepFailed'
  readonly code: ObstacleCode
  readonly facts: object
  readonly reply: WrongRequest | undefined
  /** The requirement that the failure contradicts, if it is known that the target had to serve the step. */
  readonly contradicts: Flaw | undefined
  constructor(code: Code, facts: ObstacleFacts[Code], reply?: WrongRequest, contradicts?: Flaw) {
    super(obstacles[code].says(facts))
    this.code = code
    this.facts = facts
    this.reply = reply
    this.contradicts = contradicts
  }
}

/** A request that had to succeed was not served. A reply of the way shows nothing about the request, so it has a code
 * of its own. */
export const stepRefused = (reply: Reply, cluster?: string): StepFailed => {
  const { asked, status } = reply
  if (isOfTheWay(reply)) return new StepFailed('in-the-way', { asked, status, attempts: 1 }, reply)
  return new StepFailed('step-refused', { asked, answer: statusSeen(reply), ...on(cluster) }, reply)
}

/** A documented step was refused although the condition of its requirement has been read as met: that contradicts the
 * requirement (readings, 73). A denial, or the reply of a cluster that is not ready, does not. */
export const stepContradicts = (reply: Reply, requirement: string, cluster?: string): StepFailed => {
  if (!isRefusal(reply) || isDenied(reply) || isNotReady(reply) || reply.isRepeated) return stepRefused(reply, cluster)
  const facts = { asked: reply.asked, answer: statusSeen(reply), ...on(cluster) }
  return new StepFailed('step-refused', facts, reply, { ...notSuccess(reply), requirement })
}

/** The same for a read that has to be served to everybody. */
export const readContradicts = (reply: Reply, requirement: string): StepFailed =>
  new StepFailed('unreadable', { asked: reply.asked, answer: statusSeen(reply) }, requestOf(reply), {
    ...notSuccess(reply),
    requirement,
  })

/** The reply does not show what the check needs; `what` is a noun with its article. */
export const replyLacks = (reply: Reply, what: string, cluster?: string, contradicts?: Flaw): StepFailed =>
  new StepFailed(
    'not-shown',
    { asked: reply.asked, answer: statusSeen(reply), what, ...on(cluster) },
    reply,
    contradicts,
  )

export const unreadable = (reply: Reply): StepFailed =>
  new StepFailed('unreadable', { asked: reply.asked, answer: statusSeen(reply) }, reply)

/** Something did not happen before the timeout; `what` completes "waited for …". */
export const notInTime = (what: string, reply: Reply, saw: string, contradicts?: Flaw): StepFailed =>
  new StepFailed('not-in-time', { what, saw }, reply, contradicts)

/** Before anything is judged, the target's state differs from what the check builds on. */
export const notAsPrepared = (found: FoundOtherwise, reply?: Reply): StepFailed =>
  new StepFailed('not-as-prepared', factsOf(found), reply)

/** The target's state differs from what the check builds on, and the check at `address` decides that state. */
export const restsOn = (found: FoundOtherwise, address: string, reply: Reply): StepFailed =>
  new StepFailed('rests-on', { ...factsOf(found), check: address }, reply)

const factsOf = ({ asked, at, wanted, saw }: FoundOtherwise | Mismatch): FoundOtherwise => ({ asked, at, wanted, saw })
const on = (cluster: string | undefined) => (cluster === undefined ? {} : { cluster })
