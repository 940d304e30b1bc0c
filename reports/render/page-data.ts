/** The data that the HTML report carries for its script. */
import type { CheckResult, RecordedExchange, Requirement, Verdict } from '../../harness/vocabulary/index.ts'
import type { Fate } from './coverage.ts'

export interface PageCheck extends Omit<CheckResult, 'exchanges'> {
  /** This many exchanges are in the packed part. */
  readonly exchanges: number
}

export interface PageRequirement extends Requirement {
  /** The title of its document. */
  readonly title: string
  readonly place: string
  /** Says where the requirement holds; empty if it holds everywhere. */
  readonly scope: string
  readonly verdict?: Verdict
  readonly fate: Fate
  /** Indices into the checks. */
  readonly checks: readonly number[]
}

/** The part of the document that is read at once; the exchanges are packed apart and unpacked when first asked for. */
export interface PageData {
  readonly target: string
  readonly insecure: boolean
  readonly words: Readonly<Record<Verdict, string>>
  readonly blockers: Readonly<Record<string, string>>
  readonly requirements: readonly PageRequirement[]
  readonly checks: readonly PageCheck[]
}

export interface PackedExchanges {
  readonly probe: readonly RecordedExchange[]
  readonly checks: readonly (readonly RecordedExchange[])[]
  /** What faults do that checks are proven by, by id. Undefined where the result does not hold it. */
  readonly faults?: Readonly<Record<string, string>>
}
