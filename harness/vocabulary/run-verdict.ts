/** The verdict of a run: one object, made once (`harness/run/verdict.ts`). The exit code and every report show it, and none
 * of them computes a verdict of its own. */

import type { Blocker } from './obstacles.ts'
import type { Area, ExitCode, RunWord, SafetyClass, Verdict } from './words.ts'

/** These facts of each code say why the verdict is what it is. */
export interface ReasonFacts {
  readonly interrupted: { readonly judged: number }
  readonly 'left-behind': {
    readonly objects: number
    /** The command lines that take them back, to be copied: one, or one for each shard. */
    readonly cleanCommands?: readonly string[]
  }
  readonly defect: { readonly errors: number }
  /** Addresses of checks that passed in the baseline and fail now. */
  readonly regression: { readonly checks: readonly string[] }
  /** `failed` and `judged` are checks of the level `must`. */
  readonly failed: {
    readonly failed: number
    readonly judged: number
    /** What the fails come down to, and how many findings hang below that: fails, and warnings with the same cause. */
    readonly causes: number
    readonly findings: number
    /** The cause of most of them. */
    readonly first: Pick<Cause, 'says'> & { readonly findings: number }
  }
  /** Entries of the accepted list that excuse too much, each in one sentence that begins with file and line. */
  readonly 'acceptance-outdated': { readonly entries: readonly string[] }
  readonly 'nothing-decided': { readonly checks: number }
  /** Areas that were asked for by name, in which no check came to a judgement. */
  readonly 'area-undecided': { readonly areas: readonly Area[] }
  /** The longest duration of the run was reached before these checks. */
  readonly 'time-over': { readonly checks: number }
  readonly 'not-verified': { readonly checks: number }
}
export type ReasonCode = keyof ReasonFacts

/** `says` and `mend` come from one table of words (`harness/run/verdict-words.ts`). */
export type Reason = {
  readonly [Code in ReasonCode]: {
    readonly code: Code
    readonly facts: ReasonFacts[Code]
    readonly says: string
    readonly mend: string
  }
}[ReasonCode]

export interface RunVerdict {
  readonly word: RunWord
  readonly exitCode: ExitCode
  /** The word, with what narrows it: `conformant (2 accepted, 54 left out)`. For titles and badges. */
  readonly title: string
  /** One sentence. */
  readonly headline: string
  /** Worst first; empty exactly where the exit code is 0. */
  readonly reasons: readonly Reason[]
  /** Checks whose finding the operator has accepted, by what they would be otherwise. */
  readonly accepted: { readonly fail: number; readonly notVerified: number }
  /** The run left out this many checks. */
  readonly leftOut: number
  /** What narrows the verdict, in sentences: what was left out, and which areas the target does not have. */
  readonly notes: readonly string[]
}

/** Checks are not part of a run at all for one of these causes: another area, level or address was selected, they were
 * excluded by `!glob`, they are above the safety ceiling, or another shard has them. */
export const leftOutCauses = ['area', 'check', 'excluded', 'level', 'safety', 'shard'] as const
export type LeftOutCause = (typeof leftOutCauses)[number]

export interface LeftOut {
  readonly cause: LeftOutCause
  readonly checks: number
  /** Their addresses, where they are few or somebody must know them: `excluded` and `safety`. */
  readonly ids?: readonly string[]
  /** For `safety`: the class that they need. */
  readonly needs?: SafetyClass
}

/** An area that the target does not have; its checks are `not-applicable`. */
export interface AbsentArea {
  readonly area: Area
  /** What is missing, in words: `cloud engine`. */
  readonly name: string
  /** What showed it, in words: `no engine answers at cloud/`. */
  readonly evidence: string
}

/** An operator may accept these verdicts of a check. */
export const acceptableVerdicts = ['fail', 'not-verified'] as const
export type Acceptable = (typeof acceptableVerdicts)[number]

/** An entry of the list of accepted findings. */
export interface AcceptedEntry {
  /** `accepted.yaml:3:5`. */
  readonly at: string
  /** Addresses or globs, as written. */
  readonly check: readonly string[]
  /** The addresses that they mean. */
  readonly checks: readonly string[]
  readonly verdict: Acceptable
  readonly reason: string
  readonly owner?: string
  readonly issue?: string
  /** The last day on which it holds, `YYYY-MM-DD`. */
  readonly until: string
  /** The product whose known deviations it is one of. It accepts where it can, and nothing is asked of it. */
  readonly known?: string
  /** Fingerprints of what may be seen: any other finding is not accepted. */
  readonly observed: readonly string[]
}

/** The verdicts that need an explanation, in the order in which a reader must hear of them. */
export const explainedVerdicts = [
  'fail',
  'warn',
  'error',
  'not-verified',
  'not-applicable',
] as const satisfies readonly Verdict[]
export type ExplainedVerdict = (typeof explainedVerdicts)[number]

/** A cause is what several checks have in common: findings and obstacles with one cause hang below it. Causes are found once
 * (`harness/run/causes.ts`), and every report shows them. */
export interface Cause {
  /** The worst verdict of its checks. */
  readonly verdict: ExplainedVerdict
  /** One clause, in which backquotes set code apart: "`LIST sys/plugins/catalog` answers 405". */
  readonly says: string
  /** What the reader can do about it, where that is known. */
  readonly mend?: string
  /** Of checks that have no verdict of their own: what stood in the way. */
  readonly obstacle?: Blocker['kind']
  /** The code of the obstacle. Absent in results of versions that did not know it. */
  readonly code?: Blocker['code']
  /** The addresses of its checks, the worst verdict first. Each check that has one of these verdicts hangs below exactly
   * one cause. */
  readonly checks: readonly string[]
}
