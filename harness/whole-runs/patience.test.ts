import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { environmentOf, limits, measuredSlowness, patient } from './patience.test-bed.ts'

const root = resolve(import.meta.dirname, '../..')

/** Measures on a machine where each time the work takes the next of these, in ms. */
function measuredOn(...taken: readonly number[]): number {
  let time = 0
  let at = 0
  const work = () => {
    time += taken[at++ % taken.length] ?? 0
  }
  return measuredSlowness(() => time, work)
}

test('limits grow with the time that the machine takes for the same work', () => {
  expect(measuredOn(80)).toBe(4)
  expect(limits(4)).toEqual({ test: 4 * limits(1).test, poll: 4 * limits(1).poll })
})

test('a fast machine has no shorter limits, and one pause of a machine does not count', () => {
  expect([measuredOn(5), measuredOn(20, 900, 20, 20, 20)]).toEqual([1, 1])
})

test('a test can wait in proportion', () => {
  const factor = Number(environmentOf(patient(1)).ASSAY_SLOWNESS)
  expect(factor).toBeGreaterThanOrEqual(1)
  expect(patient(1000)).toBeGreaterThanOrEqual(1000)
  expect(patient(2000)).toBeGreaterThanOrEqual(patient(1000) * 1.9)
})

test('no other file limits the time of a test', () => {
  const files = globSync('{harness,suites,fixtures,mock-server,reports}/**/*.{test,test-bed}.ts', { cwd: root })
  const own = /\btimeout: [\d_]{4,}|\btimeoutMs: [1-4]?\d{1,3}\b|^ *\}, [\d_]*\d{3}\)$|\bconst timeout = [\d_]{4,}/m
  const limited = files.filter((file) => own.test(readFileSync(join(root, file), 'utf8')))
  expect(files.length).toBeGreaterThan(300)
  expect(limited).toEqual([])
})
