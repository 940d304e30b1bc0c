import { describe, expect, test } from 'vitest'
import type { SelectedCheck } from '../../select/select.ts'
import { addressOf, check, get, type Requirement, type SafetyClass, succeeds, topic } from '../../vocabulary/index.ts'
import { withinReach } from './ceiling.ts'

const requirements: Requirement[] = [
  { id: 'policies.thing', area: 'policies', level: 'must', says: '', source: { document: 1, section: '', row: '' } },
]
const one = (id: string, safety: SafetyClass, more: object = {}) =>
  check(id, {
    requirement: 'policies.thing',
    safety,
    when: get('x'),
    then: [succeeds],
    mutants: ['policies/x'],
    ...more,
  })
const things = topic('policies/errors', {
  about: '',
  checks: [
    one('reads', 'read-only'),
    one('makes', 'scoped'),
    one('wipes', 'disruptive'),
    one('wipes-premium', 'disruptive', { applies: { editions: ['premium'] } }),
  ],
})
const selected = things.checks.map(
  (each): SelectedCheck => ({
    topic: things,
    check: each,
    address: addressOf(things, each),
    level: 'must',
    file: '',
    suite: '',
  }),
)
const plan = { facts: {}, evidence: {}, requirements }
const idsOf = (some: readonly SelectedCheck[]) => some.map(({ check: { id } }) => id)

describe('the ceiling of a run', () => {
  test('leaves out the checks above it, grouped by their class', () => {
    const { reached, above } = withinReach(selected, { ...plan, ceiling: 'read-only' })
    expect(idsOf(reached)).toEqual(['reads'])
    expect(above).toEqual([
      { cause: 'safety', checks: 1, ids: ['policies/errors/makes'], needs: 'scoped' },
      {
        cause: 'safety',
        checks: 2,
        ids: ['policies/errors/wipes', 'policies/errors/wipes-premium'],
        needs: 'disruptive',
      },
    ])
  })

  test('keeps checks that are known not to apply to the target', () => {
    const community = { ...plan, facts: { edition: 'community' }, ceiling: 'scoped' } as const
    expect(idsOf(withinReach(selected, community).reached)).toEqual(['reads', 'makes', 'wipes-premium'])
    const absentAreas = [{ area: 'policies', name: 'policies', evidence: 'nothing answers' }] as const
    expect(withinReach(selected, { ...plan, absentAreas, ceiling: 'scoped' })).toEqual({ reached: selected, above: [] })
  })

  test('leaves out nothing if all classes are allowed', () => {
    expect(withinReach(selected, { ...plan, ceiling: 'disruptive' })).toEqual({ reached: selected, above: [] })
  })
})
