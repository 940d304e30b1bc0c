/** Judges topics on a target in this process, for programs that embed the suites. The command line does more: it signs
 * a journal, detects optional features, compares what the target held before and after, and writes reports. */
import { randomBytes } from 'node:crypto'
import { announce } from '../ground/shared-ground.ts'
import { cleanUp } from '../safety/clean-up.ts'
import { journalIn } from '../safety/journal.ts'
import type { Change } from '../safety/journal-lines.ts'
import { journalSoFar } from '../safety/journal-record.ts'
import { acceptFor } from '../safety/undo-shapes.ts'
import { knownFacts } from '../targets/features.ts'
import { probe } from '../targets/probe.ts'
import { resolveTarget } from '../targets/resolve.ts'
import type { ResolvedTarget } from '../targets/target.ts'
import { undoTemplates } from '../targets/touches.ts'
import { toldOnce } from '../verdict/told-once.ts'
import {
  type AbsentArea,
  addressOf,
  type Check,
  type CheckResult,
  type Requirement,
  type SafetyClass,
  type Topic,
} from '../vocabulary/index.ts'
import { WaysBack } from '../way/ways-back.ts'
import { mainCluster } from './clusters.ts'
import { judge } from './judge.ts'
import { inLanes } from './lanes.ts'
import { redactCheck } from './redact-document.ts'
import { openSession, reachOf, type Session, type SessionParts } from './session.ts'
import type { SessionPlan } from './session-plan.ts'

/** A target. Fields that are not set have the defaults of the command line. */
export type TopicTarget = Partial<ResolvedTarget> & { readonly url: string }

export interface TopicRun {
  readonly target: TopicTarget
  readonly requirements: readonly Requirement[]
  /** Addresses of the checks to judge; by default all checks of the topics. */
  readonly checks?: readonly string[]
  /** The highest safety class that may run; by default `scoped`. Disruptive checks need the command line, which asks
   * for the id of the cluster. */
  readonly ceiling?: Exclude<SafetyClass, 'disruptive'>
  /** How many checks run at once; by default 4. */
  readonly jobs?: number
  /** `own`: each check prepares its own mounts, and shares none with others. */
  readonly ground?: 'own'
  /** Part of every throw-away name; by default random. After a crash, `assay clean --run <id>` finds what the program
   * left on the target. */
  readonly runId?: string
  /** Once aborted, no further check starts, and running checks take back what they made. */
  readonly signal?: AbortSignal
  /** Called with the result of each check alone; the outcome tells a requirement that several checks met only once. */
  onResult?(result: CheckResult): void
}

export interface TopicOutcome {
  /** One result for each check, in the order of the topics. */
  readonly results: readonly CheckResult[]
  /** Descriptions of what may still be on the target, each with the reason. */
  readonly leftBehind: readonly string[]
}

/** Judges the checks of the topics. Rejects with an `Error` if the target cannot be reached, and with a `TypeError` if
 * the arguments are invalid; any error in a check becomes its result. */
export async function runTopics(topics: readonly Topic[], run: TopicRun): Promise<TopicOutcome> {
  const selected = selectedOf(topics, run.checks)
  const first = planOf(run)
  const changes: Change[] = []
  let count = 0
  const shared = { journal: journalIn(changes), next: () => ++count, waysBack: new WaysBack() }
  const parts = { shared, ...(run.signal ? { signal: run.signal } : {}) }
  const plan = { ...first, ...(await factsSeen(first, topics, parts)) }
  const session = await openSession(plan, parts)
  try {
    const results: CheckResult[] = []
    announce(selected, session)
    await inLanes([...selected.entries()], plan.jobs, neverAborted, async ([index, { topic, check }]) => {
      const result = await judge(topic, check, session)
      results[index] = result
      run.onResult?.(result)
    })
    await session.grounds.close()
    const leftBehind = await takenBack(topics, session, changes)
    // A result may contain a secret that a later check has learnt.
    const redacted = results.map((result) => redactCheck(result, session.redactor))
    return { results: toldOnce(redacted, plan.requirements), leftBehind }
  } finally {
    await session.close()
  }
}

/** Never aborted: after an abort, `judge` returns for each remaining check why it was not started. */
const neverAborted = new AbortController().signal

function selectedOf(topics: readonly Topic[], checks: readonly string[] | undefined) {
  const all = topics.flatMap((topic) => topic.checks.map((check: Check) => ({ topic, check })))
  const addresses = new Set(all.map(({ topic, check }) => addressOf(topic, check)))
  const unknown = checks?.find((address) => !addresses.has(address))
  if (unknown !== undefined) throw new TypeError(`no topic has the check ${unknown}`)
  const wanted = checks ? new Set(checks) : addresses
  if (wanted.size === 0) throw new TypeError('there are no checks to judge')
  return all.filter(({ topic, check }) => wanted.has(addressOf(topic, check)))
}

function planOf(run: TopicRun): SessionPlan {
  const { ceiling = 'scoped', jobs = 4, runId = randomBytes(4).toString('hex'), requirements, ground } = run
  if ((ceiling as SafetyClass) === 'disruptive')
    throw new TypeError('runTopics judges no disruptive checks: use "assay run --safety disruptive"')
  const target = targetOf(run.target)
  const facts = knownFacts(target.declared)
  const shared = ground === undefined ? {} : { ground }
  return { target, facts, runId, seed: 1, ceiling, jobs, level: 'info', requirements, ...shared }
}

function targetOf({ url, token, ...more }: TopicTarget): ResolvedTarget {
  const resolved = resolveTarget({ target: url }, token === undefined ? {} : { ASSAY_TOKEN: token })
  if (!resolved) throw new TypeError('a target needs a URL')
  return { ...resolved, ...more, secrets: [...resolved.secrets, ...(more.secrets ?? [])] }
}

/** Probes the target before the first check, for version, edition, features and absent areas. */
async function factsSeen(
  plan: SessionPlan,
  topics: readonly Topic[],
  parts: SessionParts,
): Promise<Pick<SessionPlan, 'facts' | 'evidence' | 'absentAreas'>> {
  const session = await openSession(plan, parts)
  try {
    const { target } = plan
    const { dialect } = session
    const areas = [...new Set(topics.map(({ area }) => area))]
    const seen = await probe({
      ...{ target, dialect, areas, client: session.client(mainCluster), signal: session.signal },
      wanted: () => [],
      record: () => {},
    })
    if ('unreachable' in seen) throw new Error(session.redactor.redact(seen.unreachable))
    const absentAreas = areas.flatMap((area): readonly AbsentArea[] => {
      const { sign, evidence = '' } = seen.areas[area] ?? {}
      return sign === 'absent' ? [{ area, name: dialect.areas?.[area]?.name ?? area, evidence }] : []
    })
    return { facts: seen.facts, evidence: seen.evidence, absentAreas }
  } finally {
    await session.close()
  }
}

/** Retries undos that failed at the end of their check. Returns descriptions of what is left. */
async function takenBack(
  topics: readonly Topic[],
  session: Session,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const { dialect, plan, redactor } = session
  const record = journalSoFar(undefined, { url: plan.target.url, runId: plan.runId }, undefined, changes)
  const accept = acceptFor(undoTemplates(topics, dialect), plan.runId)
  const { left } = await cleanUp({ record, reachOf: reachOf(session), dialect, accept })
  return left.map((words) => redactor.redact(words))
}
