import { describe, expect, test } from 'vitest'
import { checkResult, sampleResult } from '../commands/output/sample-results.test-bed.ts'
import { baselineFindings, regressedSince } from './baseline.ts'

test('a regression is a check that passed in the baseline and fails now', () => {
  const baseline = sampleResult({
    checks: [checkResult('a', 'pass'), checkResult('b', 'fail'), checkResult('c', 'pass')],
  })
  const now = [checkResult('a', 'fail'), checkResult('b', 'fail'), checkResult('c', 'accepted')]
  expect(regressedSince(baseline, now)).toEqual(['policies/errors/a'])
})

describe('a baseline', () => {
  const baseline = sampleResult({ checks: [checkResult('a', 'pass')] })
  const { url, name, facts } = baseline.target
  const same = { url, name, facts, checks: ['policies/errors/a'], embeddedName: 'the embedded one' }
  const findings = (now: object, before = baseline) => baselineFindings(before, { ...same, ...now })

  test('of the same server gives no finding, whatever its version', () => {
    expect(findings({})).toEqual([])
    expect(findings({ facts: { version: '9.9.9' } })).toEqual([])
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
    expect(findings(now)).toMatchObject([{ severity: 'warning', text: expect.stringContaining(text) }])
  })

  test.each(['fail', 'not-verified'] as const)('warns if it only has %s, since nothing can regress', (verdict) => {
    const before = sampleResult({ checks: [checkResult('a', verdict)] })
    expect(findings({}, before)).toMatchObject([
      { severity: 'warning', text: expect.stringMatching(/^no check of this run passed in the baseline, /) },
    ])
  })

  test('notes checks that it has no verdict on', () => {
    expect(findings({ checks: ['policies/errors/a', 'policies/errors/b'] })).toMatchObject([
      { severity: 'note', text: expect.stringContaining('no verdict on 1 of the 2 checks') },
    ])
  })

  test('of the embedded server may have had another port', () => {
    const embedded = { ...baseline, target: { ...baseline.target, name: 'the embedded one' } }
    expect(findings({ url: 'http://b', name: 'the embedded one' }, embedded)).toEqual([])
    expect(findings({ url: 'http://b' }, embedded)).toHaveLength(1)
  })
})
