/** Turns findings that the operator has accepted into the verdict `accepted`. Strict both ways: an entry that excuses what
 * does not occur, or not any more, is a fault of the list, so that it never outlives what it excuses. */
import type { AcceptedEntry, CheckResult } from '../vocabulary/index.ts'
import { observedOf } from './observed.ts'

export interface Applied {
  readonly results: readonly CheckResult[]
  /** One sentence for each entry that excuses too much; begins with file, line and column. */
  readonly outdated: readonly string[]
}

interface Run {
  /** The day of the run, `YYYY-MM-DD`. */
  readonly today: string
  /** A shard knows nothing of checks that are in the others. */
  readonly isShard?: boolean
}

export function applyAccepted(
  results: readonly CheckResult[],
  entries: readonly AcceptedEntry[],
  { today, isShard = false }: Run,
): Applied {
  const live = entries.filter(({ until }) => until >= today)
  const byCheck = new Map(live.flatMap((entry) => entry.checks.map((id) => [id, entry] as const)))
  return {
    results: results.map((result) => {
      const entry = byCheck.get(result.id)
      return entry && isMet(entry, result) ? accept(result, entry) : result
    }),
    outdated: entries.flatMap((entry) => faultOf(entry, results, today, isShard)),
  }
}

/** The results as they were before any list was applied. */
export const unaccepted = (results: readonly CheckResult[]): CheckResult[] =>
  results.map(({ accepted, ...result }) => (accepted ? { ...result, verdict: accepted.was } : result))

const isMet = (entry: AcceptedEntry, result: CheckResult): boolean =>
  result.verdict === entry.verdict && entry.observed.includes(observedOf(result) ?? '')

function accept(result: CheckResult, { at, verdict, reason, owner, issue, until }: AcceptedEntry): CheckResult {
  const answers = { ...(owner ? { owner } : {}), ...(issue ? { issue } : {}) }
  return { ...result, verdict: 'accepted', accepted: { was: verdict, at, reason, ...answers, until } }
}

function faultOf(entry: AcceptedEntry, results: readonly CheckResult[], today: string, isShard: boolean): string[] {
  if (entry.known !== undefined) return []
  const say = (text: string) => [`${entry.at}: ${text}`]
  if (entry.until < today) return say(`the entry expired on ${entry.until}: fix the target, or renew it`)
  const known = new Set(entry.checks)
  const own = results.filter(({ id }) => known.has(id))
  // Nothing can be said of what the run did not come to.
  const reached = own.filter(({ blocker }) => blocker?.kind !== 'interrupted' && blocker?.kind !== 'time')
  if (reached.length < own.length && reached.length === 0) return []
  const met = reached.filter((result) => isMet(entry, result))
  const gone = reached.filter((result) => !isMet(entry, result) && result.verdict !== 'not-applicable')
  const [first] = gone
  if (first) {
    const more = gone.length > 1 ? `, as ${gone.length - 1} more` : ''
    if (first.verdict === entry.verdict)
      return say(
        `${first.id} is ${words[entry.verdict]}, but not as accepted (${observedOf(first) ?? 'unknown'})${more}`,
      )
    return say(`${first.id} is ${first.verdict} and not ${entry.verdict}${more}: take it off the list`)
  }
  if (met.length > 0 || (isShard && own.length === 0)) return []
  if (own.length === 0) return say('none of these checks was run, so the entry decided nothing: leave it out')
  return say(`${own[0]?.id} is not applicable to this target, so the entry decided nothing: leave it out`)
}

const words = { fail: 'failing', 'not-verified': 'not verified' } as const
