import {
  type CheckResult,
  type ExitCode,
  exitCodes,
  type ResultDocument,
  type RunVerdict,
  type Verdict,
  verdicts,
} from '../vocabulary/index.ts'

export const countsOf = (checks: readonly Pick<CheckResult, 'verdict'>[]): ResultDocument['counts'] =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, checks.filter((check) => check.verdict === verdict).length]),
  ) as Record<Verdict, number>

const decided: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'deviation'])
const undecided: ReadonlySet<Verdict> = new Set(['not-verified', 'error'])

/** Whether any check came to a judgement on the target. A run in which none did is never green. */
const isAnyDecided = (checks: readonly CheckResult[]): boolean => checks.some(({ verdict }) => decided.has(verdict))

export function verdictOf(checks: readonly CheckResult[]): RunVerdict {
  if (checks.some(({ verdict }) => verdict === 'fail')) return 'non-conformant'
  const isOpen = checks.some(({ verdict, level }) => level === 'must' && undecided.has(verdict))
  return isOpen || !isAnyDecided(checks) ? 'incomplete' : 'conformant'
}

export interface Circumstances {
  readonly checks: readonly CheckResult[]
  readonly interrupted: boolean
  readonly leftBehind: readonly string[]
  /** Errors of the suite outside any check. */
  readonly defects: readonly string[]
  /** Checks that passed in the baseline and do not now. */
  readonly regressions: number
}

/** The first row that holds gives the exit code: what makes the rest of the result unreliable, or needs a hand, comes
 * before what the result says. */
const rows: readonly (readonly [ExitCode, (run: Circumstances) => boolean])[] = [
  [exitCodes.interrupted, (run) => run.interrupted],
  [exitCodes.leftBehind, (run) => run.leftBehind.length > 0],
  [exitCodes.defect, (run) => run.defects.length > 0 || run.checks.some((check) => check.blocker?.kind === 'suite')],
  [exitCodes.incomplete, (run) => !isAnyDecided(run.checks)],
  [exitCodes.regression, (run) => run.regressions > 0],
  [exitCodes.nonConformant, (run) => verdictOf(run.checks) === 'non-conformant'],
  [exitCodes.incomplete, (run) => verdictOf(run.checks) === 'incomplete'],
]

export const exitCodeOf = (run: Circumstances): ExitCode =>
  rows.find(([, holds]) => holds(run))?.[0] ?? exitCodes.conformant
