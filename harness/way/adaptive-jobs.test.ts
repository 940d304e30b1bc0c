import { expect, test } from 'vitest'
import { sizeBounds } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import { AdaptiveJobs, waitingFirst } from './adaptive-jobs.ts'

const answered = (status: number, durationMs: number): WireOutcome => ({
  url: 'http://127.0.0.1/',
  headers: {},
  attempts: [{ sentAt: 0, status, durationMs }],
})

function seeing(jobs: AdaptiveJobs, count: number, durationMs: number): number {
  for (let at = 0; at < count; at++) jobs.saw(answered(200, durationMs))
  return jobs.limit
}

test('for a far target the limit grows round by round up to the bound', () => {
  const jobs = new AdaptiveJobs(8)
  expect(seeing(jobs, 8, 100)).toBe(9)
  expect(seeing(jobs, 9, 100)).toBe(10)
  expect(seeing(jobs, 2000, 100)).toBe(sizeBounds.adaptedJobs.value)
})

test('for a near target the limit does not grow', () => {
  expect(seeing(new AdaptiveJobs(8), 2000, 2)).toBe(8)
})

test.each([429, 502, 503, 504])('a reply of %i halves the limit once a round, and never to 0', (status) => {
  const jobs = new AdaptiveJobs(8)
  jobs.saw(answered(status, 100))
  jobs.saw(answered(status, 100))
  expect(jobs.limit).toBe(4)
  for (let at = 0; at < 100; at++) jobs.saw(answered(status, 100))
  expect(jobs.limit).toBe(1)
  expect(seeing(jobs, 1, 100)).toBe(2)
})

test('a 500 does not count as strain, because the documents have such refusals', () => {
  const jobs = new AdaptiveJobs(8)
  for (let at = 0; at < 100; at++) jobs.saw(answered(500, 2))
  expect(jobs.limit).toBe(8)
})

test('for a near target the limit returns to its start value some rounds after strain', () => {
  const jobs = new AdaptiveJobs(8)
  for (let at = 0; at < 100; at++) jobs.saw(answered(503, 2))
  expect(jobs.limit).toBe(1)
  expect(seeing(jobs, 1, 2)).toBe(2)
  expect(seeing(jobs, 2000, 2)).toBe(8)
})

test('a round in which every reply is slow halves the limit; one slow reply does not', () => {
  const jobs = new AdaptiveJobs(8)
  seeing(jobs, 8, 100)
  jobs.saw(answered(200, 5000))
  expect(seeing(jobs, 8, 100)).toBe(10)
  expect(seeing(jobs, 10, 400)).toBe(5)
})

test('the lowest and the highest limit are reported', () => {
  const jobs = new AdaptiveJobs(8)
  expect(jobs.bounds).toEqual({ fewest: 8, most: 8 })
  seeing(jobs, 17, 100)
  jobs.saw(answered(503, 100))
  expect(jobs.bounds).toEqual({ fewest: 5, most: 10 })
})

test('no more jobs run at once than the limit, and a job with isNext goes first', async () => {
  const jobs = new AdaptiveJobs(1)
  const order: string[] = []
  const work = (name: string) => async () => void order.push(name)
  await Promise.all([jobs.run(work('one')), jobs.run(work('two')), jobs.run(work('next'), true)])
  expect(order).toEqual(['one', 'next', 'two'])
})

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a job that waits aside lets another run, and goes on immediately after the wait', async () => {
  const jobs = new AdaptiveJobs(1)
  const order: string[] = []
  let timeIsUp = () => {}
  let end = () => {}
  const waiting = jobs.run(async () => {
    await jobs.aside(() => new Promise<void>((resolve) => (timeIsUp = resolve)))
    order.push('waited')
  })
  const other = jobs.run(async () => {
    order.push('other')
    await new Promise<void>((resolve) => (end = resolve))
  })
  const third = jobs.run(async () => void order.push('third'))
  await settled()
  expect(order).toEqual(['other'])
  timeIsUp()
  await waiting
  expect(order).toEqual(['other', 'waited'])
  end()
  await Promise.all([other, third])
  expect(order).toEqual(['other', 'waited', 'third'])
})

test('a wait that fails frees its place, too', async () => {
  const jobs = new AdaptiveJobs(1)
  const failed = jobs.run(() => jobs.aside(() => Promise.reject(new Error('stopped'))))
  await expect(failed).rejects.toThrow('stopped')
  expect(await jobs.run(async () => 'done')).toBe('done')
})

test('jobs that wait aside and jobs that run together never exceed the bound', async () => {
  const jobs = new AdaptiveJobs(8)
  let begun = 0
  let timeIsUp = () => {}
  const time = new Promise<void>((resolve) => (timeIsUp = resolve))
  const all = Array.from({ length: 100 }, () =>
    jobs.run(() => {
      begun++
      return jobs.aside(() => time)
    }),
  )
  await settled()
  expect(begun).toBe(sizeBounds.adaptedJobs.value)
  timeIsUp()
  await Promise.all(all)
  expect(begun).toBe(100)
})

test('checks that wait for time begin first, and those that need the target for themselves last', () => {
  const due = (id: string, needs: readonly ('clock' | 'entity')[] = [], lock?: string) => ({
    id,
    check: { needs, ...(lock === undefined ? {} : { lock }) },
  })
  const all = [
    due('a', [], 'clusters'),
    due('b'),
    due('c', ['clock']),
    due('d', ['entity'], 'clock'),
    due('e', ['entity', 'clock']),
    due('f', ['clock'], 'clusters'),
  ]
  expect(waitingFirst(all).map(({ id }) => id)).toEqual(['c', 'e', 'b', 'd', 'a', 'f'])
})
