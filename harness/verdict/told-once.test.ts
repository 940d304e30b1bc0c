import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkResult } from '../commands/output/sample-results.test-bed.ts'
import {
  blockerOf,
  brokenBy,
  type CheckResult,
  type FoundMismatch,
  sentencesIn,
  verdictOn,
} from '../vocabulary/index.ts'
import { toldOnce, withFurther } from './told-once.ts'

const names = 'pki.issue.whole'
const at = (part: string, requirement?: string): FoundMismatch => ({
  ...{ asked: 'POST pki/issue/leaf', at: part, wanted: 'none', saw: 'more' },
  ...(requirement ? { requirement } : {}),
})
const register = [
  { id: names, level: 'must' },
  { id: 'pki.advice', level: 'should' },
] as const
const levelOf = (id: string) => register.find((one) => one.id === id)?.level ?? 'must'

/** The result of a check of `row.<id>` alone, which met these mismatches besides its own. */
function met(id: string, further: readonly FoundMismatch[], own: Partial<CheckResult> = {}): CheckResult {
  const { verdict = 'pass', mismatches = [], blocker, requirements = [`row.${id}`] } = own
  const outcome = { verdict, mismatches, ...(blocker ? { blocker } : {}) }
  const whole = withFurther(outcome, { broken: further, deciding: requirements }, levelOf)
  return {
    ...checkResult(id, whole.verdict),
    requirements,
    ...whole,
    mismatches: whole.mismatches ?? [],
  } as CheckResult
}
const verdicts = (results: readonly CheckResult[]) =>
  results.map(({ id, verdict }) => `${id.split('/').at(-1)} ${verdict}`)
const restsOf = ({ rests = [] }: CheckResult) =>
  rests.map(({ requirement, check }) => `${requirement} by ${check.split('/').at(-1)}`)

describe('a check alone', () => {
  test('fails under the requirement of a condition, and keeps what it found itself', () => {
    const alone = met('a', [at('DNS SAN', names)])
    expect(alone).toMatchObject({ verdict: 'fail', own: { verdict: 'pass' } })
    expect(brokenBy(alone)).toEqual([names])
    expect([verdictOn(alone, names), verdictOn(alone, 'row.a')]).toEqual(['fail', 'pass'])
  })

  test('only warns if the requirement of the condition is advice', () => {
    expect(met('a', [at('DNS SAN', 'pki.advice')]).verdict).toBe('warn')
  })

  test('decides a condition that is its own requirement', () => {
    const alone = met('a', [at('DNS SAN', names)], { requirements: [names, 'row.a'] })
    expect([alone.verdict, alone.own, brokenBy(alone)]).toEqual(['fail', undefined, [names]])
    expect(verdictOn(alone, 'row.a')).toBe('pass')
  })

  test('holds its own statement if all that it found is reported elsewhere', () => {
    const passed = {
      ...checkResult('a', 'pass'),
      requirements: ['row.a'],
      own: { verdict: 'fail', mismatches: [] },
    } as const
    expect(verdictOn(passed, 'row.a')).toBe('pass')
    expect(sentencesIn([passed], new Map(), 'must').decided).toEqual(new Set(['row.a']))
  })

  test('reports what may come from something else only if it found nothing else', () => {
    const second = { ...at('subject', names), isSecond: true as const }
    expect(brokenBy(met('a', [second]))).toEqual([names])
    expect(brokenBy(met('a', [second, at('path', 'pki.advice')]))).toEqual(['pki.advice'])
    expect(brokenBy(met('a', [second], { verdict: 'fail', mismatches: [at('status')] }))).toEqual(['row.a'])
  })

  test('keeps a defect of the suite as it is', () => {
    expect(met('a', [at('DNS SAN', names)], { verdict: 'error' })).toMatchObject({ verdict: 'error', mismatches: [] })
  })
})

