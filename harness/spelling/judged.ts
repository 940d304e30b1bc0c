import type { Outcome } from '../run/outcome.ts'
import type { CheckScope } from '../run/scope.ts'

/** A check that was judged once: what it came to, and what it sent. */
export interface Judged {
  readonly outcome: Outcome
  readonly scope: CheckScope
}

/** Has a check judged once, before it is needed if it `may`: one that waits for long probably differs, and would then wait as
 * long again. */
export function ahead(judge: () => Promise<Judged>, may: boolean) {
  let begun: Promise<Judged> | undefined
  const needed = (): Promise<Judged> => {
    begun ??= judge()
    return begun
  }
  return { needed, begun: () => begun, begin: () => void (may && needed()) }
}
