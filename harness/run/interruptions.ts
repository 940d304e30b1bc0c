/** Ways for a check to end early that are no finding about the target. */
import type { AskedRequest, Reply } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'

/** No reply that could be judged came, after all retries. */
export class TransportTrouble extends Error {
  override readonly name = 'TransportTrouble'
  readonly asked: string
  /** The number of the exchange that had no reply. */
  readonly exchange: number | undefined
  readonly trouble: string
  constructor({ asked, exchange }: AskedRequest, trouble = 'no reply') {
    super(`${asked}: ${trouble}`)
    this.asked = asked
    this.exchange = exchange
    this.trouble = trouble
  }
}

/** The reply is one of the way, after all retries: neither a success nor a refusal. */
export class OfTheWay extends TransportTrouble {
  readonly status: number
  readonly attempts: number
  constructor(reply: Reply, attempts = 1) {
    super(reply, `answered ${reply.status}`)
    this.status = reply.status
    this.attempts = attempts
  }
}

/** The connection ended after the request had begun to leave, at every attempt. */
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
    case 'broken':
      return new ConnectionCut(about, cluster, cutsIn(attempts), trouble)
    default:
      return new TransportTrouble(about, trouble)
  }
}

/** Counts the attempts that ended in this way. */
const cutsIn = (attempts: readonly { readonly trouble?: { readonly kind: string } }[]): number =>
  attempts.filter(({ trouble }) => trouble?.kind === 'broken').length

/** The target sent more than is received or parsed: its own deed, and nothing that its documents forbid. */
export class ReplyTooLarge extends TransportTrouble {}

/** The run was told to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor() {
    super('the run was interrupted')
  }
}

/** The time that the run was given is over. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp'
  readonly seconds: number
  constructor(seconds: number) {
    super(`the run had ${seconds} s, and they are over`)
    this.seconds = seconds
  }
}

/** Nothing more is sent to a cluster that has failed too often. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen'
}

/** Returns why the work of a signal ended; the signal is aborted. */
export const whyStopped = ({ reason }: AbortSignal): Interrupted | TimeIsUp =>
  reason instanceof TimeIsUp ? reason : new Interrupted()

/** Tells whether somebody told the run to stop: when its time is over, it ends by itself. */
export const isInterrupted = (signal: AbortSignal): boolean => signal.aborted && !(signal.reason instanceof TimeIsUp)
