import { type Exchange, isOfTheWay, isSuccess, type Reply } from '../../vocabulary/index.ts'
import { mayBeForm } from '../../way/list-forms.ts'
import { listCaller } from '../../wire/ask.ts'
import type { WireOutcome } from '../../wire/client.ts'
import { sendListing } from '../../wire/list-method.ts'
import { isRedirect, mayRepeatAfter } from '../../wire/retries.ts'
import type { Timer } from '../../wire/timer.ts'
import { mainCluster } from '../clusters.ts'
import type { Session } from '../session.ts'
import type { ExchangeLog } from './exchange-log.ts'
import type { JudgedCheck, Request, RequestWriter } from './request-writer.ts'

/** An outcome with the number of its exchange, if it is recorded. */
export type NumberedOutcome = WireOutcome & { readonly number: number | undefined }

/** The pauses between two tries to send to a cluster that changes its role. */
const [shortestPauseMs, longestPauseMs] = [250, 2000]

const denied: ReadonlySet<number> = new Set([401, 403])

/** Returns whether the target has not acted on a request, or may act on it again. */
const isPutOff = ({ method }: Exchange, outcome: WireOutcome): boolean =>
  outcome.troubleKind === 'unsent' ||
  outcome.troubleKind === 'not-taken' ||
  (outcome.reply !== undefined && isOfTheWay(outcome.reply) && mayRepeatAfter(outcome.reply.status, method))

/** Adds to a reply the number of its exchange, and whether the request was sent more than once. */
function number(reply: Reply, { number: exchange, attempts }: NumberedOutcome): void {
  const asked = attempts.filter(({ status }) => !isRedirect(status))
  Object.assign(reply, { exchange }, asked.length > 1 ? { isRepeated: true } : {})
}

/** Sends the requests of one check and records them. */
export class Sender {
  readonly #session: Session
  readonly #check: JudgedCheck
  readonly #writer: RequestWriter
  readonly #log: ExchangeLog
  /** The timer of a check that has the clusters to itself. */
  readonly #settling: Timer | undefined

  constructor(session: Session, check: JudgedCheck, writer: RequestWriter, log: ExchangeLog, settling?: Timer) {
    this.#session = session
    this.#check = check
    this.#writer = writer
    this.#log = log
    this.#settling = settling
  }

  /** Sends a request until it reaches the server, and with lists in the form that the target takes. `spelling` says how it
   * is spelled, if not as it is written. */
  async sent(
    exchange: Exchange,
    request: Request,
    body: string | undefined,
    spelling?: string,
  ): Promise<NumberedOutcome> {
    const { phase } = this.#check
    const outcome = await this.#sentPatiently(exchange, () =>
      this.#sentInForm(exchange, body, (text) => this.sentOnce(exchange, request, phase, text, spelling)),
    )
    if (outcome.reply) number(outcome.reply, outcome)
    return outcome
  }

  /** Sends requests that no check judges. Returns those that were served, and whether others were denied. */
  async sendFirst(
    exchanges: readonly Exchange[],
  ): Promise<{ readonly served: readonly Exchange[]; readonly areDenied: boolean }> {
    const served: Exchange[] = []
    let areDenied = false
    for (const one of exchanges) {
      const body = this.#writer.body(one)
      const request = this.#writer.request(one, 'operator', body !== undefined)
      const words = 'for a neighbour, before the check'
      const { reply } = await this.sentOnce({ ...one, words }, request, 'given', body)
      if (reply && isSuccess(reply)) served.push(one)
      if (reply && denied.has(reply.status)) areDenied = true
    }
    return { served, areDenied }
  }

  async sentOnce(
    exchange: Exchange,
    request: Request,
    phase: JudgedCheck['phase'],
    body: string | undefined,
    spelling?: string,
  ): Promise<NumberedOutcome> {
    const { method, cluster = mainCluster } = exchange
    const otherwise = [
      ...(spelling === undefined ? [] : [`sent ${spelling}`]),
      ...(request.about.isOther ? ['sent with a token of the planned policy'] : []),
    ]
    const words = otherwise.length === 0 ? exchange.words : [exchange.words ?? [], otherwise].flat().join(', ')
    const sent = body === undefined ? {} : { body }
    const client = this.#session.client(cluster)
    const operator = request.about.as === 'operator'
    const outcome = await sendListing(client, { ...request, ...sent }, () =>
      listCaller(client, this.#session.dialect, { operator }, this.#session.operatorToken(cluster)),
    )
    const number = this.#log.record({
      phase,
      method: outcome.method ?? method,
      as: request.about.as,
      ...(cluster === mainCluster ? {} : { to: cluster }),
      outcome,
      ...(words === undefined ? {} : { words }),
      ...sent,
    })
    return { ...outcome, number }
  }

  /** Repeats a request that did not reach the server, for as long as a cluster may take to settle, because a cluster
   * serves nothing while it changes its role. A trigger is not repeated, because the state shows what became of it. */
  async #sentPatiently(exchange: Exchange, send: () => Promise<NumberedOutcome>): Promise<NumberedOutcome> {
    const timer = exchange.once || exchange.isTrigger ? undefined : this.#settling
    if (!timer) return send()
    const end = timer.now() + this.#check.patience * 1000
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const from = this.#log.exchanges.length
      const outcome = await send()
      if (!isPutOff(exchange, outcome) || timer.now() >= end) return outcome
      this.#log.forgetFrom(from)
      await timer.wait(pauseMs, this.#session.signal)
    }
  }

  /** Sends a body. If it is refused and the form of its lists may be the reason, sends them in the other form. */
  async #sentInForm(
    exchange: Exchange,
    body: string | undefined,
    send: (body: string | undefined) => Promise<NumberedOutcome>,
  ): Promise<NumberedOutcome> {
    const first = await send(body)
    if (body === undefined || exchange.rawBody !== undefined) return first
    const { lists } = this.#session
    const site = this.#writer.siteOf(exchange)
    if (first.reply && isSuccess(first.reply)) lists.taken(site, body)
    if (!mayBeForm(first.reply)) return first
    for (const rewritten of lists.others(site, body, this.#check.deciding)) {
      const outcome = await send(rewritten.body)
      if (!outcome.reply) break
      if (!isSuccess(outcome.reply)) continue
      if (this.#isMeantToSucceed) lists.taken(site, rewritten.body, rewritten.fields)
      return outcome
    }
    return first
  }

  /** False for a judged request that should be refused: that the target accepts it does not show which form of lists it
   * accepts. */
  get #isMeantToSucceed(): boolean {
    return this.#check.phase !== 'when' || this.#check.control === undefined
  }
}
