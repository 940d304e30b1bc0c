/** Runs in vitest's worker: each check of a topic becomes a test that judges it and never fails; its result travels in
 * the test's `meta`. */
import { BroadcastChannel } from 'node:worker_threads'
import { inject, TestRunner, test } from 'vitest'
import { Interrupted, TimeIsUp } from '../run/interruptions.ts'
import { judge } from '../run/judge.ts'
import { openSession, type Session } from '../run/session.ts'
import type { Change } from '../safety/journal-lines.ts'
import { addressOf, type CheckResult, type Topic } from '../vocabulary/index.ts'
import { gracesOfChecks } from '../wire/stop-signals.ts'
import { planKey, type StopMessage, stopChannel, type WorkerPlan } from './worker-plan.ts'

declare module 'vitest' {
  interface ProvidedContext {
    [planKey]: WorkerPlan
  }
  interface TaskMeta {
    result?: CheckResult
    /** Secrets learnt since the last test, for the redactors of the starting process. */
    secrets?: readonly string[]
    /** These changes could not be written into the journal since the last test. */
    unsaved?: readonly Change[]
  }
}

interface Work {
  readonly session: Session
  readonly selected: ReadonlySet<string>
  readonly planned: WorkerPlan
  close(): Promise<void>
}

async function openWork(): Promise<Work> {
  const planned = inject(planKey)
  const stop = new AbortController()
  const channel = new BroadcastChannel(stopChannel(planned.plan.runId))
  channel.onmessage = ({ data }: MessageEvent) => {
    const { seconds } = data as StopMessage
    stop.abort(seconds === undefined ? new Interrupted() : new TimeIsUp(seconds))
  }
  channel.unref()
  const session = await openSession(planned.plan, { signal: stop.signal, graces: gracesOfChecks })
  return {
    session,
    planned,
    selected: new Set(planned.selected),
    async close() {
      channel.close()
      await session.close()
    },
  }
}

/** One for the whole run: the worker is not isolated, so that every topic shares connections, locks and secrets. */
let work: Promise<Work> | undefined

export default class TopicRunner extends TestRunner {
  override async importFile(path: string, source: 'collect' | 'setup'): Promise<unknown> {
    const module = await super.importFile(path, source)
    if (source !== 'collect') return module
    if (!work) {
      work = openWork()
      this.onCleanupWorkerContext?.(closeWork)
    }
    const exported = (module as { default?: Topic | readonly Topic[] }).default ?? []
    registerChecks(path, [exported].flat(), await work)
    return module
  }
}

async function closeWork(): Promise<void> {
  const open = await work
  work = undefined
  await open?.close()
}

/** A file exports one topic as its default, or a list of topics. */
function registerChecks(path: string, exported: readonly Topic[], { session, selected, planned }: Work): void {
  for (const id of planned.topics[path] ?? []) {
    const topic = exported.find((one) => one.id === id)
    const found = exported.map((one) => one.id).join(', ') || 'none'
    if (!topic) throw new TypeError(`${path} must export the topic ${id} as its default; it exports ${found}`)
    registerTopic(topic, session, selected)
  }
}

function registerTopic(topic: Topic, session: Session, selected: ReadonlySet<string>): void {
  for (const check of topic.checks) {
    if (!selected.has(addressOf(topic, check))) continue
    test.concurrent(check.id, async ({ task }) => {
      const result = await judge(topic, check, session)
      task.meta.result = result
      task.meta.secrets = session.redactor.drain()
      task.meta.unsaved = session.journal.unsaved()
    })
  }
}
