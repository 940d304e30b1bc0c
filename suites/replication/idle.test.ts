import { describe, expect, test } from 'vitest'
import type { Scope } from '../../harness/vocabulary/index.ts'
import { hasRole, isIdle, rememberIdle } from './idle.ts'
import { dr, performance } from './kind.ts'
import { reply } from './reply.test-bed.ts'

describe('a cluster counts as one that does not replicate', () => {
  test.each([
    [{ mode: 'disabled' }, true],
    [{ mode: 'none', cluster_id: 'a' }, true],
    [{ mode: 'idle-cluster', known_secondaries: [] }, true],
    [{ mode: 'idle-cluster', cluster_id: 'a' }, false],
    [{ mode: null }, true],
    [{ mode: null, cluster_id: 'a' }, false],
    [{ mode: 'primary' }, false],
    [{ mode: 'perf-primary' }, false],
    [{ mode: 'bootstrapping' }, false],
    [{ mode: 'unknown' }, false],
    [{}, false],
  ] as const)('%j: %s', (data, wanted) => {
    expect(isIdle(reply({ data }))).toBe(wanted)
    expect(isIdle(reply({ data }, 500))).toBe(false)
  })
})

test('a cluster is disabled again only if it uses the same word for that as before', () => {
  const scope = {} as Scope
  rememberIdle(scope, dr, 'main', reply({ mode: 'off' }))
  const isDisabled = hasRole(scope, dr, 'main', 'disabled')
  expect([reply({ mode: 'off' }), reply({ mode: 'bootstrapping' })].map(isDisabled)).toEqual([true, false])
  expect(hasRole(scope, performance, 'main', 'disabled')(reply({ mode: 'none' }))).toBe(true)
})
