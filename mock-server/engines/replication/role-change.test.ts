import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClusterRole } from '../../kernel/cluster/cluster-role.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import { type Variation, variationOf } from '../../kernel/variation.ts'
import { createRoleChange } from './role-change.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const turn = { kind: 'dr', trigger: 'primary/enable' } as const

function roleChange(roleChanges: Variation['roleChanges']) {
  const role = createClusterRole()
  const made = createRoleChange({ variation: () => ({ ...variationOf(0), roleChanges }), clusterRole: role })
  const change = vi.fn()
  return { made, role, change, reply: made.carryOut(turn, change) }
}

test('plainly, a change is in effect with the reply', () => {
  const { made, role, change, reply } = roleChange('at-once')
  expect(change).toHaveBeenCalledOnce()
  expect(reply).toEqual({ kind: 'empty' })
  expect(made.pending).toEqual(undefined)
  expect(role.ready).toBe(true)
})

test('one that is late is announced, keeps others off, and comes', () => {
  const { made, role, change, reply } = roleChange('late')
  expect(reply).toMatchObject({ kind: 'empty', warnings: [expect.any(String)] })
  expect(made.pending).toEqual(turn)
  expect(role.ready).toBe(true)
  expect(() => made.assertNonePending()).toThrow(Refusal)
  expect(change).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(change).toHaveBeenCalledOnce()
  expect(made.pending).toEqual(undefined)
  expect(role.ready).toBe(true)
  made.assertNonePending()
})

test.each(['unready-after', 'late-and-unready'] as const)(
  '%s: the cluster is unready once it is in effect',
  (choice) => {
    const { made, role, change } = roleChange(choice)
    if (choice === 'late-and-unready') vi.advanceTimersToNextTimer()
    expect(change).toHaveBeenCalledOnce()
    expect(made.pending).toEqual(undefined)
    expect(role.ready).toBe(false)
    vi.runAllTimers()
    expect(role.ready).toBe(true)
  },
)

test('what has become impossible meanwhile does not happen', () => {
  const { made, role, change } = roleChange('late')
  change.mockImplementation(() => {
    throw badRequest('no longer')
  })
  vi.runAllTimers()
  expect(made.pending).toEqual(undefined)
  expect(role.ready).toBe(true)
})

test('stopping gives up what is pending', () => {
  const { made, role, change } = roleChange('late')
  made.stop()
  vi.runAllTimers()
  expect(change).not.toHaveBeenCalled()
  expect(made.pending).toEqual(undefined)
  expect(role.ready).toBe(true)
})
