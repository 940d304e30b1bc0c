/** Whether checks share ground decides no verdict: on a correct server and under faults, whatever the order of the checks. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requirements, topics } from '../../suites/index.ts'
import { type Provided, provided } from '../commands/run/provider-stub.ts'
import { shareOf } from '../ground/shares.ts'
import { runTopics, type TopicRun } from '../run/run-topics.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import { knownMutants, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { exchangesOf, sentBy } from '../targets/sent-by.ts'
import { isWhole, sampled } from '../tools/prove/sampled.test-bed.ts'
import { addressOf, type CheckResult, type Topic } from '../vocabulary/index.ts'

const dialect = loadDialect('vault')
const sharing = topics.map(({ topic }) => topic).filter(({ grounds }) => grounds !== undefined)
const all = sharing.flatMap((topic) => topic.checks.map((check) => ({ topic, check, id: addressOf(topic, check) })))
const isShared = ({ topic, check }: (typeof all)[number]): boolean => shareOf(topic, check, dialect) !== undefined

let server: ReferenceServer
let provider: Provided
beforeAll(async () => {
  server = await startReference({ edition: 'premium', testKeys: true, control: true })
  provider = await provided(referenceTarget(server))
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const rank = (text: string): string => createHash('sha1').update(text).digest('hex')
/** Returns topics in the order of a seed, each with its checks in that order. */
const ordered = (seed: number): readonly Topic[] => {
  const by = <T>(items: readonly T[], idOf: (item: T) => string): readonly T[] =>
    seed === 0 ? items : items.toSorted((one, other) => (rank(seed + idOf(one)) < rank(seed + idOf(other)) ? -1 : 1))
  return by(sharing, ({ id }) => id).map((topic) => ({ ...topic, checks: by(topic.checks, ({ id }) => id) }))
}

