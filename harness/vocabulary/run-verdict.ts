/** The verdict of a run: one object, made once (`harness/verdict/verdict.ts`). The exit code and every report use it, and
 * none of them computes a verdict of its own. */

import type { Blocker } from './obstacles.ts'
import type { Source } from './requirement.ts'
import type { Area, ExitCode, RunWord, SafetyClass, Verdict } from './words.ts'

/** What keeps most checks of a run from a verdict, if that is one thing about the target or the token. */
export type WhyUndecided = 'went-away' | 'writes-denied' | 'standby'

/** Checks without a verdict. */
interface Undecided {
  readonly checks: number
  /** Says what kept most of them from a verdict, if that is one thing; `mend` says what the reader can do about it. */
  readonly why?: string
  readonly mend?: string
  readonly whyCode?: WhyUndecided
}

/** The facts of each reason for a verdict, by code. */
export interface ReasonFacts {
  readonly interrupted: { readonly judged: number }
  readonly 'left-behind': {
    readonly objects: number
    /** The command lines that remove the objects, ready to be copied: one, or one per shard. */
    readonly cleanCommands?: readonly string[]
    /** The capabilities that the token lacked to remove them: `delete on sys/policies/acl/assay-*`. */
    readonly lacked?: readonly string[]
  }
  readonly defect: { readonly errors: number }
  /** `why` says why the target served nothing that could be judged: it is sealed, for instance. */
  readonly 'not-served': { readonly why: string; readonly mend?: string }
  /** Addresses of checks that passed in the baseline and fail now. */
  readonly regression: { readonly checks: readonly string[] }
  /** `failed` and `judged` are checks of the level `must`. */
  readonly failed: {
    readonly failed: number
    readonly judged: number
    /** The sentences of the level `must` that are decided, and those of them that are contradicted. */
    readonly sentences: { readonly contradicted: number; readonly decided: number }
    /** `causes` is the number of causes of the fails; `findings` counts the fails, and the warnings with the same
     * causes. */
    readonly causes: number
    readonly findings: number
    /** The result document of the run, from which a list of accepted findings is made. */
    readonly result?: string
    /** The cause with the most findings. */
    readonly first: Pick<Cause, 'says' | 'sentence'> & { readonly findings: number }
  }
  /** Sentences of the level `should` that are contradicted, if the run fails on them. */
  readonly 'should-contradicted': Shoulds
  /** Entries of the list of accepted findings that accept too much, each as a sentence that begins with file and
   * line. */
  readonly 'acceptance-outdated': { readonly entries: readonly string[] }
  readonly 'nothing-decided': Undecided
  /** Areas that were requested by name and in which no check was decided. */
  readonly 'area-undecided': { readonly areas: readonly Area[] }
  /** The number of checks that were not judged before the run reached its maximum duration. */
  readonly 'time-over': { readonly checks: number }
  readonly 'not-verified': Undecided
}

export interface Shoulds {
  readonly sentences: number
  /** Some of the sentences, in our words. */
  readonly first: readonly string[]
}

export type ReasonCode = keyof ReasonFacts

/** The texts `says` and `mend` come from one table (`harness/verdict/verdict-words.ts`). */
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
  /** The word, with its restrictions: `conformant (2 accepted, 54 left out)`. For titles and badges. */
  readonly title: string
  /** One sentence. */
  readonly headline: string
  /** The same as one short sentence for each fact, without causes and quotations. Absent in results of versions that did
   * not know it. */
  readonly lines?: readonly string[]
  /** The worst first; empty if and only if the exit code is 0. */
  readonly reasons: readonly Reason[]
  /** The number of checks whose finding the operator has accepted, by the verdict that they would otherwise have. */
  readonly accepted: { readonly fail: number; readonly notVerified: number }
  /** The number of checks that the run left out. */
  readonly leftOut: number
  /** Restrictions of the verdict, as sentences: what was left out, and which areas the target does not have. */
  readonly notes: readonly string[]
}

/** Why checks are not part of a run at all: another area, level or address was selected, they were excluded by `!glob`,
 * they are above the safety ceiling, or they belong to another shard. */
export const leftOutCauses = ['area', 'check', 'excluded', 'level', 'safety', 'shard'] as const
export type LeftOutCause = (typeof leftOutCauses)[number]

export interface LeftOut {
  readonly cause: LeftOutCause
  readonly checks: number
  /** The addresses of the checks, for the causes whose checks are few or must be known: `excluded` and `safety`. */
  readonly ids?: readonly string[]
  /** For `safety`: the safety class of the checks. */
  readonly needs?: SafetyClass
}

/** An area that the target does not have; its checks are `not-applicable`. */
export interface AbsentArea {
  readonly area: Area
  /** A name for what is missing: `cloud engine`. */
  readonly name: string
  /** The evidence, in words: `no engine answers at cloud/`. */
  readonly evidence: string
}

/** The verdicts of a check that an operator may accept. */
export const acceptableVerdicts = ['fail', 'not-verified'] as const
export type Acceptable = (typeof acceptableVerdicts)[number]

/** An entry of the list of accepted findings. */
export interface AcceptedEntry {
  /** The position of the entry: `accepted.yaml:3:5`. */
  readonly at: string
  /** Addresses or globs, as written in the list. */
  readonly check: readonly string[]
  /** The addresses that the globs match. */
  readonly checks: readonly string[]
  readonly verdict: Acceptable
  readonly reason: string
  readonly owner?: string
  readonly issue?: string
  /** The last day on which the entry is valid, `YYYY-MM-DD`. */
  readonly until: string
  /** The product, if the entry is one of its known deviations. Such an entry accepts what it can, and never counts as
   * outdated. */
  readonly known?: string
  /** Fingerprints of the accepted findings: any other finding is not accepted. */
  readonly observed: readonly string[]
}

/** The verdicts that need an explanation, the most important first. */
export const explainedVerdicts = [
  'fail',
  'warn',
  'error',
  'not-verified',
  'not-applicable',
] as const satisfies readonly Verdict[]
export type ExplainedVerdict = (typeof explainedVerdicts)[number]

/** What several findings or obstacles have in common. Causes are computed once (`harness/verdict/causes.ts`), and every
 * report shows them. */
export interface Cause {
  /** The worst verdict of its checks. */
  readonly verdict: ExplainedVerdict
  /** One clause; backquotes mark code: "`LIST sys/plugins/catalog` answers 405". */
  readonly says: string
  /** The statements that are contradicted, the first one being named by `sentence`. Absent if the checks have no verdict
   * of their own, and in results of versions that did not know them. */
  readonly requirements?: readonly string[]
  /** The first statement, in our words, and where the documents state it. */
  readonly sentence?: string
  readonly source?: Source
  /** The request that acts: `DELETE sys/policies/acl/{name}`. */
  readonly request?: string
  /** What the reader can do about it, if that is known. */
  readonly mend?: string
  /** The kind of the obstacle, if the checks have no verdict of their own. */
  readonly obstacle?: Blocker['kind']
  /** The code of the obstacle. Absent in results of versions that did not know it. */
  readonly code?: Blocker['code']
  /** The addresses of the checks, the worst verdict first. Each check with one of these verdicts belongs to exactly one
   * cause. */
  readonly checks: readonly string[]
}
