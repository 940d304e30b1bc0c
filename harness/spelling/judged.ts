import type { Outcome } from '../run/outcome.ts'
import type { CheckScope } from '../run/scope.ts'

/** What judging a check once resulted in, with what it sent. */
export interface Judged {
  readonly outcome: Outcome
  readonly scope: CheckScope
}
