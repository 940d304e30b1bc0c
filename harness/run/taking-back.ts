import type { Undo } from '../safety/journal-lines.ts'
import { takeBack } from '../safety/take-back.ts'
import { largeReplies } from '../wire/large-replies.ts'
import type { CheckScope } from './scope.ts'
import type { Session } from './session.ts'
import type { Made } from './undo.ts'

/** Ends a check: takes back what it made, and closes what it opened. */
export async function takeBackAll(scope: CheckScope, session: Session): Promise<void> {
  await undoAll(scope, session)
  for (const close of scope.opened.toReversed()) await close()
}

/** Takes back what the check made, last first. What cannot be taken back stays in the journal for the end of the run.
 * Large replies of the check may be released, because nothing reads them afterwards. */
export async function undoAll(scope: CheckScope, session: Session): Promise<void> {
  try {
    scope.phase = 'undo'
    // Otherwise the undos would wait for the turn that the check itself holds.
    largeReplies.leave(scope)
    for (const made of scope.makings.all) await undoOne(made, scope, session)
  } finally {
    largeReplies.leave(scope)
  }
}

async function undoOne(made: Made, scope: CheckScope, session: Session): Promise<void> {
  const { undo, refused } = made
  if (!undo) return (await scope.takeBackOtherwise(made)) ? scope.makings.done(made) : undefined
  if ((await session.breaker.whyGone(undo.cluster)) !== undefined) return
  const isRole = undo.restoration !== undefined
  if (refused && isRole) scope.makings.named(made, { ...undo, refused })
  const access = session.accessTo(undo.cluster)
  const resisted = await takeBack(made.undo ?? undo, scope.asker(undo.cluster), scope.dialect, access)
  if (isRole) noteEnd(undo, refused, resisted, session)
  if (resisted === undefined || (refused && !isRole)) scope.makings.done(made)
}

/** Notes whether a role has ended. If the run was refused the role and the cluster may not be wiped, the role may be
 * somebody else's. */
function noteEnd(undo: Undo, refused: boolean, resisted: string | undefined, session: Session): void {
  const { waysBack } = session
  if (resisted === undefined && !refused) waysBack.end(undo)
  if (resisted !== undefined && (!refused || session.accessTo(undo.cluster).mayBeWiped)) waysBack.lose(resisted)
}
