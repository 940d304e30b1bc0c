import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patient } from '../patience.test-bed.ts'

const bed = join(import.meta.dirname, 'many-secrets.test-bed.ts')

test('as many secrets as a run learns are found in bounded memory', () => {
  // With a small young generation, the peak does not depend on when garbage is collected.
  const out = execFileSync(process.execPath, ['--max-semi-space-size=8', '--expose-gc', bed], { encoding: 'utf8' })
  const { isFull, left, length, live, peak, seconds } = JSON.parse(out)
  expect({ isFull, left }).toEqual({ isFull: false, left: [] })
  expect(length).toBeGreaterThan(1024 * 1024)
  expect(live).toBeLessThan(90)
  expect(peak).toBeLessThan(320)
  expect(seconds).toBeLessThan(patient(5))
})
