import type { Ground } from '../ground/ground-pool.ts'
import { judgedOnGround, makeRoom } from '../ground/shared-ground.ts'
import { hasNeighbours, type Share } from '../ground/shares.ts'
import { lockOf, mayOverlap } from '../safety/locks.ts'
import { notUndoable, removalLost } from '../safety/undoable.ts'
import { isAbove, safetyOf } from '../select/safety-class.ts'
import type { Judged } from '../spelling/judged.ts'
import { judgedInSpellings } from '../spelling/spelled-rounds.ts'
import { askedIn } from '../spelling/told-differences.ts'
import { sentBy } from '../targets/sent-by.ts'
import { statementAbout } from '../verdict/statement-about.ts'
import { withFurther } from '../verdict/told-once.ts'
import { defined } from '../vocabulary/defined.ts'
import {
  addressOf,
  askedBy,
  blockerOf,
  type Check,
  type CheckResult,
  expectsRefusal,
  mayLag,
  requirementsOf,
  StepFailed,
  type Topic,
  type Varied,
} from '../vocabulary/index.ts'
import { CircuitOpen, whyStopped } from '../way/interruptions.ts'
import { type OwnSide, providerSince } from '../way/own-side.ts'
import { boundMs } from '../wire/bounds.ts'
import { largeReplies } from '../wire/large-replies.ts'
import { boundsOf, linesFor, offers, outsideOf } from './applicability.ts'
import { levelOf, recordedOf, type Unrecorded, unrecordedOf } from './check-result.ts'
import { mainCluster } from './clusters.ts'
import { asFarAsAllowed } from './denials.ts'
import { learnWhetherSteppedDown } from './learned-nodes.ts'
import { otherCallerOf } from './other-caller.ts'
import { blockedBy, type Outcome } from './outcome.ts'
import { outcomeOf } from './phases.ts'
import { withoutQueries } from './query-strings.ts'
import { barredBy, seenLate } from './rehearsing.ts'
import { atActiveOnly, isFinding, isLost, type Lost, nodesDiffer, Rounds, steppedDown } from './rounds.ts'
import { CheckScope } from './scope.ts'
import type { Session, Task } from './session.ts'
import { takeBackAll } from './taking-back.ts'
import { measure, timed } from './timings.ts'

/** Judges one check on one target. Never rejects: an error in the suite itself becomes the verdict `error`. */
export const judge = async (topic: Topic, check: Check, session: Session): Promise<CheckResult> =>
  recordedOf(await judgeUnrecorded({ topic, check, session }), session)

/** Judges a check, and leaves it to somebody else to record and redact the result. */
export async function judgeUnrecorded(task: Task): Promise<Unrecorded> {
  const { topic, check, session } = task
  const gone = await session.breaker.whyGone(mainCluster)
  const outcome = exclusionOf(task, gone)
  if (outcome) return unrecordedOf(task, { outcome }, Date.now(), 0)
  const asked = performance.now()
  const lock = lockOf(check, session)
  const { timings } = session.plan
  const address = addressOf(topic, check)
  return session.locks.hold(lock, async () => {
    const waitedMs = Math.round(performance.now() - asked)
    if (lock !== undefined) measure(timings, `turn of ${address}`, asked)
    const judged = await timed(timings, `check ${address}`, () => judgedInTurn(task))
    if (lock === undefined && waitedMs === 0) return judged
    return { ...judged, result: { ...judged.result, turn: { ...(lock === undefined ? {} : { lock }), waitedMs } } }
  })
}

async function judgedInTurn(task: Task): Promise<Unrecorded> {
  const { check, session } = task
  const startedAt = Date.now()
  const started = performance.now()
  await makeRoom(task)
  const unsendable = (await withoutQueries(check, session)) ?? (await removalLost(task))
  const barred = unsendable ? { outcome: unsendable } : await barredBy(task)
  if (barred) return unrecordedOf(task, barred, startedAt, performance.now() - started)
  const { onShared, ...found } = await judgedOnGround(task, {
    onShared: (share, ground, onLong) =>
      judgedOnce({ ...task, check: share.rest }, variedOnGround(task, share), { ground, onLong }),
    alone: (hasDiffered) =>
      judgedInSpellings(task, {
        ...{ hasDiffered, mayOverlap: mayOverlap(check, session) },
        judged: (varied, onLong) => judgedInRounds(task, varied, onLong),
      }),
  })
  const judged = unrecordedOf(task, found, startedAt, performance.now() - started)
  session.kept.giveBack(found.scope.log.exchanges)
  return onShared === undefined ? judged : { ...judged, result: { ...judged.result, onShared } }
}

