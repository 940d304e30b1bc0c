import { describe, expect, test } from 'vitest'
import { reply } from '../reply.test-bed.ts'
import { clusterIdIn, hasBegun, hasCaughtUp, isSettled, roleIn } from './status.ts'

describe('the role in a status reply', () => {
  test.each([
    ['primary', 'primary'],
    ['secondary', 'secondary'],
    ['disabled', 'disabled'],
    ['off', 'disabled'],
    [null, 'disabled'],
  ])('%s is %s, inside data or at the top level', (mode, role) => {
    expect([reply({ data: { mode } }), reply({ mode })].map(roleIn)).toEqual([role, role])
  })

  test('is unknown if the reply has no mode or is a refusal', () => {
    expect([reply({ data: null }), reply({ mode: 'primary' }, 503)].map(roleIn)).toEqual([undefined, undefined])
  })
})

test('a cluster id is a non-empty string', () => {
  expect([{ cluster_id: 'a' }, { cluster_id: '' }, {}].map((data) => clusterIdIn(reply({ data })))).toEqual([
    'a',
    undefined,
    undefined,
  ])
})

describe('a secondary', () => {
  test.each([
    ['stream-wals', true],
    ['idle', true],
    ['merkle-diff', false],
    ['merkle-sync', false],
    ['transient-failure', false],
    [undefined, true],
  ])('that shows the state %s has settled: %s', (state, isIt) => {
    expect(isSettled(reply({ mode: 'secondary', ...(state === undefined ? {} : { state }) }))).toBe(isIt)
  })

  test.each([
    ['a state', { state: 'stream-wals', last_remote_wal: 0 }, true],
    ['progress that stands at nothing', { last_remote_wal: 0 }, false],
    ['progress', { last_remote_wal: 3 }, true],
    ['neither', {}, true],
    ['that it is idle before any progress', { state: 'idle', last_remote_wal: 0 }, false],
    ['that it is idle with progress', { state: 'idle', last_remote_wal: 3 }, true],
    ['a first copy under way', { state: 'merkle-sync', last_remote_wal: 3 }, false],
  ])('that shows %s has begun: %s', (_, shows, isIt) => {
    expect(hasBegun(reply({ data: { mode: 'secondary', ...shows } }))).toBe(isIt)
  })

  const primary = { last_wal: 7, merkle_root: 'ab' }
  test.each([
    ['by both', { last_remote_wal: 7, merkle_root: 'ab' }, true],
    ['by its log only', { last_remote_wal: 7, merkle_root: 'cd' }, false],
    ['by its root only', { last_remote_wal: 3, merkle_root: 'ab' }, false],
    ['by its log alone', { last_remote_wal: 7 }, true],
    ['in neither', { last_remote_wal: 3, merkle_root: 'cd' }, false],
    ['by a root alone', { merkle_root: 'ab' }, true],
    ['by nothing that it shows', {}, undefined],
  ])('has caught up %s', (_, data, wanted) => {
    expect(hasCaughtUp(reply({ data }), reply({ data: primary }))).toBe(wanted)
  })
})
