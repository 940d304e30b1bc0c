import { expect, test, vi } from 'vitest'
import { ClusterClients } from '../run/clusters.ts'
import { isBack } from '../run/session.ts'
import type { SessionPlan } from '../run/session-plan.ts'
import { type Dialect, get, type JsonObject } from '../vocabulary/index.ts'
import { boundMs } from '../wire/bounds.ts'
import type { WireOutcome } from '../wire/client.ts'
import { endpointAt, scriptedServer } from '../wire/scripted-server.ts'
import { neverStopping } from '../wire/stop-signals.ts'
import type { TroubleKind } from '../wire/trouble.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

const sent = { url: 'http://x', headers: {}, attempts: [] }
const ending = (troubleKind: TroubleKind): WireOutcome => ({ ...sent, trouble: `it was ${troubleKind}`, troubleKind })
const replied = (status: number, json?: JsonObject): WireOutcome => ({
  ...sent,
  reply: { status, headers: {}, json, text: '', bytes: new Uint8Array(), asked: '', at: 0 },
})

const still = { timer: { now: () => 0, wait: async () => {} }, stop: new AbortController().signal, outageMs: 60_000 }

/** Makes a breaker whose cluster is healthy or not. */
function breakerOf(isHealthy: boolean) {
  const asked: string[] = []
  const breaker = new CircuitBreaker({
    ...still,
    async isHealthy(cluster) {
      asked.push(cluster)
      return isHealthy
    },
  })
  const saw = async (outcomes: readonly WireOutcome[], path: (at: number) => string, once = false) => {
    for (const [at, outcome] of outcomes.entries())
      await breaker.saw('main', { method: 'POST', path: path(at), once }, outcome)
  }
  return { breaker, saw, asked }
}

const one = () => '/v1/things/x'
const many = (at: number) => `/v1/things/${at}`
const times = (count: number, outcome: WireOutcome): WireOutcome[] => Array(count).fill(outcome)

test.each([
  ['late', ending('late')],
  ['broken off', ending('broken')],
  ['garbled', ending('garbled')],
  ['oversized', ending('too-large')],
  ['without a connection', ending('unsent')],
  ['throttled', replied(429)],
  ['throttled', replied(503)],
])(
  'five exchanges in a row that are %s open it if the cluster does not answer the health request',
  async (words, outcome) => {
    const { breaker, saw, asked } = breakerOf(false)
    await saw(times(4, outcome), one)
    expect(breaker.whyOpen('main')).toBeUndefined()
    expect(asked).toEqual([])
    await saw([outcome], one)
    expect(breaker.whyOpen('main')).toContain(
      `5 requests in a row got no reply that could be judged (5 ${words}), the last being POST /v1/things/x: `,
    )
    expect(asked).toEqual(['main'])
    expect(breaker.whyOpen('second')).toBeUndefined()
  },
)

test('what the cluster says of itself is told', async () => {
  const { breaker, saw } = breakerOf(false)
  await saw(times(5, replied(503, { errors: ['Vault is sealed'] })), one)
  expect(breaker.whyOpen('main')).toMatch(/: still 503 "Vault is sealed" after all retries$/)
})

test('failures of different kinds count together', async () => {
  const { breaker, saw } = breakerOf(false)
  await saw([ending('late'), replied(429), ending('broken'), ending('too-large'), ending('late')], many)
  expect(breaker.whyOpen('main')).toContain('(2 late, 1 throttled, 1 broken off, 1 oversized)')
})

test('a reply resets the count', async () => {
  const { breaker, saw } = breakerOf(false)
  for (let count = 0; count < 5; count++) await saw([...times(4, ending('late')), replied(404)], many)
  expect(breaker.whyOpen('main')).toBeUndefined()
})

test('one request that is always cut off does not open it if the cluster answers the health request', async () => {
  const { breaker, saw, asked } = breakerOf(true)
  await saw(times(100, ending('broken')), (at) => `/v1/sys/mounts/assay-abcd1234-${at}-mount`)
  expect(breaker.whyOpen('main')).toBeUndefined()
  expect(asked).toHaveLength(20)
})

test('a proxy that answers the health request for a dead target does not keep it closed', async () => {
  const { breaker, saw } = breakerOf(true)
  await saw(times(14, ending('late')), many)
  expect(breaker.whyOpen('main')).toBeUndefined()
  await saw(times(1, ending('late')), many)
  expect(breaker.whyOpen('main')).toContain('15 requests in a row')
})

test('neither failures of polling requests nor the end of a run count', async () => {
  const { breaker, saw } = breakerOf(false)
  await saw(times(20, ending('unsent')), many, true)
  await saw([...times(20, ending('cut')), ...times(20, ending('unsendable'))], many)
  expect(breaker.whyOpen('main')).toBeUndefined()
})

test('a reply to another check during the health request keeps it closed', async () => {
  let answer = (_isHealthy: boolean) => {}
  const isHealthy = () => new Promise<boolean>((resolve) => (answer = resolve))
  const breaker = new CircuitBreaker({ ...still, isHealthy })
  const request = { method: 'GET', path: '/v1/x' }
  for (let count = 0; count < 4; count++) await breaker.saw('main', request, ending('late'))
  const fifth = breaker.saw('main', request, ending('late'))
  await breaker.saw('main', request, replied(200))
  answer(false)
  await fifth
  expect(breaker.whyOpen('main')).toBeUndefined()
})

