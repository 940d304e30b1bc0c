import { describe, expect, test } from 'vitest'
import { checkResult } from '../commands/output/sample-results.test-bed.ts'
import { brokenBy, type Check, type CheckResult, get, post, refusalOf, refused, unseen } from '../vocabulary/index.ts'
import { toldOnce } from './told-once.ts'
import { verdictOf } from './verdict.ts'

const rows = ['first', 'a', 'b', 'c', 'd']
const law = rows.map((id) => ({ id: `row.${id}`, level: 'must', requests: ['POST things/:name'] }) as const)

interface Wanted {
  readonly holds?: boolean
  readonly operation?: string
  readonly row?: string
  readonly isMalformed?: true
}

/** The result of a check which wants a request to `operation` refused. The request was served unless `holds` is true. */
function wanted(
  id: string,
  { holds = false, operation = 'POST things/{thing}', row = id, ...more }: Wanted = {},
): CheckResult {
  const served = { asked: 'POST things/x', at: 'status', wanted: '4xx or 5xx', saw: '204', expectation: 0 }
  return {
    ...checkResult(id, holds ? 'pass' : 'fail'),
    ...{ requirements: [`row.${row}`], mismatches: holds ? [] : [served] },
    refusal: { operation, expectation: 0, ...more },
  }
}
const told = (...results: readonly CheckResult[]) => toldOnce(results, law)
const red = (results: readonly CheckResult[]) => results.flatMap(brokenBy)

describe('an operation that refuses nothing', () => {
  const all = ['c', 'b', 'first', 'a'].map((id) => wanted(id))

  test('contradicts the first of its statements about refusals; the checks of the others rest on that one', () => {
    const results = told(...all)
    expect(red(results)).toEqual(['row.first'])
    expect(results.map(({ verdict }) => verdict)).toEqual(['not-verified', 'not-verified', 'fail', 'not-verified'])
    expect(results[0]).toMatchObject({
      blocker: { code: 'rests-on', facts: { check: results[2]?.id } },
      rests: [{ requirement: 'row.first' }],
    })
    const nothing = {
      leftBehind: [],
      defects: [],
      regressed: [],
      outdated: [],
      asked: [],
      absentAreas: [],
      leftOut: [],
    }
    const run = { checks: results, interrupted: false, isShard: false, ...nothing }
    expect(verdictOf(run).exitCode).toBe(1)
    expect(toldOnce(results, law)).toEqual(results)
  })

  test('contradicts a must, even if advice comes first', () => {
    const [first, ...others] = law
    const results = toldOnce(all, [{ ...first, id: 'row.first', level: 'should' }, ...others])
    expect(red(results)).toEqual(['row.a'])
  })

  test('may still refuse what it cannot read', () => {
    const [content, isMalformed] = [[wanted('a'), wanted('b'), wanted('c')], true as const]
    expect(red(told(wanted('first', { isMalformed, holds: true }), ...content))).toEqual(['row.a'])
    expect(red(told(wanted('first', { isMalformed }), ...content))).toEqual(['row.a'])
  })

  test('is the same under all names, whatever the law calls them', () => {
    const results = told(wanted('a'), wanted('b', { operation: 'POST things/other' }), wanted('c'))
    expect(red(results)).toEqual(['row.a'])
  })
})

describe('missing refusals are independent', () => {
  test('if the operation refuses one thing that another statement is about', () => {
    const some = [wanted('a'), wanted('b'), wanted('c')]
    expect(red(told(...some, wanted('d', { holds: true })))).toEqual(['row.a', 'row.b', 'row.c'])
    expect(red(told(...some, wanted('d', { holds: true, row: 'a' })))).toEqual(['row.a'])
    const other = wanted('d', { holds: true, operation: 'POST others/{thing}' })
    expect(red(told(...some, other))).toEqual(['row.a'])
  })

  test('if there are only two, which may well be two bugs', () => {
    expect(red(told(wanted('a'), wanted('b')))).toEqual(['row.a', 'row.b'])
  })

  test('if one of the shards of a run has a refusal', () => {
    const shards = [[wanted('a'), wanted('b'), wanted('c')], [wanted('d', { holds: true })]]
    const joined = told(...shards.flatMap((shard) => told(...shard)))
    expect(joined).toEqual(told(...shards.flat()))
    expect(red(joined)).toEqual(['row.a', 'row.b', 'row.c'])
  })
})

describe('a check decides a refusal of what a request says', () => {
  const when = post('things/{thing}', { size: 'none' })
  const body: Omit<Check, 'id'> = {
    requirement: 'row.a',
    ...{ when, then: [refused(unseen('there is no read'))], mutants: ['x/y'] },
  }
  const refusal = { operation: 'POST things/{thing}', expectation: 0 }

  test('if the same caller sends a request to the same path that is served', () => {
    const right = post('things/{thing}', { size: 1 })
    expect(refusalOf({ ...body, control: right })).toEqual(refusal)
    expect(refusalOf({ ...body, given: [get('things'), right] })).toEqual(refusal)
    expect(refusalOf(body)).toBeUndefined()
    expect(refusalOf({ ...body, control: { ...right, as: 'guest' } })).toBeUndefined()
    expect(refusalOf({ ...body, control: post('things/{other}', { size: 1 }) })).toBeUndefined()
  })
})
