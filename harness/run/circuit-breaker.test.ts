import { expect, test } from 'vitest'
import type { WireOutcome } from '../wire/client.ts'
import type { TroubleKind } from '../wire/trouble.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

const sent = { url: 'http://x', headers: {}, attempts: [] }
const ending = (troubleKind: TroubleKind): WireOutcome => ({ ...sent, trouble: `it was ${troubleKind}`, troubleKind })
const replied = (status: number): WireOutcome => ({
  ...sent,
  reply: { status, headers: {}, json: undefined, text: '', bytes: new Uint8Array(), asked: '', at: 0 },
})

/** Makes a breaker whose cluster is healthy or not. */
function breakerOf(isHealthy: boolean) {
  const asked: string[] = []
  const breaker = new CircuitBreaker(async (cluster) => {
    asked.push(cluster)
    return isHealthy
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
      `because 5 requests in a row got no reply that could be judged (5 ${words}), the last being POST /v1/things/x: `,
    )
    expect(asked).toEqual(['main'])
    expect(breaker.whyOpen('second')).toBeUndefined()
  },
)

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
  expect(breaker.whyOpen('main')).toContain('because 15 requests in a row')
})

test('neither failures of polling requests nor the end of a run count', async () => {
  const { breaker, saw } = breakerOf(false)
  await saw(times(20, ending('unsent')), many, true)
  await saw([...times(20, ending('cut')), ...times(20, ending('unsendable'))], many)
  expect(breaker.whyOpen('main')).toBeUndefined()
})

test('a reply to another check during the health request keeps it closed', async () => {
  let answer = (_isHealthy: boolean) => {}
  const breaker = new CircuitBreaker(() => new Promise((resolve) => (answer = resolve)))
  const request = { method: 'GET', path: '/v1/x' }
  for (let count = 0; count < 4; count++) await breaker.saw('main', request, ending('late'))
  const fifth = breaker.saw('main', request, ending('late'))
  await breaker.saw('main', request, replied(200))
  answer(false)
  await fifth
  expect(breaker.whyOpen('main')).toBeUndefined()
})
