/** Gives findings that the operator accepts the verdict `accepted`. An entry whose finding does not occur, or has
 * changed, is reported as outdated, so that no entry outlives its finding. */
import type { AcceptedEntry, CheckResult } from '../vocabulary/index.ts'
import { observedOf } from './observed.ts'

export interface Applied {
  readonly results: readonly CheckResult[]
  /** One sentence for each outdated entry, beginning with file, line and column. */
  readonly outdated: readonly string[]
}

interface Run {
  /** The day of the run, `YYYY-MM-DD`. */
  readonly today: string
  /** A shard does not judge the checks of other shards, so an entry about those is not outdated. */
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

/** Returns the results as they were before any list was applied. */
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
  // The run ended before it judged the other checks, so nothing is known about those.
  const reached = own.filter(({ blocker }) => blocker?.kind !== 'interrupted' && blocker?.kind !== 'time')
  const [met = [], unmet = []] = [true, false].map((is) => reached.filter((result) => isMet(entry, result) === is))
  const [first, ...more] = unmet.filter(({ verdict }) => verdict !== 'not-applicable')
  if (first) return say(unmetWords(entry, first, more.length))
  const isElsewhere = own.length > 0 ? reached.length === 0 : isShard
  if (met.length > 0 || isElsewhere) return []
  if (own.length === 0) return say('none of these checks was run, so the entry had no effect: remove it')
  return say(`${own[0]?.id} is not applicable to this target, so the entry had no effect: remove it`)
}

function unmetWords(entry: AcceptedEntry, result: CheckResult, others: number): string {
  const more = others > 0 ? `, and so are ${others} more` : ''
  return result.verdict === entry.verdict
    ? `${result.id} is ${words[entry.verdict]}, but in another way than accepted (${observedOf(result) ?? 'unknown'})${more}`
    : `${result.id} is ${result.verdict} and not ${entry.verdict}${more}: remove it from the list`
}

const words = { fail: 'failing', 'not-verified': 'not verified' } as const
