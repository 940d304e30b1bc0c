/** Reports each contradicted requirement once. A check that met a mismatch with a requirement of another check keeps its
 * own verdict, and rests on the check that reports the mismatch. Pure, and the same for results that it was applied to
 * before, so that the results of shards can be joined. */
import { matchesGlob } from 'node:path'
import type { Outcome } from '../run/outcome.ts'
import {
  blockerOf,
  brokenIn,
  type CheckResult,
  type FoundMismatch,
  type Level,
  type Requirement,
  type Rest,
  type Underlying,
  type Verdict,
  verdictOn,
} from '../vocabulary/index.ts'
import { countedOf, type Met } from './met.ts'
import { nothingRefused } from './nothing-refused.ts'

type Further = FoundMismatch & { readonly requirement: string }
type LevelOf = (requirement: string) => Level

/** Returns whether a mismatch contradicts a requirement that the check decides. */
export const isOwn = ({ requirement }: FoundMismatch, deciding: readonly string[]): boolean =>
  requirement === undefined || deciding.includes(requirement)
const furtherIn = (mismatches: readonly FoundMismatch[], deciding: readonly string[]): readonly Further[] =>
  mismatches.filter((one): one is Further => !isOwn(one, deciding))

const worstOf = (verdict: Verdict, found: readonly Further[], levelOf: LevelOf): Verdict => {
  if (found.length === 0 || verdict === 'fail') return verdict
  return found.some(({ requirement }) => levelOf(requirement) === 'must') ? 'fail' : 'warn'
}

/** Adds to the outcome of a check what was found on the way. A check that is judged alone reports it all. */
export function withFurther(
  outcome: Outcome,
  { broken: all, deciding }: { readonly broken: readonly Met[]; readonly deciding: readonly string[] },
  levelOf: LevelOf,
): Outcome {
  const broken = countedOf(all, outcome)
  // A defect of the suite says nothing about the target.
  if (broken.length === 0 || outcome.verdict === 'error') return outcome
  const places = broken.map(placeOf)
  const found = broken.filter((one, index) => places.indexOf(placeOf(one)) === index)
  const [further, decided] = [furtherIn(found, deciding), found.filter((one): one is Further => isOwn(one, deciding))]
  const expected = outcome.mismatches ?? []
  const isExpected = (one: Further): boolean => expected.some(({ asked, at }) => asked === one.asked && at === one.at)
  const mismatches = [...expected, ...decided.filter((one) => !isExpected(one))]
  const verdict = worstOf(outcome.verdict, decided, levelOf)
  const own: Outcome = decided.length === 0 ? outcome : { verdict, mismatches }
  if (further.length === 0) return own
  return { verdict: worstOf(verdict, further, levelOf), mismatches: [...mismatches, ...further], own }
}

/** Returns what is reported once: a requirement, and the part of a reply that contradicts it. */
const placeOf = ({ requirement, at }: FoundMismatch): string => JSON.stringify([requirement, at])

/** A result, with everything that its check found. */
interface Found {
  readonly result: CheckResult
  readonly own: NonNullable<CheckResult['own']>
  readonly further: readonly Further[]
}

function foundIn(result: CheckResult): Found {
  const { mismatches, requirements, rests: all = [], own = result } = result
  const rests = all.filter(({ isUnderlying }) => !isUnderlying)
  const { verdict, blocker } = own
  return {
    result,
    own: { verdict, ...(blocker ? { blocker } : {}), mismatches: own.mismatches },
    further: [...furtherIn(mismatches, requirements), ...rests.map(({ check: _, ...mismatch }) => mismatch)],
  }
}

export function toldOnce(
  results: readonly CheckResult[],
  requirements: readonly Pick<Requirement, 'id' | 'level' | 'underlies' | 'requests'>[],
): readonly CheckResult[] {
  const all = results.map(foundIn)
  const reporters = reportersOf(all)
  const levels = new Map(requirements.map(({ id, level }) => [id, level]))
  const reported = all.map((found) => told(found, reporters, (id) => levels.get(id) ?? 'must'))
  const judged = onFirstRefusals(onFoundations(reported, requirements), requirements)
  const contradicted = contradictedBy(judged)
  return judged.map((result) => withRequirement(result, contradicted(result.requirements)))
}

/** Returns whether a foundation underlies everything in its area. */
const isBroad = ({ underlies }: { readonly underlies: readonly Underlying[] }): boolean =>
  underlies.some(({ rows = [] }) => rows.some((row) => /^[^.]*\.\*$/.test(row)))

/** Lets checks rest on the checks of contradicted requirements that underlie the parts by which they judge, or what they
 * decide. Of two that underlie each other, the one that underlies its whole area reports the flaw, or else the earlier
 * one. Of several that a check may contradict, none that holds in other checks underlies anything. */
