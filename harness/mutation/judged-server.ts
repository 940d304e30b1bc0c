/** Judges checks on a reference server of one setting, without vitest. */

import { announce } from '../ground/shared-ground.ts'
import { mainCluster } from '../run/clusters.ts'
import { judge } from '../run/judge.ts'
import { inLanes } from '../run/lanes.ts'
import { openSession, type Session } from '../run/session.ts'
import { createLocks } from '../safety/locks.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import type { ResolvedTarget } from '../targets/target.ts'
import {
  addressOf,
  type Check,
  type CheckResult,
  type Facts,
  type Requirement,
  type Topic,
} from '../vocabulary/index.ts'
import { forgetListWay } from '../wire/list-method.ts'
import type { Setting } from './settings.ts'

export interface Candidate {
  readonly topic: Topic
  readonly check: Check
  readonly address: string
}

export const candidatesOf = (topics: readonly Topic[]): readonly Candidate[] =>
  topics.flatMap((topic) => topic.checks.map((check) => ({ topic, check, address: addressOf(topic, check) })))

export interface JudgedServer {
  readonly server: ReferenceServer
  /** Judges on the unchanged server. The changes that checks wait for, and the restorations at their end, do happen
   * there, so a slow machine gets enough time for both. Otherwise the next check would find clusters in use. */
  judgePlainly(candidates: readonly Candidate[], signal: AbortSignal): Promise<readonly CheckResult[]>
  /** Judges on the server with faults. The waiting times are short, because a change that a check waits for may
   * never happen. */
  judgeFaulty(candidates: readonly Candidate[], signal: AbortSignal): Promise<readonly CheckResult[]>
  close(): Promise<void>
}

const jobs = 8
const plainly = { patienceSeconds: 10 }
const faulty = { patienceSeconds: 1, immediateSeconds: 0.3 }

const withNeeds = (target: ResolvedTarget, provides: Readonly<Record<string, unknown>>): ResolvedTarget => ({
  ...target,
  provides: { ...target.provides, ...provides },
})

/** Returns the results in the order of the candidates. */
async function judgeThem(
  session: Session,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  // The mutants of the server may have changed since.
  forgetListWay(session.client(mainCluster).lists)
  const results: CheckResult[] = []
  announce(candidates, session)
  await inLanes([...candidates.entries()], jobs, signal, async ([index, { topic, check }]) => {
    results[index] = await judge(topic, check, session)
  })
  await session.grounds.close()
  return results
}

export async function openJudgedServer(
  setting: Setting,
  requirements: readonly Requirement[],
  seed: number,
  provides: Readonly<Record<string, unknown>> = {},
  clusters = 1,
): Promise<JudgedServer> {
  const { name: _, ...shape } = setting
  const server = await startReference({ ...shape, seed, control: true, clusters, testKeys: true })
  const facts: Facts = {
    edition: setting.edition,
    version: setting.version ?? (await newestReference()),
    features: server.features,
  }
  const locks = createLocks()
  const plan = {
    target: withNeeds(referenceTarget(server), provides),
    facts,
    seed,
    ceiling: 'disruptive',
    jobs,
    level: 'should',
    requirements,
    record: 'none',
    isThrownAway: true,
  } as const
  const opened = (runId: string, patience: object) =>
    openSession({ ...plan, runId, target: { ...plan.target, ...patience } }, { locks, settle: server.settle })
  const patient = await opened(`self${seed}`, plainly)
  const impatient = await opened(`fault${seed}`, faulty)
  return {
    server,
    judgePlainly: (candidates, signal) => judgeThem(patient, candidates, signal),
    judgeFaulty: (candidates, signal) => judgeThem(impatient, candidates, signal),
    async close() {
      await patient.close()
      await impatient.close()
      await server.close()
    },
  }
}

/** A pool of judged servers of one setting. */
export interface JudgedServers {
  readonly count: number
  /** Runs on the first server that is free. */
  use<T>(run: (judged: JudgedServer) => Promise<T>): Promise<T>
  /** Runs on every server; call it when none is in use. */
  each(run: (judged: JudgedServer) => void | Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Opens `count` servers. Each call of `open` gets a different seed, so that names differ between the servers. */
export async function openJudgedServers(
  open: (seed: number) => Promise<JudgedServer>,
  count: number,
): Promise<JudgedServers> {
  const servers: JudgedServer[] = []
  const each: JudgedServers['each'] = async (run) => void (await Promise.all(servers.map(run)))
  const close = (): Promise<void> => each((judged) => judged.close())
  try {
    for (let seed = 1; seed <= count; seed++) servers.push(await open(seed))
  } catch (error) {
    await close()
    throw error
  }
  const free = [...servers]
  const waiting: ((judged: JudgedServer) => void)[] = []

  async function use<T>(run: (judged: JudgedServer) => Promise<T>): Promise<T> {
    const judged = free.pop() ?? (await new Promise<JudgedServer>((resolve) => waiting.push(resolve)))
    try {
      return await run(judged)
    } finally {
      const next = waiting.shift()
      if (next) next(judged)
      else free.push(judged)
    }
  }

  return { count, use, each, close }
}
