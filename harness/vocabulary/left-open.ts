/** Why a check does not apply to a target. A request that failed does not show what a target lacks, so each error here
 * is made from the reply that shows it, and any other reply makes the check `not-verified`. */
import type { AskedRequest, Reply } from './exchange.ts'
import { isDenied, isRefusal, isSuccess, isUnserved } from './reply.ts'
import { StepFailed, stepRefused } from './step-failed.ts'

/** What shows that the target leaves out, or does in its own way, what the documents leave to it. `refused`: it did not
 * accept an option, which only counts if its token may send the request. */
export type Evidence = 'shown' | 'refused' | 'unserved' | 'made'

type Answer = AskedRequest & Pick<Reply, 'status'>

/** Thrown if the target lacks something that the documents leave to it: the check is `not-applicable`. Only the static
 * methods make it, from the evidence. */
export class DoesNotApply extends Error {
  override readonly name = 'DoesNotApply'
  readonly evidence: Evidence
  /** The reply that is the evidence. */
  readonly reply: Answer | undefined
  private constructor(evidence: Evidence, says: string, reply?: Answer) {
    super(says)
    this.evidence = evidence
    this.reply = reply
  }

  /** A successful reply shows it: an optional field is missing, or the target does something in its own way. */
  static shown(reply: Reply, says: string): DoesNotApply | StepFailed {
    return isSuccess(reply) ? new DoesNotApply('shown', says, reply) : stepRefused(reply)
  }

  /** The target did not accept a request that no document requires it to accept. A denial says nothing about that
   * (readings of the documents, 71). */
  static refused(reply: Reply, says: string): DoesNotApply | StepFailed {
    return isOwnRefusal(reply) ? new DoesNotApply('refused', says, reply) : stepRefused(reply)
  }

  /** The target does not serve a path or method that is in no document (readings, 56). */
  static unserved(reply: Reply, says: string): DoesNotApply | StepFailed {
    return isUnserved(reply) ? new DoesNotApply('unserved', says, reply) : stepRefused(reply)
  }

  /** Something that the target made shows it: a certificate, or a call to the provider. */
  static made(_thing: object, says: string): DoesNotApply {
    return new DoesNotApply('made', says)
  }

  /** A step of an operation shows it: its reply was a refusal, or a success without an optional value. Any other error
   * is returned as it is. */
  static ofStep(error: unknown, says: (failed: StepFailed) => string): unknown {
    if (!(error instanceof StepFailed)) return error
    const { code, reply } = error
    if (reply?.status === undefined) return error
    const answer = { ...reply, status: reply.status }
    if (code === 'step-refused' && isOwnRefusal(answer))
      return new DoesNotApply(isUnserved(answer) ? 'unserved' : 'refused', says(error), reply as Answer)
    if (code === 'not-shown' && isSuccess(answer)) return new DoesNotApply('shown', says(error), reply as Answer)
    return error
  }
}

const isOwnRefusal = (reply: Pick<Reply, 'status'>): boolean => isRefusal(reply) && !isDenied(reply)

/** Returns whether an error means that something cannot be seen on this target. */
export const isNothingSeen = (error: unknown): error is StepFailed | DoesNotApply =>
  error instanceof StepFailed || error instanceof DoesNotApply
