/** Runs in vitest's worker. Each check of a topic becomes a test that judges it and never fails. The result is sent
 * to the starting process in the test's `meta`. */
import { pathToFileURL } from 'node:url'
import { BroadcastChannel, getEnvironmentData } from 'node:worker_threads'
import { inject, type TaskMeta, TestRunner, test } from 'vitest'
import { announce, inTurn } from '../ground/shared-ground.ts'
import { mainCluster } from '../run/clusters.ts'
import { judgeUnrecorded } from '../run/judge.ts'
import { endOtherCaller } from '../run/other-caller.ts'
import { openSession, type Session } from '../run/session.ts'
import { drainMeasured, type Measured, measure, timed } from '../run/timings.ts'
import type { Change } from '../safety/journal-lines.ts'
import { isExclusive, lockOf } from '../safety/locks.ts'
import { addressOf, type Check, type Topic } from '../vocabulary/index.ts'
import { AdaptiveJobs, waitingFirst } from '../way/adaptive-jobs.ts'
import { FailedFast, Interrupted, TimeIsUp } from '../way/interruptions.ts'
import type { WireClient } from '../wire/client.ts'
import { gracesOfChecks } from '../wire/stop-signals.ts'
import { sweepAsUsual, sweepEarlyInLongRun } from './sweeping.ts'
import {
  eventsChannel,
  type OpenTarget,
  type OwnMessage,
  type OwnTarget,
  ownChannel,
  planKey,
  type StopMessage,
  stopChannel,
  type WorkerMessage,
  type WorkerPlan,
} from './worker-plan.ts'

declare module 'vitest' {
  interface ProvidedContext {
    [planKey]: string
  }
  interface TaskMeta {
    /** The address of the check, once it is judged. */
    judged?: string
    /** Changes since the last test that could not be written into the journal. */
    unsaved?: readonly Change[]
    /** The lowest and the highest number of concurrent checks so far, if it adapts to the target. */
    adapted?: AdaptiveJobs['bounds']
    /** Measurements since the last test. */
    measured?: readonly Measured[]
  }
}

interface Work {
  readonly session: Session
  readonly selected: ReadonlySet<string>
  readonly planned: WorkerPlan
  /** Checks that were started before vitest reached their topic, by address. */
  readonly ahead: Map<string, Promise<void>>
  tell(message: WorkerMessage): void
  readonly jobs: AdaptiveJobs | undefined
  close(): Promise<void>
}

/** Judges a check, and tells the starting process, which records the result. */
async function judgeTold(topic: Topic, check: Check, { session, tell }: Work): Promise<void> {
  const id = addressOf(topic, check)
  tell({ event: 'began', id })
  const judged = JSON.stringify(await judgeUnrecorded({ topic, check, session }))
  sweepEarlyInLongRun(judged.length)
  tell({ event: 'judged', id, judged, secrets: session.redactor.drain() })
}

const givenPlan = () => getEnvironmentData(inject(planKey)) as WorkerPlan

async function openWork(): Promise<Work> {
  const planned = givenPlan()
  const stop = new AbortController()
  const channel = new BroadcastChannel(stopChannel(planned.plan.runId))
  channel.onmessage = ({ data }: MessageEvent) => {
    stop.abort(reasonIn(data as StopMessage))
  }
  channel.unref()
  const { plan, own } = planned
  // Disruptive checks must run in the order of their topics, so the number of jobs does not adapt then.
  const jobs = plan.adaptsJobs && plan.ceiling !== 'disruptive' ? new AdaptiveJobs(plan.jobs) : undefined
  const opened = own && (await timed(plan.timings, 'open a reference server', () => openOwn(own)))
  const target = opened?.target ?? plan.target
  const session = await openSession(
    { ...plan, target },
    {
      ...{ signal: stop.signal, graces: gracesOfChecks() },
      ...(opened ? { settle: opened.settle, isInThread: true } : {}),
      ...(jobs ? { between: (client) => watched(client, jobs), aside: (wait) => jobs.aside(wait) } : {}),
    },
  )
  const live = new BroadcastChannel(eventsChannel(plan.runId))
  live.unref()
  const tell = (message: WorkerMessage) => live.postMessage(message)
  const watching = setInterval(() => {
    const why = whyHeld(session)
    tell({ event: 'away', ...(why === undefined ? {} : { why }) })
  }, 1000).unref()
  // This loads the HTTP client now; otherwise loading it would count as time of the first check.
  session.client(mainCluster)
  const leftBehind = await opened?.watch(session)
  const ownMessages = opened && openOwnChannel(plan.runId)
  ownMessages?.post({ opened: true })
  return {
    session,
    planned,
    jobs,
    ahead: new Map(),
    tell,
    selected: new Set(planned.selected),
    async close() {
      await session.grounds.close()
      clearInterval(watching)
      channel.close()
      live.close()
      await endOtherCaller(session)
      if (leftBehind) ownMessages?.post({ leftBehind: await leftBehind().catch(unknownLeft) })
      await session.close()
      await opened?.close()
      ownMessages?.close()
    },
  }
}

/** Returns why nothing is sent to the target at the moment, if its circuit breaker is open. */
function whyHeld({ breaker, redactor }: Session): string | undefined {
  const why = breaker.whyOpen(mainCluster)
  return why === undefined ? undefined : redactor.redact(why)
}

const watched = (client: WireClient, jobs: AdaptiveJobs): WireClient => ({
  ...client,
  async send(request) {
    const outcome = await client.send(request)
    jobs.saw(outcome)
    return outcome
  },
})

/** Announces every selected check, and starts them if their number adapts to the target. Files that cannot be imported
 * are not among them; they fail when vitest reaches them. */
