import type { Session } from '../run/session.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import type { ResolvedTarget } from '../targets/target.ts'
import type { CheckResult } from '../vocabulary/index.ts'

/** The process that started the worker gives its runner this plan, which is plain data. */
export interface WorkerPlan {
  readonly plan: SessionPlan
  /** Each worker judges a target of its own instead of the one of the plan. */
  readonly own?: OwnTarget
  /** The ids of the topics that each file exports, by absolute path. */
  readonly topics: Readonly<Record<string, readonly string[]>>
  /** Addresses of the checks to judge. */
  readonly selected: readonly string[]
}

/** A run says this of a check as soon as it is judged. */
export type JudgedCheck = Pick<CheckResult, 'id' | 'verdict' | 'startedAt' | 'durationMs'>

/** The key under which vitest provides the key of the plan among the environment data of the process, which each thread
 * is given once. Whatever vitest itself provides is sent again with each file, and kept for each. */
export const planKey = 'assayPlan'

/** The worker is told this when it has to stop: the seconds that the run was given, where they are over. */
export interface StopMessage {
  readonly seconds?: number
}

/** The channel on which the worker is told to stop. */
export const stopChannel = (runId: string): string => `assay-stop-${runId}`

/** A target that a worker opens for itself, by the function `openTarget` that a module exports. Plain data. */
export interface OwnTarget {
  /** The URL of the module. */
  readonly module: string
  readonly order: unknown
  readonly workers: number
}

export interface OpenedTarget {
  readonly target: ResolvedTarget
  /** To be called before the first check. The function that comes of it says in words what the checks have left. */
  watch(session: Session): Promise<() => Promise<readonly string[]>>
  close(): Promise<void>
}

export type OpenTarget = (order: never) => Promise<OpenedTarget>

/** What a worker with a target of its own says of it: once when it has opened it, and once at the end. */
export type OwnMessage = { readonly opened: true } | { readonly leftBehind: readonly string[] }

/** The channel on which workers say that. */
export const ownChannel = (runId: string): string => `assay-own-${runId}`
