import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Refusal } from '../../kernel/http/refusal.ts'
import { type Variation, variationOf } from '../../kernel/variation.ts'
import { createRoleChange } from './role-change.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const turn = { kind: 'dr', trigger: 'primary/enable' } as const

function roleChange(roleChanges: Variation['roleChanges']) {
  const made = createRoleChange(() => ({ ...variationOf(0), roleChanges }))
  const change = vi.fn()
  return { made, change, reply: made.carryOut(turn, change) }
}

test('plainly, a change is in effect with the reply', () => {
  const { made, change, reply } = roleChange('at-once')
  expect(change).toHaveBeenCalledOnce()
  expect(reply).toEqual({ kind: 'empty' })
  expect(made).toMatchObject({ pending: undefined, ready: true })
})

test('one that is late is announced, keeps others off, and comes', () => {
  const { made, change, reply } = roleChange('late')
  expect(reply).toMatchObject({ kind: 'empty', warnings: [expect.any(String)] })
  expect(made).toMatchObject({ pending: turn, ready: true })
  expect(() => made.assertNonePending()).toThrow(Refusal)
  expect(change).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(change).toHaveBeenCalledOnce()
  expect(made).toMatchObject({ pending: undefined, ready: true })
  made.assertNonePending()
})

test.each(['unready-after', 'late-and-unready'] as const)(
  '%s: the cluster is unready once it is in effect',
  (choice) => {
    const { made, change } = roleChange(choice)
    if (choice === 'late-and-unready') vi.advanceTimersToNextTimer()
    expect(change).toHaveBeenCalledOnce()
    expect(made).toMatchObject({ pending: undefined, ready: false })
    vi.runAllTimers()
    expect(made.ready).toBe(true)
  },
)

test('what has become impossible meanwhile does not happen', () => {
  const { made, change } = roleChange('late')
  change.mockImplementation(() => {
    throw new Refusal('bad-request', { message: 'no longer' })
  })
  vi.runAllTimers()
  expect(made).toMatchObject({ pending: undefined, ready: true })
})

test('stopping gives up what is pending', () => {
  const { made, change } = roleChange('late')
  made.stop()
  vi.runAllTimers()
  expect(change).not.toHaveBeenCalled()
  expect(made).toMatchObject({ pending: undefined, ready: true })
})
