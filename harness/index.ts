/** The harness as a library: types and functions to write checks, and to judge them without vitest. */
import './vocabulary/node-version.ts'

export { judge } from './run/judge.ts'
export { runTopics, type TopicOutcome, type TopicRun, type TopicTarget } from './run/run-topics.ts'
export { openSession, type Session } from './run/session.ts'
export type { SessionPlan } from './run/session-plan.ts'
export type { Endpoint, ResolvedTarget } from './targets/target.ts'
export * from './vocabulary/index.ts'
