/** The harness as a library: the words and records of checks, and judging one without a runner. */
export { judge } from './run/judge.ts'
export { openSession, type Session, type SessionPlan } from './run/session.ts'
export type { Endpoint, ResolvedTarget } from './targets/target.ts'
export * from './vocabulary/index.ts'
