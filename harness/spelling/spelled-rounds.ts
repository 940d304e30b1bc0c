/** Tells whether a spelling or a circumstance is why a check differs. Such a check is judged again as written. If it passes
 * then, it is judged with one of them at a time, and the first that differs again is the finding. If none does, it is judged
 * with all of them again, and then with fewer for as long as it differs: a few together are why. */

import { levelOf } from '../run/check-result.ts'
import type { Outcome } from '../run/outcome.ts'
import type { CheckScope } from '../run/scope.ts'
import type { Task } from '../run/session.ts'
import { withFurther } from '../verdict/told-once.ts'
import {
  addressOf,
  type Check,
  type Circumstance,
  type Companion,
  type FoundMismatch,
  isSuccess,
  requirementsOf,
  type SpellingSite,
  type Varied,
} from '../vocabulary/index.ts'
import { isCircumstance } from '../vocabulary/is-circumstance.ts'

export interface Judged {
  readonly outcome: Outcome
  readonly scope: CheckScope
}

/** Obstacles that the spelling of a request cannot have caused. */
const unrelated: ReadonlySet<string> = new Set([
  'area',
  'edition',
  'version',
  'feature',
  'unknown-fact',
  'safety',
  'need',
  'permission',
  'transport',
  'interrupted',
  'time',
  'failing-target',
  'reply-size',
])

/** Returns what may be why a check differs. */
function suspectsOf({ outcome: { verdict, blocker }, scope }: Judged): readonly Varied[] {
  if (verdict === 'pass') return []
  const isOtherwise = blocker !== undefined && unrelated.has(blocker.kind)
  const suspects = [...new Set([...scope.spellings.sent.map(({ site }) => site), ...scope.circumstances])]
  return isOtherwise ? suspects.filter(({ id }) => id === 'other-caller' && blocker.kind === 'permission') : suspects
}

/** This is how `judgedInSpellings` judges a check. */
interface Ways {
  /** True if the check has differed already, spelled as it is, on ground that may be why. It is then judged as written
   * first, because most checks that differ do so in any spelling, and each may wait as long as the target may take. */
  readonly hasDiffered: boolean
  /** Judges the check in rounds, with what makes no difference on a correct server. */
  judged(varied: readonly Varied[]): Promise<Judged>
}

export async function judgedInSpellings(task: Task, { hasDiffered, judged }: Ways): Promise<Judged> {
  const { topic, check, session } = task
  const drop = ({ scope }: Judged) => session.kept.giveBack(scope.log.exchanges)
  const varied = session.spellings.of(addressOf(topic, check))
  const asWritten = hasDiffered ? await judged([]) : undefined
  if (asWritten && isDecided(asWritten, varied)) return asWritten
  const first = await judged(varied)
  const suspects = suspectsOf(first)
  if (suspects.length === 0) {
    if (asWritten) drop(asWritten)
    return first
  }
  const plain = asWritten ?? (await judged([]))
  const end = endedBy(task, first, plain)
  drop(end === first ? plain : first)
  if (end) return end
  const differs = async (some: readonly Varied[]): Promise<Differing | undefined> => {
    const again = await judged(some)
    const outcome = suspectsOf(again).length > 0 && differingOutcome(task, some, again)
    if (outcome) return { some, found: { ...again, outcome }, isByStep: again.outcome.mismatches === undefined }
    drop(again)
    return undefined
  }
  const differing = (await oneOf(suspects, differs)) ?? (await fewOf(suspects, differs, drop))
  if (!differing) return plain
  drop(plain)
  return confirmed(differing, task, judged, drop)
}

/** Returns the finding, or what the check comes to as written if it does not pass then: where only a step on the way failed, it
 * may fail now and then. */
async function confirmed(
  { some, found, isByStep }: Differing,
  { session }: Task,
  judged: Ways['judged'],
  drop: (judged: Judged) => void,
): Promise<Judged> {
  const asWritten = isByStep ? await judged([]) : undefined
  if (asWritten) drop(asWritten.outcome.verdict === 'pass' ? asWritten : found)
  if (asWritten && asWritten.outcome.verdict !== 'pass') return asWritten
  for (const suspect of some) session.spellings.isUnknown(suspect)
  return found
}

