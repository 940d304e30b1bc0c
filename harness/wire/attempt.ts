import type { Dispatcher } from 'undici'
import { sizeBounds } from '../vocabulary/index.ts'
import type { Ways } from './dispatcher.ts'
import { bodySlots, largeReplies } from './large-replies.ts'
import { type Trouble, troubleOf } from './trouble.ts'

const most = sizeBounds.replyBody.value
const large = sizeBounds.largeReply.value
const small = sizeBounds.smallReply.value

export interface Departure {
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Whoever keeps the reply, and says when it is done with it. */
  readonly holder: object
  /** The longest time that the reply waits for its turn, ms. */
  readonly turnMs?: number
}

/** One attempt to get one reply, unredacted. A reply that broke off keeps what had arrived. */
export interface Attempt {
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  readonly durationMs: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The bytes as received, before any content decoding. */
  readonly bytes?: Buffer
  /** This many bytes came, where they were not kept. */
  readonly received?: number
  readonly trouble?: Trouble
}

const none = Buffer.alloc(0)

/** Checks end sooner, unless they wait for the target's clock. */
const longestTurnMs = 300_000
const noTurn = (ms: number): Trouble => ({
  kind: 'late',
  words: `other checks received large replies for ${Math.round(ms / 1000)} s, so this one was not received: try --jobs 1`,
})

type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

function flat(headers: RawHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (value ?? []).join(', '),
    ]),
  )
}

/** Describes what cuts an attempt off: the end of a run says why in its reason. */
const cutOff = (signal: AbortSignal): Trouble => ({
  kind: 'cut',
  words: `cut off: ${signal.reason instanceof Error ? signal.reason.message : 'the run has ended'}`,
})

/** An attempt that is not made, because the run has ended. */
export const notSent = (signal: AbortSignal): Attempt => ({
  sentAt: Date.now(),
  durationMs: 0,
  trouble: cutOff(signal),
})

/** Sends once. Never rejects: whatever goes wrong is the attempt's trouble. Uses undici's dispatch, which spares the
 * stream that `request` makes for every reply. Once `cut` is aborted, nothing is waited for any more. */
export function attempt(ways: Ways, departure: Departure, timeoutMs: number, cut: AbortSignal): Promise<Attempt> {
  if (cut.aborted) return Promise.resolve(notSent(cut))
  return new Promise((resolve) => {
    const { origin, path, method, body } = departure
    ways.dispatcher.dispatch(
      { origin, path, method, headers: departure.headers as Record<string, string>, body: body ?? null },
      new Receiver(ways, departure, timeoutMs, cut, resolve),
    )
  })
}

/** Receives the reply to one request, and resolves once: with the whole reply, or with what went wrong. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #sentAt = Date.now()
  readonly #started = performance.now()
  readonly #ways: Ways
  readonly #departure: Departure
  readonly #timeoutMs: number
  readonly #cut: AbortSignal
  readonly #resolve: (attempt: Attempt) => void
  readonly #host: string
  readonly #slot = {}
  #deadline: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #status: number | undefined
  #headers: Record<string, string> | undefined
  #chunks: Buffer[] = []
  #size = 0
  #isSettled = false
  #hasSlot = false
  #isLarge = false

  constructor(
    ways: Ways,
    departure: Departure,
    timeoutMs: number,
    cut: AbortSignal,
    resolve: (attempt: Attempt) => void,
  ) {
    this.#ways = ways
    this.#departure = departure
    this.#timeoutMs = timeoutMs
    this.#cut = cut
    this.#resolve = resolve
    this.#host = departure.origin.slice(departure.origin.indexOf('//') + 2)
    cut.addEventListener('abort', this.#onCut, { once: true })
    this.#deadline = setTimeout(this.#onLate, timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isSettled) controller.abort(new Error('given up before it was sent'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    // 1xx announce a reply that is still to come.
    if (status < 200) return
    this.#status = status
    this.#headers = flat(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#isSettled) return
    if (this.#size > most) {
      this.#chunks = []
      this.#settle({ kind: 'too-large', words: `the reply body is larger than ${most / 1024 / 1024} MiB` })
      return
    }
    this.#chunks.push(chunk)
    const turn = this.#turn()
    if (turn) this.#waitFor(turn)
  }

  onResponseEnd(): void {
    this.#settle()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { takeAlert, proxyOf } = this.#ways
    const { origin } = this.#departure
    const way = { host: this.#host, proxy: proxyOf(origin) }
    this.#settle(troubleOf(takeAlert(origin) ?? error, way, this.#controller !== undefined))
  }

  /** The reply waits for this before more of it is received. */
  #turn(): Promise<void> | undefined {
    const { holder } = this.#departure
    // Whoever receives large replies has a turn already, and must not wait for those who wait for it.
    if (this.#size > small && !this.#hasSlot && !largeReplies.isHeldBy(holder)) {
      this.#hasSlot = true
      const turn = bodySlots.take(this.#slot)
      if (turn) return turn
    }
    if (this.#size <= large || this.#isLarge) return undefined
    this.#isLarge = true
    return largeReplies.enter(holder)
  }

  /** Receives no more while another check has large replies; the time does not count as the target's. */
  #waitFor(turn: Promise<void>): void {
    clearTimeout(this.#deadline)
    const left = this.#timeoutMs - (performance.now() - this.#started)
    const longest = this.#departure.turnMs ?? longestTurnMs
    this.#deadline = setTimeout(() => this.#settle(noTurn(longest)), longest)
    this.#controller?.pause()
    void turn.then(() => {
      if (this.#isSettled) return
      clearTimeout(this.#deadline)
      this.#deadline = setTimeout(this.#onLate, Math.max(left, 0))
      this.#controller?.resume()
    })
  }

  readonly #onCut = () => this.#settle(cutOff(this.#cut))

  readonly #onLate = () => {
    const proxy = this.#ways.proxyOf(this.#departure.origin)
    const through = proxy === undefined ? '' : ` through the proxy ${proxy}`
    this.#settle({
      kind: 'late',
      words: `no complete reply from ${this.#host}${through} within ${this.#timeoutMs} ms`,
    })
  }

  #settle(trouble?: Trouble): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#deadline)
    this.#cut.removeEventListener('abort', this.#onCut)
    if (this.#hasSlot) bodySlots.free(this.#slot)
    this.#resolve({
      sentAt: this.#sentAt,
      durationMs: performance.now() - this.#started,
      ...this.#received(),
      ...(trouble ? { trouble } : {}),
    })
    if (trouble) this.#controller?.abort(new Error(trouble.words))
  }

  #received(): Pick<Attempt, 'status' | 'headers' | 'bytes' | 'received'> {
    const received = this.#size > most ? { received: this.#size } : {}
    if (this.#status === undefined) return received
    const [first = none] = this.#chunks
    return {
      status: this.#status,
      ...(this.#headers === undefined ? {} : { headers: this.#headers }),
      bytes: this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first,
      ...received,
    }
  }
}
