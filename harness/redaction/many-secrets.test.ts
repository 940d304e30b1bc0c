import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patient } from '../whole-runs/patience.test-bed.ts'

const bed = join(import.meta.dirname, 'many-secrets.test-bed.ts')

/** With a small heap that one thread collects, the peak depends neither on when garbage is collected nor on how many
 * processors share that work. */
const collected = ['--max-semi-space-size=8', '--max-old-space-size=128', '--single-threaded-gc']

test('as many secrets as a run learns are found in bounded memory', () => {
  const out = execFileSync(process.execPath, [...collected, '--expose-gc', bed], { encoding: 'utf8' })
  const { isFull, left, length, live, peak, seconds } = JSON.parse(out)
  expect({ isFull, left }).toEqual({ isFull: false, left: [] })
  expect(length).toBeGreaterThan(1024 * 1024)
  expect(live).toBeLessThan(90)
  if (existsSync('/proc/self/status')) expect(peak).toBeLessThan(320)
  expect(seconds).toBeLessThan(patient(5))
})
