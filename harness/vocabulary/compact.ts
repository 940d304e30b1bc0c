/** A result without its exchanges: small enough to be committed, compared and kept as a history. */

import type { Drift } from './drift.ts'
import type { Documents, Source } from './requirement.ts'
import type { ResultDocument } from './result.ts'
import type { Acceptable, Cause, RunVerdict } from './run-verdict.ts'
import type { ExitCode, Level, SafetyClass, Verdict } from './words.ts'

export const compactSchemaId = 'assay/compact/1'

export interface CompactCheck {
  readonly verdict: Verdict
  /** A hash of what the check asks and wants, and of the statements that it decides. */
  readonly definition: string
  /** Ids of the requirements that it decides. */
  readonly rows: readonly string[]
  /** The index of its cause in `causes`. Absent where it passed, or is accepted. */
  readonly cause?: number
  /** For `accepted`: what it would be otherwise. */
  readonly was?: Acceptable
  /** For `not-applicable`: the target lacks what the statement is about. Absent where the statement is about targets of
   * another version, or about those that lack something. */
  readonly lacks?: true
}

export interface CompactResult {
  readonly schema: typeof compactSchemaId
  readonly suite: ResultDocument['suite']
  readonly register: { readonly hash: string }
  readonly run: Pick<ResultDocument['run'], 'id' | 'startedAt' | 'durationMs' | 'seed' | 'leftOut' | 'interrupted'> & {
    readonly safety: SafetyClass
    readonly level: Level
  }
  readonly target: Pick<ResultDocument['target'], 'name' | 'dialect' | 'facts' | 'note'>
  readonly verdict: Pick<RunVerdict, 'word' | 'exitCode' | 'title' | 'headline' | 'notes'>
  readonly counts: ResultDocument['counts']
  readonly causes: readonly Omit<Cause, 'checks'>[]
  /** By address, in the order of the suite. */
  readonly checks: Readonly<Record<string, CompactCheck>>
}

/** One of the results that are compared. */
export interface ComparedServer extends Omit<CompactResult, 'schema' | 'checks' | 'causes'> {
  readonly causes: readonly (CompactResult['causes'][number] & {
    readonly checks: readonly string[]
    /** Why this is known of the product, where a list of known deviations says so. */
    readonly reason?: string
  })[]
  /** Changes from the first server; empty for that one. */
  readonly changes: readonly Change[]
  /** How its replies differ from those of the first server, where both results hold exchanges. */
  readonly drift?: Drift
}

/** What a change from the first server means for its clients. `worse`: passes there and fails here. `absent`: passes there,
 * and what it is about is not here. `undecided`: passes there, and nothing is known here. `weaker`: passes there, and is a
 * warning here. `better`: fails or warns there and passes here. `added`: passes here, and what it is about is not there.
 * `redefined`: the two results are of different definitions of the check, so they are not compared. */
export const changeKinds = ['worse', 'absent', 'undecided', 'weaker', 'better', 'added', 'redefined'] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface Change {
  readonly kind: ChangeKind
  readonly check: string
  readonly was: Verdict
  readonly is: Verdict | 'absent'
}

/** What one server does with one statement: the worst verdict of its checks, and their causes. */
export interface ComparedCell {
  readonly verdict: Verdict
  readonly causes: readonly number[]
}

export interface ComparedRow {
  readonly id: string
  readonly area: string
  readonly level: Level
  /** Its sentence and place, where this version of the suite has the row. */
  readonly says?: string
  readonly source?: Source
  /** One for each server; null where no check of the row was in its run. */
  readonly cells: readonly (ComparedCell | null)[]
}

export const comparisonSchemaId = 'assay/comparison/1'

export interface Comparison {
  readonly schema: typeof comparisonSchemaId
  readonly title: string
  readonly servers: readonly ComparedServer[]
  readonly rows: readonly ComparedRow[]
  /** Statements that the documents leave open, which no run asserts. */
  readonly open: number
  readonly documents: Documents
  readonly verdict: {
    readonly exitCode: ExitCode
    /** How each server but the first begins its sentence: `B is worse than A`. */
    readonly titles: readonly string[]
    /** A sentence for each server but the first. */
    readonly says: readonly string[]
  }
}
