/** A check ends here: what it made is taken back, and what it opened is closed. */
import { takeBack } from '../safety/take-back.ts'
import { type ObstacleFacts, StepFailed } from '../vocabulary/index.ts'
import { largeReplies } from '../wire/large-replies.ts'
import type { CheckScope } from './scope.ts'
import type { Session } from './session.ts'
import type { Made } from './undo.ts'

export async function takeBackAll(scope: CheckScope, session: Session): Promise<void> {
  await undoAll(scope, session)
  for (const close of scope.opened.toReversed()) await close()
}

/** Takes back what the check made, last first. What resists stays in the journal, for the end of the run. Nothing that
 * the check received is looked at afterwards. */
export async function undoAll(scope: CheckScope, session: Session): Promise<void> {
  try {
    scope.phase = 'undo'
    // Else the requests that take things back would wait for the turn that the check itself still has.
    largeReplies.leave(scope)
    for (const made of scope.makings.all) await undoOne(made, scope, session)
  } finally {
    largeReplies.leave(scope)
  }
}

async function undoOne(made: Made, scope: CheckScope, session: Session): Promise<void> {
  const { undo, refused } = made
  if (!undo) {
    if (await scope.takeBackOtherwise(made)) scope.makings.done(made)
    return
  }
  if (session.breaker.whyOpen(undo.cluster) !== undefined) return
  const isRole = undo.restoration !== undefined
  if (refused && isRole) scope.makings.named(made, { ...undo, refused })
  const access = session.accessTo(undo.cluster)
  const resisted = await takeBack(made.undo ?? undo, scope.asker(undo.cluster), scope.dialect, access)
  if (resisted === undefined && isRole && !refused) session.waysBack.end(undo)
  if (resisted === undefined || (refused && !isRole)) scope.makings.done(made)
  // A role that the run was refused, on a cluster that is not its own, may be somebody else's.
  else if (isRole && (!refused || access.mayBeWiped)) session.waysBack.lose(resisted)
}

/** A status may show a role only after the run has looked whether it is ended: a cluster that is in use then, and may be
 * wiped, has its role from this run, which takes it back once more. */
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
