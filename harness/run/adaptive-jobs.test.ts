import { expect, test } from 'vitest'
import { sizeBounds } from '../vocabulary/index.ts'
import type { WireOutcome } from '../wire/client.ts'
import { AdaptiveJobs } from './adaptive-jobs.ts'

const answered = (status: number, durationMs: number): WireOutcome => ({
  url: 'http://127.0.0.1/',
  headers: {},
  attempts: [{ sentAt: 0, status, durationMs }],
})

function seeing(jobs: AdaptiveJobs, count: number, durationMs: number): number {
  for (let at = 0; at < count; at++) jobs.saw(answered(200, durationMs))
  return jobs.limit
}

test('a far target is asked more at once, round by round, up to the bound', () => {
  const jobs = new AdaptiveJobs(8)
  expect(seeing(jobs, 8, 100)).toBe(9)
  expect(seeing(jobs, 9, 100)).toBe(10)
  expect(seeing(jobs, 2000, 100)).toBe(sizeBounds.adaptedJobs.value)
})

test('a near target is asked no more than before', () => {
  expect(seeing(new AdaptiveJobs(8), 2000, 2)).toBe(8)
})

test.each([429, 503, 500])('a reply of %i halves the number, once a round, and never to nothing', (status) => {
  const jobs = new AdaptiveJobs(8)
  jobs.saw(answered(status, 100))
  jobs.saw(answered(status, 100))
  expect(jobs.limit).toBe(4)
  for (let at = 0; at < 100; at++) jobs.saw(answered(status, 100))
  expect(jobs.limit).toBe(1)
  expect(seeing(jobs, 1, 100)).toBe(2)
})

test('a round in which every reply is late halves it; one slow reply does not', () => {
  const jobs = new AdaptiveJobs(8)
  seeing(jobs, 8, 100)
  jobs.saw(answered(200, 5000))
  expect(seeing(jobs, 8, 100)).toBe(10)
  expect(seeing(jobs, 10, 400)).toBe(5)
})

test('it tells between which numbers the limit was', () => {
  const jobs = new AdaptiveJobs(8)
  expect(jobs.bounds).toEqual({ fewest: 8, most: 8 })
  seeing(jobs, 17, 100)
  jobs.saw(answered(503, 100))
  expect(jobs.bounds).toEqual({ fewest: 5, most: 10 })
})

test('no more run at once than the number says, and who is next comes first', async () => {
  const jobs = new AdaptiveJobs(1)
  const order: string[] = []
  const work = (name: string) => async () => void order.push(name)
  await Promise.all([jobs.run(work('one')), jobs.run(work('two')), jobs.run(work('next'), true)])
  expect(order).toEqual(['one', 'next', 'two'])
})
