import type { ResolvedTarget } from '../targets/target.ts'
import type { AbsentArea, Facts, Level, ListSite, Requirement, SafetyClass } from '../vocabulary/index.ts'

/** Everything a run needs to know before its first check. Plain data: it crosses into the worker. */
export interface SessionPlan {
  readonly target: ResolvedTarget
  /** Declared facts, completed by observed ones. */
  readonly facts: Facts
  /** Each fact was read from this. It is cited where a check does not apply. */
  readonly evidence?: Readonly<Record<string, string>>
  /** Areas that the target does not have: their checks do not apply. */
  readonly absentAreas?: readonly AbsentArea[]
  /** The id that the target reports. */
  readonly clusterId?: string
  /** A short id, which is part of every throw-away name. */
  readonly runId: string
  readonly seed: number
  /** The highest safety class that may run. */
  readonly ceiling: SafetyClass
  /** This many checks run at once. */
  readonly jobs: number
  /** The number of checks at once follows what the target bears, and begins with `jobs`; topics overlap. */
  readonly adaptsJobs?: boolean
  readonly level: Level
  /** If true, the parts of the run are measured. */
  readonly timings?: boolean
  /** Without a file, nothing is journaled. */
  readonly journalFile?: string
  /** The folder of the key that signs the journal. Without a folder, or without a key in it, the journal is not signed. */
  readonly stateFolder?: string
  readonly requirements: readonly Requirement[]
  /** Lists in requests whose form the documents leave to the target, besides those of the dialect. */
  readonly lists?: readonly ListSite[]
  /** The clusters are deleted after the run, so their roles need not be restored. */
  readonly isThrownAway?: true
  /** `none` leaves exchanges out of the results: for judging by the thousand. */
  readonly record?: 'full' | 'none'
}
