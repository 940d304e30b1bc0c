import { expect, test } from 'vitest'
import { illegalTriggers, isRefusalImplied, triggers } from './states.ts'

test('each state has the triggers that the table does not list for it', () => {
  const count = (state: string) => illegalTriggers.filter((one) => one.state === state).length
  expect(['disabled', 'primary', 'secondary'].map(count)).toEqual([5, 5, 4])
  expect(3 * triggers.length - illegalTriggers.length).toBe(7)
})

test('an id names the state and the trigger', () => {
  const ids = illegalTriggers.map(({ id }) => id)
  expect(ids).toContain('secondary.primary-enable')
  expect(ids).toContain('primary.promote')
  expect(new Set(ids).size).toBe(ids.length)
})

test('disabling replication that is already disabled may succeed', () => {
  expect(illegalTriggers.filter((one) => !isRefusalImplied(one)).map(({ id }) => id)).toEqual([
    'disabled.primary-disable',
    'disabled.secondary-disable',
  ])
})