/** Makes a breaker with a clock that its pauses move, and a cluster that is away until a moment of that clock. */
function brokenUntil(backAtMs: number) {
  let nowMs = 0
  const stop = new AbortController()
  const pauses: number[] = []
  const timer = {
    now: () => nowMs,
    async wait(ms: number) {
      pauses.push(ms)
      nowMs += ms
    },
  }
  const isHealthy = async () => nowMs >= backAtMs
  const breaker = new CircuitBreaker({ isHealthy, timer, stop: stop.signal, outageMs: 60_000 })
  async function fails(times: number): Promise<void> {
    for (let at = 0; at < times; at++) await breaker.saw('main', { method: 'GET', path: many(at) }, ending('unsent'))
  }
  return { breaker, fails, stop, pauses, now: () => nowMs }
}

test('checks wait while it is open, all for the same health requests, until the cluster answers one', async () => {
  const { breaker, fails, pauses, now } = brokenUntil(5000)
  await fails(5)
  expect(await Promise.all([1, 2, 3].map(() => breaker.whyGone('main')))).toEqual([undefined, undefined, undefined])
  expect(pauses).toEqual([250, 500, 1000, 2000, 2000])
  expect(now()).toBe(5750)
  expect(breaker.openings).toBe(1)
})

test('a cluster that does not answer within the bound is gone, which every further check learns at once', async () => {
  const { breaker, fails, pauses } = brokenUntil(1e9)
  await fails(5)
  const gone = await breaker.whyGone('main')
  expect(gone).toMatch(/^the target went away and did not answer again within 60 s: 5 requests in a row/)
  const { length } = pauses
  expect(await breaker.whyGone('main')).toBe(gone)
  expect(pauses).toHaveLength(length)
})

test('the clean-up waits no longer than its own bound for a cluster that stays away', async () => {
  const { breaker, fails, now } = brokenUntil(1e9)
  await fails(5)
  expect(await isBack({ breaker })).toBe(false)
  expect(now()).toBeGreaterThanOrEqual(boundMs('outageInCleanUp'))
  expect(now()).toBeLessThanOrEqual(boundMs('outageInCleanUp') + 2000)
})

test('a health request that is not answered within `healthReply` opens it', async () => {
  const dialect: Dialect = {
    ...{ id: 'test', prefix: '/v1', tokenHeader: 'X-Token' },
    operations: { health: () => ({ exchanges: [get('health')] }) },
  }
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const server = await scriptedServer(({ path }, response) =>
    path === '/v1/health' ? asked() : response.socket?.destroy(),
  )
  const target = {
    ...{ ...endpointAt(server.url), name: 'test', dialect: 'test', declared: {}, timeoutMs: 600_000, maxRps: 0 },
    ...{ maxWaitSeconds: 0, patienceSeconds: 1, provides: {}, secrets: [] },
  }
  const plan = { target, facts: {}, runId: 'r1', seed: 1, ceiling: 'scoped', jobs: 1, level: 'must', requirements: [] }
  const clients = new ClusterClients(plan as SessionPlan, { dialect, timer: still.timer, stopping: neverStopping() })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const request = { method: 'POST', path: '/v1/things', headers: {} }
    for (let count = 0; count < 4; count++) await clients.on('main').send(request)
    const fifth = clients.on('main').send(request)
    await isAsked
    vi.advanceTimersByTime(boundMs('healthReply') - 1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(clients.breaker.openings).toBe(0)
    vi.advanceTimersByTime(1)
    await fifth
    expect(clients.breaker.openings).toBe(1)
  } finally {
    vi.useRealTimers()
    await clients.close()
    await server.close()
  }
})

test('an outage lasts until a reply that can be judged, also while the health request is answered', async () => {
  const { breaker, fails, now } = brokenUntil(0)
  for (let round = 0; round < 100 && now() < 1e6; round++) {
    await fails(15)
    if ((await breaker.whyGone('main')) !== undefined) break
  }
  expect(now()).toBeLessThan(65_000)
  expect(breaker.whyOpen('main')).toContain('went away')
  await breaker.saw('main', { method: 'GET', path: '/v1/x' }, replied(200))
  expect(breaker.whyOpen('main')).toBeUndefined()
})

test('one lost request suffices to look for the cluster, and nobody waits once the run is over', async () => {
  const { breaker, fails, stop, pauses } = brokenUntil(3000)
  await fails(1)
  expect(await breaker.whyLost()).toBeUndefined()
  expect(breaker.openings).toBe(1)
  await fails(1)
  expect(await breaker.whyLost()).toBeUndefined()
  expect(breaker.openings).toBe(1)
  const { length } = pauses
  stop.abort()
  await fails(15)
  expect(await breaker.whyGone('main')).toBe(
    '15 requests in a row got no reply that could be judged (15 without a connection), the last being GET /v1/things/12: it was unsent',
  )
  expect(pauses).toHaveLength(length)
})

test('a cluster that is given up is not waited for, whatever it replies, and an outage alone gives up none', async () => {
  const { breaker, fails } = brokenUntil(Number.POSITIVE_INFINITY)
  await fails(15)
  expect(breaker.whyOpen('main')).toBeDefined()
  expect(breaker.whyGivenUp('main')).toBeUndefined()
  breaker.giveUp('main', 'it is another one')
  expect(await breaker.whyGone('main')).toBe('it is another one')
  await breaker.saw('main', { method: 'GET', path: '/v1/x' }, replied(200))
  expect([breaker.whyOpen('main'), await breaker.whyGone('main'), await breaker.whyLost()]).toEqual(
    Array(3).fill('it is another one'),
  )
})
