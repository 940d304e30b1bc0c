import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel, setEnvironmentData } from 'node:worker_threads'
import type { Redactor } from '../redaction/redaction.ts'
import type { LiveEvent } from '../run/event-stream.ts'
import { RecordBudget } from '../run/recorded-exchange.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import type { Measured } from '../run/timings.ts'
import type { Change } from '../safety/journal-lines.ts'
import type { CheckResult } from '../vocabulary/index.ts'
import type { AdaptiveJobs } from '../way/adaptive-jobs.ts'
import { FailedFast, isInterrupted, TimeIsUp } from '../way/interruptions.ts'
import { boundMs } from '../wire/bounds.ts'
import { realTimer } from '../wire/timer.ts'
import { JudgedResults } from './judged-results.ts'
import { quietVitest } from './quiet-vitest.ts'
import { ResultReporter } from './result-reporter.ts'
import { lanesOf } from './suite-lanes.ts'
import {
  eventsChannel,
  type OwnMessage,
  type OwnTarget,
  ownChannel,
  planKey,
  type StopMessage,
  stopChannel,
  type WorkerMessage,
  type WorkerPlan,
} from './worker-plan.ts'

export interface SuiteRun {
  readonly topics: readonly {
    readonly id: string
    readonly file: string
    /** The file whose default export has the topic as it is judged, with what its area adds to each topic. */
    readonly suite?: string
  }[]
  /** Addresses of the checks to judge. */
  readonly selected: readonly string[]
  readonly plan: SessionPlan
  /** If given, each worker starts and judges its own target. */
  readonly own?: OwnTarget
  /** vitest's sharding, by topic file. `index` starts at 1. */
  readonly shard?: { readonly index: number; readonly of: number }
  onEvent?(event: LiveEvent): void
  /** Gets the JSON of each result, redacted, as soon as the check is judged. */
  onResult?(json: string): void
  /** The redactor that learns every secret that the worker learns. */
  readonly redactor: Redactor
  readonly signal: AbortSignal
}

export interface SuiteOutcome {
  /** In the order of `selected`, without results of other shards. */
  readonly results: readonly CheckResult[]
  /** The number of checks that have a result. */
  readonly executed: number
  /** Milliseconds from the start of the first check to the end of the last one. */
  readonly judgingMs: number
  /** Changes that could not be written into the journal, for instance because the disk was full. */
  readonly unsaved: readonly Change[]
  /** Errors outside of checks, such as a topic that cannot be imported. Redacted. */
  readonly unhandled: readonly string[]
  readonly interrupted: boolean
  /** Addresses of selected checks without a result, because the worker was too busy to notice that the run was
   * stopped. */
  readonly unheard: readonly string[]
  /** Descriptions of what the checks left behind on the worker's own target. */
  readonly leftBehind: readonly string[]
  /** The lowest and the highest number of concurrent checks, if it adapts to the target. */
  readonly adapted?: AdaptiveJobs['bounds']
  readonly measured: readonly Measured[]
}

const runnerFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './worker-entry.ts' : './worker-entry.js', import.meta.url),
)

/** Runs the selected checks under vitest. When the signal aborts, no further check starts, running checks clean up,
 * and all other checks are reported as not verified. */
export async function runSuites(run: SuiteRun): Promise<SuiteOutcome> {
  const { topics, selected, shard, redactor } = run
  const results = new JudgedResults({ redactor, record: new RecordBudget(), plan: run.plan })
  const reporter = new ResultReporter()
  const live = listenToEvents(run, results, reporter)
  const wanted = topics.filter(({ id }) => selected.some((address) => address.startsWith(`${id}/`)))
  const files = new Set(wanted.map(({ file }) => file))
  // A shard without files is valid: there are more shards than files.
  const isEmpty = files.size === 0 || (shard !== undefined && shard.index > files.size)
  const lanes = isEmpty ? [] : lanesOf(run, wanted)
  const ownTarget = listenToOwnTargets(run)
  // Jobs that were asked for are those of all workers together.
  const jobs = Math.floor(run.plan.jobs / lanes.length)
  await Promise.all(lanes.map((topics, index) => runUnderVitest(run, { topics, index, jobs }, reporter)))
  await live.end()
  return { ...outcomeOf(run, wanted, reporter, results), leftBehind: await ownTarget.leftBehind() }
}

/** Passes on the events of the worker when they happen, and records its results: vitest reports a check only when it
 * reaches the topic, which may be long after the check was judged. */
