import type { Endpoint } from '../targets/target.ts'
import { type Reply, sizeBounds } from '../vocabulary/index.ts'
import { type Attempt, attempt, type Departure, notSent } from './attempt.ts'
import { boundMs } from './bounds.ts'
import { createWays, type Environment } from './dispatcher.ts'
import { largeReplies } from './large-replies.ts'
import { replyOf } from './reply.ts'
import {
  allowanceOfExchange,
  allowanceOfRun,
  hostOf,
  mostRedirects,
  type Repeatability,
  type RetryAllowance,
  redirectOf,
  waitBefore,
} from './retries.ts'
import { neverStopping, type Stopping } from './stop-signals.ts'
import { createPace, realTimer, type Timer, type Waiting, whileWaiting } from './timer.ts'
import type { TroubleKind } from './trouble.ts'

export interface WireRequest extends Repeatability {
  readonly method: string
  /** Absolute below the endpoint's URL, prefix included: `/v1/sys/health`. What a URL cannot hold is escaped; an
   * escape that is there already stays. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** All of them: the client adds none of the endpoint's own, and no token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Findings call this exchange by this name; `METHOD path` unless given. */
  readonly asked?: string
  /** Whoever keeps large replies; it must leave `largeReplies`. Without it, nothing is kept. */
  readonly holder?: object
  /** The longest time for one reply, where it is shorter than the client's. */
  readonly timeoutMs?: number
  /** Where in a check it is sent, for whoever is between check and target; not sent. */
  readonly about?: About
  /** Whoever is between the client and the target: called once for each attempt, redirects included. */
  readonly onTheWay?: OnTheWay
}

export type OnTheWay = (departure: Departure, depart: (departure: Departure) => Promise<Attempt>) => Promise<Attempt>

/** The place of a request in the check that sends it. Requests outside checks, and those that take things back, have none. */
export interface About {
  /** This caller asks: `operator`, `nobody`, or the name of a token that the check made. */
  readonly as: string
  /** The positive twin of the check, filled in, where it has one. */
  readonly control?: () =>
    | (Pick<WireRequest, 'method' | 'path' | 'query' | 'body' | 'headers'> & { readonly as: string })
    | undefined
}

/** Everything unredacted. */
export interface WireOutcome {
  readonly url: string
  /** The headers that were sent. */
  readonly headers: Readonly<Record<string, string>>
  /** In order, retries and followed redirects included. Never empty. */
  readonly attempts: readonly Attempt[]
  /** The last complete reply; absent where there is none. */
  readonly reply?: Reply
  /** One sentence says why there is no reply that could be judged. */
  readonly trouble?: string
  readonly troubleKind?: TroubleKind
  /** Set by what stands between a check and the target: the target did it, although the reply is a refusal. */
  readonly wasDone?: boolean
}

/** Tells whether it ended without any connection, after all retries. */
export const isUnsent = ({ attempts }: WireOutcome): boolean => attempts.at(-1)?.trouble?.kind === 'unsent'

/** Lists are asked for in this way outside of checks: where a proxy swallows the method LIST, by GET; where that is
 * swallowed too, not at all, and `swallowed` is the outcome. */
export interface ListWay {
  by: 'LIST' | 'GET' | 'nothing'
  swallowed?: WireOutcome
}

export interface WireClient {
  readonly endpoint: Endpoint
  readonly lists: ListWay
  /** Never rejects. */
  send(request: WireRequest): Promise<WireOutcome>
  close(): Promise<void>
}

export interface WireOptions {
  readonly timeoutMs: number
  /** Requests a second; 0 is unlimited. */
  readonly maxRps: number
  /** Once stopped, exchanges that were under way are cut off after a grace; those that begin after that take something
   * back, and are cut off at the end. */
  readonly stopping?: Stopping
  /** Told once a second what is waited for. */
  readonly waiting?: Waiting
  /** The proxy variables stand here; the process's own unless given. */
  readonly environment?: Environment
  readonly timer?: Timer
}

const unfit = /[^\x21-\x7e]|["<>\\^`{|}?#]/gu

export function pathOf(path: string, query?: Readonly<Record<string, string>>): string {
  const escaped = path.replace(unfit, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : '\ufffd'),
  )
  const asked = new URLSearchParams(query).toString()
  return asked ? `${escaped}?${asked}` : escaped
}

/** What is judged is the last reply; an earlier one is for the record only. */
function withoutLargeBody(attempt: Attempt): Attempt {
  const { bytes, ...rest } = attempt
  return bytes === undefined || bytes.length <= sizeBounds.largeReply.value
    ? attempt
    : { ...rest, bytes: Buffer.alloc(0), received: bytes.length }
}