describe('all checks of a run', () => {
  const decider = met('d', [at('DNS SAN', names)], { requirements: [names] })
  const blocked = {
    verdict: 'not-verified',
    blocker: blockerOf('unreadable', { asked: 'GET x', answer: '200' }),
  } as const
  const warned = { verdict: 'warn', mismatches: [at('status')] } as const

  test('report a condition by the check that decides it; the others keep their verdicts and rest on it', () => {
    const results = toldOnce(
      [met('a', [at('DNS SAN', names)]), met('b', [at('DNS SAN', names)], warned), met('c', []), decider],
      register,
    )
    expect(verdicts(results)).toEqual(['a pass', 'b warn', 'c pass', 'd fail'])
    expect(results.map(restsOf)).toEqual([[`${names} by d`], [`${names} by d`], [], []])
    expect(results.flatMap(brokenBy)).toEqual(['row.b', names])
  })

  test('report a condition by the first check that met it, if no check that decides it did', () => {
    const results = toldOnce([met('a', [at('DNS SAN', names)]), met('b', [at('DNS SAN', names)])], register)
    expect(verdicts(results)).toEqual(['a fail', 'b pass'])
    expect(results.flatMap(brokenBy)).toEqual([names])
    expect(results.map(restsOf)).toEqual([[], [`${names} by a`]])
  })

  test('leave a check not verified that could not read what it decides', () => {
    const [first, second] = toldOnce([decider, met('b', [at('DNS SAN', names)], blocked)], register)
    expect(second).toMatchObject({
      verdict: 'not-verified',
      blocker: { code: 'rests-on', facts: { check: first?.id } },
    })
  })

  const more = { verdict: 'fail', mismatches: [{ ...at('DNS SAN'), beyond: ['DNS SAN'] }] } as const

  test('explain a mismatch that only shows more than was wanted by the condition that it breaks', () => {
    const results = toldOnce([met('a', [at('DNS SAN', names)], more), decider], register)
    expect(verdicts(results)).toEqual(['a pass', 'd fail'])
    expect(results.map(restsOf)).toEqual([[`${names} by d`], []])
  })

  test('report such a mismatch by a check that decides it, if the check of the condition does not see it', () => {
    const others = [met('b', [at('DNS SAN', names)]), met('c', [at('DNS SAN', names)], more)]
    const results = toldOnce(
      [others[0], met('a', [at('DNS SAN', names)], more), others[1]].flatMap((one) => one ?? []),
      register,
    )
    expect(verdicts(results)).toEqual(['b pass', 'a fail', 'c pass'])
    expect(results.flatMap(brokenBy)).toEqual(['row.a'])
    expect(results.map(restsOf)).toEqual([[`${names} by a`], [`${names} by a`], [`${names} by a`]])
  })

  test('do not explain a mismatch in another part, or one with something else', () => {
    const lacking = { verdict: 'fail', mismatches: [at('DNS SAN')] } as const
    const results = toldOnce(
      [met('a', [at('key usage', names)], more), met('b', [at('DNS SAN', names)], lacking), decider],
      register,
    )
    expect(verdicts(results)).toEqual(['a fail', 'b fail', 'd fail'])
  })

  test('give the same when they are joined out of shards', () => {
    const parts = [[met('a', [at('DNS SAN', names)])], [met('b', [at('DNS SAN', names)], blocked)], [decider]]
    const joined = toldOnce(
      parts.flatMap((part) => toldOnce(part, register)),
      register,
    )
    expect(joined).toEqual(toldOnce(parts.flat(), register))
    expect(verdicts(joined)).toEqual(['a pass', 'b not-verified', 'd fail'])
    expect(toldOnce(joined, register)).toEqual(joined)
  })

  const both = met('both', [], { verdict: 'fail', mismatches: [at('status')], requirements: ['row.x', 'row.y'] })
  const failed = { verdict: 'fail', mismatches: [at('status')] } as const

  test('blame that of several requirements which other checks contradict, or which none holds', () => {
    const brokenIn = (...others: readonly CheckResult[]) =>
      toldOnce([both, ...others], register)
        .slice(0, 1)
        .flatMap(brokenBy)
    expect(brokenIn()).toEqual(['row.x', 'row.y'])
    expect(brokenIn(met('y', [], failed))).toEqual(['row.y'])
    expect(brokenIn(met('x', []))).toEqual(['row.y'])
    expect(brokenIn(met('x', []), met('y', []))).toEqual(['row.x'])
    expect(brokenIn(met('other', [], { ...failed, requirements: ['row.y', 'row.z'] }))).toEqual(['row.y'])
    const joined = toldOnce([...toldOnce([both], register), ...toldOnce([met('x', [])], register)], register)
    expect(joined).toEqual(toldOnce([both, met('x', [])], register))
  })

  test('blame that of several requirements which explains more of the results, if others hold all of them', () => {
    const of = (id: string, ...requirements: readonly string[]) => ({ ...both, id, requirements })
    const holding = [met('x', []), met('y', []), met('z', [])]
    const red = (...some: readonly CheckResult[]) => toldOnce([...some, ...holding], register).flatMap(brokenBy)
    expect(red(of('1', 'row.x', 'row.y'), of('2', 'row.z', 'row.y'))).toEqual(['row.y', 'row.y'])
    expect(red(of('1', 'row.x', 'row.y'))).toEqual(['row.x'])
  })

  test('blame that of several requirements on which others rest', () => {
    const law = [{ id: 'row.y', level: 'must', underlies: [{ rows: ['row.b'] }] }, ...register] as const
    const [first] = toldOnce([both, met('b', [], failed)], law)
    expect(first && brokenBy(first)).toEqual(['row.y'])
  })

  test('let a check rest on a contradicted requirement that underlies the part by which it judges', () => {
    const law = [{ id: 'row.base', level: 'must', underlies: [{ parts: ['* SAN'] }] }, ...register] as const
    const wrong = (id: string, part: string) => met(id, [], { verdict: 'fail', mismatches: [at(part)] })
    const all = [wrong('base', 'DNS SAN'), wrong('b', 'DNS SAN'), wrong('c', 'status')]
    const results = toldOnce(all, law)
    expect(verdicts(results)).toEqual(['base fail', 'b not-verified', 'c fail'])
    expect(results[1]?.blocker).toMatchObject({ code: 'rests-on', facts: { check: results[0]?.id } })
    expect(toldOnce(results, law)).toEqual(results)
    expect(verdicts(toldOnce(all.slice(1), law))).toEqual(['b fail', 'c fail'])
  })

  test('let a check rest on a contradicted requirement that all its requirements presume', () => {
    const law = [
      { id: 'row.base', level: 'must', underlies: [{ parts: ['POST status'], rows: ['row.{b,x}*'] }] },
      ...register,
    ] as const
    const wrong = (id: string, requirements = [`row.${id}`]) =>
      met(id, [], { verdict: 'fail', mismatches: [at('status')], requirements })
    const all = [wrong('base'), wrong('b'), wrong('c'), wrong('x', ['row.x', 'row.c'])]
    const results = toldOnce(all, law)
    expect(verdicts(results)).toEqual(['base fail', 'b not-verified', 'c fail', 'x fail'])
    expect(results[1]?.blocker).toMatchObject({ code: 'rests-on', facts: { check: results[0]?.id } })
    expect(toldOnce(results, law)).toEqual(results)
    expect(verdicts(toldOnce([met('base', []), ...all.slice(1, 2)], law))).toEqual(['base pass', 'b fail'])
  })
  test('let a mismatch rest on a requirement that its check decides, too, but by another expectation', () => {
    const law = [
      { id: 'row.base', level: 'must', underlies: [{ parts: ['POST status'], rows: ['row.b'] }] },
      ...register,
    ] as const
    const all = [
      met('base', [], { verdict: 'fail', mismatches: [at('body')] }),
      met('b', [], { verdict: 'fail', mismatches: [at('status', 'row.b')], requirements: ['row.b', 'row.base'] }),
    ]
    expect(verdicts(toldOnce(all, law))).toEqual(['base fail', 'b not-verified'])
  })

  test('let an earlier requirement rest on a later one that underlies it, unless it underlies that one itself', () => {
    const base = (id: string, ...rows: readonly string[]) => ({ id, level: 'must', underlies: [{ rows }] }) as const
    const wrong = (id: string) => met(id, [], { verdict: 'fail', mismatches: [at('status')] })
    const all = [wrong('a'), wrong('b'), wrong('c')]
    const under = (...law: readonly ReturnType<typeof base>[]) => verdicts(toldOnce(all, law))
    const [a, b] = [base('row.a', 'row.c'), base('row.b', 'row.a')]
    expect(under(a, b)).toEqual(['a not-verified', 'b fail', 'c not-verified'])
    expect(under(base('row.a', 'row.b'), b)).toEqual(['a fail', 'b not-verified', 'c fail'])
    // Each of the three underlies another, so that none of them rests on a later one.
    expect(under(a, b, base('row.c', 'row.b'))).toEqual(['a fail', 'b fail', 'c not-verified'])
  })

  test('never let all checks that contradict something rest on each other', () => {
    const names = fc.subarray(['a', 'b', 'c', 'd', 'x', 'y'], { minLength: 1 })
    const rows = names.map((some) => some.map((id) => `row.${id}`))
    const law = fc.uniqueArray(
      fc.record({
        id: names.map(([id]) => `row.${id}`),
        underlies: fc.tuple(fc.record({ rows: fc.oneof(rows, fc.constant(['row.*'])) })),
      }),
      { selector: ({ id }) => id, minLength: 2 },
    )
    fc.assert(
      fc.property(law, fc.array(rows, { minLength: 1, maxLength: 5 }), (underlying, deciding) => {
        const all = deciding.map((requirements, index) =>
          met(String(index), [], { verdict: 'fail', mismatches: [at('status')], requirements }),
        )
        const told = toldOnce(
          all,
          underlying.map((one) => ({ ...one, level: 'must' as const })),
        )
        expect(told.flatMap(brokenBy)).not.toEqual([])
      }),
      { numRuns: 2000, seed: 37 },
    )
  })
})