function listenToEvents({ plan, onEvent, onResult }: SuiteRun, results: JudgedResults, reporter: ResultReporter) {
  const channel = new BroadcastChannel(eventsChannel(plan.runId))
  const arrived = new Set<string>()
  channel.onmessage = ({ data }: MessageEvent) => {
    const message = data as WorkerMessage
    if (message.event !== 'judged') return onEvent?.(message)
    arrived.add(message.id)
    try {
      const { result, json } = results.record(message)
      onResult?.(json)
      onEvent?.({ event: 'judged', id: result.id, verdict: result.verdict })
    } catch (error) {
      reporter.unhandled.push(`a result cannot be recorded: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return {
    /** Call this after the worker has ended. Its last messages may not have arrived yet. */
    async end() {
      const until = performance.now() + boundMs('checksThread')
      const isLate = (id: string) => !arrived.has(id)
      while ([...reporter.judged].some(isLate) && performance.now() < until) await realTimer.wait(1)
      channel.close()
    },
  }
}

/** Receives the messages of the workers about the targets that they have opened. */
function listenToOwnTargets({ plan, signal }: SuiteRun) {
  const channel = new BroadcastChannel(ownChannel(plan.runId))
  const left: string[] = []
  let open = 0
  const late = new AbortController()
  let isAwaited = false
  channel.onmessage = ({ data }: MessageEvent) => {
    const message = data as OwnMessage
    open += 'opened' in message ? 1 : -1
    if ('leftBehind' in message) left.push(...message.leftBehind)
    if (isAwaited && open === 0) late.abort()
  }
  return {
    /** Call this after the workers have ended. It waits for their last messages, which may not have arrived yet. */
    async leftBehind(): Promise<readonly string[]> {
      isAwaited = true
      if (open > 0 && !signal.aborted) await realTimer.wait(boundMs('checksThread'), late.signal)
      channel.close()
      const isUnheard = open > 0 && !signal.aborted
      return isUnheard ? [...left, 'the reference server did not report what the checks left behind on it'] : left
    },
  }
}

interface Lane {
  readonly topics: SuiteRun['topics']
  readonly index: number
  readonly jobs: number
}

async function runUnderVitest(run: SuiteRun, lane: Lane, reporter: ResultReporter): Promise<void> {
  const { selected, plan, own, shard, signal } = run
  const topics = idsByFile(lane.topics)
  const key = `${planKey}-${plan.runId}-${lane.index}`
  const suites = Object.fromEntries(lane.topics.flatMap(({ id, suite }) => (suite === undefined ? [] : [[id, suite]])))
  const workerPlan: WorkerPlan = { plan, selected, topics, suites, ...(own ? { own } : {}) }
  const vitest = await quietVitest({
    include: Object.keys(topics),
    runner: runnerFile,
    maxConcurrency: lane.jobs,
    reporters: [reporter],
    testTimeout: 0,
    provide: { [planKey]: key },
    ...(shard ? { shard: `${shard.index}/${shard.of}` } : {}),
  })
  const stopPassing = passOnStop(plan.runId, signal)
  let hasEnded = true
  try {
    setEnvironmentData(key, workerPlan)
    hasEnded = await atMostAfter(signal, boundMs('checksThread'), vitest.start())
  } catch (error) {
    reporter.unhandled.push(error instanceof Error ? error.message : String(error))
  } finally {
    stopPassing()
    const closed = vitest.close().finally(() => setEnvironmentData(key, undefined))
    // A thread that is blocked cannot be closed, and the time for it is over.
    if (hasEnded) await atMostAfter(signal, boundMs('checksThread'), closed)
    else closed.catch(() => {})
  }
}

function stopMessageFor(reason: unknown): StopMessage {
  if (reason instanceof TimeIsUp) return { seconds: reason.seconds }
  return reason instanceof FailedFast ? { failedFast: true } : {}
}

const idsByFile = (topics: SuiteRun['topics']): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...Map.groupBy(topics, ({ file }) => file)].map(([file, group]) => [file, group.map(({ id }) => id)]),
  )

/** Sends the stop message to the worker when the signal aborts, and repeats it, because the worker may not be
 * listening yet. */
function passOnStop(runId: string, signal: AbortSignal): () => void {
  const channel = new BroadcastChannel(stopChannel(runId))
  let again: NodeJS.Timeout | undefined
  const stop = () => {
    const { reason } = signal
    const message = stopMessageFor(reason)
    channel.postMessage(message)
    again ??= setInterval(stop, 100)
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  return () => {
    signal.removeEventListener('abort', stop)
    clearInterval(again)
    channel.close()
  }
}

function outcomeOf(
  run: SuiteRun,
  wanted: SuiteRun['topics'],
  reporter: ResultReporter,
  judged: JudgedResults,
): Omit<SuiteOutcome, 'leftBehind'> {
  const { selected, redactor, shard, signal } = run
  // In a shard, a topic that was not run belongs to another shard.
  const due = shard ? wanted.filter(({ file }) => reporter.files.has(file)) : wanted
  const missing = withoutResult(due, selected, judged.ids)
  const executed = judged.ids.size
  const lost = signal.aborted ? [] : missing.map(({ address, file }) => lostWords(address, file))
  return {
    results: [...judged.take(selected)],
    executed,
    judgingMs: judged.judgingMs,
    unsaved: reporter.unsaved,
    unhandled: [...reporter.unhandled, ...lost].map((text) => redactor.redact(text)),
    interrupted: isInterrupted(signal),
    unheard: signal.aborted ? missing.map(({ address }) => address) : [],
    ...(reporter.adapted ? { adapted: reporter.adapted } : {}),
    measured: reporter.measured,
  }
}

/** Waits for the work, but at most for this time after the signal: a worker that is busy computing does not get the
 * stop message. Returns whether the work has ended. */
async function atMostAfter(signal: AbortSignal, ms: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController()
  const timeIsOver = async () => {
    if (!signal.aborted) await once(signal, 'abort', { signal: done.signal })
    await realTimer.wait(ms, done.signal)
  }
  try {
    const isLate = timeIsOver().then(
      () => false,
      () => new Promise<never>(() => {}),
    )
    return await Promise.race([work.then(() => true), isLate])
  } finally {
    done.abort()
  }
}

const withoutResult = (due: SuiteRun['topics'], selected: readonly string[], judged: ReadonlySet<string>) =>
  due.flatMap(({ id, file }) =>
    selected
      .filter((address) => address.startsWith(`${id}/`) && !judged.has(address))
      .map((address) => ({ address, file })),
  )

/** Returns the error about a selected check without a result, which would go unnoticed otherwise. */
const lostWords = (address: string, file: string): string =>
  `${address} was selected but not judged: check whether ${file} contains it`
