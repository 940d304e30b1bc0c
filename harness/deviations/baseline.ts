/** An earlier result of the same target: what passed there and fails now has regressed. */
import type { CheckResult, Finding, ResultDocument } from '../vocabulary/index.ts'

/** The code of its findings. */
export const regressionCode = 'regression'

/** One `error` finding a regressed check. */
export function regressions(baseline: ResultDocument, results: readonly CheckResult[]): Finding[] {
  const passed = new Set(baseline.checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id))
  return results
    .filter(({ id, verdict }) => verdict === 'fail' && passed.has(id))
    .map(({ id }) => ({
      severity: 'error',
      code: regressionCode,
      text: `${id} fails now and passed in the baseline of ${baseline.run.startedAt}`,
    }))
}
