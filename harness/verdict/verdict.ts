/** Decides the verdict of a run. Pure; everything that prints or exits uses this verdict. */
import {
  type AbsentArea,
  type Area,
  type Cause,
  type CheckResult,
  type FailLevel,
  isContradicted,
  type LeftOut,
  type Reason,
  type ReasonCode,
  type ReasonFacts,
  type Requirement,
  type ResultDocument,
  type RunVerdict,
  type RunWord,
  type Shoulds,
  sentencesIn,
  type Verdict,
  verdicts,
} from '../vocabulary/index.ts'
import { causesOf } from './causes.ts'
import {
  absentSays,
  amount,
  clauseOf,
  counted,
  exitCodeOf,
  leftOutSays,
  linesOf,
  reasonCodes,
  reasonOf,
  sentence,
  shouldsSay,
  wordOf,
} from './verdict-words.ts'
import { type Why, whyUndecided, whyUnserved } from './why-undecided.ts'

export interface Circumstances {
  readonly checks: readonly CheckResult[]
  /** The causes of the checks; by default they are computed here. */
  readonly causes?: readonly Cause[]
  /** The statements of the documents. */
  readonly requirements?: readonly Requirement[]
  /** The level from which on a contradicted sentence makes the run fail; by default `must`. */
  readonly failOn?: FailLevel
  readonly interrupted: boolean
  readonly leftBehind: readonly string[]
  /** Commands that clean up what was left, to be copied. */
  readonly cleanCommands?: readonly string[]
  /** Lists the capabilities that the token lacked, so that objects were left. */
  readonly lacked?: readonly string[]
  /** The path of the result document. */
  readonly resultFile?: string | undefined
  /** Errors of the suite outside any check. */
  readonly defects: readonly string[]
  /** Addresses of checks that passed in the baseline and fail now. */
  readonly regressed: readonly string[]
  /** One sentence for each outdated entry of the list of accepted findings. */
  readonly outdated: readonly string[]
  /** Areas that were selected by name. */
  readonly asked: readonly Area[]
  readonly absentAreas: readonly AbsentArea[]
  readonly leftOut: readonly LeftOut[]
  /** True for a shard: an area without results may be in another shard. */
  readonly isShard: boolean
}

export const countsOf = (checks: readonly Pick<CheckResult, 'verdict'>[]): ResultDocument['counts'] =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, checks.filter((check) => check.verdict === verdict).length]),
  ) as Record<Verdict, number>

export function verdictOf(run: Circumstances): RunVerdict {
  const reasons = reasonCodes.flatMap((code) => reasonFor(code, run))
  const word = reasons[0] ? wordOf(reasons[0].code) : 'conformant'
  const shoulds = shouldsIn(run)
  const isReason = reasons.some(({ code }) => code === 'should-contradicted')
  const accepted = { fail: acceptedAs('fail', run), notVerified: acceptedAs('not-verified', run) }
  const leftOut = run.leftOut.reduce((sum, { checks }) => sum + checks, 0)
  const acceptances = accepted.fail + accepted.notVerified
  const narrowed = [
    ...(shoulds ? [`${counted(shoulds.sentences, 'should sentence')} contradicted`] : []),
    ...(acceptances > 0 ? [`${amount(acceptances)} accepted`] : []),
    ...(leftOut > 0 ? [`${amount(leftOut)} left out`] : []),
  ]
  const { clauses, lines } = clausesOf(run, reasons, { acceptances, leftOut, ...(isReason ? {} : { shoulds }) })
  return {
    word,
    exitCode: exitCodeOf[word],
    title: `${titleWords(reasons).join(' and ')}${narrowed.length > 0 ? ` (${narrowed.join(', ')})` : ''}`,
    headline: sentence(clauses.join('; ')),
    lines: lines.map(sentence),
    reasons,
    accepted,
    leftOut,
    notes: [...run.absentAreas.map(absentSays), ...run.leftOut.filter(({ checks }) => checks > 0).map(leftOutSays)],
  }
}

interface Beside {
  readonly acceptances: number
  readonly leftOut: number
  /** Sentences of level should that are contradicted, unless that is a reason for the verdict. */
  readonly shoulds?: Shoulds | undefined
}

