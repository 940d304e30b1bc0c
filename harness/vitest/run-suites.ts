import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel, setEnvironmentData } from 'node:worker_threads'
import type { AdaptiveJobs } from '../run/adaptive-jobs.ts'
import { isInterrupted, TimeIsUp } from '../run/interruptions.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import type { Measured } from '../run/timings.ts'
import type { Change } from '../safety/journal-lines.ts'
import type { Redactor } from '../safety/redaction.ts'
import type { CheckResult } from '../vocabulary/index.ts'
import { boundMs } from '../wire/bounds.ts'
import { realTimer } from '../wire/timer.ts'
import { quietVitest } from './quiet-vitest.ts'
import { ResultReporter } from './result-reporter.ts'
import {
  type JudgedCheck,
  type OwnMessage,
  type OwnTarget,
  ownChannel,
  planKey,
  type StopMessage,
  stopChannel,
  type WorkerPlan,
} from './worker-plan.ts'

export interface SuiteRun {
  readonly topics: readonly { readonly id: string; readonly file: string }[]
  /** Addresses of the checks to judge. */
  readonly selected: readonly string[]
  readonly plan: SessionPlan
  /** Workers judge targets of their own, so there may be several workers. */
  readonly own?: OwnTarget
  /** The runner's own sharding, by topic file; `index` from 1. */
  readonly shard?: { readonly index: number; readonly of: number }
  onJudged?(judged: JudgedCheck): void
  /** Learns every secret that the workers learn. */
  readonly redactor: Redactor
  readonly signal: AbortSignal
}

export interface SuiteOutcome {
  /** In the order of `selected`; without those of other shards. */
  readonly results: readonly CheckResult[]
  /** This many checks were handed to `judge`. */
  readonly executed: number
  /** First check to last. */
  readonly judgingMs: number
  /** These changes could not be written into the journal: the disk was full, say. */
  readonly unsaved: readonly Change[]
  /** Errors outside any check: a topic that cannot be imported, say. Redacted. */
  readonly unhandled: readonly string[]
  readonly interrupted: boolean
  /** Selected, and without a result because the run was stopped while the worker was too busy to hear of it. */
  readonly unheard: readonly string[]
  /** What checks left on the targets of the workers, in words. */
  readonly leftBehind: readonly string[]
  /** The number of checks at once was between these, where it adapts. */
  readonly adapted?: AdaptiveJobs['bounds']
  readonly measured: readonly Measured[]
}

const runnerFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './worker-entry.ts' : './worker-entry.js', import.meta.url),
)

/** Runs the selected checks under vitest. When the signal aborts, no further check starts, those under way take back
 * what they made, and every other one is reported as not verified. */
export async function runSuites(run: SuiteRun): Promise<SuiteOutcome> {
  const { topics, selected, shard, redactor, onJudged } = run
  const reporter = new ResultReporter(redactor, onJudged)
  const wanted = topics.filter(({ id }) => selected.some((address) => address.startsWith(`${id}/`)))
  const files = new Set(wanted.map(({ file }) => file))
  // A shard that gets no file is no failure of the run: the others have them all.
  const isEmpty = files.size === 0 || (shard !== undefined && shard.index > files.size)
  const heard = hearOfTargets(run)
  if (!isEmpty) await runUnderVitest(run, wanted, reporter)
  return { ...outcomeOf(run, wanted, reporter), leftBehind: await heard.leftBehind() }
}

/** Each judges so many checks at once that all of them together judge as many as were asked for. */
function workersFor({ own, plan: { jobs } }: SuiteRun): { readonly workers: number; readonly jobs: number } {
  const workers = own ? Math.min(own.workers, jobs) : 1
  return { workers, jobs: Math.ceil(jobs / workers) }
}

