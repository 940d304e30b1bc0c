import type { Dispatcher } from 'undici'
import { sizeBounds } from '../vocabulary/index.ts'
import { decoded } from './decode.ts'
import type { Ways } from './dispatcher.ts'
import { bodySlots, largeReplies } from './large-replies.ts'
import { type Trouble, troubleOf } from './trouble.ts'

const mostBytes = sizeBounds.replyBody.value
const large = sizeBounds.largeReply.value
const small = sizeBounds.smallReply.value
const mostHeaders = sizeBounds.headers.value

export interface Departure {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The object that keeps the reply. It owns the turn to receive large replies until it leaves `largeReplies`. */
  readonly holder: object
  /** The longest time that a large reply waits for its turn, in ms; by default `longestTurnMs`. */
  readonly turnMs?: number
}

/** One attempt to get one reply, unredacted. If the connection broke off, it holds the part of the reply that had
 * arrived. */
export interface Attempt {
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  readonly durationMs: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The body, without its content codings. */
  readonly bytes?: Buffer
  /** How many bytes arrived, if they were not kept or could not be decoded. */
  readonly received?: number
  readonly trouble?: Trouble
}

const noBytes = Buffer.alloc(0)

/** Longer than a check takes, unless it waits for the target's clock. */
const longestTurnMs = 300_000
const turnTimeout = (ms: number): Trouble => ({
  kind: 'late',
  words: `this large reply waited for ${Math.round(ms / 1000)} s while other checks received theirs, and was given up: try --jobs 1`,
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

/** Describes why the run cut an attempt off. The reason of the signal says how the run ended. */
const cutOff = (signal: AbortSignal): Trouble => ({
  kind: 'cut',
  words: `cut off: ${signal.reason instanceof Error ? signal.reason.message : 'the run has ended'}`,
})

/** Returns the record of an attempt that was never sent, because the run has ended. */
export const notSent = (signal: AbortSignal): Attempt => ({
  sentAt: Date.now(),
  durationMs: 0,
  trouble: cutOff(signal),
})

/** Sends a request once. Never rejects: an error is recorded as the trouble of the attempt. It uses undici's
 * `dispatch`, because `request` would create a stream for every reply. Aborting `cut` ends the attempt immediately. */
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

/** Receives the reply to one request, and resolves exactly once, with the whole reply or with the trouble. */
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
  /** What has arrived of the body is in its first `#filled` bytes. */
  #bytes: Buffer = noBytes
  #filled = 0
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
    if (this.#isSettled) controller.abort(new Error('the attempt ended before the request was sent'))
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    const count = Array.isArray(controller.rawHeaders) ? controller.rawHeaders.length / 2 : 0
    if (count > mostHeaders)
      this.#settle({ kind: 'too-large', words: `the reply has ${count} headers, but at most ${mostHeaders} are read` })
    // A 1xx status is interim; the final response follows.
    if (status < 200 || this.#isSettled) return
    this.#status = status
    this.#headers = flat(headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#isSettled) return
    if (this.#size > mostBytes) {
      this.#hold(noBytes)
      this.#settle({ kind: 'too-large', words: `the reply body is larger than ${mostBytes / 1024 / 1024} MiB` })
      return
    }
    this.#append(chunk)
    const turn = this.#turn()
    if (turn) this.#waitFor(turn)
  }

  onResponseEnd(): void {
    const encoding = this.#headers?.['content-encoding']
    if (encoding === undefined || this.#size === 0) this.#settle()
    else void this.#decode(encoding)
  }

  /** Decoding has a bound of its own, because it says nothing about the target's speed. */
  async #decode(encoding: string): Promise<void> {
    if (this.#isSettled) return
    clearTimeout(this.#deadline)
    const plain = await decoded(this.#body(), encoding, this.#cut)
    if ('kind' in plain) return this.#settle(plain)
    this.#hold(plain)
    this.#settle()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { takeAlert, proxyOf } = this.#ways
    const { origin } = this.#departure
    const way = { host: this.#host, proxy: proxyOf(origin) }
    const trouble = troubleOf(takeAlert(origin) ?? error, way, this.#controller !== undefined)
    if (trouble.kind === 'broken' && this.#status === undefined) this.#ways.keepNoneAlive()
    this.#settle(trouble)
  }

  /** Returns what this reply has to wait for before more of it is received, or undefined if it may go on. */
  #turn(): Promise<void> | undefined {
    const { holder } = this.#departure
    // A holder that has the turn must not wait for a slot: the replies that hold the slots may be waiting for its turn.
    if (this.#size > small && !this.#hasSlot && !largeReplies.isHeldBy(holder)) {
      this.#hasSlot = true
      const turn = bodySlots.take(this.#slot)
      if (turn) return turn
    }
    if (this.#size <= large || this.#isLarge) return undefined
    this.#isLarge = true
    return largeReplies.enter(holder)
  }

  /** Pauses receiving until the turn comes. The pause does not count against the target's timeout. */
  #waitFor(turn: Promise<void>): void {
    clearTimeout(this.#deadline)
    const left = this.#timeoutMs - (performance.now() - this.#started)
    const longest = this.#departure.turnMs ?? longestTurnMs
    this.#deadline = setTimeout(() => this.#settle(turnTimeout(longest)), longest)
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
    this.#settle({ kind: 'late', words: `no complete reply from ${this.#host}${through} within ${this.#timeoutMs} ms` })
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
      ...this.#received(trouble),
      ...(trouble ? { trouble } : {}),
    })
    if (trouble) this.#controller?.abort(new Error(trouble.words))
  }

  #hold(bytes: Buffer): void {
    this.#bytes = bytes
    this.#filled = bytes.length
  }

  /** Copies what arrives, because a body in chunks of one byte would otherwise need an object for each byte. */
  #append(chunk: Buffer): void {
    if (this.#filled === 0) {
      this.#hold(chunk)
      return
    }
    const end = this.#filled + chunk.length
    if (end > this.#bytes.length) {
      const longer = Buffer.allocUnsafe(2 * end)
      this.#bytes.copy(longer, 0, 0, this.#filled)
      this.#bytes = longer
    }
    chunk.copy(this.#bytes, this.#filled)
    this.#filled = end
  }

  #body(): Buffer {
    return this.#filled === this.#bytes.length ? this.#bytes : Buffer.from(this.#bytes.subarray(0, this.#filled))
  }

  #received(trouble?: Trouble): Pick<Attempt, 'status' | 'headers' | 'bytes' | 'received'> {
    const isCoded = trouble !== undefined && this.#headers?.['content-encoding'] !== undefined
    const isKept = this.#size <= mostBytes && !isCoded
    const received = isKept ? {} : { received: this.#size }
    if (this.#status === undefined) return received
    return {
      status: this.#status,
      ...(this.#headers === undefined ? {} : { headers: this.#headers }),
      ...(isKept ? { bytes: this.#body() } : received),
    }
  }
}
