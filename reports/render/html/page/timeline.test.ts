import { expect, test } from 'vitest'
import type { PageCheck } from '../page-data.ts'
import { barsOf, retriesIn, words } from './timeline.ts'

const second = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString()
const ran = (id: string, at: number, seconds: number, turn?: PageCheck['turn']): PageCheck =>
  ({ id, verdict: 'pass', startedAt: second(at), durationMs: seconds * 1000, ...(turn ? { turn } : {}) }) as PageCheck

const bars = barsOf([
  ran('first', 0, 4),
  ran('beside', 1, 1),
  ran('after', 2, 1),
  // It has waited since second 3 for the end of the first one.
  ran('locked', 4, 2, { lock: 'clusters', waitedMs: 1000 }),
  ran('never ran', 0, 0),
])

test('checks that ran at the same time are in different lanes, and a wait takes up its lane', () => {
  expect(bars.map(({ check, lane }) => `${check.id} ${lane}`)).toEqual(['first 0', 'beside 1', 'after 1', 'locked 1'])
  const locked = bars.at(-1)
  expect((locked?.startedAt ?? 0) - (locked?.askedAt ?? 0)).toBe(1000)
})

test('the words say how many ran at once, waited, and held which lock', () => {
  expect(words(bars)).toContain('4 checks, at most 2 at once; 1 check waited for')
  expect(words(bars)).toContain('the longest 1.0 s')
  expect(words(bars)).toContain('1 held the lock clusters')
})

test('each attempt after the first is a retry', () => {
  const exchange = (seconds: readonly number[]) => ({
    ...({ phase: 'when', method: 'GET', url: 'http://a.test', requestHeaders: {}, as: 'nobody' } as const),
    attempts: seconds.map((at) => ({ sentAt: second(at), durationMs: 1 })),
  })
  expect(retriesIn([exchange([0]), exchange([1, 2, 3])])).toEqual([2, 3].map((at) => Date.parse(second(at))))
})
