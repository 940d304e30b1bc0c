/** Rehearses restorations before checks give a cluster a role. After a restoration has failed, no check gives a role to
 * a cluster any more, so that at most one cluster is left in a wrong state. */

import { defined } from '../vocabulary/defined.ts'
import {
  blockerOf,
  type Check,
  type Exchange,
  type ObstacleFacts,
  type Rehearsal,
  StepFailed,
} from '../vocabulary/index.ts'
import { blockedBy, isForeseen, type Outcome } from './outcome.ts'
import { CheckScope } from './scope.ts'
import type { Session, Task } from './session.ts'
import { takeBackAll } from './taking-back.ts'

/** Handles a cluster that reports a role only after the run has checked that the role ended. If the run gave that role
 * and the cluster may be wiped, the role is ended once more, and the error says that it did not end in time. */
export function seenLate(error: unknown, scope: CheckScope, session: Session): unknown {
  if (!(error instanceof StepFailed) || error.code !== 'cluster-in-use') return error
  const { cluster, saw } = error.facts as ObstacleFacts['cluster-in-use']
  const ended = session.waysBack.endsOf(cluster)
  if (ended.length === 0 || !session.accessTo(cluster).mayBeWiped) return error
  for (const undo of ended) scope.makings.expect(undo).refused = false
  return new StepFailed(
    'not-in-time',
    { what: `the end of the role that this run gave to ${cluster}`, saw },
    error.reply,
  )
}

/** Returns why a check may not give a role to a cluster, with the exchanges that show it; undefined if it may. */
export async function barredBy({
  topic,
  check,
  session,
}: Task): Promise<{ readonly outcome: Outcome; readonly scope?: CheckScope } | undefined> {
  const { waysBack, plan, kept } = session
  if (plan.isThrownAway || !givesRoles(check)) return undefined
  const due = (check.rehearsals ?? []).filter(({ id }) => waysBack.isDue(id))
  let scope: CheckScope | undefined
  for (const act of due.flatMap(({ acts }) => acts)) {
    if (waysBack.lost) break
    if (scope) kept.giveBack(scope.log.exchanges)
    scope = new CheckScope(session, topic.names, { ownsClusters: true })
    try {
      await rehearse(act, scope, session)
    } catch (error) {
      return { outcome: blockedBy(error), scope }
    }
  }
  if (waysBack.lost) {
    const blocker = blockerOf('no-way-back', { told: waysBack.lost })
    return { outcome: { verdict: 'not-verified', blocker }, ...defined({ scope }) }
  }
  if (scope) kept.giveBack(scope.log.exchanges)
  return undefined
}

async function rehearse(act: Rehearsal['acts'][number], scope: CheckScope, session: Session): Promise<void> {
  try {
    for (const step of act) await scope.perform(step)
  } catch (error) {
    if (!isForeseen(error)) throw error
    seenLate(error, scope, session)
  } finally {
    await takeBackAll(scope, session)
  }
}

function givesRoles({ given = [], when, control }: Check): boolean {
  const sent = [...given, when, ...(control ? [control] : [])].flatMap((step): readonly Exchange[] =>
    step.kind === 'exchange' ? [step] : step.kind === 'operation' ? [] : step.touches,
  )
  return sent.some(({ undo }) => undo?.restoration !== undefined)
}
