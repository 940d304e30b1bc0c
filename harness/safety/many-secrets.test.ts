import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patient } from '../patience.test-bed.ts'

const bed = join(import.meta.dirname, 'many-secrets.test-bed.ts')

test('as many secrets as a run learns are found in bounded memory', () => {
  const out = execFileSync(process.execPath, ['--expose-gc', bed], { encoding: 'utf8' })
  const { isFull, left, length, live, peak, seconds } = JSON.parse(out)
  expect({ isFull, left }).toEqual({ isFull: false, left: [] })
  expect(length).toBeGreaterThan(1024 * 1024)
  expect(live).toBeLessThan(90)
  // When garbage is collected is up to the engine, so only the bound of a whole run holds for the peak.
  expect(peak).toBeLessThan(512)
  expect(seconds).toBeLessThan(patient(5))
})
