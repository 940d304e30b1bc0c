/** Whether checks share a pair of joined clusters, and look again at clusters without a role, decides no verdict: on correct
 * clusters and under faults, in two orders. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import { announce } from '../ground/shared-ground.ts'
import { shareOf } from '../ground/shares.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import {
  knownMutants,
  newestReference,
  type ReferenceServer,
  referenceTarget,
  startReference,
} from '../targets/mock.ts'
import { isWhole, sampled } from '../tools/prove/sampled.test-bed.ts'
import { addressOf, type CheckResult, type Facts } from '../vocabulary/index.ts'

const all = topics
  .flatMap(({ topic }) => topic.checks.map((check) => ({ topic, check, id: addressOf(topic, check) })))
  .filter(({ check }) => check.lock === 'clusters')

const dialect = loadDialect('vault')
const sharers = all.filter(({ topic, check }) => shareOf(topic, check, dialect) !== undefined)

let server: ReferenceServer
let facts: Facts
beforeAll(async () => {
  server = await startReference({ edition: 'premium', testKeys: true, control: true, clusters: 3 })
  facts = { edition: 'premium', version: await newestReference(), features: server.features }
})
afterAll(() => server.close())

let runs = 0
/** Judges one check after another on clusters that the run has to itself. */
async function judged(
  checks: readonly (typeof all)[number][],
  patienceSeconds: number,
  ground?: 'own',
): Promise<readonly CheckResult[]> {
  const session = await openSession(
    {
      ...{ target: { ...referenceTarget(server), patienceSeconds, immediateSeconds: 0.3 }, facts, requirements },
      ...{ runId: `ended${++runs}`, seed: 1, ceiling: 'disruptive', jobs: 1, level: 'should', hasClustersAlone: true },
      ...(ground === undefined ? {} : { ground }),
    },
    { settle: server.settle },
  )
  try {
    announce(checks, session)
    const results: CheckResult[] = []
    for (const { topic, check } of checks) results.push(await judge(topic, check, session))
    return results.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  } finally {
    await session.grounds.close()
    await session.close()
  }
}
const verdictsIn = (results: readonly CheckResult[]) =>
  results.map(({ id, verdict, mismatches }) => [id, verdict, mismatches.length])
const looksIn = (results: readonly CheckResult[]): number =>
  results.flatMap(({ exchanges }) => exchanges).filter(({ phase, url }) => phase === 'given' && /\/status$/.test(url))
    .length

const onShared = (results: readonly CheckResult[]): number => results.filter((one) => one.onShared === 'pass').length

test('on correct clusters, in two orders', async () => {
  const some = [...new Set([...sampled(all, 48), ...sampled(sharers, 9)])]
  const alone = await judged(some, 10, 'own')
  expect(onShared(alone)).toBe(0)
  for (const order of [some, some.toReversed()]) {
    const shared = await judged(order, 10)
    expect(verdictsIn(shared)).toEqual(verdictsIn(alone))
    expect(looksIn(shared)).toBeLessThan(looksIn(alone) - 3 * some.length)
    expect(onShared(shared)).toBeGreaterThan(4)
  }
})

test('a pair is shared by checks that only start, supply, read and cancel attempts, or set and remove filters', () => {
  expect(sharers.length).toBeGreaterThan(70)
  expect([...new Set(sharers.map(({ topic }) => topic.id))]).toEqual([
    ...['transitions', 'fields', 'errors'].map((kind) => `dr-replication/${kind}-ceremony`),
    ...['fields', 'transitions'].map((kind) => `performance-replication/${kind}-filters`),
  ])
})

const mutants = (await knownMutants()).filter(({ id }) => all.some(({ check }) => check.mutants.includes(id)))
const ofSharers = mutants.filter(({ id }) => sharers.some(({ check }) => check.mutants.includes(id)))
const chosen = [
  ...mutants.filter((_, at) => at % (isWhole ? 8 : 240) === 0),
  ...ofSharers.filter((_, at) => at % (isWhole ? 2 : 60) === 0),
]

test.each(chosen.map(({ id }) => id))('under %s', async (id) => {
  const naming = all.filter(({ check }) => check.mutants.includes(id)).slice(0, isWhole ? 6 : 3)
  const beside = [...all.filter((_, at) => at % 60 === 0).slice(0, 4), ...sharers.filter((_, at) => at % 9 === 0)]
  const [first, last] = [beside.slice(0, 4), beside.slice(4)]
  const some = [...new Set([...first, ...naming, ...last])]
  server.loadMutants([id])
  try {
    const alone = await judged(some, 1, 'own')
    server.loadMutants([])
    await server.reset()
    server.loadMutants([id])
    expect(verdictsIn(await judged(some, 1))).toEqual(verdictsIn(alone))
  } finally {
    server.loadMutants([])
    await server.reset()
  }
})
