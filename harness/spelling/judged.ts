import type { Outcome } from '../run/outcome.ts'
import type { CheckScope } from '../run/scope.ts'

/** A check that was judged once: what it came to, and what it sent. */
export interface Judged {
  readonly outcome: Outcome
  readonly scope: CheckScope
}
