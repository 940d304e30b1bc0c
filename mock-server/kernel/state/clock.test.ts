import { afterEach, expect, test, vi } from 'vitest'
import { createClock, type VirtualClock } from './clock.ts'

const clocks: VirtualClock[] = []
/** Makes a clock whose real time does not move. */
function stopped(at = 1000): VirtualClock {
  const clock = createClock(() => at)
  clocks.push(clock)
  return clock
}
afterEach(() => {
  for (const clock of clocks.splice(0)) clock.reset()
})

test('follows real time, plus the time by which it was moved', async () => {
  let real = 1000
  const clock = createClock(() => real)
  expect(clock.now()).toBe(1000)
  await clock.advance(500)
  expect(clock.now()).toBe(1500)
  real = 1100
  expect(clock.now()).toBe(1600)
  expect(clock.ahead).toBe(500)
})

test('runs due timers in order, each at its own time, and waits for each', async () => {
  const clock = stopped()
  const seen: string[] = []
  clock.at(1300, () => void seen.push(`c ${clock.now()}`))
  clock.at(1100, async () => {
    await Promise.resolve()
    seen.push(`a ${clock.now()}`)
    clock.at(1200, () => void seen.push(`b ${clock.now()}`))
  })
  clock.at(1300, () => void seen.push(`d ${clock.now()}`))
  clock.at(1500, () => void seen.push('never'))
  await clock.advance(400)
  expect(seen).toEqual(['a 1100', 'b 1200', 'c 1300', 'd 1300'])
  expect(clock.now()).toBe(1400)
})

test('a cancelled timer does not run', async () => {
  const clock = stopped()
  const due = vi.fn()
  clock.at(1100, due)()
  await clock.advance(1000)
  expect(due).not.toHaveBeenCalled()
})

test('a reset removes timers and returns to real time', async () => {
  const clock = stopped()
  const due = vi.fn()
  clock.at(1100, due)
  await clock.advance(50)
  clock.reset()
  await clock.advance(1000)
  expect(due).not.toHaveBeenCalled()
  clock.reset(7)
  expect(clock.now()).toBe(1007)
})

test('does not move back', async () => {
  await expect(stopped().advance(-1)).rejects.toThrow('a clock can only move forward; saw -1 ms')
  await expect(stopped().advance(Number.NaN)).rejects.toThrow('only move forward')
})

test('runs timers when real time reaches them', async () => {
  const clock = createClock()
  await new Promise<void>((resolve) => clock.at(clock.now() + 5, resolve))
})

test('runs timers when real time reaches them, also after it was moved', async () => {
  vi.useFakeTimers()
  try {
    const clock = createClock()
    clocks.push(clock)
    const [first, second, third] = [vi.fn(), vi.fn(), vi.fn()]
    clock.at(clock.now() + 1000, first)
    clock.at(clock.now() + 10_000, second)
    await clock.advance(5000)
    expect(first).toHaveBeenCalledOnce()
    clock.at(clock.now() + 100, third)
    await vi.advanceTimersByTimeAsync(100)
    expect(third).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(4899)
    expect(second).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(second).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})

test('runs many timers in order, whichever of them were cancelled', async () => {
  const clock = stopped(0)
  const seen: number[] = []
  const cancels = Array.from({ length: 200 }, (_, index) => {
    const at = 1 + ((index * 37) % 100)
    return clock.at(at, () => void seen.push(at * 1000 + index))
  })
  for (const [index, cancel] of cancels.entries()) if (index % 3 !== 0) cancel()
  cancels[1]?.()
  await clock.advance(1000)
  expect(seen).toHaveLength(67)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})
