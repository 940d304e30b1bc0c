/** Errors that end a check early and are not a finding about the target. */
import type { AskedRequest, Reply } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'

/** No reply that can be judged arrived, even after all retries. */
export class TransportTrouble extends Error {
  override readonly name = 'TransportTrouble'
  readonly asked: string
  /** The number of the exchange that has no reply. */
  readonly exchange: number | undefined
  readonly trouble: string
  constructor({ asked, exchange }: AskedRequest, trouble = 'no reply') {
    super(`${asked}: ${trouble}`)
    this.asked = asked
    this.exchange = exchange
    this.trouble = trouble
  }
}

/** The last reply, after all retries, is a reply of the way: neither a success nor a refusal. */
export class OfTheWay extends TransportTrouble {
  readonly status: number
  readonly attempts: number
  constructor(reply: Reply, attempts = 1) {
    super(reply, `answered ${reply.status}`)
    this.status = reply.status
    this.attempts = attempts
  }
}

/** No server took the request, even after all retries. */
export class Unconnected extends TransportTrouble {}

/** The reply was not complete in time. */
export class Late extends TransportTrouble {}

/** Something in front of the target replied in its place. */
export class GatewayAnswered extends TransportTrouble {
  readonly status: number
  readonly who: string
  constructor(reply: Reply, who: string) {
    super(reply, `answered ${reply.status} by ${who}`)
    this.status = reply.status
    this.who = who
  }
}

/** Every attempt ended because the connection was cut after the request began to leave. */
export class ConnectionCut extends TransportTrouble {
  readonly cluster: string
  readonly attempts: number
  constructor(about: AskedRequest, cluster: string, attempts: number, trouble?: string) {
    super(about, trouble)
    this.cluster = cluster
    this.attempts = attempts
  }
}

/** Returns why an exchange has no reply, as the error that ends its check. */
export function troubleIn(
  { attempts, trouble, troubleKind }: WireOutcome,
  about: AskedRequest,
  cluster: string,
  signal: AbortSignal,
): Error {
  switch (troubleKind) {
    case 'cut':
      return whyStopped(signal)
    case 'too-large':
      return new ReplyTooLarge(about, trouble)
    case 'unsent':
    case 'not-taken':
      return new Unconnected(about, trouble)
    case 'late':
      return new Late(about, trouble)
    case 'broken':
      return new ConnectionCut(about, cluster, cutsIn(attempts), trouble)
    default:
      return new TransportTrouble(about, trouble)
  }
}

/** Counts the attempts whose connection was cut. */
const cutsIn = (attempts: readonly { readonly trouble?: { readonly kind: string } }[]): number =>
  attempts.filter(({ trouble }) => trouble?.kind === 'broken').length

/** The target sent more than this suite receives or parses, which its documents do not forbid. */
export class ReplyTooLarge extends TransportTrouble {}

/** The run was interrupted, for instance by Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor() {
    super('the run was interrupted')
  }
}

/** The run has reached its time limit. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp'
  readonly seconds: number
  constructor(seconds: number) {
    super(`the run had ${seconds} s, and they are over`)
    this.seconds = seconds
  }
}

/** A check failed, and the run was to end with the first failure. */
export class FailedFast extends Error {
  override readonly name = 'FailedFast'
  constructor() {
    super('a check failed, and --fail-fast ends the run')
  }
}

/** The cluster went away and stayed away, so nothing more is sent to it. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen'
}

/** Returns why an aborted signal ended the work. */
export const whyStopped = ({ reason }: AbortSignal): Interrupted | TimeIsUp | FailedFast =>
  isOwnEnd(reason) ? reason : new Interrupted()

/** Returns whether the run was interrupted, as opposed to having come to an end that its flags set. */
export const isInterrupted = (signal: AbortSignal): boolean => signal.aborted && !isOwnEnd(signal.reason)

const isOwnEnd = (reason: unknown): reason is TimeIsUp | FailedFast =>
  reason instanceof TimeIsUp || reason instanceof FailedFast
