import { askedBy, type Circumstance, type Exchange, type Neighbours } from '../../vocabulary/index.ts'
import { mainCluster } from '../clusters.ts'

interface Sending {
  /** True if the judged request should be refused. */
  readonly refuses: boolean
  readonly control: Exchange | undefined
}

/** Returns whether a request can be sent before with the same effect. */
const isRepeatable = ({ as = 'operator', undo, orUndo, once, isTrigger, isExact, rawBody }: Exchange): boolean =>
  as === 'operator' && !(undo || orUndo || once || isTrigger || isExact) && rawBody === undefined

type Send = (
  exchanges: readonly Exchange[],
) => Promise<{ readonly served: readonly Exchange[]; readonly areDenied: boolean }>

/** The requests for other objects that come before some requests of one check. Each is sent once. */
export class NeighboursFirst {
  /** True if they were denied in part, so that they may have left something behind. */
  areDenied = false
  /** True if some were sent. */
  haveCome = false
  readonly #send: Send
  #waiting: readonly Neighbours[]
  #hasUsedMount = false

  constructor(circumstances: readonly Circumstance[], send: Send) {
    this.#waiting = circumstances.flatMap((one) => (one.id === 'neighbours' ? one.neighbours : []))
    this.#send = send
  }

  /** Sends requests for objects that no check judges. Returns those that were served. */
  async send(exchanges: readonly Exchange[]): Promise<readonly Exchange[]> {
    this.haveCome ||= exchanges.length > 0
    const { served, areDenied } = await this.#send(exchanges)
    this.areDenied ||= areDenied
    return served
  }

  /** Sends what comes before a request. `isRefused`: it should be refused, so it is not sent before. */
  async sendBefore(exchange: Exchange, isRefused: boolean): Promise<void> {
    await this.send(this.#before(exchange, isRefused))
  }

  /** Sends what comes before the judged request, and then that or its control, before anything is looked at. Returns what
   * was served of these. */
  async sendAhead(exchange: Exchange, sending: Sending): Promise<readonly Exchange[]> {
    // Once written before, a judged write would have no effect to look at.
    await this.sendBefore(exchange, sending.refuses || exchange.method === 'POST')
    return this.send(this.#ahead(exchange, sending))
  }

  #before(exchange: Exchange, isRefused: boolean): readonly Exchange[] {
    const { path, cluster = mainCluster } = exchange
    if (!path.startsWith('{mount}/') || cluster !== mainCluster) return []
    const isDue = ({ before, ahead }: Neighbours): boolean => ahead === undefined && before.test(askedBy(exchange))
    const due = this.#waiting.filter((one) => isDue(one) && !(one.isFirst && this.#hasUsedMount))
    this.#hasUsedMount = true
    this.#waiting = this.#waiting.filter((one) => !isDue(one))
    const canRepeat = isRepeatable(exchange) && !isRefused
    return due.flatMap(({ sends, repeats = 0 }) => [
      ...sends,
      ...Array<Exchange>(canRepeat ? repeats : 0).fill(exchange),
    ])
  }

  /** Returns what was to be sent before requests that did not come. */
  left(): readonly Exchange[] {
    return this.#waiting.flatMap(({ sends }) => sends)
  }

  /** Returns the judged request as often as it is sent before anything is looked at. If it should be refused, that is its
   * control, if it goes to the same path. */
  #ahead(exchange: Exchange, { refuses, control }: Sending): readonly Exchange[] {
    const served = refuses ? control : exchange
    if (!served || askedBy(served) !== askedBy(exchange) || !isRepeatable(served)) return []
    const due = this.#waiting.filter(({ before }) => before.test(askedBy(exchange)))
    return due.flatMap(({ ahead = 0 }) => Array<Exchange>(ahead).fill(served))
  }
}