/** Neighbours may have been on shared ground since it was prepared. */
const variedOnGround = ({ topic, check, session }: Task, { ground }: Share): readonly Varied[] =>
  session.spellings.of(addressOf(topic, check)).filter(({ id }) => id !== 'neighbours' || !hasNeighbours(ground))

/** Judges a check, and judges it again with new names while there is a reason to. What the earlier round made has been
 * taken back by then, or stays in the journal for the end of the run. */
async function judgedInRounds(task: Task, varied: readonly Varied[], onLong?: () => void): Promise<Judged> {
  const { topic, check, session } = task
  const { breaker } = session
  const rounds = new Rounds({
    level: levelOf(task),
    isDisruptive: safetyOf(topic, check) === 'disruptive',
    deciding: requirementsOf(check),
    asked: askedIn(check),
    statementAbout: (asked) => statementAbout(asked, session.requirements, session.plan.facts),
  })
  for (;;) {
    const [openings, replies, moves] = [breaker.openings, breaker.replies, session.clockMoves.count]
    const startedAt = performance.now()
    const { outcome, lost, lostIn, scope } = await judgedOnce(task, varied, defined({ onLong }))
    const ended = await endedBy(lost, outcome, session)
    if (ended) return { outcome: ended, scope }
    const decided = rounds.decide({
      ...{ outcome, lost, lostIn },
      wentAway: breaker.openings > openings,
      mayLag: session.nodes?.isSettling === true,
      isSettled: scope.polls.isInVain && (await session.nodes?.activeUrl()) !== undefined,
      wasAnswered: breaker.replies > replies,
      wasClockMoved: session.clockMoves.count - moves > scope.time.moves,
      ownSide: isFinding(outcome) ? await ownSideOf(task, scope, startedAt) : undefined,
    })
    if (decided) return atActiveNode(task, varied, { outcome: decided, scope })
    session.kept.giveBack(scope.log.exchanges)
  }
}

/** Judges a check that a node contradicts once more at the active node, if its address may be used. Only what the active
 * node contradicts as well is a finding about the service. */
async function atActiveNode(task: Task, varied: readonly Varied[], decided: Judged): Promise<Judged> {
  const { nodes, kept, plan } = task.session
  if (decided.outcome.mismatches === undefined || !nodes) return decided
  if ((await nodes.activeUrl()) === undefined)
    return mayLag(plan.facts) ? decided : { ...decided, outcome: nodesDiffer(askedIn(task.check), steppedDown) }
  const atActive = await judgedOnce(task, varied, { isAtActive: true })
  if (atActive.outcome.verdict !== 'pass') {
    kept.giveBack(decided.scope.log.exchanges)
    return atActive
  }
  kept.giveBack(atActive.scope.log.exchanges)
  return { ...decided, outcome: nodesDiffer(askedIn(task.check), atActiveOnly) }
}

/** Returns the outcome of a check if nothing more can be sent. */
async function endedBy(
  lost: Lost | undefined,
  outcome: Outcome,
  { breaker, signal, whyOther }: Session,
): Promise<Outcome | undefined> {
  const isDecided = outcome.verdict === 'pass' || outcome.verdict === 'not-applicable'
  const gone = lost ? await breaker.whyLost() : isDecided ? undefined : await whyOther()
  if (signal.aborted) return outcome
  return gone === undefined ? undefined : blockedBy(new CircuitOpen(gone))
}

async function chooseCaller({ check, session }: Task, scope: CheckScope): Promise<void> {
  if (!scope.circumstances.some(({ id }) => id === 'other-caller')) return
  const { when, lock } = check
  const [first] = when.kind === 'exchange' ? [when] : when.touches
  const decided = new Set(requirementsOf(check).flatMap((id) => session.requirements.get(id)?.requests ?? []))
  const deciding = sentBy(check, session.dialect).filter((exchange) => decided.has(askedBy(exchange)))
  scope.judged = new Set([first, ...deciding].map((exchange) => exchange?.cluster ?? mainCluster))
  scope.callers.other = otherCallerOf(session)
  // A check that changes roles is first admitted to each cluster.
  if (lock !== 'clusters') await scope.callers.callAsOther(mainCluster)
}

