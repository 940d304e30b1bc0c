import { describe, expect, test } from 'vitest'
import { mutantSet } from './rule-set.ts'
import { changedCells, nameOf, watched } from './watched-tables.ts'

const inner = { limit: 3, rule: (value: number) => value }
const plain = { rows: { one: inner, two: { limit: 4, rule: inner.rule } }, list: [1, 2], word: 'kept' }

describe('cells in which tables differ', () => {
  const cellsBetween = (changed: object): readonly string[] => changedCells(plain, changed).map(nameOf)

  test('a changed value, function or list is one cell', () => {
    const rows = { ...plain.rows, one: { limit: 3, rule: (value: number) => value } }
    expect(cellsBetween({ ...plain, rows, list: [1] })).toEqual(['rows.one.rule', 'list'])
  })

  test('an added cell also changes the outline of its table', () => {
    expect(cellsBetween({ ...plain, more: undefined })).toEqual(['{}'])
    expect(cellsBetween({ ...plain, more: 1 })).toEqual(['{}', 'more'])
  })

  test('another order of cells changes the outline', () => {
    const { rows, ...others } = plain
    expect(cellsBetween({ ...others, rows })).toEqual(['{}'])
  })
})

describe('watched tables', () => {
  const watching = () => {
    const [read, called]: [string[], string[]] = [[], []]
    const tables = watched(plain, { read: (cell) => read.push(cell), called: (cell) => called.push(cell) })
    return { read, called, tables }
  }

  test('report each cell once, after the tables that contain it', () => {
    const { read, tables } = watching()
    expect([tables.rows.one.limit, tables.rows.one.limit]).toEqual([3, 3])
    expect(read).toEqual(['rows', 'rows.one', 'rows.one.limit'])
  })

  test('report copies, `in`, and reads of cells that do not exist', () => {
    const { read, tables } = watching()
    expect([{ ...tables.rows.one }.limit, 'word' in tables, Reflect.get(tables, 'none')]).toEqual([3, true, undefined])
    expect(read).toEqual(['rows', 'rows.one', 'rows.one.{}', 'rows.one.limit', 'rows.one.rule', 'word', 'none'])
  })

  test('return the same object at each read, and report every call', () => {
    const { called, tables } = watching()
    expect(tables.rows.one).toBe(tables.rows.one)
    expect([tables.rows.one.rule, tables.rows.one.rule].map((rule) => rule(2))).toEqual([2, 2])
    expect(called).toEqual(['rows.one.rule', 'rows.one.rule'])
  })
})

describe('a watched set of mutants', () => {
  const whole = { word: 'kept', list: [1, 2], rule: (value: number) => value, seen: (one: object) => one === undefined }
  type Whole = typeof whole
  const mutant = (id: string, changed: Partial<Whole>) => ({
    id,
    does: '',
    change: (tables: Whole) => ({ ...tables, ...changed }),
  })
  const mutants = [
    mutant('a/word', { word: 'changed' }),
    mutant('a/list', { list: [] }),
    mutant('a/above-two', { rule: (value) => (value > 2 ? 0 : value) }),
    mutant('a/throws', { rule: (value) => (value === 1 ? 1 : Number(Symbol() as unknown)) }),
    mutant('a/objects', { seen: (one) => one === undefined }),
  ]
  let tables = whole
  const set = mutantSet(
    whole,
    () => mutants,
    (changed) => {
      tables = changed
    },
  )
  const met: string[] = []
  const metBy = (act: () => unknown): readonly string[] => {
    act()
    return met.splice(0)
  }

  test('reports the mutants that change what is read, or what a function returns', () => {
    set.watch((id) => met.push(id))
    expect(metBy(() => tables.word)).toEqual(['a/word'])
    expect(metBy(() => tables.rule(1))).toEqual([])
    expect(metBy(() => tables.rule(2))).toEqual(['a/throws'])
    expect(metBy(() => tables.rule(3))).toEqual(['a/above-two'])
    expect(metBy(() => tables.rule(3))).toEqual([])
  })

  test('does not repeat calls with objects, which the function might change', () => {
    set.watch((id) => met.push(id))
    expect(metBy(() => tables.seen({}))).toEqual(['a/objects'])
  })

  test('is no longer watched after the next load', () => {
    set.load(new Set())
    expect(tables).toBe(whole)
  })
})
