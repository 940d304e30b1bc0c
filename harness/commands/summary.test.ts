import { describe, expect, test } from 'vitest'
import type { Area, CheckResult } from '../vocabulary/index.ts'
import { checkResult, sampleResult } from './sample-results.test-bed.ts'
import { summary } from './summary.ts'

const plain = (_style: string, text: string) => text
const open = (id: string): CheckResult => ({
  ...checkResult(id, 'not-verified'),
  blocker: { kind: 'need', reason: 'the profile does not provide clusters', mend: 'describe clusters in the profile' },
})

describe('the summary', () => {
  const failed: CheckResult = {
    ...checkResult('a', 'fail'),
    mismatches: [{ asked: 'POST x', at: 'status', wanted: 'a refusal (4xx or 5xx)', saw: '204', expectation: 0 }],
  }
  const text = summary(
    sampleResult({ checks: [failed, open('b'), open('c')], leftBehind: ['assay-a1-1-policy (acl policies)'] }),
    plain,
  )

  test('begins with the verdict, the target and the counts by area', () => {
    expect(text).toMatch(
      /^left-behind {2}http:\/\/127\.0\.0\.1:8200 \(version unknown, edition unknown\)\n1 object of the run is left on the target; 1 of 1 must check failed; 2 must checks .*\n(- .*\n){3}\narea /,
    )
    expect(text).toMatch(/\npolicies +0 +1 +0 +0 +2 +0 +0\n/)
  })

  test('counts in words where the table would not fit', () => {
    const text = summary(sampleResult({ checks: [failed, open('b'), open('c')] }), plain, 40)
    expect(text).toContain('\n\npolicies: 1 fail, 2 not verified\n\n')
  })

  test('says what was wanted and what was seen', () => {
    expect(text).toContain('Failed\n  policies/errors/a\n    POST x: status is a refusal (4xx or 5xx); saw 204')
  })

  test('lets no area and no topic hide others where not all are shown', () => {
    const many = (topic: string, area: Area, count: number): CheckResult[] =>
      Array.from({ length: count }, (_, at) => ({
        ...checkResult('', 'fail'),
        id: `${topic}/check-${at}`,
        topic,
        area,
      }))
    const checks = [
      ...many('policies/errors', 'policies', 30),
      ...many('policies/access', 'policies', 2),
      ...many('pki/errors', 'pki', 3),
      ...many('cloud/errors', 'cloud', 25),
    ]
    const [, failures = ''] = /\nFailed\n([\s\S]*)$/.exec(summary(sampleResult({ checks }), plain)) ?? []
    const lines = failures.split('\n').map((line) => line.trim())
    const shown = (prefix: string) => lines.filter((line) => line.startsWith(prefix)).length
    expect(lines).toHaveLength(20 + 2)
    expect(['policies/errors/', 'policies/access/', 'pki/', 'cloud/'].map(shown)).toEqual([7, 2, 3, 8])
    expect(lines[9]).toBe('… 23 more in policies: see the report')
    expect(lines.at(-1)).toBe('… 17 more in cloud: see the report')
    expect(failures).not.toContain('more in pki')
  })

  test('names what is accepted, with its reason and who answers for it', () => {
    const accepted = { was: 'fail', at: 'a.yaml:1:3', reason: 'cached', owner: 'me', until: '2027-01-01' } as const
    const text = summary(sampleResult({ checks: [{ ...checkResult('a', 'accepted'), accepted }] }), plain)
    expect(text).toContain('Accepted\n  policies/errors/a (fail, until 2027-01-01, me): cached')
  })

  test('puts checks with the same cause together', () => {
    expect(text).toContain(
      'Not verified\n  2 checks: the profile does not provide clusters (describe clusters in the profile)\n    policies/errors/b, policies/errors/c',
    )
  })

  test('begins with the cause that stands in the way of most', () => {
    const rare = { ...open('a'), blocker: { kind: 'need', reason: 'a rare reason' } as const }
    const causes = summary(sampleResult({ checks: [rare, open('b'), open('c')] }), plain)
    expect(causes.indexOf('2 checks: the profile')).toBeLessThan(causes.indexOf('1 check: a rare reason'))
    expect(causes).toContain('2 checks: the profile')
  })

  test('names what was left behind', () => {
    expect(text).toContain('Left behind\n  assay-a1-1-policy (acl policies)')
  })
})
