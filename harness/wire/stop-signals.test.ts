import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { boundMs } from './bounds.ts'
import { createClient, type WireClient } from './client.ts'
import { endpointAt, type Scripted, scriptedServer } from './scripted-server.ts'
import { gracesOfChecks, gracesOfRun, type Stopping, stoppingAfter } from './stop-signals.ts'
import type { Timer } from './timer.ts'

afterEach(() => void vi.useRealTimers())

/** Makes a timer whose clock only the test moves. */
function movedTimer() {
  let now = 0
  const waiting = new Set<{ readonly at: number; wake(): void }>()
  const timer: Timer = {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve()
        const entry = {
          at: now + ms,
          wake() {
            waiting.delete(entry)
            resolve()
          },
        }
        waiting.add(entry)
        signal?.addEventListener('abort', entry.wake)
      }),
  }
  async function pass(ms: number) {
    now += ms
    for (const entry of [...waiting]) if (entry.at <= now) entry.wake()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { timer, pass, waiting }
}

const graces = { graceMs: 2000, takeBackMs: 8000 }

test.each([
  ['checks', gracesOfChecks(), boundMs('checksTakeBack')],
  ['the run', gracesOfRun(), boundMs('takeBack')],
])(
  'after a stop, `cut` aborts when the grace is over, and `end` when the time for undos of %s is',
  async (...given) => {
    const [, own, takeBackMs] = given
    const { timer, pass } = movedTimer()
    const stop = new AbortController()
    const { cut, end } = stoppingAfter(stop.signal, timer, own)
    await pass(60_000)
    expect([cut.aborted, end.aborted]).toEqual([false, false])
    stop.abort(new Error('enough'))
    await pass(boundMs('grace') - 1)
    expect([cut.aborted, end.aborted]).toEqual([false, false])
    await pass(1)
    expect([cut.aborted, end.aborted]).toEqual([true, false])
    await pass(takeBackMs - boundMs('grace') - 1)
    expect(end.aborted).toBe(false)
    await pass(1)
    expect([cut.aborted, end.aborted]).toEqual([true, true])
    expect(end.reason).toEqual(new Error('enough'))
  },
)

test('closing clears the timers', async () => {
  const { timer, waiting } = movedTimer()
  const stop = new AbortController()
  const stopping = stoppingAfter(stop.signal, timer, graces)
  stop.abort()
  expect(waiting.size).toBe(2)
  stopping.close()
  expect(waiting.size).toBe(0)
})

describe('a client of a target that hangs', () => {
  const read = { method: 'GET', path: '/v1/x', headers: {} }
  const remove = { method: 'DELETE', path: '/v1/x', headers: {}, repeatable: true }

  async function hung(stop: AbortController) {
    let arrived = () => {}
    const server: Scripted = await scriptedServer(() => arrived())
    const { timer, pass } = movedTimer()
    const stopping: Stopping = stoppingAfter(stop.signal, timer, graces)
    const client: WireClient = createClient(endpointAt(server.url), {
      ...{ timeoutMs: 600_000, maxRps: 0, timer, stopping, environment: {} },
    })
    onTestFinished(server.close)
    onTestFinished(client.close)
    const nextArrives = () => new Promise<void>((resolve) => (arrived = resolve))
    return { client, server, pass, nextArrives }
  }

  test('cuts off exchanges in progress after the grace', async () => {
    const stop = new AbortController()
    const { client, pass, nextArrives } = await hung(stop)
    const arrives = nextArrives()
    const sent = client.send(read)
    await arrives
    stop.abort(new Error('the run was interrupted'))
    await pass(2000)
    expect(await sent).toMatchObject({ trouble: 'cut off: the run was interrupted', troubleKind: 'cut' })
  })

  test('sends undos until the end, and nothing after it', async () => {
    const stop = new AbortController()
    const { client, server, pass, nextArrives } = await hung(stop)
    stop.abort(new Error('the run was interrupted'))
    await pass(2000)
    const arrives = nextArrives()
    const sent = client.send(remove)
    await arrives
    await pass(6000)
    expect(await sent).toMatchObject({ troubleKind: 'cut' })
    expect(await client.send(remove)).toMatchObject({ troubleKind: 'cut', attempts: [{ durationMs: 0 }] })
    expect(server.asked).toHaveLength(1)
  })

  test('waits for the reply to an undo no longer than `takeBackReply`', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const stop = new AbortController()
    const { client, nextArrives } = await hung(stop)
    stop.abort(new Error('the run was interrupted'))
    const arrives = nextArrives()
    const ended = vi.fn()
    const sent = client.send(remove).then(ended)
    await arrives
    vi.advanceTimersByTime(boundMs('takeBackReply') - 1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await sent
    expect(ended.mock.calls[0]?.[0]).toMatchObject({ troubleKind: 'late' })
  })
})

test('requests that wait for the rate limit when a run stops are not sent, and undos do not queue behind them', async () => {
  const server = await scriptedServer((_asked, response) => response.end('{}'))
  const { timer, pass } = movedTimer()
  const stop = new AbortController()
  const stopping = stoppingAfter(stop.signal, timer, graces)
  const client = createClient(endpointAt(server.url), {
    ...{ timeoutMs: 5000, maxRps: 0.001, timer, stopping, environment: {} },
  })
  onTestFinished(server.close)
  onTestFinished(client.close)
  const read = { method: 'GET', path: '/v1/x', headers: {} }
  expect((await client.send(read)).reply?.status).toBe(200)
  const queued = [client.send(read), client.send(read)]
  await pass(0)
  stop.abort(new Error('the run was interrupted'))
  for (const sent of queued) expect(await sent).toMatchObject({ troubleKind: 'cut' })
  expect((await client.send({ ...read, method: 'DELETE' })).reply?.status).toBe(200)
  expect(server.asked.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
})
