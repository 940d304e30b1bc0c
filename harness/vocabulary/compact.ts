/** A result without its exchanges: small enough to be committed, compared, and stored in a history. */

import type { Drift } from './drift.ts'
import type { Documents, Source } from './requirement.ts'
import type { ResultDocument } from './result.ts'
import type { Acceptable, Cause, RunVerdict } from './run-verdict.ts'
import type { ExitCode, Level, SafetyClass, Verdict } from './words.ts'

export const compactSchemaId = 'assay/compact/1'

export interface CompactCheck {
  readonly verdict: Verdict
  /** A hash of what the check sends and expects, and of the statements that it decides. */
  readonly definition: string
  /** The ids of the requirements that the check decides. */
  readonly rows: readonly string[]
  /** The ids of the requirements that the check contradicts, if these are not all of `rows`. */
  readonly breaks?: readonly string[]
  /** The index of the check's cause in `causes`. Absent if the check passed or is accepted. */
  readonly cause?: number
  /** For `accepted`: the verdict that the check would otherwise have. */
  readonly was?: Acceptable
  /** For `not-applicable`: true if the target lacks what the statement is about. Absent if the statement is about
   * targets of another version, or about targets that lack something. */
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
  /** Keyed by address, in the order of the suite. */
  readonly checks: Readonly<Record<string, CompactCheck>>
}

export interface ComparedServer extends Omit<CompactResult, 'schema' | 'checks' | 'causes'> {
  readonly causes: readonly (CompactResult['causes'][number] & {
    readonly checks: readonly string[]
    /** Why the product is known to deviate here, if a list of known deviations says so. */
    readonly reason?: string
  })[]
  /** Changes relative to the first server; empty for the first server itself. */
  readonly changes: readonly Change[]
  /** How the server's replies differ from those of the first server. Absent unless both results contain exchanges. */
  readonly drift?: Drift
}

/** What a change means for clients of the first server. `worse`: the check passes there and fails here. `absent`: it
 * passes there, and this server lacks what the check is about. `undecided`: it passes there and is not decided here.
 * `weaker`: it passes there and is a warning here. `better`: it fails or warns there and passes here. `added`: it
 * passes here, and the first server lacks what the check is about. `redefined`: the check is missing or defined otherwise
 * in this result, which is of another register, so it is not compared. */
export const changeKinds = ['worse', 'absent', 'undecided', 'weaker', 'better', 'added', 'redefined'] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface Change {
  readonly kind: ChangeKind
  readonly check: string
  readonly was: Verdict
  readonly is: Verdict | 'absent'
}

/** How one server fulfils one statement: the worst verdict of the statement's checks, and their causes. */
export interface ComparedCell {
  readonly verdict: Verdict
  readonly causes: readonly number[]
}

export interface ComparedRow {
  readonly id: string
  readonly area: string
  readonly level: Level
  /** The sentence of the statement. Absent, like `source`, if this version of the suite does not have the row. */
  readonly says?: string
  readonly source?: Source
  /** One cell per server, decided by the same checks; null if these are not in that server's result. */
  readonly cells: readonly (ComparedCell | null)[]
}

export const comparisonSchemaId = 'assay/comparison/1'

export interface Comparison {
  readonly schema: typeof comparisonSchemaId
  readonly title: string
  readonly servers: readonly ComparedServer[]
  readonly rows: readonly ComparedRow[]
  /** For each server, how many checks its result lacks or defines otherwise. They are not compared. */
  readonly apart: readonly { readonly missing: number; readonly redefined: number }[]
  /** The number of statements that the documents leave open, which no run asserts. */
  readonly open: number
  readonly documents: Documents
  readonly verdict: {
    readonly exitCode: ExitCode
    /** The beginning of the sentence about each server except the first: `B is worse than A`. */
    readonly titles: readonly string[]
    /** One sentence about each server except the first. */
    readonly says: readonly string[]
  }
}
