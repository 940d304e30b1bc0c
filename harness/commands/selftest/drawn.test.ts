import { expect, test } from 'vitest'
import type { Proof } from '../../faults/proof.ts'
import { assay } from '../child.test-bed.ts'

test('drawn faults are played, and the exit code tells whether enough are noticed', async () => {
  const { code, out } = await assay([...['selftest', '--drawn', '12', '--seed', '3', '--area', 'mfa-legacy', '--json']])
  const { seed, rows } = JSON.parse(out) as Proof & { readonly seed: number }
  const open = rows.filter(({ state }) => state === 'not-noticed')
  expect({ seed, drawn: rows.length }).toEqual({ seed: 3, drawn: 12 })
  expect(rows.flatMap(({ defect }) => defect ?? [])).toEqual([])
  expect(rows.filter(({ noticedAs }) => noticedAs === 'fail').length).toBeGreaterThan(0)
  expect(code).toBe(open.length > 1 ? 6 : 0)
})
