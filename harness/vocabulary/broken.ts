/** Which statements of the documents a result contradicts. Every report counts by this. */
import type { Requirement } from './requirement.ts'
import type { CheckResult, FoundMismatch } from './result.ts'
import type { Level, Verdict } from './words.ts'

export type Rows = ReadonlyMap<string, Requirement>

/** Returns the statement that a mismatch contradicts, if a check decides several and the one about the field that
 * differs is meant. */
export function aboutField(at: string, requirements: readonly string[], rows: Rows): { requirement?: string } {
  const field = at.split('/').at(-1)
  const [requirement, ...others] = requirements.filter((id) => rows.get(id)?.field === field)
  return requirement === undefined || others.length > 0 || requirements.length === 1 ? {} : { requirement }
}

/** Returns the statements that a mismatch contradicts: the one that it names, or else all that the check decides. */
export const brokenIn = (
  { requirement }: Pick<FoundMismatch, 'requirement'>,
  { requirements }: Pick<CheckResult, 'requirements'>,
): readonly string[] => (requirement === undefined ? requirements : [requirement])

type Told = Pick<CheckResult, 'verdict' | 'requirements' | 'mismatches' | 'own' | 'accepted'>

export const isContradicted = ({ verdict, accepted }: Pick<Told, 'verdict' | 'accepted'>): boolean =>
  verdict === 'fail' || verdict === 'warn' || accepted?.was === 'fail'

/** Returns the statements that a result contradicts: the rows that are red because of it. */
export function brokenBy(check: Told): readonly string[] {
  if (!isContradicted(check)) return []
  if (check.mismatches.length === 0) return check.requirements
  return [...new Set(check.mismatches.flatMap((mismatch) => brokenIn(mismatch, check)))]
}

/** Returns the statements about which a result says something. */
export const toldBy = (result: Told): readonly string[] => [...new Set([...result.requirements, ...brokenBy(result)])]

/** Returns the verdict of a result about one of these statements. A check may contradict one statement, and hold another
 * one. */
export function verdictOn(result: Told, requirement: string): Verdict {
  const broken = brokenBy(result)
  if (broken.includes(requirement)) return result.verdict
  const { verdict } = result.own ?? result
  if (verdict !== 'fail' && verdict !== 'warn' && verdict !== 'accepted') return verdict
  // What it found contradicts other statements: those in \`broken\`, or else those of checks that it rests on.
  return broken.length > 0 ? 'pass' : result.verdict
}

/** Returns the ids of the statements of a level that the results decide, and of those that they contradict. An accepted
 * contradiction is decided, and not counted as one. */
export function sentencesIn(checks: readonly CheckResult[], rows: Rows, level: Level) {
  const ofLevel = (check: CheckResult, ids: readonly string[]): readonly string[] =>
    ids.filter((id) => (rows.get(id)?.level ?? check.level) === level)
  const broken = checks.map((check) => ({ check, ids: ofLevel(check, brokenBy(check)) }))
  const held = checks.flatMap((check) =>
    ofLevel(
      check,
      check.requirements.filter((id) => verdictOn(check, id) === 'pass'),
    ),
  )
  return {
    decided: new Set([...held, ...broken.flatMap(({ ids }) => ids)]),
    contradicted: new Set(broken.flatMap(({ check, ids }) => (check.verdict === 'accepted' ? [] : ids))),
  }
}
