import { describe, expect, test } from 'vitest'
import { killsOf, type Matrix, problemsOf, withNoticed } from './kill-matrix.ts'

const whole: Matrix = {
  mutants: ['policies/a', 'policies/b'],
  checks: [
    { address: 'policies/errors/one', expectations: ['first', 'second'], mutants: ['policies/a', 'policies/b'] },
    { address: 'policies/errors/two', expectations: ['first'], mutants: ['policies/a'] },
  ],
  cells: [
    { mutant: 'policies/a', check: 'policies/errors/one', failed: [0] },
    { mutant: 'policies/b', check: 'policies/errors/one', failed: [1] },
    { mutant: 'policies/a', check: 'policies/errors/two', failed: [0] },
  ],
}

const codes = (matrix: Matrix): readonly string[] =>
  problemsOf(matrix).map((problem) => `${problem.code} ${problem.check ?? problem.mutant}`)

describe('kill matrix', () => {
  test('a complete matrix has no problems', () => {
    expect(problemsOf(whole)).toEqual([])
    expect(killsOf(whole)).toEqual({ killed: 3, named: 3 })
  })

  test('a surviving mutant names the check that missed it', () => {
    const matrix = { ...whole, cells: whole.cells.slice(0, 2) }
    expect(codes(matrix)).toEqual(['survives policies/errors/two', 'idle-expectation policies/errors/two'])
    expect(killsOf(matrix)).toEqual({ killed: 2, named: 3 })
  })

  test('a mutant survives if the expectation that notices it is removed', () => {
    const [one, two] = whole.checks
    if (!one || !two) throw new Error('two checks expected')
    const matrix = {
      ...whole,
      checks: [{ ...one, expectations: ['first'] }, two],
      cells: whole.cells.filter((cell) => cell.mutant !== 'policies/b'),
    }
    expect(codes(matrix)).toContain('survives policies/errors/one')
  })

  test('an expectation that never fails alone is a problem', () => {
    const cells = whole.cells.map((cell) => (cell.mutant === 'policies/b' ? { ...cell, failed: [0, 1] } : cell))
    expect(codes({ ...whole, cells })).toEqual(['idle-expectation policies/errors/one'])
  })

  test('a kill by a check that does not name the mutant is a problem', () => {
    const cells = [...whole.cells, { mutant: 'policies/b', check: 'policies/errors/two', failed: [0] }]
    expect(codes({ ...whole, cells })).toEqual(['unnamed-kill policies/errors/two'])
  })

  test('a kill by a mutant that changes nothing that the server reads is a problem', () => {
    const cells = whole.cells.map((cell) => (cell.mutant === 'policies/b' ? { ...cell, isUnmet: true as const } : cell))
    expect(codes({ ...whole, cells })).toEqual(['unmet-kill policies/errors/one'])
  })

  test('a record is brought up to date by what was noticed, keeps other checks, and drops those that are gone', () => {
    const cells = [
      ...whole.cells.filter(({ mutant }) => mutant !== 'policies/a'),
      { mutant: 'policies/c', check: 'policies/errors/one', failed: [1] },
      { mutant: 'policies/d', check: 'policies/errors/one', failed: [-1] },
      { mutant: 'policies/c', check: 'policies/errors/two', failed: [0] },
    ]
    const record = { 'policies/errors/unjudged': 'policies/a policies/b', 'policies/errors/gone': 'policies/a' }
    const addresses = ['policies/errors/unjudged', 'policies/errors/two', 'policies/errors/one']
    const updated = withNoticed(record, { ...whole, cells }, addresses)
    expect(Object.entries(updated)).toEqual([
      ['policies/errors/one', 'policies/b policies/c'],
      ['policies/errors/two', 'policies/c'],
      ['policies/errors/unjudged', 'policies/a policies/b'],
    ])
  })

  test('mutants that no check names, and names of unknown mutants, are problems', () => {
    expect(codes({ ...whole, mutants: [...whole.mutants, 'policies/c'] })).toEqual(['nobody-names policies/c'])
    expect(codes({ ...whole, mutants: ['policies/a'] })).toContain('unknown-mutant policies/errors/one')
  })
})