const isDecided = ({ outcome }: Judged, varied: readonly Varied[]): boolean =>
  outcome.verdict !== 'pass' || varied.length === 0

/** Returns what decides a check that does not pass as written, and undefined if it passes. */
function endedBy(task: Task, first: Judged, plain: Judged): Judged | undefined {
  if (plain.outcome.verdict === 'pass') return undefined
  const isBarred = isKeptBack(plain, task.session) || isStuck(plain, first)
  return isBarred && isDecidedAnyway(first, suspectsOf(first), task) ? first : plain
}

/** Returns whether a check could not be judged again because a cluster kept the role that was given to it before. */
const isKeptBack = ({ outcome }: Judged, { waysBack }: Task['session']): boolean =>
  waysBack.lost !== undefined && outcome.blocker !== undefined && outcome.mismatches === undefined

/** Returns whether a check could not be judged again because the target refuses now what it served before: a server that
 * does not recover from what was found. A write may also be refused for a further field, which does not contradict what
 * the check decides. */
const isStuck = ({ outcome: { blocker, mismatches } }: Judged, { outcome, scope }: Judged): boolean =>
  blocker?.code === 'step-refused' &&
  mismatches === undefined &&
  !(refusals(outcome).some(hasFields) && scope.circumstances.some((one) => companionsIn(one).length > 0))

/** Returns whether a finding contradicts the target whichever of the suspects is why: what is equal by a must is as good as
 * the usual spelling, and so is a request without a body once it is served, because it can mean one thing only. */
function isDecidedAnyway(found: Judged, suspects: readonly Varied[], task: Task): boolean {
  const { sent } = found.scope.spellings
  const isServed = (site: SpellingSite): boolean =>
    site.spelling === 'no-body' && sent.every((one) => one.site !== site || isSuccess({ status: one.status ?? 0 }))
  const isAsStrict = (site: SpellingSite): boolean =>
    levelOf(task) !== 'must' || task.session.requirements.get(site.row)?.level === 'must' || isServed(site)
  return (
    found.outcome.mismatches !== undefined &&
    suspects.every((one) => (isCircumstance(one) ? !isDenied(one, found) : isAsStrict(one)))
  )
}

/** A check that differs, with the spellings and circumstances that it was judged in. */
interface Differing {
  readonly some: readonly Varied[]
  readonly found: Judged
  /** True if a step on the way failed. It may fail now and then, so the check has to pass as written once more. */
  readonly isByStep: boolean
}

type Differs = (some: readonly Varied[]) => Promise<Differing | undefined>

async function oneOf(suspects: readonly Varied[], differs: Differs): Promise<Differing | undefined> {
  for (const suspect of suspects) {
    const one = await differs([suspect])
    if (one) return one
  }
  return undefined
}

/** None of the suspects is enough by itself. */
async function fewOf(
  suspects: readonly Varied[],
  differs: Differs,
  drop: (judged: Judged) => void,
): Promise<Differing | undefined> {
  let few = suspects.length > 1 ? await differs(suspects) : undefined
  for (const suspect of suspects) {
    if (!few || few.some.length === 2) return few
    const fewer = await differs(few.some.filter((one) => one !== suspect))
    if (fewer) drop(few.found)
    few = fewer ?? few
  }
  return few
}

/** Returns what a difference says of the target; undefined if it says nothing. */
function differingOutcome(task: Task, suspects: readonly Varied[], again: Judged): Outcome | undefined {
  const circumstances = suspects.filter(isCircumstance)
  const sites = suspects.filter((one): one is SpellingSite => !isCircumstance(one))
  const { outcome } = again
  const { blocker, mismatches } = outcome
  const denied = circumstances.find((one) => isDenied(one, again))
  if (denied) {
    task.session.spellings.isUnknown(denied)
    return undefined
  }
  const words = circumstances.map(({ id }) => only[id])
  const site = onlyOne(sites)
  if (site) return outcomeOf(task, site, again, words)
  if (blocker?.kind === 'suite') return outcome
  const companion = isRefused(outcome) ? onlyOne(circumstances.flatMap(companionsIn)) : undefined
  if (companion && sites.length === 0) return refusedField(task, companion, again)
  const all = [...new Set([...sites.map(() => 'if they are spelled otherwise'), ...words])].join(', and ')
  const saw = (text: string): string => `${text}, but only ${all}`
  if (mismatches) return { ...outcome, mismatches: mismatches.map((one) => ({ ...one, saw: saw(one.saw) })) }
  const mismatch: FoundMismatch = {
    ...{ asked: askedIn(task.check), at: 'request', expectation: 0, wanted: 'the same as otherwise' },
    saw: saw(blocker?.reason ?? outcome.verdict),
  }
  return { verdict: levelOf(task) === 'must' ? 'fail' : 'warn', mismatches: [mismatch] }
}

