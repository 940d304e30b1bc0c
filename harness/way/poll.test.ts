import { expect, test } from 'vitest'
import type { Reply } from '../vocabulary/index.ts'
import { boundMs } from '../wire/bounds.ts'
import { OfTheWay } from './interruptions.ts'
import { Polls, pollUntil } from './poll.ts'

const reply = (status: number): Reply => ({
  ...{ status, headers: {}, json: undefined, text: '', bytes: new Uint8Array() },
  ...{ asked: 'GET thing', at: 0 },
})

/** Returns a timer whose waits take no time. */
function jumping() {
  let nowMs = 0
  return {
    now: () => nowMs,
    async wait(ms: number) {
      nowMs += ms
    },
  }
}

/** Polls for one second; the target has two seconds to settle. */
async function polled(statusAt: (seconds: number) => number): Promise<number> {
  const timer = jumping()
  const { status } = await pollUntil(
    { until: () => false, seconds: 1, patience: 2, timer, signal: undefined },
    'GET thing',
    async () => ({ reply: reply(statusAt(timer.now() / 1000)), forget: () => {} }),
  )
  return status
}

test('polling goes on after the time is up while a proxy answers for the target, until one real reply', async () => {
  expect(await polled((seconds) => (seconds > 0.9 && seconds < 2 ? 503 : 200))).toBe(200)
  expect(await polled((seconds) => (seconds < 1.5 ? 503 : 200))).toBe(200)
})

test('polling throws if a proxy answers for longer than the target has to settle', async () => {
  await expect(polled((seconds) => (seconds > 0.9 ? 503 : 200))).rejects.toThrow(OfTheWay)
  await expect(polled(() => 503)).rejects.toThrow(OfTheWay)
})

test('a target in real time is asked at most about twenty times a second, and judged by its last reply', async () => {
  let [nowMs, asked] = [0, 0]
  const timer = {
    now: () => nowMs,
    async wait(ms: number) {
      nowMs += ms
    },
  }
  const seen: number[] = []
  const until = async ({ at }: Reply): Promise<boolean> => seen.push(at) === 0
  for (const seconds of [0.25, 2, 10]) {
    ;[nowMs, asked] = [0, 0]
    await pollUntil({ until, seconds, patience: 10, timer, signal: undefined }, 'GET thing', async () => {
      asked += 1
      return { reply: { ...reply(200), at: asked }, forget: () => {} }
    })
    expect(asked).toBeLessThan(8 + 20 * seconds)
    expect(seen.at(-1)).toBe(asked)
  }
})

test('a target that settles during each pause is polled rarely, and once more when the time is up', async () => {
  const asked: number[] = []
  let nowMs = 0
  const timer = {
    settles: true,
    now: () => nowMs,
    async wait(ms: number) {
      nowMs += ms
    },
  }
  await pollUntil({ until: () => false, seconds: 1, patience: 2, timer, signal: undefined }, 'GET thing', async () => {
    asked.push(nowMs)
    return { reply: reply(200), forget: () => {} }
  })
  expect(asked).toEqual([0, 5, 45, 295, 545, 795, 1000])
})

test('a poll that is in vain for long says so, before it ends', async () => {
  const timer = jumping()
  const polls = new Polls()
  const told: number[] = []
  polls.onLong = () => told.push(timer.now())
  const least = boundMs('longPoll')
  for (const seconds of [least / 2000, least / 500])
    await polls.reply(
      { until: () => false, seconds, patience: 60, timer, signal: undefined },
      'GET thing',
      async () => ({ reply: reply(404), forget: () => {} }),
    )
  expect(told.length).toBeGreaterThan(0)
  expect(Math.min(...told)).toBeLessThan(least * 2)
  polls.timePasses(false)
  const count = told.length
  polls.timePasses(true)
  expect(told).toHaveLength(count + 1)
})

test('a check waits as long as the target may take once, and again only for what may have changed since', async () => {
  const timer = jumping()
  const polls = new Polls()
  const waited = async (status: number, seconds = 2): Promise<number> => {
    const before = timer.now()
    await polls.reply(
      { until: (seen) => seen.status === status, seconds, patience: 2, timer, signal: undefined },
      'GET thing',
      async () => ({ reply: reply(timer.now() < 1000 ? 404 : 200), forget: () => {} }),
    )
    return Math.round((timer.now() - before) / 1000)
  }
  expect([await waited(200), await waited(404, 1), await waited(404), await waited(410)]).toEqual([1, 1, 2, 0])
  polls.begin()
  expect([await waited(404), await waited(404)]).toEqual([2, 0])
})
