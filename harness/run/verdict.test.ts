import { describe, expect, test } from 'vitest'
import type { Blocker, CheckResult, ExitCode, Level, Verdict } from '../vocabulary/index.ts'
import { assemble } from './document.ts'
import { type Circumstances, countsOf, exitCodeOf, verdictOf } from './verdict.ts'

const result = (verdict: Verdict, level: Level = 'must', kind?: Blocker['kind']): CheckResult => ({
  id: `policies/errors/${verdict}`,
  topic: 'policies/errors',
  area: 'policies',
  kind: 'errors',
  level,
  safety: 'scoped',
  requirements: [],
  verdict,
  ...(kind ? { blocker: { kind, reason: 'because' } } : {}),
  mismatches: [],
  given: [],
  when: '',
  then: [],
  exchanges: [],
  startedAt: '2026-11-20T00:00:00.000Z',
  durationMs: 1,
})

describe('the verdict of a run', () => {
  test.each([
    ['conformant', [result('pass'), result('warn', 'should'), result('deviation'), result('not-applicable')]],
    ['conformant', [result('pass'), result('not-verified', 'should')]],
    ['non-conformant', [result('fail'), result('not-verified')]],
    ['incomplete', [result('pass'), result('not-verified')]],
    ['incomplete', [result('pass'), result('error')]],
    ['incomplete', [result('not-applicable')]],
    ['incomplete', []],
  ] as const)('%s', (verdict, checks) => {
    expect(verdictOf(checks)).toBe(verdict)
  })

  test('counts name every verdict', () => {
    expect(countsOf([result('pass'), result('pass'), result('warn')])).toEqual({
      pass: 2,
      fail: 0,
      warn: 1,
      deviation: 0,
      'not-applicable': 0,
      'not-verified': 0,
      error: 0,
    })
  })
})

describe('the exit code', () => {
  const calm: Circumstances = {
    checks: [result('pass')],
    interrupted: false,
    leftBehind: [],
    defects: [],
    regressions: 0,
  }
  /** In order of precedence: each adds to those below it. */
  const worse: readonly (readonly [ExitCode, Partial<Circumstances>])[] = [
    [3, { checks: [result('pass'), result('not-verified')] }],
    [1, { checks: [result('fail'), result('not-verified')] }],
    [4, { regressions: 1 }],
    [3, { checks: [result('not-applicable')] }],
    [6, { checks: [result('fail'), result('error', 'must', 'suite')] }],
    [7, { leftBehind: ['POST x'] }],
    [130, { interrupted: true }],
  ]

  test('0 where all is well', () => {
    expect(exitCodeOf(calm)).toBe(0)
  })

  test('the graver fact decides', () => {
    let run = calm
    for (const [code, more] of worse) {
      run = { ...run, ...more }
      expect(exitCodeOf(run), JSON.stringify(more)).toBe(code)
    }
  })

  test('a broken transport is no defect, an error outside any check is', () => {
    expect(exitCodeOf({ ...calm, checks: [result('error', 'must', 'transport')] })).toBe(3)
    expect(exitCodeOf({ ...calm, defects: ['a topic cannot be imported'] })).toBe(6)
  })
})

test('the document says what was left and what broke', () => {
  const document = assemble({
    suite: { name: 'assay', version: '0', commit: null },
    requirements: [],
    run: {
      id: 'r1',
      startedAt: '',
      finishedAt: '',
      durationMs: 1,
      judgingMs: 1,
      seed: 1,
      jobs: 1,
      safety: 'scoped',
      selection: { areas: [], checks: [], level: 'should' },
      interrupted: false,
    },
    target: {
      url: 'http://x.invalid',
      name: 'x',
      dialect: 'vault',
      insecure: false,
      declared: {},
      observed: {},
      facts: {},
      evidence: {},
      capabilities: [],
      probe: [],
    },
    findings: [],
    checks: [result('pass')],
    leftBehind: ['POST x'],
    defects: ['broken'],
  })
  expect(document).toMatchObject({ verdict: 'conformant', exitCode: 7, counts: { pass: 1 } })
  expect(document.findings.map(({ code }) => code)).toEqual(['suite-defect', 'left-behind'])
  expect(document.register.hash).toMatch(/^[0-9a-f]{64}$/)
})
