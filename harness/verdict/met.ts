/** Sorts out the flaws that a check meets on its way, besides what it decides. */
import type { Outcome } from '../run/outcome.ts'
import type { Flaw, FoundMismatch } from '../vocabulary/index.ts'

export type Met = FoundMismatch & Pick<Flaw, 'isSecond'>

/** Returns what counts of it: what may be a result of something else does only if nothing else was found. */
export function countedOf(met: readonly Met[], { mismatches = [] }: Outcome): readonly FoundMismatch[] {
  const isAlone = mismatches.length === 0 && met.every(({ isSecond }) => isSecond)
  return met.filter(({ isSecond }) => isAlone || !isSecond).map(({ isSecond: _, ...one }) => one)
}