function onFoundations(
  results: readonly CheckResult[],
  requirements: readonly Pick<Requirement, 'id' | 'underlies'>[],
): readonly CheckResult[] {
  const contradicted = contradictedBy(results)
  const found = requirements.flatMap(({ id, underlies }) => {
    const decides = ({ requirements: own, mismatches }: CheckResult): boolean =>
      own.includes(id) &&
      mismatches.some((one) => isOwn(one, own) && (one.requirement ?? contradicted(own) ?? id) === id)
    const first = underlies && results.find(decides)
    return first ? [{ id, check: first.id, underlies }] : []
  })
  const foundations = found.toSorted((one, other) => Number(isBroad(other)) - Number(isBroad(one)))
  return results.map((result) =>
    resting(result, (one) => {
      const ids = brokenIn(one, result)
      const own = foundations.findIndex(({ id }) => ids.includes(id))
      const built = builtOn(ids, foundations)
      return foundations.find((row, index) => (index < own || !built.has(row)) && isOn(row, one, ids))
    }),
  )
}

/** Returns the foundations among some requirements, and those that they underlie, directly or not: no two rest on each
 * other. */
function builtOn(ids: readonly string[], foundations: readonly UnderlyingRow[]): ReadonlySet<UnderlyingRow> {
  const built = new Set(foundations.filter(({ id }) => ids.includes(id)))
  // What is added while the set is read is read as well.
  for (const { underlies } of built)
    for (const row of foundations) if (underlies.some(({ rows }) => !rows || isAny(rows, [row.id]))) built.add(row)
  return built
}

/** Lets the further refusals of an operation that refuses nothing rest on the first one. */
function onFirstRefusals(
  results: readonly CheckResult[],
  requirements: readonly Pick<Requirement, 'id' | 'level' | 'requests'>[],
): readonly CheckResult[] {
  const first = nothingRefused(results, requirements)
  return first.size === 0 ? results : results.map((result) => resting(result, () => first.get(result)))
}

interface UnderlyingRow {
  readonly id: string
  readonly check: string
  readonly underlies: readonly Underlying[]
}

const isAny = (globs: readonly string[], texts: readonly string[]): boolean =>
  globs.some((glob) => texts.some((text) => matchesGlob(text, glob)))

/** Returns whether a mismatch may come from a contradiction of this requirement: by the part that differs, and because
 * all requirements that it may contradict need this one. */
function isOn({ id, underlies }: UnderlyingRow, mismatch: FoundMismatch, ids: readonly string[]): boolean {
  const { asked, at, wanted } = mismatch
  const [method] = asked.split(' ')
  const isOfArea = (one: string): boolean => one.split('.')[0] === id.split('.')[0]
  return (
    ids.every(isOfArea) &&
    underlies.some(
      ({ parts, rows }) =>
        (!parts || isAny(parts, [at, ...[method, asked].flatMap((by) => [`${by} ${at}`, `${by} ${at} ${wanted}`])])) &&
        (!rows || ids.every((id) => isAny(rows, [id]))),
    )
  )
}

/** What explains a mismatch: a contradicted requirement, and the check that reports it. */
type Explanation = Pick<UnderlyingRow, 'id' | 'check'>

function resting(
  result: CheckResult,
  explanationOf: (mismatch: FoundMismatch) => Explanation | undefined,
): CheckResult {
  const { requirements, mismatches, verdict, rests = [], own = { verdict, mismatches } } = result
  const rested = mismatches.flatMap((one) => {
    const found = isOwn(one, requirements) ? explanationOf(one) : undefined
    return found
      ? [{ one, rest: { ...one, requirement: found.id, check: found.check, isUnderlying: true as const } }]
      : []
  })
  if (rested.length === 0) return result
  const left = mismatches.filter((one) => !rested.some((other) => other.one === one))
  const all = [...rests, ...rested.map(({ rest }) => rest)]
  const [first] = all
  const isOpen = left.length === 0 && first !== undefined
  return {
    ...result,
    verdict: isOpen ? 'not-verified' : verdict,
    ...(isOpen ? { blocker: restsOn(first) } : {}),
    mismatches: left,
    rests: all,
    own,
  }
}

/** Returns which of several requirements a check contradicts, by what other checks show of them: one that another check
 * contradicts by itself or rests on, or the only one that holds in no other check, or the one that explains most results
 * of this kind. If all of them hold in others, it is the one that explains most of those results, or else the first one,
 * which words the finding. Undefined if it is not known. */