/** Returns the clauses of the headline, and shorter ones for the lines. */
function clausesOf(run: Circumstances, reasons: readonly Reason[], { acceptances, leftOut, shoulds }: Beside) {
  const rest = [
    ...(acceptances > 0 ? [`${counted(acceptances, 'finding')} ${acceptances === 1 ? 'is' : 'are'} accepted`] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'check')} ${leftOut === 1 ? 'was' : 'were'} left out`] : []),
  ]
  const own = (words: (reason: Reason) => readonly string[]) =>
    reasons.length > 0 ? reasons.flatMap(words) : [allHold(run)]
  return {
    clauses: [...own(({ code, facts }) => [clauseOf(code, facts)]), ...(shoulds ? [shouldsSay(shoulds)] : []), ...rest],
    lines: [
      ...own(({ code, facts }) => linesOf(code, facts)),
      ...(shoulds ? [shouldsSay({ ...shoulds, first: [] })] : []),
      ...rest,
    ],
  }
}

/** Returns the words of the title. What makes a result unreliable, or needs manual work, does not hide that the target
 * is not conformant. */
function titleWords(reasons: readonly Reason[]): readonly RunWord[] {
  const all = new Set(reasons.map(({ code }) => wordOf(code)))
  const beside: readonly RunWord[] = ['interrupted', 'left-behind', 'defective', 'non-conformant']
  const [first = 'conformant'] = all
  return [first, ...beside.filter((word) => word !== first && beside.includes(first) && all.has(word))]
}

function reasonFor(code: ReasonCode, run: Circumstances): Reason[] {
  const facts = finders[code](run)
  return facts ? [reasonOf(code, facts as never)] : []
}

/** The facts of each reason, or undefined if the reason does not apply. */
const finders: { readonly [Code in ReasonCode]: (run: Circumstances) => ReasonFacts[Code] | undefined } = {
  interrupted: ({ interrupted, checks }) =>
    interrupted ? { judged: checks.filter(({ blocker }) => blocker?.kind !== 'interrupted').length } : undefined,
  'left-behind': ({ leftBehind, cleanCommands = [], lacked = [] }) =>
    leftBehind.length > 0
      ? {
          objects: leftBehind.length,
          ...(cleanCommands.length > 0 ? { cleanCommands } : {}),
          ...(lacked.length > 0 ? { lacked } : {}),
        }
      : undefined,
  defect({ defects, checks }) {
    const errors = defects.length + checks.filter(({ blocker }) => blocker?.kind === 'suite').length
    return errors > 0 ? { errors } : undefined
  },
  'not-served'({ checks }) {
    return checks.some(isDecided) ? undefined : whyUnserved(checks)
  },
  'nothing-decided': (run) =>
    run.interrupted || run.checks.some(isDecided) || whyUnserved(run.checks)
      ? undefined
      : { checks: run.checks.length, ...whyIn(run) },
  regression: ({ regressed }) => (regressed.length > 0 ? { checks: regressed } : undefined),
  failed(run) {
    const { checks } = run
    const failed = checks.filter(({ verdict }) => verdict === 'fail').length
    const own = causesIn(run).filter(({ verdict }) => verdict === 'fail')
    const [first] = own
    if (!first) return undefined
    const findings = own.reduce((sum, cause) => sum + cause.checks.length, 0)
    return {
      ...{ failed, judged: mustJudged(checks), causes: own.length, findings, ...resultOf(run) },
      sentences: sentencesOf(run),
      first: {
        says: first.says,
        ...(first.sentence === undefined ? {} : { sentence: first.sentence }),
        findings: first.checks.length,
      },
    }
  },
  'should-contradicted': (run) => (run.failOn === 'should' ? shouldsIn(run) : undefined),
  'acceptance-outdated': ({ outdated }) => (outdated.length > 0 ? { entries: outdated } : undefined),
  'area-undecided'({ asked, checks, isShard }) {
    if (!checks.some(isDecided)) return undefined
    const areas = asked.filter((area) => {
      const own = checks.filter((check) => check.area === area)
      return !own.some(isDecided) && !(isShard && own.length === 0)
    })
    return areas.length > 0 ? { areas } : undefined
  },
  'time-over'({ checks }) {
    const late = checks.filter((check) => check.verdict !== 'accepted' && check.blocker?.kind === 'time').length
    return late > 0 ? { checks: late } : undefined
  },
  'not-verified'(run) {
    const { checks } = run
    if (!checks.some(isDecided)) return undefined
    // The reasons for an interruption and for the time limit already count such checks, and name the step that helps.
    const isTold = (kind: string | undefined) => kind === 'time' || (run.interrupted && kind === 'interrupted')
    const open = checks.filter(
      ({ verdict, level, blocker }) => level === 'must' && isUndecided(verdict) && !isTold(blocker?.kind),
    ).length
    return open > 0 ? { checks: open, ...whyIn(run) } : undefined
  },
}

const resultOf = ({ resultFile }: Pick<Circumstances, 'resultFile'>): { readonly result?: string } =>
  resultFile === undefined ? {} : { result: resultFile }

const causesIn = ({ checks, requirements = [], causes = causesOf(checks, { requirements }) }: Circumstances) => causes

const whyIn = (run: Circumstances): Why => whyUndecided(run.checks, causesIn(run))

const rowsOf = ({ requirements = [] }: Circumstances) => new Map(requirements.map((row) => [row.id, row]))

function sentencesOf(run: Circumstances) {
  const { contradicted, decided } = sentencesIn(run.checks, rowsOf(run), 'must')
  return { contradicted: contradicted.size, decided: decided.size }
}

/** The number of sentences of level `should` that the headline quotes. */
const quotedShoulds = 2

function shouldsIn(run: Circumstances): Shoulds | undefined {
  const rows = rowsOf(run)
  const { contradicted } = sentencesIn(run.checks.filter(isContradicted), rows, 'should')
  if (contradicted.size === 0) return undefined
  const first = [...contradicted].flatMap((id) => rows.get(id)?.says ?? []).slice(0, quotedShoulds)
  return { sentences: contradicted.size, first }
}

/** Returns whether a check decided something about the target. A run without such a check is never green. */
const isDecided = ({ verdict, accepted }: CheckResult): boolean =>
  verdict === 'pass' || verdict === 'fail' || verdict === 'warn' || (verdict === 'accepted' && accepted?.was === 'fail')

const isUndecided = (verdict: Verdict): boolean => verdict === 'not-verified' || verdict === 'error'

const mustJudged = (checks: readonly CheckResult[]): number =>
  checks.filter((check) => check.level === 'must' && isDecided(check)).length

const acceptedAs = (was: 'fail' | 'not-verified', { checks }: Circumstances): number =>
  checks.filter(({ verdict, accepted }) => verdict === 'accepted' && accepted?.was === was).length

function allHold({ checks }: Circumstances): string {
  const held = checks.filter(({ level, verdict }) => level === 'must' && verdict === 'pass').length
  if (held === 0) return 'no must check applies to the target, and nothing failed'
  return held === 1
    ? 'the only must check that applies to the target holds'
    : `all ${counted(held, 'must check')} that apply to the target hold`
}