async function judged(checks: readonly string[], seed: number, more: Partial<TopicRun> = {}) {
  const target = { ...provider.target, patienceSeconds: 1, immediateSeconds: 0.3 }
  const { results, leftBehind } = await runTopics(ordered(seed), { target, requirements, checks, ...more })
  expect(leftBehind).toEqual([])
  return results.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
/** What several checks meet on the way is told by the first of them. */
const verdictsIn = (results: readonly CheckResult[]) => ({
  own: results.map(({ id, verdict, own = { verdict } }) => [id, own.verdict]),
  told: new Set(
    results.flatMap(({ mismatches, requirements }) => mismatches.map((one) => one.requirement ?? requirements[0])),
  ),
})
const onShared = (results: readonly CheckResult[]): number => results.filter((one) => one.onShared === 'pass').length

test('on a correct server, with sharing and without, in each order', async () => {
  const sharers = sampled(all.filter(isShared), 24)
  const others = sampled(
    all.filter((one) => !isShared(one)),
    48,
  )
  const some = [...sharers, ...others].map(({ id }) => id)
  const alone = await judged(some, 0, { ground: 'own' })
  expect(onShared(alone)).toBe(0)
  for (const seed of isWhole ? [0, 1, 2] : [1]) {
    const shared = await judged(some, seed)
    expect(verdictsIn(shared), `order ${seed}`).toEqual(verdictsIn(alone))
    expect(onShared(shared)).toBeGreaterThan(sharers.length * 0.7)
  }
})

/** With fewer checks before it, a check would not share its ground. */
const least = 3
/** Returns checks that may come before this one on its ground: others for each mutant, which none of them has to notice. */
function ahead(one: (typeof all)[number], mutant: string): readonly (typeof all)[number][] {
  const key = shareOf(one.topic, one.check, dialect)?.key
  const of = ({ id }: { id: string }): string => rank(mutant + id)
  const same = all.filter((other) => shareOf(other.topic, other.check, dialect)?.key === key)
  const others = same.filter(({ check }) => !check.mutants.includes(mutant) && check !== one.check)
  return others.toSorted((a, b) => (of(a) < of(b) ? -1 : 1)).slice(0, least + 1)
}
const ofServer = all.filter((one) => isShared(one) && !one.check.needs?.includes('clusters'))
const mutants = (await knownMutants()).map(({ id }) => id)
const pairs = mutants
  .flatMap((mutant) => ofServer.flatMap((one) => (one.check.mutants.includes(mutant) ? [{ mutant, one }] : [])))
  .filter((_, at) => at % (isWhole ? 4 : 200) === 0)
  .map(({ mutant, one }) => ({ mutant, one, id: one.id, others: ahead(one, mutant) }))
  .filter(({ others }) => others.length >= least)

/** Judges a check after others on its ground. */
async function judgedUnder({ mutant, one, others }: (typeof pairs)[number], more: Partial<TopicRun> = {}) {
  const chosen = new Set([...others, one].map(({ check }) => check))
  const last = { ...one.topic, checks: [...one.topic.checks.filter((check) => check !== one.check), one.check] }
  const inOrder = [...sharing.filter((topic) => topic !== one.topic), last]
  const some = inOrder.map((topic) => ({ ...topic, checks: topic.checks.filter((check) => chosen.has(check)) }))
  const topics = some.filter(({ checks }) => checks.length > 0)
  const target = { ...provider.target, patienceSeconds: 1, immediateSeconds: 0.3 }
  server.loadMutants([mutant])
  try {
    return (await runTopics(topics, { target, requirements, jobs: 1, ...more })).results
  } finally {
    server.loadMutants([])
  }
}

// What a server keeps of the first of its kind on a mount could be what another check had there.
test.each(pairs)('after others on its ground, $id notices $mutant', async (pair) => {
  const results = await judgedUnder(pair)
  expect(results.filter((one) => one.onShared)).not.toEqual([])
  const isPass = ({ verdict, own }: CheckResult) => verdict === 'pass' && (own?.verdict ?? 'pass') === 'pass'
  expect(results.filter((one) => !isPass(one))).not.toEqual([])
})

const compared = pairs.filter((_, at) => at % 3 === 0)
test.each(compared)(
  'with sharing and without, $id and those before it are judged alike under $mutant',
  async (pair) => {
    expect(verdictsIn(await judgedUnder(pair))).toEqual(verdictsIn(await judgedUnder(pair, { ground: 'own' })))
  },
)

/** A name of a template becomes anything. */
const patternOf = (asked: string): RegExp =>
  new RegExp(`^${asked.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[\w-]+\}/g, '[^ ]*')}$`)

test('what checks send on shared ground is what they were allowed to share for', async () => {
  const some = sampled(all.filter(isShared), 16)
  const results = await judged(
    some.map(({ id }) => id),
    0,
  )
  const strays = some.flatMap(({ topic, check, id }) => {
    const share = shareOf(topic, check, dialect)
    if (!share) return []
    const { exchanges = [] } = results.find((one) => one.id === id && one.onShared === 'pass') ?? {}
    // The first check on a ground sends what prepares it.
    const own = exchanges.some((one) => one.isShared) ? share.rest : check
    const restores = share.restores.flatMap((step) => exchangesOf(step, dialect))
    const sendable = sentBy(own, dialect)
    const undos = sendable.flatMap(({ undo }) => (undo ? [undo] : []))
    const known = [...sendable, ...undos, ...restores, ...share.ground.frame].map(({ method, path }) =>
      patternOf(`${method} ${path}`),
    )
    const sent = exchanges.filter((one) => !(one.isShared || one.to === 'provider'))
    return sent
      .map(
        ({ method, url }) =>
          `${/[?&]list=true/.test(url) ? 'LIST' : method} ${new URL(url).pathname.replace('/v1/', '').replace(/\/$/, '')}`,
      )
      .filter((asked) => !known.some((pattern) => pattern.test(asked)))
      .map((asked) => `${id}: ${asked}`)
  })
  expect(strays).toEqual([])
  expect(onShared(results)).toBeGreaterThan(some.length / 2)
})

test.each([
  ['pki', 1 / 2],
  ['cloud', 1 / 5],
] as const)('in %s, more than this part of the checks share: %d', (area, part) => {
  const ofArea = all.filter(({ topic }) => topic.area === area)
  expect(ofArea.filter(isShared).length).toBeGreaterThan(ofArea.length * part)
})
