/** A cause is what several checks have in common: findings and obstacles with one cause hang below it. Causes are
 * found once (`harness/run/causes.ts`), and every report shows them. */
import type { Blocker } from './obstacles.ts'
import type { Verdict } from './words.ts'

/** The verdicts that need an explanation, in the order in which a reader must hear of them. */
export const explainedVerdicts = [
  'fail',
  'warn',
  'error',
  'not-verified',
  'not-applicable',
] as const satisfies readonly Verdict[]
export type ExplainedVerdict = (typeof explainedVerdicts)[number]

export interface Cause {
  /** The worst verdict of its checks. */
  readonly verdict: ExplainedVerdict
  /** One clause, in which backquotes set code apart: "`LIST sys/plugins/catalog` answers 405". */
  readonly says: string
  /** What the reader can do about it, where that is known. */
  readonly mend?: string
  /** Of checks that have no verdict of their own: what stood in the way. */
  readonly obstacle?: Blocker['kind']
  /** The code of the obstacle. Absent in results of versions that did not know it. */
  readonly code?: Blocker['code']
  /** The addresses of its checks, the worst verdict first. Each check that has one of these verdicts hangs below exactly
   * one cause. */
  readonly checks: readonly string[]
}
