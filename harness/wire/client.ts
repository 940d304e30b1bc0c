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

/** Which node of several has to reply. With `required`, only the active node's reply counts; with `preferred`, the active
 * node is asked at its own address, if the operator has named its host, and else whichever node replies. */
export type AtActive = 'required' | 'preferred'

export interface WireRequest extends Repeatability {
  readonly method: string
  /** The path below the endpoint's URL, with the prefix: `/v1/sys/health`. Characters that a URL cannot hold are
   * escaped; existing percent escapes are kept. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** All headers of the request. The client adds neither a token nor the endpoint's own headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** How findings name this exchange; by default `METHOD path`. */
  readonly asked?: string
  readonly atActive?: AtActive
  /** True if a read changes something, such as one that makes credentials. */
  readonly changes?: boolean
  /** The object that keeps a large reply; it must leave `largeReplies` when it is done. Without a holder, the client
   * leaves as soon as the exchange is over. */
  readonly holder?: object
  /** The timeout of one reply in ms. It can only shorten the client's timeout. */
  readonly timeoutMs?: number
  /** The method is sent as it is, even if lists are requested in another way on this cluster. */
  readonly isExact?: boolean
  /** What the check knows about this request, for an interceptor between check and target. It is not sent. */
  readonly about?: About
  /** An interceptor. It is called for each attempt, including those that follow redirects. */
  readonly onTheWay?: OnTheWay
}

export type OnTheWay = (departure: Departure, depart: (departure: Departure) => Promise<Attempt>) => Promise<Attempt>

/** What an interceptor may know of the check that sends a request. Requests outside checks and undos have none. */
export interface About {
  /** The caller: `operator`, `nobody`, or the name of a token that the check made. */
  readonly as: string
  /** True if a token of the run sends it for the operator. */
  readonly isOther?: boolean
  /** Returns the positive twin of the check with its templates filled in. Absent if the check has none. */
  readonly control?: () =>
    | (Pick<WireRequest, 'method' | 'path' | 'query' | 'body' | 'headers'> & { readonly as: string })
    | undefined
}

/** What became of one request. Nothing in it is redacted. */
export interface WireOutcome {
  readonly url: string
  /** The method that was sent, if it is not that of the request: a list may be requested by GET. */
  readonly method?: 'GET'
  /** The headers that were sent. */
  readonly headers: Readonly<Record<string, string>>
  /** Every attempt in order, including retries and followed redirects. Never empty. */
  readonly attempts: readonly Attempt[]
  /** The last complete reply. Absent if no reply can be judged. */
  readonly reply?: Reply
  /** One sentence: why there is no reply that can be judged. */
  readonly trouble?: string
  readonly troubleKind?: TroubleKind
  /** Set by an interceptor: the target carried the request out, although the reply is a refusal. */
  readonly wasDone?: boolean
  /** Set if several nodes stand behind the address. `unsettled` says why not all of them show what was written. */
  readonly amongNodes?: { readonly unsettled?: string }
}

/** Returns whether no connection was made, even after all retries. */
export const isUnsent = ({ attempts }: WireOutcome): boolean => attempts.at(-1)?.trouble?.kind === 'unsent'

/** How lists are requested from a cluster, as plain data that a plan can hold. */
export interface KnownListWay {
  /** Undefined until the sample has shown it. If neither method gets a reply, `swallowed` is the outcome of every
   * list. */
  by?: 'LIST' | 'GET' | 'nothing'
  /** What LIST was answered where GET showed a list, in words. */
  refusal?: string
}

/** How lists are requested from one cluster. */
export interface ListWay extends KnownListWay {
  swallowed?: WireOutcome
  /** Set once the sample is being requested. */
  sampled?: Promise<void>
}

export interface WireClient {
  readonly endpoint: Endpoint
  readonly lists: ListWay
  /** What stores replies in front of the target and sends them again, in words, once that was seen. */
  readonly cache: { seen?: string }
  /** Never rejects. */
  send(request: WireRequest): Promise<WireOutcome>
  close(): Promise<void>
}

export interface WireOptions {
  /** How lists are requested there, if that is known. */
  readonly lists?: KnownListWay
  readonly cache?: string
  readonly timeoutMs: number
  /** Requests per second; 0 means unlimited. */
  readonly maxRps: number
  /** After a stop, exchanges in progress are cut off when the grace is over. Exchanges that start after the stop are
   * undos, and are cut off at the end. */
  readonly stopping?: Stopping
  /** Called once a second while a reply is awaited. */
  readonly waiting?: Waiting
  /** Holds the proxy variables; by default `process.env`. */
  readonly environment?: Environment
  readonly timer?: Timer
}

const unescapedCharacters = /[^\x21-\x7e]|["<>\\^`{|}?#]/gu

export function pathOf(path: string, query?: Readonly<Record<string, string>>): string {
  const escaped = path.replace(unescapedCharacters, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : '\ufffd'),
  )
  const asked = new URLSearchParams(query).toString()
  return asked ? `${escaped}?${asked}` : escaped
}

