import type { Spread } from '../spelling/spellings.ts'
import type { ResolvedTarget } from '../targets/target.ts'
import type {
  AbsentArea,
  AclRule,
  Blocker,
  Capability,
  Facts,
  Level,
  ListSite,
  Requirement,
  SafetyClass,
} from '../vocabulary/index.ts'
import type { KnownListWay, WireClient } from '../wire/client.ts'
import { knownListWay } from '../wire/list-method.ts'

/** Everything that a run needs to know before its first check, as plain data that can be passed to the worker. */
export interface SessionPlan {
  readonly target: ResolvedTarget
  /** Facts from the profile, completed by those that were observed. */
  readonly facts: Facts
  /** The source of each fact, which is cited if a check does not apply. */
  readonly evidence?: Readonly<Record<string, string>>
  /** Areas that the target does not have, whose checks do not apply. */
  readonly absentAreas?: readonly AbsentArea[]
  /** The id that the target reports. */
  readonly clusterId?: string
  /** The version that the target reports. */
  readonly version?: string
  /** A short id, which is part of every throw-away name. */
  readonly runId: string
  readonly seed: number
  /** The highest safety class that may run. */
  readonly ceiling: SafetyClass
  /** How many checks run at once. */
  readonly jobs: number
  /** If true, the number of checks at once begins with `jobs` and adapts to the target, and topics overlap. */
  readonly adaptsJobs?: boolean
  readonly level: Level
  /** If true, the durations of the parts of the run are measured. */
  readonly timings?: boolean
  /** The file of the journal. Without it, nothing is journaled. */
  readonly journalFile?: string
  /** The file of the events. Without it, no events are written. */
  readonly eventsFile?: string
  /** The folder of the key that signs the journal. Without it, or if it holds no key, the journal is not signed. */
  readonly stateFolder?: string
  readonly requirements: readonly Requirement[]
  /** Why the edition is not known: something replied in place of the target, or the token may not ask. */
  readonly hidden?: Blocker
  /** What stores replies in front of the target, as the probe found out. */
  readonly cache?: string
  /** How lists are requested from the target, as the probe found out. */
  readonly listWay?: KnownListWay
  /** Lists in requests whose encoding the documents leave open, in addition to those of the dialect. */
  readonly lists?: readonly ListSite[]
  /** Where checks spell their requests otherwise. Without it, they are sent as they are written. */
  readonly spread?: Spread
  /** Lists what the token may do at sample paths. It is absent if the target did not tell. */
  readonly held?: readonly Capability[]
  /** What the token may do that sends the requests of some checks for the operator. */
  readonly callerRules?: readonly AclRule[]
  /** `own`: no check shares ground with others. */
  readonly ground?: 'own'
  /** Nobody but the run gives roles to the clusters, because they are its own. */
  readonly hasClustersAlone?: true
  /** The clusters are deleted after the run, so their roles need not be restored. */
  readonly isThrownAway?: true
  /** `none` leaves exchanges out of the results, for runs of thousands of checks. */
  readonly record?: 'full' | 'none'
}

/** Returns what the probe found out about the way to a cluster. */
export const wayTo = ({ lists, cache: { seen } }: WireClient): Pick<SessionPlan, 'listWay' | 'cache'> => ({
  listWay: knownListWay(lists),
  ...(seen === undefined ? {} : { cache: seen }),
})
