import { describe, expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/output/sample-results.test-bed.ts'
import type { Blocker, CheckResult, Verdict } from '../vocabulary/index.ts'
import { compactOf } from './compact.ts'
import { compactText, faultOfCompact } from './compact-text.ts'
import { comparisonOf } from './comparison.ts'

const law = { requirements: [], documents: { 1: 'One', 2: 'Two', 3: 'Three' } }
const blocked = (blocker: Partial<Blocker>, verdict: Verdict = 'not-applicable'): CheckResult => ({
  ...checkResult('a', verdict),
  blocker: { kind: 'area', reason: 'r', ...blocker },
})
const compact = (...checks: CheckResult[]) => ({ result: compactOf(sampleResult({ checks })) })
const compare = (first: CheckResult, second: CheckResult) =>
  comparisonOf([compact(first, checkResult('z', 'pass')), compact(second, checkResult('z', 'pass'))], law)

describe('a check that passes at the first server', () => {
  const pass = checkResult('a', 'pass')
  const feature = (wanted: string): Partial<Blocker> => ({ kind: 'feature', facts: { wanted } })
  const edition = (wanted: string): Partial<Blocker> => ({ kind: 'edition', facts: { wanted, seen: 'enterprise' } })
  test.each<[string, CheckResult, string | undefined, number]>([
    ['passes', checkResult('a', 'pass'), undefined, 0],
    ['fails', checkResult('a', 'fail'), 'worse', 4],
    ['is a warning', checkResult('a', 'warn'), 'weaker', 0],
    ['is accepted', checkResult('a', 'accepted'), undefined, 0],
    ['is not verified', blocked({ kind: 'need' }, 'not-verified'), 'undecided', 3],
    ['is an error', blocked({ kind: 'transport' }, 'error'), 'undecided', 3],
    ['is about an area that is absent', blocked({ kind: 'area' }), 'absent', 4],
    ['is about a feature that is absent', blocked(feature('targets with cloud.mfa')), 'absent', 4],
    ['is about targets without a feature', blocked(feature('targets without cloud.mfa')), undefined, 0],
    ['is about a higher edition', blocked(edition('edition premium')), 'absent', 4],
    ['is about a lower edition', blocked(edition('edition community')), undefined, 0],
    ['is about another version', blocked({ kind: 'version' }), undefined, 0],
    ['has another definition', { ...checkResult('a', 'fail'), when: 'POST y' }, 'redefined', 3],
  ])('and %s at the second', (_, second, kind, exitCode) => {
    const { servers, verdict } = compare(pass, second)
    expect(servers[0]?.changes).toEqual([])
    expect(servers[1]?.changes.map((change) => change.kind)).toEqual(kind ? [kind] : [])
    expect(verdict.exitCode).toBe(exitCode)
    expect(verdict.says).toHaveLength(1)
  })

  test('and was not run at the second', () => {
    const { servers, verdict } = comparisonOf([compact(pass), compact(checkResult('z', 'pass'))], law)
    expect(servers[1]?.changes).toEqual([{ kind: 'undecided', check: pass.id, was: 'pass', is: 'absent' }])
    expect(verdict.exitCode).toBe(3)
    expect(verdict.says[0]).toContain('1 check that passes there was not judged here')
  })
})

test('results of unlike registers are compared on what both have', () => {
  const of = (hash: string, ...checks: CheckResult[]) => {
    const { result } = compact(...checks)
    return { result: { ...result, register: { hash } } }
  }
  const newer = of('new', checkResult('a', 'pass'), checkResult('b', 'fail'))
  const { servers, rows, apart, verdict } = comparisonOf([newer, of('old', checkResult('a', 'pass'))], law)
  expect(servers[1]?.changes).toEqual([{ kind: 'redefined', check: 'policies/errors/b', was: 'fail', is: 'absent' }])
  expect(rows.map(({ cells }) => cells.map((one) => one?.verdict))).toEqual([['pass', 'pass']])
  expect(apart).toEqual([
    { missing: 0, redefined: 0 },
    { missing: 1, redefined: 0 },
  ])
  expect(verdict.exitCode).toBe(3)
})

test('a check that passes only at the second server is "better", and does not fail the comparison', () => {
  const { servers, verdict } = compare(checkResult('a', 'fail'), checkResult('a', 'pass'))
  expect(servers[1]?.changes.map(({ kind }) => kind)).toEqual(['better'])
  expect(verdict).toEqual({
    exitCode: 0,
    titles: ['127.0.0.1:8200 (2) is better than 127.0.0.1:8200 (1)'],
    says: ['127.0.0.1:8200 (2) is better than 127.0.0.1:8200 (1): 1 check that does not pass there passes here.'],
  })
})

test('a comparison is incomplete if nothing passes at the first server', () => {
  expect(comparisonOf([compact(blocked({})), compact(blocked({}))], law).verdict.exitCode).toBe(3)
})

test('a row has the worst verdict of its checks, with its causes', () => {
  const { rows } = comparisonOf([compact(checkResult('a', 'pass'), checkResult('b', 'fail'))], law)
  expect(rows).toMatchObject([{ id: 'policies.acl.write.policy-required', cells: [{ verdict: 'fail', causes: [0] }] }])
})

describe('the compact form', () => {
  const document = sampleResult({ checks: [checkResult('a', 'pass'), checkResult('b', 'fail')] })
  const { result } = compact(...document.checks)

  test('has one line per check, and can be read back', () => {
    const text = compactText(result)
    expect(JSON.parse(text)).toEqual(result)
    expect(faultOfCompact(JSON.parse(text))).toBeUndefined()
    expect(text.split('\n').filter((line) => line.includes('"policies/errors/'))).toHaveLength(2)
  })

  test('reports what is wrong with an invalid file', () => {
    expect(faultOfCompact({ ...result, checks: { a: {} } })).toContain('/checks/a')
  })

  test('contains neither the URL of the target nor exchanges nor evidence', () => {
    expect(compactText(result)).not.toMatch(/http:|exchanges|evidence/)
  })
})
