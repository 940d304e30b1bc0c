/** Finds where the time of a run went: its slowest checks, its areas, and what `--timings` has recorded. */
import type { Area, CheckResult, ResultDocument, Timing } from '../../harness/vocabulary/index.ts'
import { duration, plural } from './wording.ts'

/** The time that checks took, in milliseconds. Only recorded requests count: a request that is repeated until its reply
 * is as expected is recorded once, and nothing more is recorded once a result has reached its maximum size. */
export interface Spent {
  readonly tookMs: number
  readonly requests: number
  /** The part of the time that was spent waiting for these replies. */
  readonly repliesMs: number
}

export function spentOn(checks: readonly CheckResult[]): Spent {
  const attempts = checks.flatMap(({ exchanges }) =>
    exchanges.filter(({ isShared }) => !isShared).flatMap((exchange) => exchange.attempts),
  )
  return {
    tookMs: checks.reduce((sum, { durationMs }) => sum + durationMs, 0),
    requests: attempts.length,
    repliesMs: attempts.reduce((sum, { durationMs }) => sum + durationMs, 0),
  }
}

/** Returns the slowest checks first, without those that took no time. */
export const slowest = ({ checks }: ResultDocument, most: number): readonly CheckResult[] =>
  checks
    .filter(({ durationMs }) => durationMs > 0)
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, most)

/** Returns the areas by the total time of their checks, the slowest first. */
export const areasByTime = ({ checks }: ResultDocument): readonly (readonly [Area, Spent])[] =>
  [...Map.groupBy(checks, ({ area }) => area)]
    .map(([area, own]) => [area, spentOn(own)] as const)
    .toSorted(([, a], [, b]) => b.tookMs - a.tookMs)

const ofACheck = /^(check|turn of) /

/** The steps of which a run has many. All steps of a kind are added up to one. */
const many: readonly (readonly [name: RegExp, words: (count: number) => string])[] = [
  [/^import /, (count) => `import ${plural(count, 'file')} of topics`],
  [/^prepare shared ground$/, (count) => `prepare ${plural(count, 'ground')} that checks share, added up`],
  [/^request$/, (count) => `wait for the replies to ${plural(count, 'request')}, added up`],
  [/^control request$/, (count) => `wait for the replies to ${plural(count, 'control request')}, added up`],
]

/** Returns the steps of a run in the order in which they began, followed by one step for each kind that is added up.
 * Steps of single checks are left out. */
export function stepsOf({ run: { timings = [] } }: ResultDocument): readonly Timing[] {
  const groups = many.map(([pattern]) => timings.filter(({ name }) => pattern.test(name)))
  const single = timings.filter(
    ({ name }) => ![ofACheck, ...many.map(([pattern]) => pattern)].some((one) => one.test(name)),
  )
  const together = groups.flatMap((group, at): readonly Timing[] => {
    const [first] = group
    const name = many[at]?.[1](group.length) ?? ''
    return first ? [{ ...first, name, durationMs: group.reduce((sum, { durationMs }) => sum + durationMs, 0) }] : []
  })
  return [...single, ...together]
}

/** Returns words such as `12 requests, 1.2 s of it waiting for replies`. */
export const spentWords = ({ requests, repliesMs }: Spent): string =>
  requests === 0
    ? 'no request is recorded'
    : `${plural(requests, 'request')}, ${duration(repliesMs)} of it waiting for replies`
