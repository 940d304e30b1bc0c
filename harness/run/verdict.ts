/** Decides the verdict of a run. Pure; everything that prints or exits uses this verdict. */
import {
  type AbsentArea,
  type Area,
  type Cause,
  type CheckResult,
  type LeftOut,
  type Reason,
  type ReasonCode,
  type ReasonFacts,
  type ResultDocument,
  type RunVerdict,
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
  reasonCodes,
  reasonOf,
  sentence,
  wordOf,
} from './verdict-words.ts'

export interface Circumstances {
  readonly checks: readonly CheckResult[]
  /** The causes of the checks; by default they are computed here. */
  readonly causes?: readonly Cause[]
  readonly interrupted: boolean
  readonly leftBehind: readonly string[]
  /** Commands that clean up what was left, to be copied. */
  readonly cleanCommands?: readonly string[]
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
  const accepted = { fail: acceptedAs('fail', run), notVerified: acceptedAs('not-verified', run) }
  const leftOut = run.leftOut.reduce((sum, { checks }) => sum + checks, 0)
  const acceptances = accepted.fail + accepted.notVerified
  const narrowed = [
    ...(acceptances > 0 ? [`${amount(acceptances)} accepted`] : []),
    ...(leftOut > 0 ? [`${amount(leftOut)} left out`] : []),
  ]
  const clauses = [
    ...(reasons.length > 0 ? reasons.map(({ code, facts }) => clauseOf(code, facts)) : [allHold(run)]),
    ...(acceptances > 0 ? [`${counted(acceptances, 'finding')} ${acceptances === 1 ? 'is' : 'are'} accepted`] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'check')} ${leftOut === 1 ? 'was' : 'were'} left out`] : []),
  ]
  return {
    word,
    exitCode: exitCodeOf[word],
    title: narrowed.length > 0 ? `${word} (${narrowed.join(', ')})` : word,
    headline: sentence(clauses.join('; ')),
    reasons,
    accepted,
    leftOut,
    notes: [...run.absentAreas.map(absentSays), ...run.leftOut.filter(({ checks }) => checks > 0).map(leftOutSays)],
  }
}

function reasonFor(code: ReasonCode, run: Circumstances): Reason[] {
  const facts = finders[code](run)
  return facts ? [reasonOf(code, facts as never)] : []
}

/** The facts of each reason, or undefined if the reason does not apply. */
const finders: { readonly [Code in ReasonCode]: (run: Circumstances) => ReasonFacts[Code] | undefined } = {
  interrupted: ({ interrupted, checks }) =>
    interrupted ? { judged: checks.filter(({ blocker }) => blocker?.kind !== 'interrupted').length } : undefined,
  'left-behind': ({ leftBehind, cleanCommands = [] }) =>
    leftBehind.length > 0
      ? { objects: leftBehind.length, ...(cleanCommands.length > 0 ? { cleanCommands } : {}) }
      : undefined,
  defect({ defects, checks }) {
    const errors = defects.length + checks.filter(({ blocker }) => blocker?.kind === 'suite').length
    return errors > 0 ? { errors } : undefined
  },
  'nothing-decided': ({ checks }) => (checks.some(isDecided) ? undefined : { checks: checks.length }),
  regression: ({ regressed }) => (regressed.length > 0 ? { checks: regressed } : undefined),
  failed({ checks, causes = causesOf(checks) }) {
    const failed = checks.filter(({ verdict }) => verdict === 'fail').length
    const own = causes.filter(({ verdict }) => verdict === 'fail')
    const [first] = own
    if (!first) return undefined
    const findings = own.reduce((sum, cause) => sum + cause.checks.length, 0)
    return {
      ...{ failed, judged: mustJudged(checks), causes: own.length, findings },
      first: { says: first.says, findings: first.checks.length },
    }
  },
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
  'not-verified'({ checks }) {
    const open = checks.filter(
      ({ verdict, level, blocker }) => level === 'must' && isUndecided(verdict) && blocker?.kind !== 'time',
    ).length
    return open > 0 ? { checks: open } : undefined
  },
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
