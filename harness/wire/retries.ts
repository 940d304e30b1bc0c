/** Decides when a request is sent again: retries and redirects. */
import { isOfTheWay } from '../vocabulary/index.ts'
import type { Attempt } from './attempt.ts'
import { boundMs } from './bounds.ts'

/** Waits in ms before the second, third and fourth attempt, unless the target sends Retry-After. */
const backoffMs = [200, 500, 1000] as const

const idempotent: ReadonlySet<string> = new Set(['GET', 'LIST'])

export interface Repeatability {
  readonly method: string
  /** If true, the request is never retried. */
  readonly once?: boolean
  /** If true, a write may be repeated like a read. This holds for undos, whose repetition cannot change a verdict. */
  readonly repeatable?: boolean
}

/** How much longer, in ms, the target may make the run wait by Retry-After. */
export interface RetryAllowance {
  leftMs: number
}

export const allowanceOfExchange = (): RetryAllowance => ({ leftMs: boundMs('retryAfterExchange') })
export const allowanceOfRun = (): RetryAllowance => ({ leftMs: boundMs('retryAfterRun') })

/** Returns whether the status says that the target has not acted on the request. */
const isPutOff = (status: number | undefined): boolean => status === 429 || status === 503

/** Returns whether a request may be sent again after a status of the way. */
export const mayRepeatAfter = (status: number, method: string): boolean => isPutOff(status) || idempotent.has(method)

/** Returns whether an attempt may be followed by another one.
 *
 * Every method is retried if no connection was made, or after 429 and 503: the target has not acted. Only reads are
 * retried if the connection ended after the request began to leave, or after 502 and 504. A write may have been applied
 * by then, and sending it twice could change a verdict: a second create is an update, and a second delete finds
 * nothing. So it ends in trouble, which is never held against the target. */
function maySendAgain({ trouble, status = 0 }: Attempt, { method, once, repeatable = false }: Repeatability): boolean {
  if (once) return false
  if (trouble) return trouble.kind === 'unsent' || (trouble.kind === 'broken' && (repeatable || idempotent.has(method)))
  return isOfTheWay({ status }) && (repeatable || mayRepeatAfter(status, method))
}

/** Returns how many ms to wait before the next attempt, or undefined if there is none. */
export function waitBefore(
  next: number,
  last: Attempt,
  request: Repeatability,
  now: number,
  allowances: readonly RetryAllowance[],
): number | undefined {
  const usual = backoffMs[next - 1]
  if (usual === undefined || !maySendAgain(last, request)) return undefined
  const asked = retryAfter(last.headers?.['retry-after'], now)
  if (last.trouble || asked === undefined) return usual
  const granted = Math.min(asked, boundMs('retryAfterOnce'), ...allowances.map(({ leftMs }) => leftMs))
  for (const allowance of allowances) allowance.leftMs -= granted
  // With `Retry-After: 0`, all four attempts would otherwise follow each other without a pause.
  return Math.max(granted, usual)
}

/** Matches the date formats of HTTP. `Date.parse` alone would accept "-5". */
const httpDate = /^\s*[A-Za-z]+,? \S+.*\d\d:\d\d:\d\d/

/** Returns the wait in ms, or undefined if the header is absent or is neither a number of seconds nor a date. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const at = header.length < 64 && httpDate.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

const followed: ReadonlySet<number> = new Set([301, 302, 307, 308])
export const mostRedirects = 5

/** Returns whether the status is a redirect, so that the server that sent it has done nothing. */
export const isRedirect = (status: number | undefined): boolean => status !== undefined && followed.has(status)

export type Redirect =
  | { readonly kind: 'none' }
  | { readonly kind: 'follow'; readonly url: URL }
  | { readonly kind: 'refuse'; readonly words: string }

/** Decides whether to follow a redirect, such as one from a standby node to the active node. Method and body are kept,
 * and the token is sent along: so only the target's own host and hosts that the profile names are followed, and never
 * from TLS to plain text. */
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
  const to = url.protocol === from.protocol ? hostOf(url) : url.origin
  if (!allowedHosts.has(hostOf(url)))
    return {
      kind: 'refuse',
      words: `redirected to ${to}, which is neither the target nor a host named in the profile: not followed`,
    }
  return { kind: 'follow', url }
}

/** Returns `host:port`, with the port even if it is the default. */
export const hostOf = (url: URL): string =>
  url.port ? url.host : `${url.host}:${url.protocol === 'https:' ? 443 : 80}`
