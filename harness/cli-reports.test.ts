/** Tests of the commands that work on results of earlier runs. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assay, assayProcess } from './commands/child.test-bed.ts'
import { checkResult, sampleResult } from './commands/output/sample-results.test-bed.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'assay-reports-'))
})
afterEach(() => rmSync(place, { recursive: true }))

function resultAt(folder: string, run: Parameters<typeof sampleResult>[0]['run'] = {}): string {
  const file = join(place, folder, 'result.json')
  mkdirSync(join(place, folder), { recursive: true })
  writeFileSync(file, JSON.stringify(sampleResult({ checks: [checkResult('a', 'pass')], run })))
  return file
}

describe('render', () => {
  test('writes to the folder of the result by default', async () => {
    const file = resultAt('nightly')
    const { code, out } = await assay(['render', file, '--format', 'markdown,badge'])
    expect({ code, out }).toEqual({
      code: 0,
      out: `${join(place, 'nightly', 'summary.md')}\n${join(place, 'nightly', 'badge.svg')}\n`,
    })
    expect(readdirSync(place)).toEqual(['nightly'])
    await assay(['render', file, '--format', 'badge', '--out', join(place, 'site')])
    expect(readdirSync(join(place, 'site'))).toEqual(['badge.svg'])
  })

  test('names the folder that it cannot write to', async () => {
    const file = resultAt('nightly')
    mkdirSync(join(place, 'nightly', 'badge.svg'))
    const { code, err } = await assay(['render', file, '--format', 'badge'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^assay: the reports cannot be written to /) })
  })
})

test('a run on an unreachable target says that the reports in the folder are from an earlier run', async () => {
  const file = resultAt('nightly')
  const out = join(place, 'nightly')
  const args = ['run', '--target', 'http://127.0.0.1:1', '--out', out, '--check', 'policies/versions']
  const { code, err } = await assay(args, { ASSAY_TOKEN: 't' })
  expect({ code, err }).toEqual({
    code: 5,
    err: expect.stringContaining(`the reports in ${out} are from an earlier run`),
  })
  expect(existsSync(file)).toBe(true)
})

describe('merge', () => {
  test('does not use a folder that a run has locked', async () => {
    const file = resultAt('shard', { shard: { index: 1, of: 1 } })
    mkdirSync(join(place, 'busy'))
    // Any other process that is alive.
    writeFileSync(join(place, 'busy', 'assay.lock'), `${process.ppid}\n`)
    const { code, err } = await assay(['merge', file, '--out', join(place, 'busy')])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is in use by another run') })
    expect(readdirSync(join(place, 'busy'))).toEqual(['assay.lock'])
    expect((await assay(['merge', file, '--out', join(place, 'free')])).code).toBe(0)
    expect(readdirSync(join(place, 'free'))).not.toContain('assay.lock')
  })

  test('shows the outcome even if no report can be written to the folder, and writes to a temporary one', async () => {
    const [file, to] = [resultAt('shard', { shard: { index: 1, of: 1 } }), join(place, 'all')]
    mkdirSync(join(to, 'result.json'), { recursive: true })
    const { code, out, err } = await assayProcess(['merge', file, '--out', to, '--format', 'html'], { TMPDIR: place })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^conformant {2}/) })
    expect(err).toContain(`WARNING: the reports cannot be written to ${to} (EISDIR, `)
    const [, folder = ''] = /^WARNING: the reports of this run are in (.*)$/m.exec(err) ?? []
    expect(out).toContain(`Report: ${join(folder, 'report.html')}`)
    expect(readdirSync(folder).sort()).toEqual(['report.html', 'result.json'])
    expect(readdirSync(to)).toEqual(['result.json'])
  })

  test('shows the outcome even if no report can be written at all', async () => {
    const [file, to] = [resultAt('shard', { shard: { index: 1, of: 1 } }), join(place, 'all')]
    mkdirSync(join(to, 'result.json'), { recursive: true })
    const { code, out, err } = await assayProcess(['merge', file, '--out', to], { TMPDIR: join(file, 'below') })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^conformant {2}/) })
    expect(out).not.toContain('Report:')
    expect(err).toMatch(/^WARNING: the reports cannot be written below .* either \(ENOTDIR, .*\): they are lost$/m)
  })

  test('leaves no report of an earlier run beside its own', async () => {
    const [file, to] = [resultAt('shard', { shard: { index: 1, of: 1 } }), join(place, 'all')]
    await assay(['merge', file, '--out', to, '--format', 'junit,badge'])
    writeFileSync(join(to, 'summary.md'), 'mine')
    const { code, err } = await assay(['merge', file, '--out', to, '--format', 'junit'])
    expect(code).toBe(0)
    expect(err).toContain(`removed reports of an earlier run from ${to}: badge; `)
    expect(err).toContain(`${join(to, 'summary.md')} existed before; it is not a report of this run`)
    expect(readdirSync(to).sort()).toEqual(['junit.xml', 'result.json', 'summary.md'])
  })
})
