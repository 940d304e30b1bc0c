import { expect, test } from 'vitest'
import type { Reply } from '../vocabulary/index.ts'
import { targetClock } from './clock.ts'
import type { Session } from './session.ts'

const reply = (headers: Reply['headers'], json: Reply['json'] = {}): Reply => ({
  ...{ status: 200, headers, json, bytes: Buffer.alloc(0), asked: '', at: 1000 },
  get text(): string {
    throw new Error('nobody has asked for the text')
  },
})

/** Makes the clock of a target whose control listener reports this time, if it has one. */
const clockAt = (now?: number) =>
  targetClock({
    plan: { target: now === undefined ? {} : { control: 'http://control.example' } },
    timer: { now: () => 1000 },
    control: async () => ({ reply: reply({}, { now: now ?? null }) }),
  } as unknown as Session)

test('a reply without a date gets the time of the control listener', async () => {
  const dated = await clockAt(777_000).dated(reply({ via: 'a proxy' }))
  expect([dated.at, dated.status, dated.headers]).toEqual([777_000, 200, { via: 'a proxy' }])
})

test('a reply with a date, or of a target without a control listener, keeps its time', async () => {
  expect((await clockAt(777_000).dated(reply({ date: 'Thu, 01 Jan 1970 00:00:01 GMT' }))).at).toBe(1000)
  expect((await clockAt().dated(reply({}))).at).toBe(1000)
})

test('a wait for real time lets other checks run, and moving a clock does not', async () => {
  const aside: string[] = []
  const clock = (control?: string) =>
    targetClock({
      plan: { target: { ...(control ? { control } : {}), maxWaitSeconds: 60 } },
      timer: { now: () => 1000, wait: async () => void aside.push('waited') },
      signal: new AbortController().signal,
      clockMoves: { count: 0 },
      control: async () => ({ reply: reply({}) }),
      aside: (wait: () => Promise<void>) => wait().then(() => void aside.push('beside the others')),
    } as unknown as Session)
  await clock('http://control.example').pass(60, 'keys are rotated by time')
  expect(aside).toEqual([])
  await clock().pass(60, 'keys are rotated by time')
  expect(aside).toEqual(['waited', 'beside the others'])
})

test('a clock counts how often it was moved, and its session how often all of them were', async () => {
  const session = {
    plan: { target: { control: 'http://control.example', maxWaitSeconds: 60 } },
    timer: { now: () => 1000, wait: async () => {} },
    clockMoves: { count: 0 },
    control: async () => ({ reply: reply({}) }),
  } as unknown as Session
  const [own, other] = [targetClock(session), targetClock(session)]
  await own.pass(60, 'keys are rotated by time')
  await own.pass(60, 'keys are rotated by time')
  expect([own.moves, other.moves, session.clockMoves.count]).toEqual([2, 0, 2])
})
