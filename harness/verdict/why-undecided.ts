/** Says in one clause what kept most of the checks of a run from a verdict, if that is one thing. Pure. */
import { defined } from '../vocabulary/defined.ts'
import type { Cause, CheckResult, ObstacleCode, RecordedExchange, WhyUndecided } from '../vocabulary/index.ts'
import { counted } from './verdict-words.ts'

/** Obstacles of a target that serves nothing at all. */
const unserved: ReadonlySet<ObstacleCode> = new Set([
  'sealed',
  'not-initialized',
  'token-unanswered',
  'token-untold',
  'token-replaced',
])

/** Returns why the target served nothing, or undefined if it served something. */
export function whyUnserved(checks: readonly CheckResult[]): { why: string; mend?: string } | undefined {
  const blockers = checks.filter(({ verdict }) => verdict === 'not-verified').map(({ blocker }) => blocker)
  const [first] = blockers
  const isAll = blockers.every((blocker) => blocker?.code !== undefined && unserved.has(blocker.code))
  if (!first || !isAll) return undefined
  const { reason: why, mend } = first
  return { why, ...(mend === undefined ? {} : { mend }) }
}

export interface Why {
  readonly why?: string
  readonly mend?: string
  readonly whyCode?: WhyUndecided
}

/** Returns what kept most of the undecided checks from a verdict: the target went away, no write was allowed, its nodes
 * were behind, or the cause that at least half of them share. */
export function whyUndecided(checks: readonly CheckResult[], causes: readonly Cause[]): Why {
  const undecided = checks.filter(({ verdict }) => verdict === 'not-verified' || verdict === 'error')
  if (undecided.length === 0) return leading(causes, checks.length)
  for (const [whyCode, says] of Object.entries(codes) as [WhyUndecided, (typeof codes)[WhyUndecided]][]) {
    const why = says(checks, undecided)
    if (why !== undefined) return { why, whyCode }
  }
  return leading(causes, undecided.length)
}

function leading(causes: readonly Cause[], undecided: number): Why {
  const first = causes.find(({ obstacle, checks }) => obstacle !== undefined && checks.length * 2 >= undecided)
  return first ? { why: first.says, ...defined({ mend: first.mend }) } : {}
}

/** The target went away if the last request of the run got no reply, and nothing more was sent after it. */
function goneSays(checks: readonly CheckResult[], undecided: readonly CheckResult[]): string | undefined {
  if (!undecided.some(({ blocker }) => blocker?.code === 'target-failing')) return undefined
  const attempts = checks.flatMap(({ exchanges }) => exchanges.flatMap(({ attempts }) => attempts))
  const last = attempts.reduce<(typeof attempts)[number] | undefined>(
    (latest, one) => (latest === undefined || one.sentAt >= latest.sentAt ? one : latest),
    undefined,
  )
  if (!last || last.status !== undefined) return undefined
  return `the target went away after ${counted(attempts.filter(({ status }) => status !== undefined).length, 'request')}`
}

const denials: ReadonlySet<ObstacleCode> = new Set(['denied', 'step-denied'])

function deniedSays(checks: readonly CheckResult[], undecided: readonly CheckResult[]): string | undefined {
  const denied = undecided.filter(({ blocker }) => blocker?.code !== undefined && denials.has(blocker.code))
  const writes = checks.flatMap(({ exchanges }) => exchanges).filter(isOwnWrite)
  const isNoneServed = writes.length > 0 && writes.every((write) => [401, 403].includes(statusOf(write) ?? 0))
  return isNoneServed && denied.length * 2 >= undecided.length ? 'every write was denied to the token' : undefined
}

/** A clause by code. The first one that holds is in the headline. */
const codes: {
  readonly [Code in WhyUndecided]: (
    checks: readonly CheckResult[],
    undecided: readonly CheckResult[],
  ) => string | undefined
} = {
  'went-away': goneSays,
  'writes-denied': deniedSays,
  standby(_, undecided) {
    const behind = undecided.filter(({ blocker }) => blocker?.code === 'nodes-differ')
    return behind.length * 2 >= undecided.length ? 'nodes behind the address did not show what was written' : undefined
  },
}

const isOwnWrite = ({ as, method, phase }: RecordedExchange): boolean =>
  as === 'operator' && method !== 'GET' && method !== 'LIST' && phase !== 'undo'

const statusOf = ({ attempts }: RecordedExchange): number | undefined => attempts.at(-1)?.status
