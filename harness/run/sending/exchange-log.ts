import type { AskedBeside } from '../../vocabulary/index.ts'
import { jsonOf } from '../../wire/reply.ts'
import { keepExchange, type RawExchange, type Sent } from '../recorded-exchange.ts'
import type { Session } from '../session.ts'

/** The exchanges of one check, in order. */
export class ExchangeLog {
  readonly exchanges: RawExchange[] = []
  readonly #session: Session
  #sent = 0

  constructor(session: Session) {
    this.#session = session
  }

  /** Counts the exchanges that prepared the ground of a check, so that its own have later numbers. */
  countOfGround(exchanges: readonly RawExchange[]): void {
    this.#sent = exchanges.length
  }

  /** Records an exchange, and returns its number; undefined if the run records nothing. */
  record(sent: Omit<Sent, 'number'>): number | undefined {
    const { redactor, kept, plan } = this.#session
    if (plan.record === 'none') return undefined
    const number = this.#sent++
    this.exchanges.push(keepExchange({ ...sent, number }, redactor, this.exchanges, kept))
    return number
  }

  /** Records a request that the suite sent by itself to something beside the target. */
  recordBeside(phase: RawExchange['phase'], asked: AskedBeside): number | undefined {
    const { words, method, url, body, status, text, sentAt, durationMs } = asked
    const attempts = [{ sentAt, durationMs, status, headers: {}, bytes: Buffer.from(text) }]
    const outcome = { url, headers: {}, attempts, reply: { json: jsonOf(text) } }
    const sent = { phase, words, method, as: 'nobody', to: 'provider', outcome }
    return this.record({ ...sent, ...(body === undefined ? {} : { body }) })
  }

  forgetFrom(index: number): void {
    this.#session.kept.giveBack(this.exchanges.splice(index))
  }
}
