/** Whether looks at clusters without a role are left out decides no verdict: on correct clusters and under faults, in two
 * orders. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import { announce } from '../ground/shared-ground.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
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

test('on correct clusters, in two orders', async () => {
  const some = sampled(all, 24)
  const alone = await judged(some, 10, 'own')
  for (const order of [some, some.toReversed()]) {
    const shared = await judged(order, 10)
    expect(verdictsIn(shared)).toEqual(verdictsIn(alone))
    expect(looksIn(shared)).toBeLessThan(looksIn(alone) - 3 * some.length)
  }
})

const mutants = (await knownMutants()).filter(({ id }) => all.some(({ check }) => check.mutants.includes(id)))

test.each(mutants.filter((_, at) => at % (isWhole ? 8 : 96) === 0).map(({ id }) => id))('under %s', async (id) => {
  const naming = all.filter(({ check }) => check.mutants.includes(id)).slice(0, 3)
  const beside = all.filter((one, at) => at % 60 === 0 && !naming.includes(one))
  const some = [...beside.slice(0, 2), ...naming, ...beside.slice(2, 4)]
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
