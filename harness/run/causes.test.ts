import { describe, expect, test } from 'vitest'
import { checkResult } from '../commands/sample-results.test-bed.ts'
import { type Blocker, blockerOf, type CheckResult, type Mismatch, type Verdict } from '../vocabulary/index.ts'
import { causesOf } from './causes.ts'

let made = 0
const finding = (mismatches: readonly Mismatch[], more: Partial<CheckResult> = {}): CheckResult => {
  const id = `check-${++made}`
  return {
    ...checkResult(id, 'fail'),
    requirements: [`policies.row-${id}`],
    mismatches: mismatches.map((mismatch, expectation) => ({ ...mismatch, expectation })),
    ...more,
  }
}
const status = (asked: string, saw: string, wanted = '2xx'): Mismatch => ({ asked, at: 'status', wanted, saw })
const field = (asked: string, at: string, wanted: string, saw: string): Mismatch => ({ asked, at, wanted, saw })
const summaries = (checks: readonly CheckResult[]) =>
  causesOf(checks).map(({ says, checks: ids }) => [says, ids.length])

describe('causes', () => {
  test('group findings of one contradicted exchange, whatever was judged there', () => {
    const checks = [
      finding([status('LIST sys/plugins/catalog', '405 unsupported operation')]),
      finding([field('GET x', 'name', '"a"', '"b"'), status('LIST sys/plugins/catalog', '405')]),
      finding([status('LIST sys/plugins/catalog', '405')], { verdict: 'warn' }),
    ]
    expect(causesOf(checks)).toEqual([
      {
        verdict: 'fail',
        says: '`LIST sys/plugins/catalog` answers 405',
        checks: checks.map(({ id }) => id),
      },
    ])
  })

  test('replace throw-away names by their words, and group findings whatever word a check uses', () => {
    const path = (n: number, role: string) => `POST assay-0a1b2c3d-${n}-pki/roles/assay-0a1b2c3d-${n}-${role}`
    const checks = [path(1, 'role'), path(2, 'role'), path(3, 'other')].map((asked) => finding([status(asked, '500')]))
    expect(summaries(checks)).toEqual([['`POST {pki}/roles/{role}` answers 500', 3]])
  })

  test('use the names of the documents for parts of a path', () => {
    const law = [
      'sys/plugins/catalog',
      'sys/plugins/catalog/auth',
      'sys/plugins/catalog/:type/:name',
      '{pki}/roles/:name',
    ]
    const checks = ['auth', 'secret', 'database'].map((type) =>
      finding([status(`LIST sys/plugins/catalog/${type}`, '405')]),
    )
    expect(causesOf(checks, law).map(({ says }) => says)).toEqual(['`LIST sys/plugins/catalog/{type}` answers 405'])
    const role = finding([status('GET assay-0a1b2c3d-1-pki/roles/assay-0a1b2c3d-1-other', '404')])
    const foreign = finding([status('GET theirs/roles/own', '500')])
    expect(causesOf([role, foreign], law).map(({ says }) => says)).toEqual([
      '`GET {pki}/roles/{name}` answers 404',
      '`GET theirs/roles/own` answers 500',
    ])
  })

  test('replace ids by {id}', () => {
    const checks = [
      'GET identity/mfa/method/totp/0f8c3a1e-1111-4222-8333-444455556666',
      'GET identity/mfa/method/totp/0f8c3a1e-1111-4222-8333-444455557777',
    ].map((asked) => finding([status(asked, '404')]))
    expect(summaries(checks)).toEqual([['`GET identity/mfa/method/totp/{id}` answers 404', 2]])
  })

  test('keep the engines of two areas apart, which may be mounted under any name', () => {
    const pki = finding([status('GET assay-0a1b2c3d-1-mount/roles/assay-0a1b2c3d-1-role', '500')], { area: 'pki' })
    const cloud = finding([status('GET assay-0a1b2c3d-2-mount/roles/assay-0a1b2c3d-2-role', '500')], { area: 'cloud' })
    expect(causesOf([pki, cloud])).toHaveLength(2)
  })

  test('distinguish statuses, expectations and fields of one exchange', () => {
    const checks = [
      finding([status('GET x', '405')]),
      finding([status('GET x', '200', '404')]),
      finding([status('GET x', '204', '4xx or 5xx')]),
      finding([field('GET x', 'ttl', '3600', '0')]),
      finding([field('GET x', 'max_ttl', '3600', '0')]),
    ]
    expect(summaries(checks).map(([says]) => says)).toEqual([
      '`GET x` answers 405',
      '`GET x` answers 200 and not 404',
      '`GET x` answers 204 and not 4xx or 5xx',
      '`GET x` differs from the documents in `ttl`: wanted 3600, saw 0',
      '`GET x` differs from the documents in `max_ttl`: wanted 3600, saw 0',
    ])
  })

  test('leave values out if they differ', () => {
    const checks = [finding([field('GET x', 'ttl', '3600', '0')]), finding([field('GET x', 'ttl', '7200', '0')])]
    expect(summaries(checks)).toEqual([['`GET x` differs from the documents in `ttl`', 2]])
  })

  test('name the row that several requests contradict', () => {
    const requirements = ['pki.root.generate.no-overwrite']
    const checks = [
      finding([status('POST a', '200', '4xx or 5xx')], { requirements }),
      finding([status('POST b', '200', '4xx or 5xx')], { requirements }),
      finding([status('POST c', '200', '4xx or 5xx')]),
    ]
    expect(summaries(checks)).toEqual([
      ['replies to 2 requests contradict `pki.root.generate.no-overwrite`', 2],
      ['`POST c` answers 200 and not 4xx or 5xx', 1],
    ])
  })

  test('are sorted by verdict, and then by the number of findings', () => {
    const warned = [1, 2, 3].map(() => finding([status('GET w', '405')], { verdict: 'warn' }))
    const failed = [finding([status('GET a', '405')]), ...[1, 2].map(() => finding([status('GET b', '405')]))]
    expect(summaries([...warned, ...failed]).map(([says]) => says)).toEqual([
      '`GET b` answers 405',
      '`GET a` answers 405',
      '`GET w` answers 405',
    ])
  })

  test('group checks by their obstacle', () => {
    const blocked = (verdict: Verdict, reason: string, n: number): CheckResult => ({
      ...checkResult(`${verdict}-${n}`, verdict),
      blocker: { kind: 'given', reason, mend: 'see it' },
    })
    const causes = causesOf([
      blocked('not-verified', 'POST assay-*-pki/roles/assay-*-role answered 500', 1),
      blocked('not-verified', 'POST assay-*-pki/roles/assay-*-other answered 500', 2),
      blocked('not-applicable', 'POST assay-*-pki/roles/assay-*-other answered 500', 3),
    ])
    expect(causes).toMatchObject([
      { verdict: 'not-verified', says: '`POST {pki}/roles/{role}` answered 500', mend: 'see it', obstacle: 'given' },
      { verdict: 'not-applicable' },
    ])
    expect(causes[0]?.checks).toHaveLength(2)
  })

  test('group checks that rest on the same check, whatever they saw', () => {
    const resting = (n: number, see: string): CheckResult => ({
      ...checkResult(`resting-${n}`, 'not-verified'),
      blocker: { kind: 'rests-on', code: 'rests-on', reason: `GET x${n} showed user-${n}x`, mend: `see ${see}` },
    })
    const causes = causesOf([resting(1, 'names'), resting(2, 'names'), resting(3, 'lengths')])
    expect(causes.map(({ checks, mend }) => [mend, checks.length])).toEqual([
      ['see names', 2],
      ['see lengths', 1],
    ])
  })

  test('group obstacles with the same remedy, and separate those whose requests have to be looked at one by one', () => {
    let n = 0
    const blocked = (blocker: Blocker): CheckResult => ({ ...checkResult(`blocked-${++n}`, 'not-verified'), blocker })
    const denied = ['POST a', 'POST a', 'GET b', 'LIST c', 'PUT d'].map((asked) =>
      blocked(blockerOf('step-denied', { asked, answer: '403' })),
    )
    const refused = ['POST a', 'GET b'].map((asked) => blocked(blockerOf('step-refused', { asked, answer: '500' })))
    const causes = causesOf([...denied, ...refused])
    expect(causes.map(({ says, code, checks }) => [says, code, checks.length])).toEqual([
      ['`POST a` was denied (403); `GET b` was denied (403); and 2 more like these', 'step-denied', 5],
      ['`POST a` answered 500', 'step-refused', 1],
      ['`GET b` answered 500', 'step-refused', 1],
    ])
    expect(causes[0]?.mend).toMatch(/assay plan --policy/)
  })

  test('contain each finding exactly once, and nothing else', () => {
    const verdicts = ['pass', 'fail', 'warn', 'error', 'not-verified', 'not-applicable', 'accepted'] as const
    const checks = Array.from({ length: 140 }, (_, n) =>
      finding([status(`GET x${n % 5}`, '405'), field(`GET y${n % 3}`, 'ttl', '1', '2')], {
        verdict: verdicts[n % verdicts.length] ?? 'pass',
        requirements: [`policies.row-${n % 4}`],
      }),
    )
    const below = causesOf(checks).flatMap((cause) => cause.checks)
    const explained = checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'accepted')
    expect(below.toSorted()).toEqual(explained.map(({ id }) => id).toSorted())
  })
})
