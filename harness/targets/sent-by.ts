/** Derives from the data of a check which exchanges it sends. */
import {
  type Ceremony,
  type Check,
  type Dialect,
  type Exchange,
  performanceOf,
  type Step,
} from '../vocabulary/index.ts'

/** Returns the exchanges that a check may send, without undo requests. */
export const sentBy = (check: Check, dialect: Dialect): readonly Exchange[] => [
  ...(check.given ?? []).flatMap((step) => exchangesOf(step, dialect)),
  ...exchangesOf(check.when, dialect),
  ...check.then.flatMap((expectation) => expectation.touches ?? []),
  ...(check.control ? [check.control] : []),
  ...(check.frame ?? []).map(({ read }) => read),
]

/** Returns the exchanges that a step may send. */
export function exchangesOf(step: Step | Ceremony, dialect: Dialect): readonly Exchange[] {
  if (step.kind === 'exchange') return [step]
  if (step.kind === 'action' || step.kind === 'ceremony')
    return [...step.touches, ...(step.performs ?? []).flatMap((one) => exchangesOf(one, dialect))]
  const performance = performanceOf(dialect.operations, step)
  if (!performance) throw new TypeError(`dialect ${dialect.id} has no operation ${step.operation}`)
  return performance.exchanges
}
