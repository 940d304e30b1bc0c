/** Counts and groups. Every format takes its numbers from this module, so that they agree. */
import type {
  Area,
  Cause,
  CheckResult,
  Finding,
  Kind,
  Requirement,
  ResultDocument,
  Verdict,
} from '../../harness/vocabulary/index.ts'
import { number, plural, verdictOrder } from './wording.ts'

export type Counts = Readonly<Record<Verdict, number>>

export function count(checks: readonly CheckResult[]): Counts {
  const counts = Object.fromEntries(verdictOrder.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  for (const check of checks) counts[check.verdict] += 1
  return counts
}

export const worst = (verdicts: Iterable<Verdict>): Verdict | undefined => {
  const present = new Set(verdicts)
  return verdictOrder.find((verdict) => present.has(verdict))
}

/** Returns the indices of the exchanges that the mismatches or the obstacle of a check concern. */
export const wentWrong = ({ mismatches, blocker }: CheckResult): ReadonlySet<number> =>
  new Set([...mismatches, ...(blocker ? [blocker] : [])].flatMap(({ exchange }) => exchange ?? []))

export interface Table {
  readonly areas: readonly Area[]
  readonly kinds: readonly Kind[]
  cell(area?: Area, kind?: Kind): Counts
}

/** Counts checks by area and kind, both in the order in which they first appear. */
export function tabulate(checks: readonly CheckResult[]): Table {
  return {
    areas: [...new Set(checks.map((check) => check.area))],
    kinds: [...new Set(checks.map((check) => check.kind))],
    cell: (area, kind) =>
      count(checks.filter((check) => (!area || check.area === area) && (!kind || check.kind === kind))),
  }
}

export const total = (counts: Counts): number => Object.values(counts).reduce((sum, one) => sum + one, 0)

/** Returns the causes with one of these verdicts, and their checks. */
export function causesWith(
  { causes, checks }: ResultDocument,
  verdicts: readonly Verdict[],
): readonly { readonly cause: Cause; readonly checks: readonly CheckResult[] }[] {
  const byId = new Map(checks.map((check) => [check.id, check]))
  return causes
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map((cause) => ({ cause, checks: cause.checks.flatMap((id) => byId.get(id) ?? []) }))
}

export interface Judged {
  readonly requirement: Requirement
  readonly checks: readonly CheckResult[]
  /** What its checks say about it; undefined if it has no check in the run. One check that decides it is enough: only a
   * sentence that none of them decides is not verified. */
  readonly verdict: Verdict | undefined
}

/** The verdicts on a sentence, in the order of precedence. */
const precedence = ['fail', 'warn', 'accepted', 'pass', 'error', 'not-verified', 'not-applicable'] as const

/** Returns what a check says about a requirement: a check may contradict one, and hold another. */
function verdictOn(id: string, { breaks, verdict, own }: CheckResult): Verdict {
  if (breaks === undefined || breaks.includes(id)) return verdict
  const before = own?.verdict ?? verdict
  return before === 'fail' || before === 'warn' || before === 'accepted' ? 'pass' : before
}

/** Returns the requirement that the words about a check are about: the one that it contradicts, or else the first that
 * it decides. */
export const leadOf = ({ breaks = [], requirements }: Pick<CheckResult, 'breaks' | 'requirements'>): string =>
  breaks[0] ?? requirements[0] ?? ''

/** Returns the requirements of the selected areas with their checks. The run does not concern other areas. */
export function judgeRequirements(document: ResultDocument): readonly Judged[] {
  const { areas } = document.run.selection
  const by = new Map<string, CheckResult[]>()
  for (const check of document.checks)
    for (const id of new Set([...check.requirements, ...(check.breaks ?? [])])) {
      const own = by.get(id)
      if (own) own.push(check)
      else by.set(id, [check])
    }
  return document.register.requirements
    .filter(({ area }) => areas.length === 0 || areas.includes(area))
    .map((requirement) => {
      const checks = by.get(requirement.id) ?? []
      const verdicts = new Set(checks.map((check) => verdictOn(requirement.id, check)))
      return { requirement, checks, verdict: precedence.find((verdict) => verdicts.has(verdict)) }
    })
}

/** Returns the findings besides the verdicts of checks. What was left behind is in a list of its own. */
export const findingsOf = ({ findings }: ResultDocument): readonly Finding[] =>
  findings.filter(({ code }) => code !== 'left-behind')

/** Returns a sentence on the requirements of the selected areas that had no check in the run, or undefined if each had
 * one. */
export function unasked(document: ResultDocument): string | undefined {
  const open = judgeRequirements(document).filter(({ requirement }) => requirement.level !== 'info')
  const left = open.filter(({ checks }) => checks.length === 0).length
  return left > 0
    ? `${number(left)} of ${plural(open.length, 'requirement')} of ${document.run.selection.areas.join(', ')} had no check in this run.`
    : undefined
}