/** Drops a large body of an attempt that is retried: only the last reply is judged, and earlier ones are merely
 * recorded. */
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
  const below = base.pathname === '/' ? '' : base.pathname.replace(/(?<!\/)\/+$/, '')
  const allowedHosts = new Set([hostOf(base), ...endpoint.allowedHosts])
  const allowanceHere = allowanceOfRun()

  /** Sends a request with its retries, and returns the last attempt. */
  async function sendTo(origin: string, path: string, request: WireRequest, sent: Sent): Promise<Attempt> {
    const limits = limitsOf(request, timeoutMs, stopping)
    const depart = departureOf(origin, path, request, limits)
    const { replyMs, pausing } = limits
    for (let next = 1; ; next++) {
      await pace()
      const last = isOver(limits, stopping) ? notSent(stopping.stop) : await reported(request, replyMs, depart())
      const wait = mayRepeat(request, limits, stopping)
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

  function departureOf(origin: string, path: string, request: WireRequest, { replyMs, cut }: Limits) {
    const { method, headers, body, holder = request, onTheWay } = request
    // A request without a holder may serve a check that has the turn, and would then wait for itself. So it waits for
    // at most the timeout of its reply.
    const turn = request.holder === undefined ? { turnMs: replyMs } : {}
    const departure = { origin, path, method, headers, holder, ...turn, ...(body === undefined ? {} : { body }) }
    const depart = (leaving: Departure): Promise<Attempt> => attempt(ways, leaving, replyMs, cut)
    return () => (onTheWay ? onTheWay(departure, depart) : depart(departure))
  }

  const reported = (request: WireRequest, replyMs: number, work: Promise<Attempt>): Promise<Attempt> =>
    options.waiting ? whileWaiting(work, askedOf(request), replyMs, timer, options.waiting) : work

  return {
    endpoint,
    lists: { ...options.lists },
    cache: options.cache === undefined ? {} : { seen: options.cache },
    async send(request) {
      try {
        return await exchanged(request)
      } finally {
        if (request.holder === undefined) largeReplies.leave(request)
      }
    },
    close: () => ways.close(),
  }

  async function exchanged(request: WireRequest): Promise<WireOutcome> {
    const path = below + pathOf(request.path, request.query)
    const url = base.origin + path
    const asked = askedOf(request)
    const attempts: Attempt[] = []
    const sent = { url, headers: request.headers, attempts }
    const sending = { attempts, allowances: [allowanceHere, allowanceOfExchange()] }
    const first = await sendTo(base.origin, path, request, sending)
    const last = isRedirection(first)
      ? await followed(first, new URL(url), allowedHosts, (origin, to) => sendTo(origin, to, request, sending))
      : first
    if ('refused' in last) return { ...sent, trouble: last.refused, troubleKind: 'not-taken' }
    if (last.trouble) return { ...sent, trouble: last.trouble.words, troubleKind: last.trouble.kind }
    const reply = replyOf(last, asked)
    return 'kind' in reply ? { ...sent, trouble: reply.words, troubleKind: reply.kind } : { ...sent, reply }
  }
}

/** Follows the redirects that a client may follow, and returns the attempt at the last address. */
async function followed(
  first: Attempt,
  url: URL,
  allowedHosts: ReadonlySet<string>,
  send: (origin: string, path: string) => Promise<Attempt>,
): Promise<Attempt | { readonly refused: string }> {
  let last = first
  let from = url
  for (let redirects = 0; isRedirection(last); redirects++) {
    const redirect = redirectOf({ status: last.status, location: last.headers?.location }, from, allowedHosts)
    if (redirect.kind === 'none') break
    if (redirect.kind === 'refuse') return { refused: redirect.words }
    if (redirects === mostRedirects) return { refused: `redirected more than ${mostRedirects} times` }
    from = redirect.url
    last = await send(from.origin, from.pathname + from.search)
  }
  return last
}

const isRedirection = (last: Attempt): last is Attempt & { readonly status: number } =>
  last.trouble === undefined && last.status !== undefined && last.status > 300 && last.status < 400

/** What ends the attempts of one request. */
interface Limits {
  /** True if the run has stopped, so that the request is an undo. */
  readonly isAfter: boolean
  readonly cut: AbortSignal
  /** Cuts short the wait before the next attempt. */
  readonly pausing: AbortSignal
  /** The timeout of one reply, in ms. */
  readonly replyMs: number
}

function limitsOf(request: WireRequest, timeoutMs: number, { stop, cut, end }: Stopping): Limits {
  const isAfter = stop.aborted
  const longestMs = isAfter ? Math.min(timeoutMs, boundMs('takeBackReply')) : timeoutMs
  return {
    isAfter,
    cut: isAfter ? end : cut,
    pausing: isAfter ? end : stop,
    replyMs: Math.min(longestMs, request.timeoutMs ?? longestMs),
  }
}

const isOver = ({ cut, isAfter }: Limits, { stop }: Stopping): boolean => cut.aborted || (!isAfter && stop.aborted)

const mayRepeat = ({ repeatable }: WireRequest, { isAfter }: Limits, { stop }: Stopping): boolean =>
  !stop.aborted || (isAfter && repeatable === true)

/** The state of one exchange in progress. */
interface Sent {
  readonly attempts: Attempt[]
  readonly allowances: readonly RetryAllowance[]
}

const askedOf = ({ asked, method, path }: WireRequest): string => asked ?? `${method} ${path}`
