import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { CheckResult, Comparison, Verdict } from '../../vocabulary/index.ts'
import { compactCommand } from '../compact.ts'
import { compareCommand } from '../compare.ts'
import { checkResult, sampleResult } from '../output/sample-results.test-bed.ts'
import type { Terminal } from '../output/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-compare-'))
afterAll(() => rmSync(folder, { recursive: true }))

function resultIn(name: string, verdict: Verdict, others: readonly CheckResult[] = []): string {
  const place = join(folder, name)
  mkdirSync(place)
  const checks = [checkResult('a', verdict), checkResult('b', 'pass'), ...others]
  writeFileSync(join(place, 'result.json'), JSON.stringify(sampleResult({ checks })))
  return place
}

async function call(make: typeof compareCommand, ...args: string[]) {
  const lines: string[] = []
  let code = -1
  const terminal = { env: {}, out: (line: string) => lines.push(line), say: () => {} } as unknown as Terminal
  await make(terminal, (settled) => {
    code = settled
  }).parseAsync(args, { from: 'user' })
  return { lines, code }
}

test('a folder, a file and a compact result can be compared; a worse server means exit code 4', async () => {
  const [good, bad] = [resultIn('good', 'pass'), resultIn('bad', 'fail')]
  const out = join(folder, 'out')
  const compact = join(folder, 'bad', 'compact.json')
  await call(compactCommand, join(bad, 'result.json'), '--out', compact)
  for (const other of [bad, join(bad, 'result.json'), compact]) {
    const { code, lines } = await call(compareCommand, good, other, '--out', out)
    expect(code).toBe(4)
    expect(lines[0]).toContain('is worse than')
  }
  expect((await call(compareCommand, bad, good, '--out', out)).code).toBe(0)
  const markdown = readFileSync(join(out, 'compare.md'), 'utf8')
  expect(markdown).toContain('| ✗ C1 | ✓ |')
  expect(readFileSync(join(out, 'compare.html'), 'utf8')).toContain('href="#s0c0"')
  expect(JSON.parse(readFileSync(join(out, 'compare.json'), 'utf8'))).toMatchObject({ schema: 'assay/comparison/1' })
})

test('only what the flags select is compared, whatever else the results contain', async () => {
  const [certificate, key] = ['certificate', 'key'].map(
    (what) => `pki/transitions/submitted-${what}-overrides-the-old-one`,
  )
  const passed = (id = '') => ({ ...checkResult(id, 'pass'), id })
  const whole = resultIn('whole', 'pass', [passed(certificate), passed(key)])
  const part = resultIn('part', 'fail', [passed(certificate)])
  const out = join(folder, 'narrow')
  const compare = async (...flags: string[]) => {
    const { code } = await call(compareCommand, whole, part, '--out', out, ...flags)
    const { servers } = JSON.parse(readFileSync(join(out, 'compare.json'), 'utf8')) as Comparison
    return { code, changes: servers[1]?.changes.map(({ check }) => check), causes: servers[1]?.causes.length }
  }
  expect(await compare()).toEqual({ code: 4, changes: ['policies/errors/a', key], causes: 1 })
  expect(await compare('--area', 'pki')).toEqual({ code: 3, changes: [key], causes: 0 })
  expect(await compare('--check', certificate ?? '')).toEqual({ code: 0, changes: [], causes: 0 })
})

test.each([
  [['one'], 'a single server cannot be compared'],
  [[folder, folder], 'has no result.json and no compact.json'],
  [[join(folder, 'nothing.json'), join(folder, 'good')], 'cannot be read'],
])('refuses %j', async (operands, words) => {
  await expect(call(compareCommand, ...operands, '--out', join(folder, 'refused'))).rejects.toThrow(words)
})
