/** Looks up rows of the register, and causes, without a search for each check: a result may contain thousands of
 * both. */
import type { Cause, Requirement } from '../../../harness/vocabulary/index.ts'

/** Makes an index of a list only once for each list. */
function once<T, V>(make: (list: readonly T[]) => V): (list: readonly T[]) => V {
  const made = new WeakMap<readonly T[], V>()
  return (list) => {
    const known = made.get(list) ?? make(list)
    made.set(list, known)
    return known
  }
}

export const byId = once((requirements: readonly Requirement[]) => new Map(requirements.map((one) => [one.id, one])))

export const byCheck = once(
  (causes: readonly Cause[]) => new Map(causes.toReversed().flatMap((cause) => cause.checks.map((id) => [id, cause]))),
)
