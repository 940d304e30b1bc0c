import type { Attempt } from './attempt.ts'

/** Waits before the second, third and fourth attempt, unless the target names one. */
const backoffMs = [200, 500, 1000] as const
const longestWaitMs = 30_000

const idempotent: ReadonlySet<string> = new Set(['GET', 'LIST'])

export interface Repeatability {
  readonly method: string
  /** Send once, whatever comes back. */
  readonly once?: boolean
  /** A write whose repetition changes nothing that is judged: taking back what a run made. */
  readonly repeatable?: boolean
}

/** How long to wait before the next attempt, or undefined where there is none.
 *
 * A connection that never came about, 429 and 503 are tried again for every method: the target has not acted. A
 * connection that ended after a request had begun to leave is tried again for reads only. A write may have been applied
 * by then, and sending it twice could turn a verdict (a second create is an update, a second delete finds nothing), so
 * it ends in trouble, which is never blamed on the target. */
export function waitBefore(next: number, last: Attempt, request: Repeatability, now: number): number | undefined {
  const usual = backoffMs[next - 1]
  if (usual === undefined || request.once) return undefined
  if (last.trouble) {
    const { kind } = last.trouble
    const again = kind === 'unsent' || (kind === 'broken' && (idempotent.has(request.method) || request.repeatable))
    return again ? usual : undefined
  }
  if (last.status !== 429 && last.status !== 503) return undefined
  return Math.min(retryAfter(last.headers?.['retry-after'], now) ?? usual, longestWaitMs)
}

function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