/** Returns whether a circumstance differs by what the target denies. That says nothing (readings of the documents, 71). */
function isDenied({ id }: Circumstance, { outcome: { blocker }, scope }: Judged): boolean {
  if (id === 'neighbours') return scope.neighbours.areDenied
  return id === 'other-caller' && (scope.own.denied.length > 0 || makesNoToken(blocker))
}

/** Returns whether a token of a check was refused. No document says what a token may hand out to tokens that it makes. */
const makesNoToken = (blocker: Outcome['blocker']): boolean =>
  blocker?.code === 'step-refused' &&
  (blocker.facts as { readonly asked: string }).asked.startsWith('POST auth/token/create')

export const askedIn = ({ when }: Check): string =>
  when.kind === 'exchange' ? `${when.method} ${when.path}` : 'the judged requests'

const only: Readonly<Record<Circumstance['id'], string>> = {
  'other-caller': 'if a token other than the operator’s sends the requests',
  capitals: 'if names have a capital letter',
  neighbours: 'if requests for other objects come first',
  companions: 'if its requests have further fields',
}

/** A server that takes the usual spelling in some circumstances contradicts that the other one is equal there. */
function outcomeOf(
  task: Task,
  site: SpellingSite,
  { outcome, scope }: Judged,
  circumstances: readonly string[],
): Outcome {
  const [sent] = scope.spellings.sent
  const sentAs = [`if it is sent ${sent?.words}`, ...circumstances].join(', and ')
  return contradicting(task, {
    ...{ asked: sent?.asked ?? site.path, at: 'spelling', expectation: 0, requirement: site.row },
    wanted: `the same as for the usual spelling, ${sentAs}`,
    saw: differenceIn(outcome),
    ...(sent?.exchange === undefined ? {} : { exchange: sent.exchange }),
  })
}

const differenceIn = ({ mismatches: [differs] = [], blocker, verdict }: Outcome): string =>
  differs
    ? `${differs.asked}: ${differs.at} wanted ${differs.wanted}; saw ${differs.saw}`
    : (blocker?.reason ?? verdict)

const onlyOne = <T>([first, ...others]: readonly T[]): T | undefined => (others.length === 0 ? first : undefined)
const companionsIn = (one: Circumstance): readonly Companion[] => ('companions' in one ? one.companions : [])

const refusals = ({ mismatches = [] }: Outcome): readonly FoundMismatch[] =>
  mismatches.filter(({ at, wanted }) => (at === 'status' && wanted === '2xx') || at === 'connection')

const hasFields = ({ asked }: FoundMismatch): boolean => /^(?:POST|PUT|the) /.test(asked)

const isRefused = (outcome: Outcome): boolean => outcome.blocker !== undefined || refusals(outcome).length > 0

/** A server that refuses requests for a field does not contradict what the check decides, but that they may have the field. */
function refusedField(task: Task, { field, row }: Companion, { outcome }: Judged): Outcome {
  const [differs] = outcome.mismatches ?? []
  return contradicting(task, {
    ...{
      asked: differs?.asked ?? askedIn(task.check),
      at: `request with \`${field}\``,
      expectation: 0,
      requirement: row,
    },
    wanted: 'the same as without the field',
    saw: differenceIn(outcome),
    ...(differs?.exchange === undefined ? {} : { exchange: differs.exchange }),
  })
}

/** Returns the outcome of a check that passes but for what contradicts another statement. */
const contradicting = ({ check, session }: Task, mismatch: FoundMismatch): Outcome =>
  withFurther(
    { verdict: 'pass' },
    { broken: [mismatch], deciding: requirementsOf(check) },
    (id) => session.requirements.get(id)?.level ?? 'must',
  )
