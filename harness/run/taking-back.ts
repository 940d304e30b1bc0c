import type { Undo } from '../safety/journal-lines.ts'
import { takeBack } from '../safety/take-back.ts'
import { defined } from '../vocabulary/defined.ts'
import { type ClusterAccess, type Exchange, isSuccess, type Reply } from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import { largeReplies } from '../wire/large-replies.ts'
import { mainCluster } from './clusters.ts'
import { isForeseen } from './outcome.ts'
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
  if (!undo) return (await isTakenBack(made, scope)) ? scope.makings.done(made) : undefined
  if ((await session.breaker.whyGone(undo.cluster)) !== undefined) return
  const isRole = undo.restoration !== undefined
  if (refused && isRole) scope.makings.named(made, { ...undo, refused })
  const shown = isRole ? session.endedRoles.shown(undo) : undefined
  const access = withLastReply({ ...session.accessTo(undo.cluster), ...defined({ shown }) })
  const resisted = await takeBack(made.undo ?? undo, askerOf(scope, undo.cluster, session), scope.dialect, access)
  if (isRole) noteEnd(undo, refused, resisted, access.last, session)
  if (resisted === undefined || (refused && !isRole)) scope.makings.done(made)
}

/** Returns the access of a cluster, with the last reply that it has received. */
function withLastReply(access: ClusterAccess): ClusterAccess & { readonly last: Reply | undefined } {
  let last: Reply | undefined
  return {
    ...access,
    async send(...request) {
      last = await access.send(...request)
      return last
    },
    get last() {
      return last
    },
  }
}

/** Takes back an object that no reply has named, by the exchanges of `orUndo`. Returns whether one succeeded. */
async function isTakenBack({ otherwise = [] }: Made, scope: CheckScope): Promise<boolean> {
  // All are tried twice, because nothing else would take the object back if a reply was lost.
  for (const undo of [...otherwise, ...otherwise]) if (await succeeds(undo, scope)) return true
  return false
}

async function succeeds(exchange: Exchange, scope: CheckScope): Promise<boolean> {
  try {
    return isSuccess(await scope.send(exchange))
  } catch (error) {
    if (!isForeseen(error)) throw error
    return false
  }
}

/** Returns a function that sends requests as the operator and records them in the check. */
function askerOf(scope: CheckScope, cluster: string, session: Session): Ask {
  const ask = session.ask(cluster)
  return async (question) => {
    const outcome = await ask(question)
    const { method, body } = question
    const to = cluster === mainCluster ? {} : { to: cluster }
    const sent = { phase: scope.phase, method, as: 'operator', ...to, outcome }
    scope.log.record({ ...sent, ...(body === undefined ? {} : { body }) })
    return outcome
  }
}

/** Notes whether a role has ended. If the run was refused the role and the cluster may not be wiped, the role may be
 * somebody else's. */
function noteEnd(
  undo: Undo,
  refused: boolean,
  resisted: string | undefined,
  last: Reply | undefined,
  session: Session,
): void {
  const { waysBack, endedRoles } = session
  // A role is taken back until the cluster shows that it has none.
  if (resisted === undefined && last) endedRoles.note(undo, last)
  if (resisted === undefined && !refused) waysBack.end(undo)
  if (resisted !== undefined && (!refused || session.accessTo(undo.cluster).mayBeWiped)) waysBack.lose(resisted)
}
