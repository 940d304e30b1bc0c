import { describe, expect, test } from 'vitest'
import type { WireAnswer, WireSent } from '../vocabulary/index.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import type { Attempt, Departure } from '../wire/attempt.ts'
import type { WireClient, WireOutcome, WireRequest } from '../wire/client.ts'
import { jumpingTimer } from './jumping-timer.ts'
import { differingClient, type Opening, onlooker, wouldChange } from './player.ts'

const answer = (status: number, text = ''): WireAnswer => ({ status, headers: {}, body: Buffer.from(text) })
const parts = { now: () => 0, wait: async () => {} }

/** Returns a client that records what it sends, and gets the same reply to all requests. */
function openTarget(
  attempt: Attempt = { sentAt: 0, durationMs: 0, status: 200, headers: {}, bytes: Buffer.from('{}') },
) {
  const departed: Departure[] = []
  const client = {
    async send({ method, path, headers, body, onTheWay }: WireRequest): Promise<WireOutcome> {
      const departure = {
        ...{ origin: 'http://127.0.0.1', method, path, headers, holder: {} },
        ...(body ? { body } : {}),
      }
      const last = await onTheWay?.(departure, async (one) => {
        departed.push(one)
        return attempt
      })
      return { url: '', headers, attempts: last ? [last] : [] }
    },
  } as unknown as WireClient
  return { client, departed }
}

async function playedOn(open: Opening, path = '/v1/things?list=true', target = openTarget()) {
  let bent = 0
  const client = differingClient(target.client, open, parts, () => {
    bent += 1
  })
  const { attempts } = await client.send({ method: 'GET', path, headers: {} })
  return { ...target, bent, attempt: attempts[0] }
}

describe('a difference on the wire', () => {
  test('sees the query apart from the path, and changes the request', async () => {
    const seen: WireSent[] = []
    const { departed, bent } = await playedOn(() => async (sent, pass) => {
      seen.push(sent)
      return pass({ ...sent, query: { ...sent.query, more: 'a b' } })
    })
    expect(seen[0]).toMatchObject({ path: '/v1/things', query: { list: 'true' } })
    expect(departed[0]?.path).toBe('/v1/things?list=true&more=a+b')
    expect(bent).toBe(1)
  })

  test('changes the reply, and answers without the target', async () => {
    const { departed, attempt, bent } = await playedOn(() => async () => answer(418, 'tea'))
    expect(departed).toEqual([])
    expect(attempt).toMatchObject({ status: 418, bytes: Buffer.from('tea') })
    expect(bent).toBe(1)
  })

  test('changes nothing as an onlooker', async () => {
    const { bent, attempt } = await playedOn(onlooker(() => {}))
    expect(bent).toBe(0)
    expect(attempt).toMatchObject({ status: 200 })
  })

  test('passes a missing reply of the target on', async () => {
    const trouble = { kind: 'late', words: 'no reply' } as const
    const target = openTarget({ sentAt: 0, durationMs: 0, trouble })
    const { attempt } = await playedOn(
      () => async (sent, pass) => ({ ...(await pass(sent)), status: 201 }),
      '/',
      target,
    )
    expect(attempt?.trouble).toEqual(trouble)
  })

  test('waits by the timer that it is given', async () => {
    const timer = jumpingTimer()
    const before = { shown: timer.now(), real: Date.now() }
    const { client } = openTarget()
    const slow: Opening =
      ({ wait }) =>
      async (sent, pass) => {
        await wait(60_000)
        return pass(sent)
      }
    await differingClient(client, slow, timer).send({ method: 'GET', path: '/', headers: {} })
    expect(timer.now() - before.shown).toBeGreaterThanOrEqual(60_000)
    expect(Date.now() - before.real).toBeLessThan(patient(10_000))
  })
})

describe('a wait of a check', () => {
  const parts = { now: () => 0, wait: async () => {} }
  const asked = { method: 'GET', path: '/', query: {}, headers: {} }

  async function realMsAfter(open: Opening): Promise<number> {
    const timer = jumpingTimer()
    await timer.watching(open)(parts)(asked, async () => answer(200))
    const started = performance.now()
    for (let waits = 0; waits < 10; waits += 1) await timer.wait(60_000)
    return performance.now() - started
  }

  test('gives the server some real time for its background work', async () => {
    expect(await realMsAfter(() => (one, pass) => pass(one))).toBeGreaterThan(150)
  })

  test('takes no real time after a request that the difference answered itself', async () => {
    const tries: number[] = []
    while (tries.length < 10 && !tries.some((ms) => ms < 150))
      tries.push(await realMsAfter(() => async () => answer(503)))
    expect(Math.min(...tries)).toBeLessThan(150)
  })

  test('passes on a server that can settle, at the latest when it is asked next', async () => {
    const settled: number[] = []
    const timer = jumpingTimer(async (ms) => settled.push(ms) > 0)
    let isHidden = true
    const server = timer.watching(() => (one, pass) => (isHidden ? Promise.resolve(answer(503)) : pass(one)))(parts)
    await server(asked, async () => answer(200))
    for (let waits = 0; waits < 3; waits += 1) await timer.wait(1000)
    expect(settled).toEqual([])
    isHidden = false
    for (let times = 0; times < 2; times += 1) await server(asked, async () => answer(200))
    expect(settled).toEqual([3000])
    await timer.wait(500)
    expect(settled).toEqual([3000, 500])
  })
})

describe('whether a check is affected', () => {
  const sent = { method: 'GET', path: '/v1/things', query: {}, headers: {} }
  const conversation = [{ sent, answer: answer(404) }]

  test('follows from the exchanges without the difference', async () => {
    const missing: Opening = () => async (one, pass) => {
      const given = await pass(one)
      return given.status === 404 ? answer(410) : given
    }
    expect(await wouldChange(missing, conversation)).toBe(true)
    expect(await wouldChange(missing, [{ sent, answer: answer(200) }])).toBe(false)
  })

  test('is true if a request is changed or delayed', async () => {
    expect(await wouldChange(() => (one, pass) => pass({ ...one, method: 'LIST' }), conversation)).toBe(true)
    const slow: Opening =
      ({ wait }) =>
      async (one, pass) => {
        await wait(5)
        return pass(one)
      }
    expect(await wouldChange(slow, conversation)).toBe(true)
  })
})
