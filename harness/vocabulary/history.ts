/** What earlier runs on the same target came to. */
import type { RunWord, Verdict } from './words.ts'

export interface HistoryEntry {
  readonly run: string
  readonly startedAt: string
  readonly word: RunWord
  readonly counts: Readonly<Record<Verdict, number>>
  readonly suite: string
  readonly targetVersion?: string
}

export interface History {
  /** The oldest first; the last one is this run. */
  readonly entries: readonly HistoryEntry[]
  /** Addresses of checks that fail now and did not in the run before, by the same definition. */
  readonly newSince: readonly string[]
  /** Those that failed in the run before and pass now. */
  readonly fixedSince: readonly string[]
  /** Those that both passed and failed on one version of the target, by one definition. */
  readonly flaky: readonly string[]
  /** Those whose verdict changed since the run before together with their definition: the suite changed, and perhaps not the
   * target. */
  readonly redefined: readonly string[]
}