async function judgedOnce(
  task: Task,
  varied: readonly Varied[],
  { ground, isAtActive = false, onLong }: { ground?: Ground; isAtActive?: boolean; onLong?: () => void } = {},
) {
  const { topic, check, session } = task
  const scope = new CheckScope(session, topic.names, { ownsClusters: check.lock === 'clusters', varied })
  if (ground) scope.standOn(ground)
  scope.isAtActive = isAtActive
  scope.polls.onLong = onLong
  scope.control = check.control
  scope.refuses = expectsRefusal(check)
  await chooseCaller(task, scope)
  scope.deciding = requirementsOf(check)
  scope.conditions = topic.conditions
  let outcome: Outcome
  let lost: Lost | undefined
  try {
    outcome = await allowedOutcomeOf(task, scope)
  } catch (error) {
    outcome = blockedBy(error)
    if (isLost(error)) lost = error
  }
  const lostIn = scope.phase
  // What has to be taken back may not be known yet to a node that is no longer the active one.
  if (outcome.verdict !== 'pass') await learnWhetherSteppedDown(session, session.plan.facts)
  try {
    // A target that does not decode paths may have made objects under other names.
    if (outcome.verdict !== 'pass') for (const undo of scope.spellings.misnamed) scope.makings.expect(undo)
    await takeBackAll(scope, session)
  } catch (error) {
    outcome = blockedBy(error)
    lost = undefined
  }
  return { outcome, lost, lostIn, scope }
}

/** Judges a check, and then finds out whether the token was allowed to send what the check sent. If it was, the outcome
 * holds what contradicts other statements, too. */
async function allowedOutcomeOf(task: Task, scope: CheckScope): Promise<Outcome> {
  const { topic, check, session } = task
  const isDisruptive = safetyOf(topic, check) === 'disruptive'
  const wholeOf = (outcome: Outcome): Outcome =>
    withFurther(outcome, scope, (id) => session.requirements.get(id)?.level ?? 'must')
  const weighed = async (outcome: Outcome, error?: unknown) => {
    // What asks about the token needs the turn for large replies itself.
    if (scope.own.denied.length > 0 || outcome.verdict === 'not-applicable') largeReplies.leave(scope)
    const whole = wholeOf(outcome)
    const allowed = await asFarAsAllowed({ outcome, whole, error, isDisruptive }, scope.own, session)
    // A step that the token was not allowed to take contradicts nothing.
    if (allowed !== whole || !(error instanceof StepFailed && error.contradicts)) return allowed
    scope.broken.push(error.contradicts)
    return wholeOf(outcome)
  }
  let outcome: Outcome
  try {
    outcome = await outcomeOf(check, levelOf(task), scope)
  } catch (thrown) {
    if (isLost(thrown)) throw thrown
    const error = seenLate(thrown, scope, session)
    return weighed(blockedBy(error), error)
  }
  return weighed(outcome)
}

/** Returns what this machine spoiled during a check to which its time matters: the check polls or waits, or the target
 * calls the provider stub or a forwarder of this machine. Undefined if that cannot have made a finding. */
async function ownSideOf(
  { check: { needs = [], lock }, session: { plan, stallSince } }: Task,
  { polls }: CheckScope,
  startedAt: number,
): Promise<OwnSide | undefined> {
  const isCalled = needs.includes('provider')
  if (!(isCalled || polls.isAny || lock === 'clock' || needs.includes('forwarder'))) return undefined
  const { provider } = plan.isThrownAway || !isCalled ? {} : plan.target.provides
  const ownSide = { stalledMs: stallSince(startedAt), ...(await providerSince(provider, startedAt)) }
  const isLate = Math.max(ownSide.stalledMs, ownSide.lateMs) >= boundMs('ownStall')
  return isLate || ownSide.cutOff > 0 ? ownSide : undefined
}

/** Returns why a check is not started, or undefined if it is. */
function exclusionOf({ topic, check, session }: Task, gone: string | undefined): Outcome | undefined {
  const { facts, evidence, ceiling } = session.plan
  if (session.signal.aborted) return blockedBy(whyStopped(session.signal))
  const unknown = requirementsOf(check).find((id) => !session.requirements.has(id))
  if (unknown) return blockedBy(new TypeError(`the register has no requirement ${unknown}`))
  // An absent area comes first, because nothing that the operator declares, provides or allows would help.
  const absent = absenceOf(topic, session)
  if (absent) return absent
  const outside = outsideOf(boundsOf(check, session.requirements), facts, evidence, session.plan.hidden)
  if (outside) return outside
  const safety = safetyOf(topic, check)
  if (isAbove(safety, ceiling))
    return { verdict: 'not-verified', blocker: blockerOf('above-the-ceiling', { safety, ceiling }) }
  if (gone !== undefined) return blockedBy(new CircuitOpen(gone))
  const missing = check.needs?.filter((need) => !offers(need, session)) ?? []
  if (missing.length === 0) return notUndoable({ topic, check, session })
  return { verdict: 'not-verified', blocker: blockerOf('not-provided', { needs: missing, lines: linesFor(missing) }) }
}

function absenceOf({ area }: Topic, { plan }: Session): Outcome | undefined {
  const absent = plan.absentAreas?.find((one) => one.area === area)
  if (!absent) return undefined
  const { name, evidence } = absent
  return { verdict: 'not-applicable', blocker: blockerOf('area-absent', { name, evidence }) }
}