/** What each worker says of the target that it opened for itself. */
function hearOfTargets({ own, plan, signal }: SuiteRun) {
  const left: string[] = []
  let open = 0
  const channel = new BroadcastChannel(ownChannel(plan.runId))
  let heardAll = () => {}
  channel.onmessage = ({ data }: MessageEvent) => {
    const message = data as OwnMessage
    if ('opened' in message) open += 1
    else {
      open -= 1
      left.push(...message.leftBehind)
      if (open === 0) heardAll()
    }
  }
  return {
    /** To be called once the workers are gone: their last words may still be under way. */
    async leftBehind(): Promise<readonly string[]> {
      const late = new AbortController()
      const all = new Promise<void>((resolve) => {
        heardAll = resolve
        if (open === 0 || !own || signal.aborted) resolve()
      })
      const tooLate = realTimer.wait(boundMs('checksThread'), late.signal).catch(() => {})
      await Promise.race([all, tooLate])
      late.abort()
      channel.close()
      if (open > 0 && !signal.aborted)
        left.push(`${open} of the reference servers did not say what checks left on them`)
      return left
    },
  }
}

async function runUnderVitest(run: SuiteRun, wanted: SuiteRun['topics'], reporter: ResultReporter): Promise<void> {
  const { selected, plan, own, shard, signal } = run
  const { workers, jobs } = workersFor(run)
  const topics = idsByFile(wanted)
  const key = `${planKey}-${plan.runId}`
  const given: WorkerPlan = { plan, selected, topics, ...(own ? { own } : {}) }
  const vitest = await quietVitest({
    include: Object.keys(topics),
    runner: runnerFile,
    maxWorkers: workers,
    maxConcurrency: jobs,
    reporters: [reporter],
    testTimeout: 0,
    provide: { [planKey]: key },
    ...(shard ? { shard: `${shard.index}/${shard.of}` } : {}),
  })
  const stopPassing = passOnStop(plan.runId, signal)
  try {
    setEnvironmentData(key, given)
    await atMostAfter(signal, boundMs('checksThread'), vitest.start())
  } catch (error) {
    reporter.unhandled.push(error instanceof Error ? error.message : String(error))
  } finally {
    stopPassing()
    await atMostAfter(signal, boundMs('takeBack'), vitest.close()).finally(() => setEnvironmentData(key, undefined))
  }
}

const idsByFile = (topics: SuiteRun['topics']): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...Map.groupBy(topics, ({ file }) => file)].map(([file, group]) => [file, group.map(({ id }) => id)]),
  )

/** Tells the worker when the run has to stop, and goes on telling it, since the worker may not be listening yet. */
function passOnStop(runId: string, signal: AbortSignal): () => void {
  const channel = new BroadcastChannel(stopChannel(runId))
  let again: NodeJS.Timeout | undefined
  const stop = () => {
    const { reason } = signal
    const message: StopMessage = reason instanceof TimeIsUp ? { seconds: reason.seconds } : {}
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
): Omit<SuiteOutcome, 'leftBehind'> {
  const { selected, redactor, shard, signal } = run
  // In a shard, a topic that was not run belongs to another shard.
  const due = shard ? wanted.filter(({ file }) => reporter.files.has(file)) : wanted
  const { judged } = reporter
  const missing = withoutResult(due, selected, judged)
  const lost = signal.aborted ? [] : missing.map(({ address, file }) => lostWords(address, file))
  return {
    results: [...reporter.take(selected)],
    executed: judged.size,
    judgingMs: reporter.judgingMs,
    unsaved: reporter.unsaved,
    unhandled: [...reporter.unhandled, ...lost].map((text) => redactor.redact(text)),
    interrupted: isInterrupted(signal),
    unheard: signal.aborted ? missing.map(({ address }) => address) : [],
    ...(reporter.adapted ? { adapted: reporter.adapted } : {}),
    measured: reporter.measured,
  }
}

/** The work, or nothing once so much time has passed since the signal: a worker that is busy computing hears of no stop. */
async function atMostAfter(signal: AbortSignal, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const timeIsOver = async () => {
    if (!signal.aborted) await once(signal, 'abort', { signal: done.signal })
    await realTimer.wait(ms, done.signal)
  }
  try {
    await Promise.race([work, timeIsOver().catch(() => new Promise(() => {}))])
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

/** A check that was selected and has no result would otherwise go unnoticed. */
const lostWords = (address: string, file: string): string =>
  `${address} was selected and not judged: does ${file} hold it?`
