/** Finds rows of the register, and causes, without a search for each check: a result may hold thousands of both. */
import type { Cause, Requirement } from '../../harness/vocabulary/index.ts'

/** What is made of a list is made once. */
function once<T, V>(make: (list: readonly T[]) => V): (list: readonly T[]) => V {
  const made = new WeakMap<readonly T[], V>()
  return (list) => {
    const known = made.get(list) ?? make(list)
    made.set(list, known)
    return known
  }
}

/** Requirements by id. */
export const byId = once((requirements: readonly Requirement[]) => new Map(requirements.map((one) => [one.id, one])))

/** The cause that holds a check, by the id of the check. */
export const byCheck = once(
  (causes: readonly Cause[]) => new Map(causes.toReversed().flatMap((cause) => cause.checks.map((id) => [id, cause]))),
)
