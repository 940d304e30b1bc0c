/** The outcomes of earlier runs on the same target. */
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
  /** In chronological order; the last entry is this run. */
  readonly entries: readonly HistoryEntry[]
  /** Addresses of checks that fail now and did not fail in the previous run, by the same definition. */
  readonly newSince: readonly string[]
  /** Addresses of checks that failed in the previous run and pass now. */
  readonly fixedSince: readonly string[]
  /** Addresses of checks that both passed and failed on one version of the target, by one definition. */
  readonly flaky: readonly string[]
  /** Addresses of checks whose verdict changed since the previous run together with their definition: the suite
   * changed, but the target perhaps did not. */
  readonly redefined: readonly string[]
}
