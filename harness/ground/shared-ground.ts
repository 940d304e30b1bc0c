/** Judges checks on ground that they share. Only a pass counts there: whatever else is found may be due to another check, so
 * the check is judged again on ground of its own. */
import { isDeepStrictEqual } from 'node:util'
import { CheckScope } from '../run/scope.ts'
import type { Session, Task } from '../run/session.ts'
import { takeBackAll } from '../run/taking-back.ts'
import { timed } from '../run/timings.ts'
import { lockOf, mayOverlap } from '../safety/locks.ts'
import { ahead, type Judged } from '../spelling/judged.ts'
import { defined } from '../vocabulary/defined.ts'
import {
  addressOf,
  askedBy,
  type Check,
  type Exchange,
  type Json,
  type Neighbours,
  type SharedGround,
  sizeBounds,
  substanceOf,
  type Topic,
  type Verdict,
} from '../vocabulary/index.ts'
import { largeReplies } from '../wire/large-replies.ts'
import type { Ground } from './ground-pool.ts'
import { hasNeighbours, type Share, shareOf } from './shares.ts'

type Judging = Pick<Session, 'dialect'> & { readonly plan: Pick<Session['plan'], 'ground' | 'target'> }

/** Returns undefined if the check needs ground of its own. Checks that wait for time to pass do so side by side, each on its
 * own; where they move a clock, they come one after another. */
const shareIn = (topic: Topic, check: Check, session: Judging): Share | undefined =>
  session.plan.ground === 'own' || lockOf(check, session) !== check.lock
    ? undefined
    : shareOf(topic, check, session.dialect)

/** Announces all checks that will be judged. */
export function announce(
  checks: readonly { readonly topic: Topic; readonly check: Check }[],
  session: Pick<Session, 'grounds'> & Judging,
): void {
  session.grounds.announce(checks.flatMap(({ topic, check }) => shareIn(topic, check, session)?.key ?? []))
}

/** Returns the checks of a topic in the order in which they are judged. Those that share the only ground of a lock come first,
 * one ground after another, because it would be taken back before each check between them. */
export function inTurn(topic: Topic, checks: readonly Check[], session: Judging): readonly Check[] {
  const byKey = Map.groupBy(checks, (check) => check.lock && shareIn(topic, check, session)?.key)
  const others = byKey.get(undefined) ?? []
  byKey.delete(undefined)
  return [...byKey.values(), others].flat()
}

/** Takes back the shared ground that is in the way of a check whose lock allows one ground at a time. */
export async function makeRoom({ topic, check, session }: Task): Promise<void> {
  if (check.lock !== undefined) await session.grounds.makeRoom(check.lock, shareIn(topic, check, session)?.key)
}

/** How a check is judged: the rest of it on a shared ground, or all of it. */
interface Ways {
  /** Calls `onLong` when the check waits for long. */
  onShared(share: Share, ground: Ground, onLong: () => void): Promise<Judged>
  /** `hasDiffered`: the check did not pass on shared ground, as it was spelled. */
  alone(hasDiffered: boolean): Promise<Judged>
}

/** Judges a check on shared ground if it can share, and on ground of its own otherwise. `onShared` is the verdict on shared
 * ground. */
export async function judgedOnGround(
  task: Task,
  { onShared, alone }: Ways,
): Promise<Judged & { readonly onShared?: Verdict }> {
  const { topic, check, session } = task
  const { grounds, plan, kept } = session
  const share = shareIn(topic, check, session)
  const ground =
    share &&
    (await grounds.take(
      share.key,
      () => timed(plan.timings, 'prepare shared ground', () => prepared(share, task)),
      session.aside,
    ))
  if (!ground) return alone(false)
  ground.uses += 1
  const own = ahead(() => alone(true), mayOverlap(check, session))
  const shared = await onShared(share, ground, own.begin)
  const isAsFound = (await isRestored(share, shared.scope)) && (await showsFrame(ground, share, shared.scope))
  const { verdict } = shared.outcome
  const isInTheWay = verdict !== 'pass' && ground.lock !== undefined
  if (isInTheWay) await grounds.throwAway(share.key, ground)
  const unneeded = verdict === 'pass' ? await own.begun() : shared
  const judged = verdict === 'pass' ? shared : await own.needed()
  if (unneeded) kept.giveBack(unneeded.scope.log.exchanges)
  if (isInTheWay) return { ...judged, onShared: verdict }
  // Where the check differs on ground of its own, the shared one may be why.
  if (isAsFound && judged.outcome.verdict === verdict) await grounds.giveBack(share.key, ground)
  else await grounds.throwAway(share.key, ground, !isAsFound)
  return { ...judged, onShared: verdict }
}

async function prepared({ ground, given, names }: Share, task: Task): Promise<Ground | undefined> {
  const { topic, session } = task
  const neighbours = hasNeighbours(ground) ? firstOf(task) : []
  const { lock } = ground
  const scope = new CheckScope(session, names, {
    ownsClusters: lock === 'clusters',
    varied: neighbours.length > 0 ? [{ id: 'neighbours', neighbours }] : [],
  })
  const { exchanges } = scope.log
  const takeBack = async (): Promise<void> => {
    await takeBackAll(scope, session)
    session.kept.giveBack(exchanges)
  }
  try {
    for (const step of given) await scope.perform(step)
    const isUsed = session.spellings.has('neighbours') && hasNeighbours(ground)
    await scope.neighbours.send([...scope.neighbours.left(), ...(isUsed ? neighboursOn(ground, topic) : [])])
    const sent = exchanges.length
    scope.phase = 'before'
    const frame = await seen(ground.frame, scope)
    session.kept.giveBack(exchanges.splice(sent))
    return { ...scope.standing(), frame, uses: 0, takeBack, ...defined({ lock }) }
  } catch {
    // The check that needs it now meets the same on ground of its own, and tells.
    await takeBack()
    return undefined
  }
}

/** Returns what comes before all requests of checks on the ground. */
const firstOf = ({ topic, check, session }: Task): readonly Neighbours[] =>
  session.spellings
    .of(addressOf(topic, check))
    .flatMap((one) => ('neighbours' in one ? one.neighbours.filter(({ isFirst }) => isFirst) : []))

/** Returns what makes a new ground one that was used before. */
function neighboursOn({ leave }: SharedGround, { neighbours = [] }: Topic): readonly Exchange[] {
  const sent = new Set<Exchange>()
  return neighbours.flatMap(({ isFirst, sends }) => {
    if (isFirst || !sends.every((one) => leave.test(askedBy(one)))) return []
    const open = sends.filter((one) => !sent.has(one))
    for (const one of open) sent.add(one)
    return open
  })
}

async function isRestored({ restores }: Share, scope: CheckScope): Promise<boolean> {
  try {
    for (const step of restores) await scope.perform(step)
    return true
  } catch {
    return false
  }
}

async function showsFrame({ frame }: Ground, share: Share, scope: CheckScope): Promise<boolean> {
  try {
    return isDeepStrictEqual(await seen(share.ground.frame, scope), frame)
  } catch {
    return false
  }
}

async function seen(frame: readonly Exchange[], scope: CheckScope): Promise<readonly Json[]> {
  const shown: Json[] = []
  try {
    for (const exchange of frame) {
      const reply = await scope.send(exchange)
      if (reply.text.length > sizeBounds.savedValue.value) throw new RangeError('too much to compare')
      shown.push(substanceOf(reply))
    }
    return shown
  } finally {
    // Nobody else gives up the turn for large replies.
    largeReplies.leave(scope)
  }
}
