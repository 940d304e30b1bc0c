import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Provider, startProvider } from '../../fixtures/servers/provider/index.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import {
  type CheckBody,
  type CheckResult,
  check,
  type Dialect,
  get,
  type Requirement,
  succeeds,
  topic,
} from '../vocabulary/index.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { boundMs } from '../wire/bounds.ts'
import { endpointAt, type Scripted, scriptedServer } from '../wire/scripted-server.ts'
import { providerSince, stallsOf } from './own-side.ts'

const dialect: Dialect = {
  ...{ id: 'test', prefix: '/v1', tokenHeader: 'X-Token' },
  operations: { health: () => ({ exchanges: [get('health')] }) },
}
const requirement: Requirement = {
  ...{ id: 'policies.thing.must', area: 'policies', level: 'must', says: 'must' },
  source: { document: 1, section: 'Things', row: 'must' },
}
const body: CheckBody = {
  requirement: requirement.id,
  needs: ['provider'],
  when: get('things'),
  then: [succeeds],
  mutants: ['policies/none'],
}

async function served(answer: Parameters<typeof scriptedServer>[0]): Promise<Scripted> {
  const server = await scriptedServer(answer)
  onTestFinished(() => server.close())
  return server
}

async function judged(
  target: Scripted,
  control: string,
  more: Partial<CheckBody> = {},
  stalledMs = 0,
): Promise<CheckResult> {
  const session = await openSession(
    {
      target: {
        ...endpointAt(target.url, { token: 'operator-token-0001' }),
        ...{ name: 'test', dialect: 'test', declared: {}, timeoutMs: patient(2000), maxRps: 0, maxWaitSeconds: 0 },
        ...{ patienceSeconds: 1, provides: { provider: { control } }, secrets: [] },
      },
      ...{ facts: {}, runId: 'r1', seed: 1, ceiling: 'scoped', jobs: 1, level: 'should' },
      requirements: [requirement],
    },
    { dialect, environment: {}, stallSince: () => stalledMs },
  )
  onTestFinished(() => session.close())
  const one = check('one', { ...body, ...more })
  return judge(topic('policies/errors', { about: 'things', names: [], checks: [one] }), one, session)
}

const judgedRequests = ({ asked }: Scripted): number => asked.filter(({ path }) => path === '/v1/things').length

describe('a reply of the provider stub that was cut off', () => {
  async function startedProvider(): Promise<Provider> {
    const provider = await startProvider()
    onTestFinished(provider.close)
    return provider
  }

  /** Calls the provider, and loses the connection before the reply. */
  async function callCutOff({ iam, control }: Provider): Promise<void> {
    const { hostname, port } = new URL(iam)
    const before = await providerSince({ control }, 0)
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    socket.write('POST / HTTP/1.1\r\nhost: provider\r\ncontent-length: 0\r\n\r\n', () => socket.resetAndDestroy())
    while ((await providerSince({ control }, 0)).cutOff === before.cutOff) await wait(5)
  }

  /** A target whose first calls to the provider are cut off, and which then fails that many times. */
  const targetOf = (provider: Provider, cuts: number, failures: number) =>
    served((_, response, nth) => {
      const called = nth < cuts ? callCutOff(provider) : Promise.resolve()
      void called.then(() => response.writeHead(nth < failures ? 400 : 200).end('{}'))
    })

  test('makes no finding', async () => {
    const provider = await startedProvider()
    const target = await targetOf(provider, 2, 2)
    const result = await judged(target, provider.control)
    expect(result).toMatchObject({ verdict: 'not-verified', mismatches: [], blocker: { code: 'own-side' } })
    expect(result.blocker?.reason).toBe(
      "what was seen contradicts the requirement, but meanwhile the provider stub had 1 of its replies cut off, so it may be of this machine's making",
    )
    expect(judgedRequests(target)).toBe(2)
  })

  test.each([
    ['a pass if it does not happen again', 1, 'pass', 2],
    ['a finding if the target fails without it', 2, 'fail', 2],
  ] as const)('only once is %s', async (_, failures, verdict, times) => {
    const provider = await startedProvider()
    const target = await targetOf(provider, 1, failures)
    expect((await judged(target, provider.control)).verdict).toBe(verdict)
    expect(judgedRequests(target)).toBe(times)
  })

  test('does not matter to a check that needs no provider', async () => {
    const provider = await startedProvider()
    const target = await targetOf(provider, 1, 1)
    expect((await judged(target, provider.control, { needs: [] })).verdict).toBe('fail')
  })
})

describe('a provider stub that was late', () => {
  const failing = () => served((_, response) => response.writeHead(400).end('{}'))
  const stub = (status: number, troubles: object) =>
    served((_, response) => response.writeHead(status).end(JSON.stringify(troubles)))

  test('makes no finding', async () => {
    const target = await failing()
    const { url } = await stub(200, { lateMs: 31_000, cutOff: 0 })
    const result = await judged(target, url, {}, 2100)
    expect(result.blocker?.facts).toEqual({ stalledMs: 2100, lateMs: 31_000, cutOff: 0 })
    expect(result.blocker?.reason).toContain(
      'meanwhile this machine stood still for 2.1 s, and the provider stub was 31 s late, so',
    )
    expect(judgedRequests(target)).toBe(2)
  })

  const most = boundMs('ownStall')

  test.each([
    ['by less than the bound', 200, { lateMs: most - 1, cutOff: 0 }],
    ['at an address that knows nothing of it', 404, {}],
  ] as const)('%s does not matter, nor does so short a stall of this machine', async (_, status, troubles) => {
    const target = await failing()
    expect((await judged(target, (await stub(status, troubles)).url, {}, most - 1)).verdict).toBe('fail')
    expect(judgedRequests(target)).toBe(1)
  })

  test('for as long as the bound, or this machine, makes no finding', async () => {
    for (const [lateMs, stalledMs] of [
      [most, 0],
      [0, most],
    ] as const) {
      const { url } = await stub(200, { lateMs, cutOff: 0 })
      expect((await judged(await failing(), url, {}, stalledMs)).blocker?.code).toBe('own-side')
    }
  })
})

test('a thread stands still from the bound on, also while it still does', () => {
  let now = 0
  let tick = () => {}
  const stallSince = stallsOf(
    () => now,
    (given) => (tick = given),
  )
  const most = boundMs('ownStall')
  now = 100 + most - 1
  expect(stallSince(0)).toBe(0)
  tick()
  expect(stallSince(0)).toBe(0)
  now += 100 + most
  expect(stallSince(0)).toBe(most)
  tick()
  expect([stallSince(0), stallSince(now), stallSince(now + 1)]).toEqual([most, most, 0])
})
