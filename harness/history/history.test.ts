import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/output/sample-results.test-bed.ts'
import { compactOf } from '../compare/compact.ts'
import type { CheckResult, CompactResult, Verdict } from '../vocabulary/index.ts'
import { historyOf } from './history.ts'
import { readHistory, writeHistory } from './history-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-history-'))
afterAll(() => rmSync(folder, { recursive: true }))

function run(day: number, checks: readonly CheckResult[], version = '1.2.0'): CompactResult {
  const startedAt = `2026-01-0${day}T10:00:00.000Z`
  const result = compactOf(sampleResult({ checks, run: { id: `r${day}`, startedAt } }))
  return { ...result, target: { ...result.target, facts: { version } } }
}
const a = (verdict: Verdict): CheckResult => checkResult('a', verdict)
const id = a('pass').id

describe('a run compared with the run before it', () => {
  test.each<[string, CompactResult, CompactResult, object]>([
    ['new', run(1, [a('pass')]), run(2, [a('fail')], '1.3.0'), { newSince: [id], flaky: [] }],
    ['fixed', run(1, [a('fail')]), run(2, [a('pass')], '1.3.0'), { fixedSince: [id], flaky: [] }],
    ['flaky', run(1, [a('fail')]), run(2, [a('pass')]), { flaky: [id] }],
    [
      'redefined',
      run(1, [a('pass')]),
      run(2, [{ ...a('fail'), when: 'POST y' }]),
      { redefined: [id], newSince: [], flaky: [] },
    ],
    ['the same', run(1, [a('fail')]), run(2, [a('fail')]), { newSince: [], fixedSince: [], flaky: [], redefined: [] }],
  ])('%s', (_, before, now, expected) => {
    expect(historyOf(now, [before])).toMatchObject(expected)
  })

  test('is compared with the newest earlier run on the same target, in whatever order runs are given', () => {
    const other = run(3, [a('fail')])
    const stranger = { ...other, target: { ...other.target, name: 'another' } }
    const { entries, newSince } = historyOf(run(4, [a('fail')]), [stranger, run(2, [a('pass')]), run(1, [a('fail')])])
    expect(entries.map(({ run }) => run)).toEqual(['r1', 'r2', 'r4'])
    expect(newSince).toEqual([id])
  })
})

test('a history is read as it was written, and other files in the folder are ignored', () => {
  const runs = [run(1, [a('pass')]), run(2, [a('fail')])]
  for (const one of runs) writeHistory(folder, one)
  writeFileSync(join(folder, 'README.md'), 'ours')
  expect(readHistory(folder)).toEqual(runs)
  expect(readdirSync(folder)).toEqual(['2026-01-01T10-00-00Z-r1.json', '2026-01-02T10-00-00Z-r2.json', 'README.md'])
  writeFileSync(join(folder, '2026-01-03T10-00-00Z-r3.json'), '{}')
  expect(() => readHistory(folder)).toThrow('is not a compact result')
})
