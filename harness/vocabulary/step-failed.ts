/** Errors of steps that fail. Each has a code of `reasons.ts`; none has words of its own. */
import type { Mismatch } from './check.ts'
import type { AskedRequest, Reply } from './exchange.ts'
import type { FoundOtherwise, ObstacleCode, ObstacleFacts } from './obstacles.ts'
import { obstacles } from './reasons.ts'
import { isOfTheWay, statusSeen } from './reply.ts'

/** The request that went wrong. */
type WrongRequest = AskedRequest & Pick<Partial<Reply>, 'status'>

/** Makes the check `not-verified`, never `fail`. */
export class StepFailed<Code extends ObstacleCode = ObstacleCode> extends Error {
  override readonly name = 'StepFailed'
  readonly code: ObstacleCode
  readonly facts: object
  readonly reply: WrongRequest | undefined
  constructor(code: Code, facts: ObstacleFacts[Code], reply?: WrongRequest) {
    super(obstacles[code].says(facts))
    this.code = code
    this.facts = facts
    this.reply = reply
  }
}

/** A request that had to succeed was not served. A reply of the way shows nothing about the request, so it has a code
 * of its own. */
export const stepRefused = (reply: Reply, cluster?: string): StepFailed => {
  const { asked, status } = reply
  if (isOfTheWay(reply)) return new StepFailed('in-the-way', { asked, status, attempts: 1 }, reply)
  return new StepFailed('step-refused', { asked, answer: statusSeen(reply), ...on(cluster) }, reply)
}

/** The reply does not show what the check needs; `what` is a noun with its article. */
export const replyLacks = (reply: Reply, what: string, cluster?: string): StepFailed =>
  new StepFailed('not-shown', { asked: reply.asked, answer: statusSeen(reply), what, ...on(cluster) }, reply)

export const unreadable = (reply: Reply): StepFailed =>
  new StepFailed('unreadable', { asked: reply.asked, answer: statusSeen(reply) }, reply)

/** Something did not happen before the timeout; `what` completes "waited for …". */
export const notInTime = (what: string, reply: Reply, saw: string): StepFailed =>
  new StepFailed('not-in-time', { what, saw }, reply)

/** Before anything is judged, the target's state differs from what the check builds on. */
export const notAsPrepared = (found: FoundOtherwise, reply?: Reply): StepFailed =>
  new StepFailed('not-as-prepared', factsOf(found), reply)

/** The target's state differs from what the check builds on, and the check at `address` decides that state. */
export const restsOn = (found: FoundOtherwise, address: string, reply: Reply): StepFailed =>
  new StepFailed('rests-on', { ...factsOf(found), check: address }, reply)

const factsOf = ({ asked, at, wanted, saw }: FoundOtherwise | Mismatch): FoundOtherwise => ({ asked, at, wanted, saw })
const on = (cluster: string | undefined) => (cluster === undefined ? {} : { cluster })
