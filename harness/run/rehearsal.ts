/** Rehearses the ways back of roles that checks give to clusters, before the first check relies on them. */
import { blockerOf, type Check, type Exchange, type Rehearsal, type Topic } from '../vocabulary/index.ts'
import { blockedBy, isForeseen, type Outcome } from './outcome.ts'
import { CheckScope } from './scope.ts'
import type { Session } from './session.ts'
import { seenLate, takeBackAll } from './take-back-all.ts'

/** Says why a check may give no cluster a role, and what was sent to find out. */
export async function barredBy(
  topic: Topic,
  check: Check,
  session: Session,
): Promise<{ readonly outcome: Outcome; readonly scope?: CheckScope } | undefined> {
  const { waysBack, plan, kept } = session
  if (plan.isThrownAway || !givesRoles(check)) return undefined
  const due = (check.rehearsals ?? []).filter(({ id }) => waysBack.isDue(id))
  let scope: CheckScope | undefined
  for (const act of due.flatMap(({ acts }) => acts)) {
    if (waysBack.lost) break
    if (scope) kept.giveBack(scope.exchanges)
    scope = new CheckScope(session, topic.names)
    try {
      await rehearse(act, scope, session)
    } catch (error) {
      return { outcome: blockedBy(error), scope }
    }
  }
  if (waysBack.lost) {
    const blocker = blockerOf('no-way-back', { told: waysBack.lost })
    return { outcome: { verdict: 'not-verified', blocker }, ...(scope ? { scope } : {}) }
  }
  if (scope) kept.giveBack(scope.exchanges)
  return undefined
}

async function rehearse(act: Rehearsal['acts'][number], scope: CheckScope, session: Session): Promise<void> {
  try {
    for (const step of act) await scope.perform(step)
  } catch (error) {
    if (!(error instanceof Error && isForeseen(error))) throw error
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
