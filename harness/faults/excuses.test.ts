import { expect, test } from 'vitest'
import { judgedBy } from './excuses.ts'
import type { FaultOutcome } from './matrix.ts'

const outcome = (id: string, noticedBy?: string): FaultOutcome => ({
  fault: { id, area: 'policies', operator: 'hollow', says: '', at: { method: 'POST', path: 'x' }, rows: [] },
  bent: 1,
  met: 1,
  judged: 1,
  ...(noticedBy === undefined ? {} : { noticedBy }),
})

const statesOf = (excuses: Parameters<typeof judgedBy>[0], outcomes: readonly FaultOutcome[]) =>
  judgedBy(excuses, outcomes).rows.map(({ state }) => state)

test('a fault is noticed, excused, or neither', () => {
  const outcomes = [
    outcome('policies/a/hollow', 'policies/fields/one'),
    outcome('policies/b/hollow'),
    outcome('policies/c/hollow'),
  ]
  expect(statesOf([{ fault: 'policies/b/*', reason: 'open' }], outcomes)).toEqual(['noticed', 'excused', 'not-noticed'])
})

test('an excuse is stale if it has no fault, or if its fault is noticed', () => {
  const noticed = outcome('policies/a/hollow', 'policies/fields/one')
  const { stale } = judgedBy(
    [
      { fault: 'policies/a/hollow', reason: 'noticed after all' },
      { fault: 'policies/gone/*', reason: 'there is no such fault' },
      { fault: 'pki/x/hollow', reason: 'of an area that was not tried' },
    ],
    [noticed],
  )
  expect(stale).toEqual([
    expect.stringContaining('policies/a/hollow excuses nothing'),
    expect.stringContaining('policies/gone/* excuses nothing'),
  ])
})
