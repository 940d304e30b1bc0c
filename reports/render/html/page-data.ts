/** The data that the HTML report carries for its script. */
import type { CheckResult, RecordedExchange, Requirement, Verdict } from '../../../harness/vocabulary/index.ts'
import type { Fate } from '../coverage.ts'

export interface PageCheck extends Omit<CheckResult, 'exchanges'> {
  /** The number of exchanges in the packed part. */
  readonly exchanges: number
}

export interface PageRequirement extends Requirement {
  readonly title: string
  readonly place: string
  /** Where the requirement holds, such as `premium, from 1.5`; empty if it holds everywhere. */
  readonly scope: string
  readonly verdict?: Verdict
  readonly fate: Fate
  /** Indices into the checks. */
  readonly checks: readonly number[]
}

/** The part of the document that is read when the page opens. The exchanges are packed separately and unpacked when
 * they are first needed. */
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
  /** What each fault does that a check has noticed, by the id of the fault. Undefined if the result does not contain
   * it. */
  readonly faults?: Readonly<Record<string, string>>
}
