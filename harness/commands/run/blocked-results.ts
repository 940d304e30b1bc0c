/** Makes the results of checks that cannot be judged on a target at all; none of them passes. */
import { boundsOf, outsideOf } from '../../run/applicability.ts'
import { recordedOf, unrecordedOf } from '../../run/check-result.ts'
import type { Session } from '../../run/session.ts'
import type { SelectedCheck } from '../../select/select.ts'
import type { Blocker, CheckResult } from '../../vocabulary/index.ts'

export function blockedResults(selected: readonly SelectedCheck[], blocker: Blocker, session: Session): CheckResult[] {
  const { facts, evidence } = session.plan
  const now = session.timer.now()
  const verdict = blocker.kind === 'transport' ? 'error' : 'not-verified'
  return selected.map(({ topic, check }) => {
    const outside = outsideOf(boundsOf(check, session.requirements), facts, evidence)
    const outcome = outside?.verdict === 'not-applicable' ? outside : ({ verdict, blocker } as const)
    return recordedOf(unrecordedOf({ topic, check, session }, { outcome }, now, 0), session)
  })
}
