import { expect, test, vi } from 'vitest'
import { createClusterRole } from '../../kernel/cluster/cluster-role.ts'
import { badRequest, Refusal } from '../../kernel/http/refusal.ts'
import { createClock } from '../../kernel/state/clock.ts'
import { type Variation, variationOf } from '../../kernel/variation.ts'
import { createRoleChange } from './role-change.ts'

const turn = { kind: 'dr', trigger: 'primary/enable' } as const

function roleChange(roleChanges: Variation['roleChanges']) {
  const role = createClusterRole()
  const clock = createClock(() => 0)
  const variation = () => ({ ...variationOf(0), roleChanges })
  const made = createRoleChange({ variation, clusterRole: role, clock })
  const change = vi.fn()
  return { made, role, change, clock, reply: made.carryOut(turn, change) }
}

test('by default, a change has taken effect when the reply comes', () => {
  const { made, role, change, reply } = roleChange('at-once')
  expect(change).toHaveBeenCalledOnce()
  expect(reply).toEqual({ kind: 'empty' })
  expect(made.pending).toEqual(undefined)
  expect(role.ready).toBe(true)
})

test('a late change is announced, blocks other changes, and takes effect', async () => {
  const { made, role, change, clock, reply } = roleChange('late')
  expect(reply).toMatchObject({ kind: 'empty', warnings: [expect.any(String)] })
  expect(made.pending).toEqual(turn)
  expect(role.ready).toBe(true)
  expect(() => made.assertNonePending()).toThrow(Refusal)
  expect(change).not.toHaveBeenCalled()
  await clock.advance(1000)
  expect(change).toHaveBeenCalledOnce()
  expect(made.pending).toEqual(undefined)
  expect(role.ready).toBe(true)
  made.assertNonePending()
})

test.each(['unready-after', 'late-and-unready'] as const)(
  '%s: the cluster is unready after the change takes effect',
  async (choice) => {
    const { made, role, change, clock } = roleChange(choice)
    if (choice === 'late-and-unready') await clock.advance(30)
    expect(change).toHaveBeenCalledOnce()
    expect(made.pending).toEqual(undefined)
    expect(role.ready).toBe(false)
    await clock.advance(1000)
    expect(role.ready).toBe(true)
  },
)

test('a late change that is no longer possible is dropped', async () => {
  const { made, role, change, clock } = roleChange('late')
  change.mockImplementation(() => {
    throw badRequest('no longer')
  })
  await clock.advance(1000)
  expect(made.pending).toEqual(undefined)
  expect(role.ready).toBe(true)
})

test('stop cancels a pending change', async () => {
  const { made, role, change, clock } = roleChange('late')
  made.stop()
  await clock.advance(1000)
  expect(change).not.toHaveBeenCalled()
  expect(made.pending).toEqual(undefined)
  expect(role.ready).toBe(true)
})
