/** Tells whether a spelling or a circumstance is why a check differs. Such a check is judged again as written. If it passes
 * then, it is judged with one of them at a time, and the first that differs again is the finding. If none does, it is judged
 * with all of them again, and then with fewer for as long as it differs: a few together are why. They are the finding only
 * if the check differs with them once more, and then passes as written once more. */
import { levelOf } from '../run/check-result.ts'
import type { Outcome } from '../run/outcome.ts'
import type { Task } from '../run/session.ts'
import { pathPattern, unnamed } from '../safety/path-pattern.ts'
import { type Answered, addressOf, isSuccess, type SpellingSite, type Varied } from '../vocabulary/index.ts'
import { isCircumstance } from '../vocabulary/is-circumstance.ts'
import { ahead, type Judged } from './judged.ts'
import { companionsIn, differingOutcome, hasFields, isDenied, refusals, withWords } from './told-differences.ts'

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

/** Returns what may be why a check differs: only what some request was sent with. */
function suspectsOf({ outcome: { verdict, blocker }, scope }: Judged): readonly Varied[] {
  if (verdict === 'pass') return []
  const isOtherwise = blocker !== undefined && unrelated.has(blocker.kind)
  const suspects = [...new Set([...scope.spellings.sent.map(({ site }) => site), ...scope.met])]
  return isOtherwise ? suspects.filter(({ id }) => id === 'other-caller' && blocker.kind === 'permission') : suspects
}

/** This is how `judgedInSpellings` judges a check. */
interface Ways {
  /** True if the check has differed already, spelled as it is, on ground that may be why. It is then judged as written
   * first, because most checks that differ do so in any spelling, and each may wait as long as the target may take. */
  readonly hasDiffered: boolean
  /** True if nothing forbids to judge the check in two ways at once: if it waits for long, it waits once. */
  readonly mayOverlap: boolean
  /** Judges the check in rounds, with what makes no difference on a correct server. Calls `onLong` when it waits for long. */
  judged(varied: readonly Varied[], onLong?: () => void): Promise<Judged>
}

export async function judgedInSpellings(task: Task, { hasDiffered, mayOverlap, judged }: Ways): Promise<Judged> {
  const { topic, check, session } = task
  const drop = ({ scope }: Judged) => session.kept.giveBack(scope.log.exchanges)
  const varied = session.spellings.of(addressOf(topic, check))
  const before = hasDiffered ? await judged([]) : undefined
  if (before && isDecided(before, varied)) return before
  const beside = ahead(() => judged([]), mayOverlap && before === undefined && varied.length > 0)
  const first = await judged(varied, beside.begin)
  const asWritten = before ?? (await beside.begun())
  const suspects = suspectsOf(first)
  if (suspects.length === 0) {
    if (asWritten) drop(asWritten)
    return first
  }
  const plain = asWritten ?? (await judged([]))
  const end = endedBy(task, first, plain)
  drop(end === first ? plain : first)
  return end ?? judgedWithFewer(suspects, plain, task, { judged, drop })
}

interface Judging extends Pick<Ways, 'judged'> {
  drop(judged: Judged): void
}

/** Judges a check that passes as written with fewer of what may be why it differs. */
async function judgedWithFewer(
  suspects: readonly Varied[],
  plain: Judged,
  task: Task,
  { judged, drop }: Judging,
): Promise<Judged> {
  const differs = async (some: readonly Varied[]): Promise<Differing | undefined> => {
    const again = await judged(some)
    const met = suspectsOf(again)
    const outcome = met.length > 0 && differingOutcome(task, met, again)
    if (outcome) return { some: met, found: { ...again, outcome }, shown: shownIn(again.outcome) }
    drop(again)
    return undefined
  }
  const differing = (await oneOf(suspects, differs)) ?? (await fewOf(suspects, differs, drop))
  const { spellings } = task.session
  if (!differing) {
    // What the target denies is no longer sent to it.
    if (suspects.every((one) => spellings.isOpen(one))) spellings.doubt()
    return plain
  }
  const { some, found } = differing
  const told = await confirmed(differing, plain, task, { differs, judged, drop })
  for (const round of [plain, found]) if (round !== told) drop(round)
  if (told === found) for (const suspect of some) spellings.isUnknown(suspect)
  else spellings.doubt()
  return told
}

/** A check that differs, with the spellings and circumstances that it was judged in. */
interface Differing {
  readonly some: readonly Varied[]
  readonly found: Judged
  /** The request that shows it. */
  readonly shown: string
}

type Differs = (some: readonly Varied[]) => Promise<Differing | undefined>

/** Returns which request shows what was found, whatever it names: another round has other names. */
function shownIn({ mismatches: [first] = [], blocker }: Outcome): string {
  const { asked = '' } = first ?? ((blocker?.facts ?? {}) as { readonly asked?: string })
  return `${first ? '' : blocker?.code} ${unnamed(pathPattern(asked))}`
}

/** Returns the finding if it shows again and again, and never as written. Otherwise the target is wrong now and then. One that
 * is wrong every second time would look like a finding if the check were judged as written first. */
async function confirmed(
  { some, found, shown }: Differing,
  plain: Judged,
  { session }: Task,
  { differs, judged, drop }: Judging & { readonly differs: Differs },
): Promise<Judged> {
  for (let times = 0; times <= session.spellings.doubts; times += 1) {
    const again = await differs(some)
    if (again) drop(again.found)
    const asWritten = await judged([])
    if (asWritten.outcome.verdict !== 'pass' && !isKeptBack(asWritten, session))
      return { ...asWritten, outcome: withWords(asWritten.outcome, 'but not each time') }
    drop(asWritten)
    if (asWritten.outcome.verdict !== 'pass') return found
    if (again?.shown !== shown) return plain
  }
  return found
}

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
    if (!few || few.some.length <= 2) return few
    const fewer = await differs(few.some.filter((one) => one !== suspect))
    if (fewer) drop(few.found)
    few = fewer ?? few
  }
  return few
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
  scope.servedRequests.has(blocker.facts as Answered) &&
  !(refusals(outcome).some(hasFields) && scope.met.some((one) => companionsIn(one).length > 0))

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
