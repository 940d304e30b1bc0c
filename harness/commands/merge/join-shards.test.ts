import { describe, expect, test } from 'vitest'
import { applyAccepted } from '../../acceptance/apply.ts'
import { observedOf } from '../../acceptance/observed.ts'
import type { CheckResult, ResultDocument } from '../../vocabulary/index.ts'
import { checkResult, sampleResult } from '../output/sample-results.test-bed.ts'
import { join } from './join-shards.ts'

const today = '2026-01-01'
const all = ['a', 'b', 'c'].map((id) => `policies/errors/${id}`)

const shard = (index: number, checks: readonly CheckResult[], run: Partial<ResultDocument['run']> = {}, of = 2) => ({
  file: `${index}.json`,
  document: sampleResult({
    checks,
    run: {
      id: `run${index}`,
      shard: { index, of },
      selection: { areas: ['policies'], asked: [], checks: all, level: 'should' },
      ...run,
    },
  }),
})

const one = shard(1, [checkResult('a', 'pass'), checkResult('c', 'fail')])
const two = shard(2, [checkResult('b', 'pass')])

describe('shards', () => {
  test('can be given in any order; the checks of the joined result are in the order of the suite', () => {
    const whole = join([two, one])
    expect(whole.checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      'policies/errors/a pass',
      'policies/errors/b pass',
      'policies/errors/c fail',
    ])
    expect(whole).toMatchObject({
      verdict: { word: 'non-conformant', exitCode: 1 },
      counts: { pass: 2, fail: 1 },
      run: { id: 'run1+run2', durationMs: 2000 },
    })
    expect(whole.run.shard).toBeUndefined()
    const timings = [{ name: 'judge', startMs: 0, durationMs: 1 }]
    expect(join([shard(1, one.document.checks, { timings }), two]).run.timings).toBeUndefined()
  })

  test('that left something behind make a joined result that did', () => {
    const { document } = two
    const dirty = { ...two, document: { ...document, leftBehind: ['a policy'] } }
    expect(join([one, dirty])).toMatchObject({ verdict: { exitCode: 7 }, leftBehind: ['a policy'] })
  })

  test('apply the list of accepted findings to the whole run', () => {
    const failed = checkResult('c', 'fail')
    const row = { check: [''], reason: 'known', owner: 'me', until: '2027-01-01', verdict: 'fail' } as const
    const entry = (id: string) => ({
      ...row,
      at: `a.yaml:${id}`,
      checks: [`policies/errors/${id}`],
      observed: [observedOf(failed) ?? ''],
    })
    const accepted = [entry('b'), entry('c')]
    const { results, outdated } = applyAccepted([checkResult('a', 'pass'), failed], accepted, { today, isShard: true })
    expect({ verdicts: results.map(({ verdict }) => verdict), outdated }).toEqual({
      verdicts: ['pass', 'accepted'],
      outdated: [],
    })
    const [first, second] = [shard(1, results), shard(2, [checkResult('b', 'pass')])]
    const of = (part: typeof one) => ({ ...part, document: { ...part.document, accepted } })
    const whole = join([of(first), of(second)])
    expect(whole.verdict).toMatchObject({ word: 'outdated', accepted: { fail: 1 }, title: 'outdated (1 accepted)' })
    expect(whole.verdict.reasons).toMatchObject([{ facts: { entries: [expect.stringMatching(/^a\.yaml:b: /)] } }])
    expect(() => join([of(first), second])).toThrow('the list of accepted findings differs')
  })

  test('without any check are not missing', () => {
    const rest = shard(2, [])
    const first = shard(1, [checkResult('a', 'pass'), checkResult('b', 'pass'), checkResult('c', 'pass')])
    expect(join([first, rest])).toMatchObject({ verdict: { word: 'conformant', exitCode: 0 } })
  })

  test.each([
    ['missing', [one], 'shard 2 of 2 is missing'],
    ['duplicated', [one, two, { ...two, file: 'again.json' }], 'again.json and 2.json are both shard 2'],
    ['of another run', [one, shard(2, [checkResult('b', 'pass')], { seed: 2 })], 'of different runs: the seed differs'],
    ['one of another number of shards', [one, shard(2, [], {}, 3)], 'the number of shards differs'],
    [
      'a whole run',
      [{ file: 'x.json', document: sampleResult({ checks: [] }) }],
      'x.json is the result of a whole run',
    ],
    ['incomplete', [one, shard(2, [])], 'policies/errors/b is in no shard'],
  ])('that are %s are rejected', (_, parts, words) => {
    expect(() => join(parts)).toThrow(words)
  })
})