export function createClient(endpoint: Endpoint, options: WireOptions): WireClient {
  const { timeoutMs, maxRps, stopping = neverStopping(), environment = process.env, timer = realTimer } = options
  const ways = createWays({ tls: endpoint.tls, timeoutMs, environment })
  const pace = createPace(maxRps, timer, stopping)
  const base = new URL(endpoint.url)
  const below = base.pathname === '/' ? '' : base.pathname.replace(/\/+$/, '')
  const allowedHosts = new Set([hostOf(base), ...endpoint.allowedHosts])
  const allowanceHere = allowanceOfRun()

  /** Sends a request, again where that may help, and returns the last attempt. */
  async function sendTo(origin: string, path: string, request: WireRequest, sent: Sent): Promise<Attempt> {
    const limits = limitsOf(request)
    const depart = departureOf(origin, path, request, limits)
    const { isAfter, replyMs } = limits
    const pausing = isAfter ? stopping.end : stopping.stop
    for (let next = 1; ; next++) {
      await pace()
      const last = isOver(limits) ? notSent(stopping.stop) : await reported(request, replyMs, depart())
      const wait = mayRepeat(request, limits)
        ? waitBefore(next, last, request, timer.now(), sent.allowances)
        : undefined
      if (wait === undefined) {
        sent.attempts.push(last)
        return last
      }
      sent.attempts.push(withoutLargeBody(last))
      await timer.wait(wait, pausing)
    }
  }

  const mayRepeat = ({ repeatable }: WireRequest, { isAfter }: Limits): boolean =>
    !stopping.stop.aborted || (isAfter && repeatable === true)

  function limitsOf(request: WireRequest): Limits {
    const isAfter = stopping.stop.aborted
    const longestMs = isAfter ? Math.min(timeoutMs, boundMs('takeBackReply')) : timeoutMs
    return {
      isAfter,
      cut: isAfter ? stopping.end : stopping.cut,
      replyMs: Math.min(longestMs, request.timeoutMs ?? longestMs),
    }
  }

  const isOver = ({ cut, isAfter }: Limits): boolean => cut.aborted || (!isAfter && stopping.stop.aborted)

  function departureOf(origin: string, path: string, request: WireRequest, { replyMs, cut }: Limits) {
    const { method, headers, body, holder = request, onTheWay } = request
    // A request without a holder may be made for a check that has the turn, and would wait for itself.
    const turn = request.holder === undefined ? { turnMs: replyMs } : {}
    const departure = { origin, path, method, headers, holder, ...turn, ...(body === undefined ? {} : { body }) }
    const depart = (one: Departure): Promise<Attempt> => attempt(ways, one, replyMs, cut)
    return () => (onTheWay ? onTheWay(departure, depart) : depart(departure))
  }

  const reported = (request: WireRequest, replyMs: number, work: Promise<Attempt>): Promise<Attempt> =>
    options.waiting ? whileWaiting(work, askedOf(request), replyMs, timer, options.waiting) : work

  return {
    endpoint,
    lists: { by: 'LIST' },
    async send(request) {
      try {
        return await exchanged(request)
      } finally {
        if (request.holder === undefined) largeReplies.leave(request)
      }
    },
    close: () => ways.dispatcher.destroy(),
  }

  async function exchanged(request: WireRequest): Promise<WireOutcome> {
    const path = below + pathOf(request.path, request.query)
    const url = base.origin + path
    const asked = askedOf(request)
    const attempts: Attempt[] = []
    const sent = { url, headers: request.headers, attempts }
    const sending = { attempts, allowances: [allowanceHere, allowanceOfExchange()] }
    const first = await sendTo(base.origin, path, request, sending)
    const last = isRedirection(first) ? await followed(first, new URL(url), request, sending) : first
    if ('refused' in last) return { ...sent, trouble: last.refused }
    if (last.trouble) return { ...sent, trouble: last.trouble.words, troubleKind: last.trouble.kind }
    const reply = replyOf(last, asked)
    return 'kind' in reply ? { ...sent, trouble: reply.words, troubleKind: reply.kind } : { ...sent, reply }
  }

  async function followed(
    first: Attempt,
    url: URL,
    request: WireRequest,
    sending: Sent,
  ): Promise<Attempt | { readonly refused: string }> {
    let last = first
    let from = url
    for (let redirects = 0; isRedirection(last); redirects++) {
      const redirect = redirectOf({ status: last.status, location: last.headers?.location }, from, allowedHosts)
      if (redirect.kind === 'none') break
      if (redirect.kind === 'refuse') return { refused: redirect.words }
      if (redirects === mostRedirects) return { refused: `redirected more than ${mostRedirects} times` }
      from = redirect.url
      last = await sendTo(from.origin, from.pathname + from.search, request, sending)
    }
    return last
  }
}

const isRedirection = (last: Attempt): last is Attempt & { readonly status: number } =>
  last.trouble === undefined && last.status !== undefined && last.status > 300 && last.status < 400

/** Any of these ends the attempts of one request. */
interface Limits {
  /** The run is over, so the request takes something back. */
  readonly isAfter: boolean
  readonly cut: AbortSignal
  /** The longest time for one reply. */
  readonly replyMs: number
}

/** One exchange while it goes on. */
interface Sent {
  readonly attempts: Attempt[]
  readonly allowances: readonly RetryAllowance[]
}

const askedOf = ({ asked, method, path }: WireRequest): string => asked ?? `${method} ${path}`
