/** Runs every check with exactly the policy that `assay plan` prints, and runs those that do not pass once more as
 * root, on a reference server of the same setting. Any difference is a line that the policy lacks. `npm test` runs one of
 * 27 checks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { requirements, topics } from '../../suites/index.ts'
import { planFor } from '../commands/plan/planned-requests.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { clustersFor, newestReference, type ReferenceServer, referenceTarget, startReference } from '../targets/mock.ts'
import { sampled } from '../tools/prove/sampled.test-bed.ts'
import { type Area, addressOf, type Check, type CheckResult, type Edition, type Topic } from '../vocabulary/index.ts'

const jobs = 8
let provider: Provider

beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

async function operate(server: ReferenceServer, path: string, body: object) {
  const reply = await fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'X-Vault-Token': server.rootToken },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply.status === 204 ? undefined : ((await reply.json()) as { auth?: { client_token: string } })
}

/** Returns a long-lived token, because some checks let weeks pass. */
async function tokenWith(server: ReferenceServer, policy: string): Promise<string> {
  await operate(server, 'sys/policies/acl/least', { policy })
  const lasting = { period: '87600h', explicit_max_ttl: '87600h' }
  const body = { policies: ['least'], no_default_policy: true, ...lasting }
  return (await operate(server, 'auth/token/create', body))?.auth?.client_token ?? ''
}

type Rows = Awaited<ReturnType<typeof planFor>>['rows']

const records = new Map(
  topics.flatMap(({ topic }) => topic.checks.map((check) => [addressOf(topic, check), [topic, check] as const])),
)

/** Returns topic and check of a row, because a plan contains only the outline of its checks. */
function record({ address }: Rows[number]): readonly [Topic, Check] {
  const found = records.get(address)
  if (!found) throw new Error(`no check ${address}`)
  return found
}

const lockOf = (row: Rows[number]): string | undefined => record(row)[1].lock

async function judged(
  rows: Rows,
  edition: Edition,
  tokenFor: (server: ReferenceServer) => Promise<string> | string,
): Promise<readonly CheckResult[]> {
  const server = await startReference({
    edition,
    control: true,
    testKeys: true,
    clusters: clustersFor(rows.map((row) => record(row)[1])),
  })
  try {
    const target = referenceTarget(server)
    const { iam, sts, control } = provider
    const session = await openSession({
      target: {
        ...target,
        token: await tokenFor(server),
        provides: { ...target.provides, provider: { iam, sts, control } },
      },
      facts: { edition, version: await newestReference(), features: server.features },
      runId: 'least',
      seed: 1,
      ceiling: 'disruptive',
      jobs,
      level: 'should',
      requirements,
      record: 'none',
    })
    const results: CheckResult[] = []
    let at = 0
    const lane = async () => {
      for (let row = rows[at++]; row; row = rows[at++]) results.push(await judge(...record(row), session))
    }
    await Promise.all(Array.from({ length: jobs }, lane))
    await session.close()
    return results.sort((a, b) => (a.id < b.id ? -1 : 1))
  } finally {
    await server.close()
  }
}

const described = ({ id, verdict, blocker }: CheckResult): string =>
  `${id}: ${verdict}${blocker && verdict !== 'not-applicable' ? ` (${blocker.reason})` : ''}`

test.each<[Edition, 'alone' | 'in clusters']>([
  ['premium', 'alone'],
  ['premium', 'in clusters'],
])('on the %s edition, %s, every check has the verdict that root gets', async (edition, how) => {
  const plan = await planFor({ level: 'should', safety: 'disruptive' }, {})
  const all = plan.rows.filter((row) => (lockOf(row) === 'clusters') === (how === 'in clusters'))
  const rows = sampled(all, 27)
  const least = await judged(rows, edition, (server) => tokenWith(server, plan.policy))
  expect(least.length).toBe(rows.length)
  const others = least.filter(({ verdict }) => verdict !== 'pass')
  expect(others.length).toBeLessThan(rows.length / 2)
  const again = new Set(others.map(({ id }) => id))
  const root = await judged(
    rows.filter(({ topic, check }) => again.has(`${topic.id}/${check.id}`)),
    edition,
    ({ rootToken }) => rootToken,
  )
  expect(others.map(described)).toEqual(root.map(described))
})

test('a line that the policy lacks is noticed', async () => {
  const { rows, policy } = await planFor({ area: ['pki'], level: 'should', safety: 'scoped' }, {})
  const path = 'sys/leases/revoke'
  const revoking = rows.filter(({ touches }) => touches.some((touch) => touch.path === path))
  const lacking = policy.split('\n\n').filter((block) => !block.includes(`path "${path}" `))
  const results = await judged(revoking, 'premium', (server) => tokenWith(server, lacking.join('\n\n')))
  expect(results.length).toBeGreaterThan(0)
  const lacks = results.filter(({ verdict }) => verdict !== 'not-applicable')
  expect(new Set(lacks.map(({ verdict }) => verdict))).toEqual(new Set(['not-verified']))
})

describe('the policy', () => {
  test('has no rule for a single throw-away name, which would take precedence over the rule for all', async () => {
    const { policyLines } = await planFor({ level: 'should', safety: 'disruptive' }, {})
    expect(policyLines.filter(({ path }) => /assay-[^*]/.test(path))).toEqual([])
  })

  test('says above each path which checks need it, and why it needs sudo', async () => {
    const { policy, policyLines } = await planFor({ level: 'should', safety: 'disruptive' }, {})
    const blocks = policy.split('\n\n').filter((block) => block.includes('path '))
    expect(blocks.length).toBe(policyLines.length)
    for (const block of blocks) {
      expect(block).toMatch(/^# \S/)
      expect(block.includes('"sudo"')).toBe(/^# sudo: \S/m.test(block))
    }
    expect(policy).toMatch(/^# policies \(\d+ checks\)[^\n]*\npath "sys\/policies\/rgp\/assay-\*" \{\n/m)
  })

  test.each<[Area, readonly string[]]>([
    ['policies', ['auth/token/accessors', 'auth/token/create', 'sys/auth/assay-*']],
    ['cloud', ['auth/token/accessors', 'auth/token/create', 'sys/auth/assay-*', 'sys/leases/revoke-force/assay-*']],
    ['pki', ['assay-*', 'auth/token/accessors', 'auth/token/create', 'sys/auth/assay-*']],
  ])('for %s has sudo only on %j', async (area, paths) => {
    const { policyLines } = await planFor({ area: [area], level: 'should', safety: 'scoped' }, {})
    const withSudo = policyLines.filter(({ capabilities }) => capabilities.includes('sudo'))
    expect(withSudo.map(({ path }) => path)).toEqual(paths)
    expect(policyLines.filter(({ path }) => path.includes('catalog'))).toEqual([])
  })

  test('can leave out the lines that only search for leftovers', async () => {
    const flags = { area: ['policies'], level: 'should', safety: 'scoped' } as const
    const [whole, less] = [await planFor(flags, {}), await planFor({ ...flags, sweep: false }, {})]
    const left = whole.policyLines.filter(({ path }) => !less.policyLines.some((line) => line.path === path))
    expect(left.map(({ path, isSweep }) => [path, isSweep])).toEqual([
      ['auth/token/accessors', true],
      ['auth/token/lookup-accessor', true],
      ['identity/entity/name', true],
      ['sys/mounts', true],
    ])
    expect(less.policy).not.toContain('leftovers')
  })
})
