import type { SessionPlan } from '../run/session.ts'

/** The process that started the worker gives its runner this plan, which is plain data. */
export interface WorkerPlan {
  readonly plan: SessionPlan
  /** The ids of the topics that each file exports, by absolute path. */
  readonly topics: Readonly<Record<string, readonly string[]>>
  /** Addresses of the checks to judge. */
  readonly selected: readonly string[]
}

/** The key under which vitest provides the plan. */
export const planKey = 'assayPlan'
/** The worker is told this when it has to stop: the seconds that the run was given, where they are over. */
export interface StopMessage {
  readonly seconds?: number
}

/** The channel on which the worker is told to stop. */
export const stopChannel = (runId: string): string => `assay-stop-${runId}`
