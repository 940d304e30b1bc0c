/** A check takes back what it made. Ways back of the roles that it gives to clusters are rehearsed before checks rely on
 * them: once one is not there, no check gives a cluster a role any more, and at most one cluster is left as it should not be. */
import type { Undo } from '../safety/journal-lines.ts'
import { takeBack } from '../safety/take-back.ts'
import {
  blockerOf,
  type Check,
  type Exchange,
  type ObstacleFacts,
  type Rehearsal,
  StepFailed,
  type Topic,
} from '../vocabulary/index.ts'
import { largeReplies } from '../wire/large-replies.ts'
import { blockedBy, isForeseen, type Outcome } from './check-result.ts'
import { CheckScope } from './scope.ts'
import type { Session } from './session.ts'
import type { Made } from './undo.ts'

export class WaysBack {
  readonly #rehearsed = new Set<string>()
  readonly #ended = new Map<string, Undo>()
  #lost: string | undefined

  /** A sentence about the first cluster that did not come back. */
  get lost(): string | undefined {
    return this.#lost
  }

  lose(lost: string): void {
    this.#lost ??= lost
  }

  /** A role that this run gave was ended. */
  end(undo: Undo): void {
    this.#ended.set(`${undo.cluster} ${undo.path}`, undo)
  }

  /** Returns what ended the roles that this run gave to a cluster. */
  endsOf(cluster: string): readonly Undo[] {
    return [...this.#ended.values()].filter((undo) => undo.cluster === cluster)
  }

  /** Tells whether this is the first time that somebody asks. */
  isDue(id: string): boolean {
    if (this.#rehearsed.has(id)) return false
    this.#rehearsed.add(id)
    return true
  }
}

/** Ends a check: takes back what it made, and closes what it opened. */
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
    scope = new CheckScope(session, topic.names, session.settling)
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
