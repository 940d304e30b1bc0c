import type { Endpoint } from '../targets/target.ts'
import { type Reply, sizeBounds } from '../vocabulary/index.ts'
import { type Attempt, attempt } from './attempt.ts'
import { createWays, type Environment } from './dispatcher.ts'
import { largeReplies } from './large-replies.ts'
import { createPace } from './pace.ts'
import { hostOf, mostRedirects, redirectOf } from './redirects.ts'
import { replyOf } from './reply.ts'
import { type Repeatability, waitBefore } from './retries.ts'
import { realTimer, type Timer } from './timer.ts'

export interface WireRequest extends Repeatability {
  readonly method: string
  /** Absolute below the endpoint's URL, prefix included: `/v1/sys/health`. What a URL cannot hold is escaped; an
   * escape that is there already stays. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** All of them: the client adds none of the endpoint's own, and no token. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** How findings call this exchange; `METHOD path` unless given. */
  readonly asked?: string
  /** Whoever keeps large replies; it must leave `largeReplies`. Without it, nothing is kept. */
  readonly holder?: object
  /** Where in a check it is sent, for whoever stands between check and target; not sent. */
  readonly about?: About
}

/** The place of a request in the check that sends it. Requests outside checks, and those that take things back, have none. */
export interface About {
  /** Who asks: `operator`, `nobody`, or the name of a token that the check made. */
  readonly as: string
  /** The positive twin of the check, filled in, where it has one. */
  readonly control?: () => Pick<WireRequest, 'method' | 'path' | 'query' | 'body'> | undefined
}

/** Everything unredacted. */
export interface WireOutcome {
  readonly url: string
  /** As they were sent. */
  readonly headers: Readonly<Record<string, string>>
  /** In order, retries and followed redirects included. Never empty. */
  readonly attempts: readonly Attempt[]
  /** The last complete reply; absent where there is none. */
  readonly reply?: Reply
  /** Why there is no reply that could be judged, in one sentence. */
  readonly trouble?: string
}

/** Whether it ended without any connection, after all retries. */
export const isUnsent = ({ attempts }: WireOutcome): boolean => attempts.at(-1)?.trouble?.kind === 'unsent'

export interface WireClient {
  readonly endpoint: Endpoint
  /** Never rejects. */
  send(request: WireRequest): Promise<WireOutcome>
  close(): Promise<void>
}

export interface WireOptions {
  readonly timeoutMs: number
  /** Requests a second; 0 is unlimited. */
  readonly maxRps: number
  /** Once aborted, nothing waits for a further attempt; what is under way is finished. */
  readonly signal?: AbortSignal
  /** Where the proxy variables stand; the process's own unless given. */
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
  const { timeoutMs, maxRps, signal, environment = process.env, timer = realTimer } = options
  const ways = createWays({ tls: endpoint.tls, timeoutMs, environment })
  const pace = createPace(maxRps, timer)
  const base = new URL(endpoint.url)
  const below = base.pathname === '/' ? '' : base.pathname.replace(/\/+$/, '')
  const allowedHosts = new Set([hostOf(base), ...endpoint.allowedHosts])

  async function sendTo(origin: string, path: string, request: WireRequest, attempts: Attempt[]): Promise<Attempt> {
    const { method, headers, body, holder = request } = request
    const departure = { origin, path, method, headers, holder, ...(body === undefined ? {} : { body }) }
    for (let next = 1; ; next++) {
      const slot = pace()
      if (slot) await slot
      const last = await attempt(ways, departure, timeoutMs)
      const wait = signal?.aborted ? undefined : waitBefore(next, last, request, timer.now())
      attempts.push(wait === undefined ? last : withoutLargeBody(last))
      if (wait === undefined) return last
      await timer.wait(wait, signal)
    }
  }

  return {
    endpoint,
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
    const asked = request.asked ?? `${request.method} ${request.path}`
    const attempts: Attempt[] = []
    const sent = { url, headers: request.headers, attempts }
    let last = await sendTo(base.origin, path, request, attempts)
    let from = base
    for (let redirects = 0; last.status !== undefined && last.status > 300 && last.status < 400; redirects++) {
      if (last.trouble) break
      if (redirects === 0) from = new URL(url)
      const { status, headers } = last
      const redirect = redirectOf({ status, location: headers?.location }, from, allowedHosts)
      if (redirect.kind === 'none') break
      if (redirect.kind === 'refuse') return { ...sent, trouble: redirect.words }
      if (redirects === mostRedirects) return { ...sent, trouble: `redirected more than ${mostRedirects} times` }
      from = redirect.url
      last = await sendTo(from.origin, from.pathname + from.search, request, attempts)
    }
    if (last.trouble) return { ...sent, trouble: last.trouble.words }
    const reply = replyOf(last, asked)
    return 'kind' in reply ? { ...sent, trouble: reply.words } : { ...sent, reply }
  }
}
