import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assay } from './child.test-bed.ts'

let folder: string
let out: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-foreign-'))
  out = join(folder, 'out')
})
afterEach(() => rmSync(folder, { recursive: true }))

const place = (file: string, text = 'theirs'): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
/** Nothing listens there: whatever gets as far as sending anything ends with 5. */
const target = ['--target', 'http://127.0.0.1:1', '--check', 'policies/errors/*']
const env = { ASSAY_TOKEN: 'unused' }

describe('a file of somebody else stays, and nothing is sent', () => {
  test.each([
    ['report.html', 'html'],
    ['result.json', 'html'],
    ['junit.xml', 'junit'],
    ['summary.md', 'markdown'],
    ['assay.sarif', 'sarif'],
    ['events.jsonl', 'html'],
    ['allure-results/other-result.json', 'allure'],
    ['allure-report.html', 'allure'],
    ['allure-history.jsonl', 'allure'],
  ])('%s', async (name, format) => {
    const file = join(out, name)
    place(file)
    const { code, err } = await assay(['run', ...target, '--out', out, '--format', format], env)
    const path = name.startsWith('allure-results') ? dirname(file) : file
    const words = `assay: ${path} was not written by assay: move it away, name another folder with --out, or add --overwrite\n`
    expect({ code, err }).toEqual({ code: 2, err: words })
    expect(readFileSync(file, 'utf8')).toBe('theirs')
    expect((await assay(['run', ...target, '--out', out, '--format', format, '--overwrite'], env)).code).toBe(5)
  })

  test('a recording', async () => {
    place(join(folder, 'answers/recording.json'))
    const { code, err } = await assay(['run', ...target, '--out', out, '--record', join(folder, 'answers')], env)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('name another folder with --record') })
  })

  test('a pipe and a dangling link', async () => {
    mkdirSync(out)
    execFileSync('mkfifo', [join(out, 'report.html')])
    symlinkSync('/nowhere/at/all', join(out, 'junit.xml'))
    const { code, err } = await assay(['run', ...target, '--out', out], env)
    expect(code).toBe(2)
    expect(err.split('\n').filter((line) => line.includes('was not written by assay'))).toHaveLength(2)
  })

  test('of a comparison, or of a target of a comparison', async () => {
    for (const name of ['compare.md', '2/report.html']) {
      const to = join(folder, `compare-${dirname(name)}`)
      place(join(to, name))
      const operands = ['http://127.0.0.1:1', 'http://127.0.0.1:1']
      const args = ['compare', ...operands, '--check', 'policies/errors/*', '--out', to]
      const { code, err } = await assay(args, { ASSAY_TOKEN_1: 'unused', ASSAY_TOKEN_2: 'unused' })
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`${name} was not written by assay`) })
    }
  })
})

test('our own files are replaced, and nothing empty is in the way', async () => {
  mkdirSync(join(out, 'allure-results'), { recursive: true })
  writeFileSync(join(out, 'report.html'), '')
  const formats = 'html,junit,markdown,sarif,codequality,github,coverage,badge,allure'
  const args = ['run', '--check', 'policies/errors/acl-create-*', '--out', out, '--format', formats, '--record', out]
  for (const _ of ['empty', 'ours']) {
    const { code, err } = await assay(args)
    expect(code, err).toBe(0)
  }
  const again = join(out, 'result.json')
  const fewer = formats.replace(',allure', '')
  expect((await assay(['render', again, '--format', fewer])).code).toBe(0)
  expect((await assay(['merge', again, '--out', out, '--format', fewer])).err).not.toContain('was not written')
  for (const _ of ['new', 'ours']) expect((await assay(['compare', again, again, '--out', out])).code).toBe(0)
  place(join(out, 'summary.md'))
  for (const args of [['render', again, '--format', 'markdown']]) {
    expect((await assay(args)).code).toBe(2)
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toBe('theirs')
    expect((await assay([...args, '--overwrite'])).code).toBe(0)
  }
  expect(existsSync(join(out, 'allure-results', 'environment.properties'))).toBe(true)
})
