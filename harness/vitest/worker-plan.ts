import type { SeenSecret } from '../redaction/seen-secrets.ts'
import type { LiveEvent } from '../run/event-stream.ts'
import type { Session } from '../run/session.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import type { Settle } from '../run/settling.ts'
import type { ResolvedTarget } from '../targets/target.ts'

/** The plan that the starting process sends to the topic runner. It is plain data. */
export interface WorkerPlan {
  readonly plan: SessionPlan
  /** If given, the worker judges its own target instead of the one of the plan. */
  readonly own?: OwnTarget
  /** The ids of the topics that each file exports, by absolute path. */
  readonly topics: Readonly<Record<string, readonly string[]>>
  /** The files whose default export has a topic as it is judged, with what its area adds, by the id of the topic. A topic
   * that is not here is judged as its own file exports it. */
  readonly suites: Readonly<Record<string, string>>
  /** Addresses of the checks to judge. */
  readonly selected: readonly string[]
}

/** The name under which vitest provides the key of the plan. The plan itself is in the environment data of the
 * process, which each thread gets once. If vitest provided the plan, it would be sent again with each file, and
 * kept in memory for each. */
export const planKey = 'assayPlan'

/** The message that makes the worker stop. */
export interface StopMessage {
  /** The longest duration of the run, if it was exceeded. */
  readonly seconds?: number
  /** Set if a check failed and the run ends with the first failure. Without either, the run was interrupted. */
  readonly failedFast?: true
}

/** What a worker tells as soon as it happens. */
export type WorkerMessage =
  | Exclude<LiveEvent, { readonly event: 'judged' }>
  | {
      readonly event: 'judged'
      /** The address of the check. */
      readonly id: string
      /** An `Unrecorded` as JSON. It is neither recorded nor redacted, so that only one redactor computes the encodings of
       * secrets, and the thread of the checks, which takes longest, does less. */
      readonly judged: string
      /** Secrets learnt since the last message. */
      readonly secrets: readonly SeenSecret[]
    }

/** Returns the name of the channel for these messages. */
export const eventsChannel = (runId: string): string => `assay-events-${runId}`

/** Returns the name of the channel for the stop message. */
export const stopChannel = (runId: string): string => `assay-stop-${runId}`

/** Describes how the worker opens its own target: by the function `openTarget` that a module exports. It is plain
 * data. */
export interface OwnTarget {
  readonly module: string
  readonly order: unknown
  /** The most workers, each of which opens such a target and judges other areas there. The default is 1. */
  readonly workers?: number
}

export interface OpenedTarget {
  readonly target: ResolvedTarget
  /** Call this before the first check. It resolves with a function that describes what the checks have left behind. */
  watch(session: Session): Promise<() => Promise<readonly string[]>>
  /** Lets time pass on its clusters, without a request. */
  readonly settle?: Settle | undefined
  close(): Promise<void>
}

export type OpenTarget = (order: never) => Promise<OpenedTarget>

/** The messages of a worker with its own target: one when it has opened it, and one at the end. */
export type OwnMessage = { readonly opened: true } | { readonly leftBehind: readonly string[] }

/** Returns the name of the channel for these messages. */
export const ownChannel = (runId: string): string => `assay-own-${runId}`
