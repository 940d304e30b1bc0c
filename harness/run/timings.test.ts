import { afterEach, expect, test } from 'vitest'
import { drainMeasured, measure, measureAttempts, timed, timingsOf } from './timings.ts'

afterEach(() => performance.clearMeasures())

test('nothing is measured unless it is asked for', async () => {
  measure(undefined, 'judge', 0)
  expect(await timed(false, 'judge', async () => 7)).toBe(7)
  expect(drainMeasured()).toEqual([])
})

test('measurements are returned once, also of failed work, and entries of other libraries stay', async () => {
  performance.measure('of a library', { start: 0 })
  await expect(timed(true, 'judge', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(drainMeasured()).toEqual([{ name: 'judge', startedAt: expect.any(Number), durationMs: expect.any(Number) }])
  expect(drainMeasured()).toEqual([])
  expect(performance.getEntriesByType('measure').map(({ name }) => name)).toEqual(['of a library'])
})

test('times are in milliseconds since the epoch', () => {
  performance.measure('assay: judge', { start: 100, end: 350 })
  const [{ startedAt, durationMs } = { startedAt: 0, durationMs: 0 }] = drainMeasured()
  expect(startedAt).toBeCloseTo(performance.timeOrigin + 100, 3)
  expect(durationMs).toBe(250)
})

test('each attempt of a request is measured from when it was sent', () => {
  const at = performance.timeOrigin + 40
  measureAttempts('request', [
    { sentAt: at, durationMs: 5 },
    { sentAt: at + 10, durationMs: 7 },
  ])
  const measured = drainMeasured()
  expect(measured.map(({ name, durationMs }) => [name, durationMs])).toEqual([
    ['request', 5],
    ['request', 7],
  ])
  for (const [index, { startedAt }] of measured.entries()) expect(startedAt).toBeCloseTo(at + 10 * index, 2)
  expect(drainMeasured()).toEqual([])
})

test('timings are relative to the start of the run and in the order in which they began', () => {
  const measured = [
    { name: 'take back', startedAt: 1500, durationMs: 20 },
    { name: 'read', startedAt: 900, durationMs: 50.0004 },
    { name: 'judge', startedAt: 1010.5, durationMs: 480 },
  ]
  expect(timingsOf(measured, 1000)).toEqual([
    { name: 'read', startMs: -100, durationMs: 50 },
    { name: 'judge', startMs: 10.5, durationMs: 480 },
    { name: 'take back', startMs: 500, durationMs: 20 },
  ])
})
