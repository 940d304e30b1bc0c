/** This module decides when a request is sent again: retries and redirects. */
import { isOfTheWay } from '../vocabulary/index.ts'
import type { Attempt } from './attempt.ts'
import { boundMs } from './bounds.ts'

/** Waits before the second, third and fourth attempt, unless the target names one. */
const backoffMs = [200, 500, 1000] as const

const idempotent: ReadonlySet<string> = new Set(['GET', 'LIST'])

export interface Repeatability {
  readonly method: string
  /** Send once, whatever comes back. */
  readonly once?: boolean
  /** A write whose repetition changes nothing that is judged: taking back what a run made. */
  readonly repeatable?: boolean
}

/** The waits that a target asks for by Retry-After may be this much longer, ms. */
export interface RetryAllowance {
  leftMs: number
}

export const allowanceOfExchange = (): RetryAllowance => ({ leftMs: boundMs('retryAfterExchange') })
export const allowanceOfRun = (): RetryAllowance => ({ leftMs: boundMs('retryAfterRun') })

/** Tells whether a reply says that the target does not act now. */
const isPutOff = (status: number | undefined): boolean => status === 429 || status === 503

/** Returns how long to wait before the next attempt, or undefined where there is none.
 *
 * A connection that never came about, 429 and 503 are tried again for every method: the target has not acted. A
 * connection that ended after a request had begun to leave, 502 and 504 are tried again for reads only. A write may have
 * been applied by then, and sending it twice could turn a verdict (a second create is an update, a second delete finds
 * nothing), so it ends in trouble, which is never blamed on the target. */
export function waitBefore(
  next: number,
  last: Attempt,
  request: Repeatability,
  now: number,
  allowances: readonly RetryAllowance[],
): number | undefined {
  const usual = backoffMs[next - 1]
  if (usual === undefined || request.once) return undefined
  const mayBeRepeated = idempotent.has(request.method) || request.repeatable
  if (last.trouble) {
    const { kind } = last.trouble
    return kind === 'unsent' || (kind === 'broken' && mayBeRepeated) ? usual : undefined
  }
  const { status = 0 } = last
  if (!isOfTheWay({ status }) || !(isPutOff(status) || mayBeRepeated)) return undefined
  const asked = retryAfter(last.headers?.['retry-after'], now)
  if (asked === undefined) return usual
  const granted = Math.min(asked, boundMs('retryAfterOnce'), ...allowances.map(({ leftMs }) => leftMs))
  for (const allowance of allowances) allowance.leftMs -= granted
  // A target that asks for no wait at all would be asked four times at once.
  return Math.max(granted, usual)
}

/** As HTTP writes a date. JavaScript would read "-5" as one, too. */
const httpDate = /^\s*[A-Za-z]+,? \S+.*\d\d:\d\d:\d\d/

/** Undefined where the header is absent, or neither a number of seconds nor a date. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const at = httpDate.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

const followed: ReadonlySet<number> = new Set([301, 302, 307, 308])
export const mostRedirects = 5

/** Tells whether a reply only says where to ask: the server that gave it has done nothing. */
export const isRedirect = (status: number | undefined): boolean => status !== undefined && followed.has(status)

export type Redirect =
  | { readonly kind: 'none' }
  | { readonly kind: 'follow'; readonly url: URL }
  | { readonly kind: 'refuse'; readonly words: string }

/** Standby nodes send clients to the active node. Method and body are kept. The token goes along, so only the target's
 * own host, or one that the profile names, is followed, and never from TLS to plain text. */
export function redirectOf(
  reply: { status: number; location: string | undefined },
  from: URL,
  allowedHosts: ReadonlySet<string>,
): Redirect {
  if (!followed.has(reply.status) || !reply.location) return { kind: 'none' }
  const url = URL.parse(reply.location, from.href)
  if (!url) return { kind: 'none' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'none' }
  if (from.protocol === 'https:' && url.protocol === 'http:')
    return { kind: 'refuse', words: `redirected from TLS to plain text at ${url.host}: not followed` }
  if (!allowedHosts.has(hostOf(url)))
    return {
      kind: 'refuse',
      words: `redirected to ${hostOf(url)}, which is neither the target nor a host named in the profile: not followed`,
    }
  return { kind: 'follow', url }
}

/** `host:port`, the port always spelt out. */
export const hostOf = (url: URL): string =>
  url.port ? url.host : `${url.host}:${url.protocol === 'https:' ? 443 : 80}`
