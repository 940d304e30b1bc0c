/** A target that goes away for some seconds in the middle of a run: checks wait for it, and what they lost is judged
 * again. `npm test` judges one of six checks, and has each outage once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import { jumpingTimer } from '../differences/jumping-timer.ts'
import { candidatesOf } from '../mutation/judged-server.ts'
import { judge } from '../run/judge.ts'
import { inLanes } from '../run/lanes.ts'
import { openSession, reachOf } from '../run/session.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import { cleanUp } from '../safety/clean-up.ts'
import { journalIn } from '../safety/journal.ts'
import type { Change } from '../safety/journal-lines.ts'
import { journalSoFar } from '../safety/journal-record.ts'
import { acceptFor } from '../safety/undo-shapes.ts'
import { newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { undoTemplates } from '../targets/touches.ts'
import { sampled } from '../tools/prove/sampled.test-bed.ts'
import type { CheckResult } from '../vocabulary/index.ts'
import { WaysBack } from '../way/ways-back.ts'
import type { Attempt } from '../wire/attempt.ts'
import type { OnTheWay, WireClient } from '../wire/client.ts'
import type { Timer } from '../wire/timer.ts'
import type { TroubleKind } from '../wire/trouble.ts'

let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ edition: 'premium', control: true, seed: 1 })
})
afterAll(() => server.close())

const ownTopics = topics.map(({ topic }) => topic).filter(({ area }) => area === 'policies')
const candidates = sampled(candidatesOf(ownTopics), 6)
/** The requests of a run before the target goes away. */
const awayFrom = 100

/** What happens to one attempt while the target is away. */
type Away = (path: string, depart: () => Promise<Attempt>, method: string, timer: Timer) => Promise<Attempt>

const ended = { sentAt: 0, durationMs: 0 }
const trouble = (kind: TroubleKind, words: string): Attempt => ({ ...ended, trouble: { kind, words } })
const answer = (status: number, json: object): Attempt => ({
  ...{ ...ended, status, headers: {}, bytes: Buffer.from(JSON.stringify(json)) },
})
const isHealth = (path: string): boolean => path.startsWith('/v1/sys/health')

const unsent = trouble('unsent', 'nothing listens')
const broken = trouble('broken', 'the connection was cut')
const late = trouble('late', 'no complete reply within 5 s')
const sealed = answer(503, { errors: ['Vault is sealed'] })
const sealedHealth = answer(503, { initialized: true, sealed: true, standby: true })
const throttled = answer(503, { errors: ['no active node'] })
const leaderless = answer(500, { errors: ['local node not active but active cluster node not found'] })
const redirect = (location: string): Attempt => ({ ...answer(307, {}), headers: { location } })
const standbyHealth = answer(429, { initialized: true, sealed: false, standby: true })

const aways: readonly (readonly [string, number, Away])[] = [
  ['it restarts, and nothing listens for 5 s', 5000, async () => unsent],
  ['connections are cut for 5 s', 5000, async () => broken],
  ['for 5 s connections are cut after the request was served', 5000, async (_, depart) => depart().then(() => broken)],
  ['for 20 s no reply comes', 20_000, async (_path, _depart, _method, timer) => timer.wait(5000).then(() => late)],
  ['it is sealed for 20 s', 20_000, async (path) => (isHealth(path) ? sealedHealth : sealed)],
  ['for 4 s no node is active', 4000, async (path) => (isHealth(path) ? standbyHealth : throttled)],
  ['for 20 s the node redirects to itself', 20_000, async (path) => (isHealth(path) ? standbyHealth : redirect(path))],
  [
    'for 20 s the node redirects to one that is not named',
    20_000,
    async (path) => (isHealth(path) ? standbyHealth : redirect('http://127.0.0.2:1/')),
  ],
  [
    'for 20 s the node answers reads by itself, and redirects writes to itself',
    20_000,
    async (path, depart, method) => (method === 'GET' || method === 'LIST' ? depart() : redirect(path)),
  ],
  ['for 20 s the node knows no active one', 20_000, async (path) => (isHealth(path) ? standbyHealth : leaderless)],
]

async function clusterOf({ url }: ReferenceServer): Promise<string> {
  const health = (await (await fetch(`${url}/v1/sys/health`)).json()) as { readonly cluster_id: string }
  return health.cluster_id
}

interface Run {
  readonly results: readonly CheckResult[]
  readonly left: readonly string[]
  readonly verdicts: readonly string[]
  /** The number of requests that the checks sent. */
  readonly asked: number
}

