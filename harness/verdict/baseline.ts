/** Compares with an earlier result of the same target: a check that passed there and fails now has regressed. */
import type { CheckResult, Facts, Finding, ResultDocument } from '../vocabulary/index.ts'

export function regressedSince(baseline: ResultDocument, results: readonly CheckResult[]): string[] {
  const passed = new Set(baseline.checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id))
  return results.filter(({ id, verdict }) => verdict === 'fail' && passed.has(id)).map(({ id }) => id)
}

export const regressionFinding = (baseline: ResultDocument, id: string): Finding => ({
  severity: 'error',
  code: 'regression',
  text: `${id} fails now and passed in the baseline of ${baseline.run.startedAt}`,
})

interface Compared {
  readonly url: string
  readonly name: string
  readonly facts: Facts
  readonly checks: readonly string[]
  /** The name of the embedded server, whose port differs from run to run. */
  readonly embeddedName: string
}

/** Returns findings about a baseline that does not fit this run. Another version of the target is not one, because
 * comparing versions is what baselines are for. */
export function baselineFindings({ target, run, checks }: ResultDocument, now: Compared): Finding[] {
  const isEmbedded = target.name === now.embeddedName && now.name === now.embeddedName
  const others = [
    ...(isEmbedded || target.url === now.url ? [] : [`another server (${target.url}, not ${now.url})`]),
    ...(target.facts.edition === now.facts.edition
      ? []
      : [`another edition (${target.facts.edition ?? 'unknown'}, not ${now.facts.edition ?? 'unknown'})`]),
  ]
  const known = new Map(checks.map(({ id, verdict }) => [id, verdict]))
  const absent = now.checks.filter((id) => !known.has(id)).length
  const gatesNothing = !now.checks.some((id) => known.get(id) === 'pass')
  return [
    ...(others.length === 0
      ? []
      : [
          finding(
            'warning',
            'baseline-differs',
            `the baseline of ${run.startedAt} is of ${others.join(' and of ')}: regressions may come from this difference and not from a change of the target`,
          ),
        ]),
    ...lacks(absent, now.checks.length, gatesNothing),
  ]
}

function lacks(absent: number, all: number, gatesNothing: boolean): Finding[] {
  const lacking = (severity: Finding['severity'], text: string) => [finding(severity, 'baseline-lacks', text)]
  if (absent === all)
    return lacking(
      'warning',
      'the baseline has none of the checks of this run, so nothing is compared: use a result of a run with the same --area, --check and --level',
    )
  if (gatesNothing)
    return lacking(
      'warning',
      'no check of this run passed in the baseline, so nothing can regress: use a result in which checks passed',
    )
  if (absent === 0) return []
  return lacking(
    'note',
    `the baseline has no verdict on ${absent} of the ${all} checks of this run, which cannot regress`,
  )
}

const finding = (severity: Finding['severity'], code: string, text: string): Finding => ({ severity, code, text })
