import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/sample-results.test-bed.ts'
import { baselineFindings, regressions } from './baseline.ts'
import { applyDeviations, loadDeviations } from './deviations.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-deviations-'))
afterAll(() => rmSync(folder, { recursive: true }))

const known = ['policies/errors/a', 'policies/errors/b']
const match = (glob: string) => ({
  addresses: known.filter((id) => id.startsWith(glob.replace('*', ''))),
  near: ['policies/errors/a'],
})

function load(text: string) {
  const file = join(folder, 'known.yaml')
  writeFileSync(file, text)
  return loadDeviations(file, {}, match)
}

const listed = '- check: policies/errors/*\n  reason: old\n  issue: https://issues.example/7\n'

describe('a list of deviations', () => {
  test('makes listed fails deviations, with their reason', () => {
    const results = [checkResult('a', 'fail'), checkResult('b', 'not-applicable'), checkResult('c', 'fail')]
    const applied = applyDeviations(results, load(listed), '2026-01-01')
    expect(applied.results.map(({ verdict }) => verdict)).toEqual(['deviation', 'not-applicable', 'fail'])
    expect(applied.results[0]?.deviation).toEqual({ reason: 'old', issue: 'https://issues.example/7' })
    expect(applied.findings).toEqual([])
  })

  test('must not list what passes', () => {
    const { findings } = applyDeviations([checkResult('a', 'pass')], load(listed), '2026-01-01')
    expect(findings).toMatchObject([{ severity: 'error', code: 'deviation-stale' }])
  })

  test.each([
    ['2026-01-31', 'deviation', 0],
    ['2026-02-01', 'fail', 1],
  ])('holds to the end of its last day: on %s it is a %s', (today, verdict, stale) => {
    const applied = applyDeviations([checkResult('a', 'fail')], load(`${listed}  until: 2026-01-31\n`), today)
    expect(applied.results[0]?.verdict).toBe(verdict)
    expect(applied.findings.length).toBe(stale)
  })

  test.each([
    [
      '- check: polcies/x\n  reason: y',
      'known.yaml:1:10: "polcies/x" matches no check; did you mean "policies/errors/a"?',
    ],
    ['- check: policies/errors/a', 'known.yaml:1:3: "0.reason" is missing: add it'],
    [`${listed}  untl: 2026-01-01`, 'unknown key "untl"; did you mean "until"?'],
    [`${listed}  until: soon`, '"0.until" is not of the form wanted: the last day it holds'],
  ])('%j is refused', (text, fault) => {
    expect(() => load(text)).toThrow(fault)
  })
})

test('a regression is a check that passed in the baseline and fails now', () => {
  const baseline = sampleResult({
    checks: [checkResult('a', 'pass'), checkResult('b', 'fail'), checkResult('c', 'pass')],
  })
  const now = [checkResult('a', 'fail'), checkResult('b', 'fail'), checkResult('c', 'deviation')]
  expect(regressions(baseline, now)).toMatchObject([
    { code: 'regression', text: expect.stringContaining('policies/errors/a fails now') },
  ])
})

describe('a baseline', () => {
  const baseline = sampleResult({ checks: [checkResult('a', 'pass')] })
  const { url, name, facts } = baseline.target
  const same = { url, name, facts, checks: ['policies/errors/a'], embeddedName: 'the embedded one' }
  const told = (now: object, before = baseline) => baselineFindings(before, { ...same, ...now })

  test('of the same server is no news, whatever its version', () => {
    expect(told({})).toEqual([])
    expect(told({ facts: { version: '9.9.9' } })).toEqual([])
  })

  test.each([
    [{ url: 'http://b' }, 'is of another server (http://127.0.0.1:8200, not http://b): '],
    [{ facts: { edition: 'premium' } }, 'is of another edition (unknown, not premium): '],
    [
      { url: 'http://b', facts: { edition: 'premium' } },
      'another server (http://127.0.0.1:8200, not http://b) and of another edition (unknown, not premium)',
    ],
    [{ checks: ['policies/errors/b'] }, 'none of the checks of this run'],
  ])('warns of %j', (now, text) => {
    expect(told(now)).toMatchObject([{ severity: 'warning', text: expect.stringContaining(text) }])
  })

  test('notes what it cannot tell about', () => {
    expect(told({ checks: ['policies/errors/a', 'policies/errors/b'] })).toMatchObject([
      { severity: 'note', text: expect.stringContaining('no verdict on 1 of the 2 checks') },
    ])
  })

  test('of the embedded server may have had another port', () => {
    const embedded = { ...baseline, target: { ...baseline.target, name: 'the embedded one' } }
    expect(told({ url: 'http://b', name: 'the embedded one' }, embedded)).toEqual([])
    expect(told({ url: 'http://b' }, embedded)).toHaveLength(1)
  })
})
