import { expect, test } from 'vitest'
import { settlingTimer } from './settling.ts'

const waited: number[] = []
const timer = {
  now: () => 0,
  async wait(ms: number) {
    waited.push(ms)
  },
}

test('if the clusters can let time pass, no real time is waited for', async () => {
  const settled: number[] = []
  const settling = settlingTimer(timer, async (ms) => settled.push(ms) > 0)
  await settling.wait(300)
  await settling.wait(50, AbortSignal.abort())
  expect([settled, settling.now(), waited]).toEqual([[300], 300, []])
})

test('if they cannot, real time is waited for', async () => {
  const settling = settlingTimer(timer, async () => false)
  await settling.wait(300)
  expect([settling.now(), waited.splice(0)]).toEqual([0, [300]])
  expect(settlingTimer(timer, undefined)).toBe(timer)
})