/** Judges the checks on a target that is away from the given number of requests on, for some time. */
async function run(jobs: number, departs: number, awayMs: number, away: Away): Promise<Run> {
  const timer = jumpingTimer()
  let [asked, made] = [0, 0]
  let backAt: number | undefined
  const onTheWay: OnTheWay = (departure, depart) => {
    asked += 1
    if (asked >= departs) backAt ??= timer.now() + awayMs
    const isAway = backAt !== undefined && timer.now() < backAt
    return isAway ? away(departure.path, () => depart(departure), departure.method, timer) : depart(departure)
  }
  const between = (client: WireClient): WireClient => ({
    ...client,
    send: (request) => client.send({ ...request, onTheWay }),
  })
  const changes: Change[] = []
  const plan: SessionPlan = {
    target: { ...referenceTarget(server), outageSeconds: 60 },
    facts: {
      ...{ edition: 'premium', topology: 'active', version: await newestReference() },
      ...{ features: server.features, forms: server.forms },
    },
    ...{
      runId: 'outage',
      clusterId: await clusterOf(server),
      seed: 1,
      ceiling: 'scoped',
      jobs,
      level: 'should',
      requirements,
      record: 'none',
    },
  }
  const session = await openSession(plan, {
    ...{ timer, between, shared: { journal: journalIn(changes), next: () => ++made, waysBack: new WaysBack() } },
  })
  const results: CheckResult[] = []
  try {
    await inLanes([...candidates.entries()], jobs, session.signal, async ([at, { topic, check }]) => {
      results[at] = await judge(topic, check, session)
    })
    const { dialect, nodes } = session
    const askedByChecks = asked
    await nodes?.close()
    const record = journalSoFar(undefined, { url: server.url, runId: 'outage' }, undefined, changes)
    const accept = acceptFor(undoTemplates(ownTopics, dialect), 'outage')
    const { left } = await cleanUp({ record, reachOf: reachOf(session), dialect, accept })
    return { results, left, asked: askedByChecks, verdicts: results.map(({ id, verdict }) => `${id} ${verdict}`) }
  } finally {
    await session.close()
  }
}

let undisturbed: Promise<Run> | undefined

describe.each([1, 8])('with %i checks at once', (jobs) => {
  test.each(sampled(aways, 2, jobs))('no check is lost and nothing is left if %s', async (_, awayMs, away) => {
    undisturbed ??= run(8, Number.POSITIVE_INFINITY, 0, away)
    const { verdicts, asked } = await undisturbed
    const before = server.inventory()
    // The checks that are judged last are not helped by what others find out about the target.
    for (const departs of sampled([awayFrom, asked - 10], 2, jobs)) {
      const disturbed = await run(jobs, departs, awayMs, away)
      expect(disturbed.verdicts).toEqual(verdicts)
      expect(disturbed.left).toEqual([])
      expect(server.inventory()).toEqual(before)
    }
  })
})

test('a target that stays away ends each further check at once, and blames nothing', async () => {
  const { results, left } = await run(8, awayFrom, Number.POSITIVE_INFINITY, async () => unsent)
  const lost = results.filter(({ verdict, safety }) => verdict === 'not-verified' && safety !== 'disruptive')
  expect(lost.length).toBeGreaterThan(candidates.length / 3)
  expect(new Set(lost.map(({ blocker }) => blocker?.code))).toEqual(new Set(['target-failing']))
  expect(lost[0]?.blocker?.reason).toContain('the target went away and did not answer again within 60 s: ')
  expect(results.filter(({ verdict }) => verdict === 'error' || verdict === 'fail')).toEqual([])
  expect(left.length).toBeGreaterThan(0)
})

test('a target that becomes another cluster is not judged any longer, and nothing is held against either', async () => {
  const health = (cluster: string) => answer(200, { initialized: true, sealed: false, cluster_id: cluster })
  const missing = answer(404, { errors: [] })
  const { results } = await run(8, awayFrom, Number.POSITIVE_INFINITY, async (path) =>
    isHealth(path) ? health('another') : missing,
  )
  const lost = results.filter(({ blocker }) => blocker?.code === 'target-failing')
  expect(lost.length).toBeGreaterThan(candidates.length / 3)
  expect(lost[0]?.blocker?.reason).toContain('another cluster than when the run began')
  expect(results.filter(({ verdict }) => verdict === 'error' || verdict === 'fail' || verdict === 'warn')).toEqual([])
})