function contradictedBy(results: readonly CheckResult[]) {
  const underlying = results.flatMap(({ rests = [] }) => rests.filter(({ isUnderlying }) => isUnderlying))
  const broken = new Set([
    ...results.flatMap(({ requirements, mismatches }) =>
      mismatches.flatMap(({ requirement }) => requirement ?? (requirements.length === 1 ? requirements : [])),
    ),
    ...underlying.map(({ requirement }) => requirement),
  ])
  const held = new Set(
    results.flatMap((result) => result.requirements.filter((one) => verdictOn(result, one) === 'pass')),
  )
  const unheldOf = (requirements: readonly string[]) => requirements.filter((one) => !held.has(one))
  const open = results.filter(isOpen).map(({ requirements }) => requirements)
  /** Orders requirements by in how many results each of them may be what is contradicted. */
  const ordered = (all: readonly string[], among: readonly (readonly string[])[]) =>
    all
      .map((id) => ({ id, explains: among.filter((some) => some.includes(id)).length }))
      .toSorted((one, other) => other.explains - one.explains)
  return (requirements: readonly string[]): string | undefined => {
    const known = requirements.find((one) => broken.has(one))
    const left = unheldOf(requirements)
    if (known !== undefined) return known
    if (left.length === 0)
      return ordered(
        requirements,
        open.filter((some) => unheldOf(some).length === 0),
      )[0]?.id
    const [first, second] = ordered(left, open.map(unheldOf))
    return first && (!second || first.explains > second.explains) ? first.id : undefined
  }
}

/** Returns whether it is open which of several requirements a result contradicts. */
const isOpen = ({ requirements, mismatches }: CheckResult): boolean =>
  requirements.length > 1 && mismatches.some(({ requirement }) => requirement === undefined)

function withRequirement(result: CheckResult, requirement: string | undefined): CheckResult {
  const { mismatches, verdict, own = { verdict, mismatches } } = result
  if (!isOpen(result) || requirement === undefined) return result
  return { ...result, mismatches: mismatches.map((one) => ({ requirement, ...one })), own }
}

type Reporters = (mismatch: Further) => string | undefined

/** Returns the further mismatches that explain a mismatch, or nothing if something else differs as well. */
function explaining({ beyond = [] }: FoundMismatch, further: readonly Further[]): readonly Further[] {
  const found = beyond.map((part) => further.find(({ at }) => at === part))
  return found.every((one) => one !== undefined) ? found : []
}

/** Finds the check that reports a mismatch: one that decides the requirement; or else one that decides another
 * requirement by the same part of the reply, which is more specific; or else the first that met it. */
function reportersOf(all: readonly Found[]): Reporters {
  const deciding = all.flatMap(({ result: { id, requirements }, own }) =>
    own.mismatches.flatMap(({ requirement }) =>
      (requirement ? [requirement] : requirements).map((one) => [one, id] as const),
    ),
  )
  const specific = all.flatMap(({ result: { id }, own, further }) =>
    own.mismatches.flatMap((one) => explaining(one, further).map((cause) => [placeOf(cause), id] as const)),
  )
  const meeting = all.flatMap(({ result: { id }, further }) => further.map((one) => [placeOf(one), id] as const))
  // The last of several equal keys would win.
  const first = new Map([...deciding, ...specific, ...meeting].reverse())
  return (one) => first.get(one.requirement) ?? first.get(placeOf(one))
}

function told({ result, own, further }: Found, reporterOf: Reporters, levelOf: LevelOf): CheckResult {
  const { blocker: _, rests: __, own: ___, ...rest } = result
  if (further.length === 0) return { ...rest, ...own }
  const isOurs = (one: Further): boolean => reporterOf(one) === result.id
  const explanations = own.mismatches.map((one) => explaining(one, further))
  // What another check explains is reported there.
  const decided = own.mismatches.filter((_, index) => {
    const causes = explanations[index] ?? []
    return causes.length === 0 || causes.some(isOurs)
  })
  const specific = new Set(explanations.flat())
  const ours = further.filter((one) => isOurs(one) && !specific.has(one))
  const others = further
    .filter((one) => !ours.includes(one))
    .map((one) => ({ ...one, check: reporterOf(one) ?? result.id }))
  const verdict = decided.length === 0 && own.mismatches.length > 0 ? 'pass' : own.verdict
  const blocker = ours.length > 0 ? undefined : blockerIn(own, others)
  return {
    ...rest,
    verdict: worstOf(verdict, ours, levelOf),
    ...(blocker ? { blocker } : {}),
    mismatches: [...decided, ...ours],
    ...(others.length > 0 ? { rests: others } : {}),
    own,
  }
}

/** Returns why a check has no verdict of its own. If it could not read what it decides, for no reason of the connection,
 * the token or the run, it rests on the check that reports what is wrong with the reply. */
function blockerIn({ verdict, blocker }: Found['own'], [first]: NonNullable<CheckResult['rests']>) {
  const isOfReply = verdict === 'not-verified' && (blocker?.kind === 'given' || blocker?.kind === 'control')
  if (!isOfReply || first === undefined) return blocker
  return restsOn(first)
}

const restsOn = ({ asked, at, wanted, saw, check, exchange }: Rest) =>
  blockerOf('rests-on', { asked, at, wanted, saw, check }, exchange)