async function begin(work: Work): Promise<void> {
  const { session, selected, planned, jobs } = work
  const files = await importAll(planned)
  const all = files.flat().flatMap((topic) => (topic.checks as readonly Check[]).map((check) => ({ topic, check })))
  const due = all.filter(({ topic, check }) => selected.has(addressOf(topic, check)))
  announce(due, session)
  if (jobs) startAll(due, work, jobs)
}

function startAll(due: readonly { topic: Topic; check: Check }[], work: Work, jobs: AdaptiveJobs): void {
  const { session, ahead } = work
  const tails = new Map<string, Promise<unknown>>()
  for (const { topic, check } of waitingFirst(due)) {
    const address = addressOf(topic, check)
    if (ahead.has(address)) continue
    const lock = lockOf(check, session)
    const judged = () => jobs.run(() => judgeTold(topic, check, work), lock !== undefined && !isExclusive(lock))
    // Checks with the same lock are chained, so that those that wait for the lock do not count as running.
    const result = lock === undefined ? judged() : (tails.get(lock) ?? Promise.resolve()).then(judged)
    if (lock !== undefined) tails.set(lock, result)
    ahead.set(address, result)
  }
}

const unknownLeft = (error: unknown): readonly string[] => [
  `unknown objects, because the inventory of a reference server failed: ${error instanceof Error ? error.message : String(error)}`,
]

async function openOwn({ module, order }: OwnTarget) {
  const { openTarget } = (await import(/* @vite-ignore */ module)) as { readonly openTarget: OpenTarget }
  return openTarget(order as never)
}

function openOwnChannel(runId: string) {
  const channel = new BroadcastChannel(ownChannel(runId))
  channel.unref()
  return { post: (message: OwnMessage) => channel.postMessage(message), close: () => channel.close() }
}

/** The worker is not isolated, so all its topics share this, with its connections, locks and secrets. */
let work: Promise<Work> | undefined

export default class TopicRunner extends TestRunner {
  override async importFile(path: string, source: 'collect' | 'setup'): Promise<unknown> {
    if (source !== 'collect') return super.importFile(path, source)
    forgetReported()
    if (!work) {
      work = openWork()
      this.onCleanupWorkerContext?.(closeWork)
      await begin(await work)
    }
    const open = await work
    const exported = await importTopics(path, open.planned)
    registerChecks(path, exported, open)
    return exported
  }
}

/** Imports a file by its plain URL. vitest would add a timestamp to the URL, so that each run would add another copy
 * to the compile cache. */
async function importTopics(path: string, { topics, suites }: WorkerPlan): Promise<readonly Topic[]> {
  const { default: exported = [] } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    readonly default?: Topic | readonly Topic[]
  }
  const ids = topics[path] ?? []
  const judged = [exported].flat().map((topic) => {
    const suite = ids.includes(topic.id) ? suites[topic.id] : undefined
    return suite === undefined ? topic : topicOf(suite, topic)
  })
  return Promise.all(judged)
}

/** Returns a topic as its area judges it: with frames, and with what must be true of each reply of the area. */
async function topicOf(suite: string, { id }: Topic): Promise<Topic> {
  const { default: area } = (await import(/* @vite-ignore */ pathToFileURL(suite).href)) as {
    readonly default: { readonly topics: readonly { readonly topic: Topic }[] }
  }
  const found = area.topics.find(({ topic }) => topic.id === id)
  if (!found) throw new TypeError(`${suite} has no topic ${id}`)
  return found.topic
}

async function importAll(planned: WorkerPlan): Promise<readonly (readonly Topic[])[]> {
  const { topics, plan } = planned
  const files: (readonly Topic[])[] = []
  for (const [path, ids] of Object.entries(topics)) {
    const start = performance.now()
    const exported = await importTopics(path, planned).catch(() => [])
    measure(plan.timings, `import ${ids.join(', ')}`, start)
    files.push(exported.filter(({ id }) => ids.includes(id)))
  }
  return files
}

/** The metas that vitest has been given to send. It keeps them in memory to the end. */
const reported: TaskMeta[] = []

/** Deletes the measurements of sent metas. Call this when a file starts, because the metas of earlier files have arrived by
 * then. */
function forgetReported(): void {
  for (const meta of reported.splice(0)) delete meta.measured
}

async function closeWork(): Promise<void> {
  const open = await work
  work = undefined
  await open?.close()
  sweepAsUsual()
}

/** The default export of a file is a topic or a list of topics. */
function registerChecks(path: string, exported: readonly Topic[], open: Work): void {
  for (const id of open.planned.topics[path] ?? []) {
    const topic = exported.find((one) => one.id === id)
    const found = exported.map((one) => one.id).join(', ') || 'none'
    if (!topic) throw new TypeError(`${path} must have the topic ${id} as its default export; it exports ${found}`)
    registerTopic(topic, open)
  }
}

function registerTopic(topic: Topic, work: Work): void {
  const { session, selected, ahead, jobs } = work
  const { timings } = session.plan
  const checks = topic.checks.filter((check) => selected.has(addressOf(topic, check)))
  for (const check of inTurn(topic, checks, session)) {
    test.concurrent(check.id, async ({ task }) => {
      const address = addressOf(topic, check)
      await (ahead.get(address) ?? judgeTold(topic, check, work))
      ahead.delete(address)
      if (timings) reported.push(task.meta)
      task.meta.judged = address
      task.meta.unsaved = session.journal.unsaved()
      if (jobs) task.meta.adapted = jobs.bounds
      if (timings) task.meta.measured = drainMeasured()
    })
  }
}

function reasonIn({ seconds, failedFast }: StopMessage): Error {
  if (failedFast) return new FailedFast()
  return seconds === undefined ? new Interrupted() : new TimeIsUp(seconds)
}
