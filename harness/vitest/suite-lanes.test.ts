import { expect, test } from 'vitest'
import { lanesOf } from './suite-lanes.ts'

const topics = ['pki/a', 'pki/b', 'cloud/a', 'policies/a'].map((id) => ({ id }))
const selected = ['pki/a/1', 'pki/a/2', 'pki/b/3', 'cloud/a/1', 'cloud/a/2', 'policies/a/1']
const own = { module: 'none', order: {}, workers: 2 }
const run = { own, plan: { jobs: 8 }, selected }
const idsOf = (divided: Parameters<typeof lanesOf>[0]) =>
  lanesOf(divided, topics).map((lane) => lane.map(({ id }) => id))

test('areas stay whole and in order, and workers have about as many checks', () => {
  expect(idsOf(run)).toEqual([
    ['pki/a', 'pki/b'],
    ['cloud/a', 'policies/a'],
  ])
})

test('no worker is without an area', () => {
  expect(idsOf({ ...run, own: { ...own, workers: 9 } }).map((lane) => lane.length)).toEqual([2, 1, 1])
})

test.each([
  ['a named target', { plan: run.plan, selected }],
  ['one job', { ...run, plan: { jobs: 1 } }],
  ['a shard', { ...run, shard: { index: 1, of: 2 } }],
])('%s has one worker', (_, divided) => {
  expect(idsOf(divided)).toEqual([topics.map(({ id }) => id)])
})
