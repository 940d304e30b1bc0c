import type { Dispatcher } from 'undici'
import { sizeBounds } from '../vocabulary/index.ts'
import { bodySlots } from './body-slots.ts'
import type { Ways } from './dispatcher.ts'
import { largeReplies } from './large-replies.ts'
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
export function attempt(
  { dispatcher, proxyOf, takeAlert }: Ways,
  departure: Departure,
  timeoutMs: number,
  cut: AbortSignal,
): Promise<Attempt> {
  if (cut.aborted) return Promise.resolve(notSent(cut))
  return new Promise((resolve) => {
    const sentAt = Date.now()
    const started = performance.now()
    const host = departure.origin.slice(departure.origin.indexOf('//') + 2)
    let controller: Dispatcher.DispatchController | undefined
    let status: number | undefined
    let headers: Record<string, string> | undefined
    let size = 0
    let settled = false
    let hasSlot = false
    let isLarge = false
    let chunks: Buffer[] = []
    const slot = {}

    const settle = (trouble?: Trouble) => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      cut.removeEventListener('abort', onCut)
      if (hasSlot) bodySlots.free(slot)
      const first = chunks[0]
      resolve({
        sentAt,
        durationMs: performance.now() - started,
        ...(status === undefined ? {} : { status }),
        ...(headers === undefined ? {} : { headers }),
        ...(status === undefined
          ? {}
          : { bytes: first === undefined ? none : chunks.length === 1 ? first : Buffer.concat(chunks) }),
        ...(size > most ? { received: size } : {}),
        ...(trouble ? { trouble } : {}),
      })
      if (trouble) controller?.abort(new Error(trouble.words))
    }
    const onCut = () => settle(cutOff(cut))
    cut.addEventListener('abort', onCut, { once: true })
    const late = () => {
      const proxy = proxyOf(departure.origin)
      const through = proxy === undefined ? '' : ` through the proxy ${proxy}`
      settle({ kind: 'late', words: `no complete reply from ${host}${through} within ${timeoutMs} ms` })
    }
    let deadline = setTimeout(late, timeoutMs)

    /** Receives no more while another check has large replies; the time does not count as the target's. */
    const waitForTurn = (turn: Promise<void>) => {
      clearTimeout(deadline)
      const left = timeoutMs - (performance.now() - started)
      const longest = departure.turnMs ?? longestTurnMs
      deadline = setTimeout(() => settle(noTurn(longest)), longest)
      controller?.pause()
      void turn.then(() => {
        if (settled) return
        clearTimeout(deadline)
        deadline = setTimeout(late, Math.max(left, 0))
        controller?.resume()
      })
    }

    const { origin, path, method, body } = departure
    dispatcher.dispatch(
      { origin, path, method, headers: departure.headers as Record<string, string>, body: body ?? null },
      {
        onRequestStart(given) {
          controller = given
          if (settled) given.abort(new Error('given up before it was sent'))
        },
        onResponseStart(_controller, code, raw) {
          // 1xx announce a reply that is still to come.
          if (code < 200) return
          status = code
          headers = flat(raw as RawHeaders)
        },
        onResponseData(_controller, chunk) {
          size += chunk.length
          if (settled) return
          if (size > most) {
            chunks = []
            settle({ kind: 'too-large', words: `the reply body is larger than ${most / 1024 / 1024} MiB` })
            return
          }
          chunks.push(chunk)
          // Whoever receives large replies has a turn already, and must not wait for those who wait for it.
          if (size > small && !hasSlot && !largeReplies.isHeldBy(departure.holder)) {
            hasSlot = true
            const turn = bodySlots.take(slot)
            if (turn) return waitForTurn(turn)
          }
          if (size <= large || isLarge) return
          isLarge = true
          const turn = largeReplies.enter(departure.holder)
          if (turn) waitForTurn(turn)
        },
        onResponseEnd: () => settle(),
        onResponseError: (_controller, error) =>
          settle(
            troubleOf(
              takeAlert(departure.origin) ?? error,
              { host, proxy: proxyOf(departure.origin) },
              controller !== undefined,
            ),
          ),
      },
    )
  })
}
