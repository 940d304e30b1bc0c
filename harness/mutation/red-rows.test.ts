import { describe, expect, test } from 'vitest'
import { checkResult } from '../commands/output/sample-results.test-bed.ts'
import { redRowsIn, widthsOf } from './red-rows.ts'

const rows = (count: number) => Array.from({ length: count }, (_, index) => `row.${index}`)
const faults = [1, 1, 1, 2, 7].map((count, index) => ({ fault: `pki/fault-${index}`, rows: rows(count) }))

describe('rows red per fault', () => {
  test('are the contradicted rows of the results, each once', () => {
    const at = { asked: 'GET x', at: 'status', wanted: '200', saw: '500' }
    const results = ['one', 'two'].map((id) => ({
      ...checkResult(id, 'fail'),
      requirements: ['row'],
      mismatches: [at],
    }))
    expect(redRowsIn([...results, checkResult('three', 'pass')], [])).toEqual(['row'])
  })

  test('have a median and a 95th percentile, without faults that nobody notices', () => {
    const { faults: counted, median, p95, worst } = widthsOf([...faults, { fault: 'pki/unseen', rows: [] }])
    expect([counted, median, p95, worst[0]?.fault]).toEqual([5, 1, 7, 'pki/fault-4'])
    const { areas } = widthsOf([...faults, { fault: 'mfa/fault', rows: rows(2) }])
    expect(areas).toEqual([
      { area: 'pki', faults: 5, median: 1, p95: 7, most: 7 },
      { area: 'mfa', faults: 1, median: 2, p95: 2, most: 2 },
    ])
  })

  test('must be few, unless there is an excuse', () => {
    expect(widthsOf(faults).problems).toEqual([expect.stringContaining('pki/fault-4 makes 7 rows red')])
    expect(widthsOf(faults, [{ fault: 'pki/*-4', reason: 'it is wide' }]).problems).toEqual([])
  })

  test('must be three at most under 95 % of the faults of an area, excused or not', () => {
    const of = (wide: number, all: number) =>
      Array.from({ length: all }, (_, at) => ({ fault: `pki/fault-${at}`, rows: rows(at < wide ? 4 : 3) }))
    expect(widthsOf(of(2, 40)).problems).toEqual([expect.stringContaining('pki: 5 % of the faults make 4 rows red')])
    expect([...widthsOf(of(1, 40)).problems, ...widthsOf(of(20, 20)).problems]).toEqual([])
  })

  test('are counted in each area by itself', () => {
    const twice = [...rows(4), ...rows(5).map((row) => `other.${row}`)]
    const { problems, worst } = widthsOf([{ fault: 'kernel/fault', rows: twice }])
    expect([problems, worst[0]?.rows.length]).toEqual([[], 5])
  })

  test('refuse an excuse that is not needed', () => {
    const excuses = ['pki/fault-4', 'pki/fault-1', 'mfa/other'].map((fault) => ({ fault, reason: 'it is wide' }))
    expect(widthsOf(faults, excuses).problems).toEqual([expect.stringContaining('the excuse for pki/fault-1')])
    const kind = { fault: 'pki/*', reason: 'it is wide', isKind: true } as const
    expect(widthsOf(faults.slice(0, 4), [kind]).problems).toEqual([])
  })
})
