/** Computes fingerprints of findings. An accepted finding is bound to its fingerprint, so that a different failure
 * of the same check is not accepted. */
import { createHash } from 'node:crypto'
import type { CheckResult } from '../vocabulary/index.ts'

/** Returns `fail:3f9a…` for a failed check, `need:…` (the kind of the blocker) for a check that was not verified,
 * and undefined for every other. The same finding in another run has the same fingerprint. */
export function observedOf({ verdict, accepted, mismatches, blocker }: CheckResult): string | undefined {
  const own = accepted?.was ?? verdict
  if (own === 'fail') {
    const seen = mismatches.map(({ asked, at, wanted, saw }) => [asked, at, wanted].map(steady).concat(shapeOf(saw)))
    return `fail:${digest([...new Set(seen.map((one) => JSON.stringify(one)))].toSorted())}`
  }
  if (own !== 'not-verified' || !blocker) return undefined
  return `${blocker.kind}:${digest([steady(blocker.reason).replace(/\d+/g, '0')])}`
}

const digest = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)

/** Replaces everything that differs from run to run: throw-away names, ids, times, ports, serial numbers, random
 * texts. */
const steady = (text: string): string =>
  text
    .replace(/assay-[a-z0-9]+-\d+/g, 'assay-*')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, '<time>')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(/\b[0-9a-f]{2}(?::[0-9a-f]{2}){7,}\b/gi, '<serial>')
    .replace(/-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g, '<pem>')
    .replace(/\b[\w+/=]{20,}/g, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? '<text>' : run))
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, '<duration>')
    .replace(/\d{4,}/g, '<number>')

/** The items of a list or object depend on what other clients have stored on the target, so only its type and
 * whether it is empty become part of the fingerprint. */
function shapeOf(saw: string): string {
  const text = saw.trim()
  if (text.startsWith('[')) return /^\[\s*\]/.test(text) ? 'an empty list' : 'a list'
  if (text.startsWith('{')) return /^\{\s*\}/.test(text) ? 'an empty object' : 'an object'
  return steady(text).slice(0, 300)
}
