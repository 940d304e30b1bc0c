import { describe, expect, test } from 'vitest'
import { mutantSet } from './mutant-set.ts'
import { cellsBetween, watched } from './watched-tables.ts'

const inner = { limit: 3, rule: (value: number) => value }
const plain = { rows: { one: inner, two: { limit: 4, rule: inner.rule } }, list: [1, 2], word: 'kept' }

describe('cells in which tables differ', () => {
  test('a changed value, function or list is one cell', () => {
    const changed = { ...plain, rows: { ...plain.rows, one: { limit: 3, rule: (value: number) => value } }, list: [1] }
    expect(cellsBetween(plain, changed)).toEqual(['.rows.one.rule', '.list'])
  })

  test('a cell that is added also changes which cells there are', () => {
    expect(cellsBetween(plain, { ...plain, more: undefined })).toEqual(['{}'])
    expect(cellsBetween(plain, { ...plain, more: 1 })).toEqual(['{}', '.more'])
  })

  test('so does another order', () => {
    const { rows, ...others } = plain
    expect(cellsBetween(plain, { ...others, rows })).toEqual(['{}'])
  })
})

describe('tables that are watched', () => {
  const watching = () => {
    const read: string[] = []
    return { read, tables: watched(plain, (cell) => read.push(cell)) }
  }

  test('tell each cell once, with all above it', () => {
    const { read, tables } = watching()
    expect([tables.rows.one.limit, tables.rows.one.limit]).toEqual([3, 3])
    expect(read).toEqual(['.rows', '.rows.one', '.rows.one.limit'])
  })

  test('are copied, looked into and asked for cells that they lack', () => {
    const { read, tables } = watching()
    expect([{ ...tables.rows.one }.limit, 'word' in tables, Reflect.get(tables, 'none')]).toEqual([3, true, undefined])
    expect(read).toEqual(['.rows', '.rows.one', '.rows.one{}', '.rows.one.limit', '.rows.one.rule', '.word', '.none'])
  })

  test('hold the same table at each reading', () => {
    const { tables } = watching()
    expect(tables.rows.one).toBe(tables.rows.one)
    expect(tables.rows.one.rule).toBe(inner.rule)
  })
})

test('a set of mutants tells those of which something is read', () => {
  const mutants = [
    { id: 'a/longer', does: '', change: (tables: typeof plain) => ({ ...tables, word: 'longer' }) },
    { id: 'a/shorter', does: '', change: (tables: typeof plain) => ({ ...tables, list: [] }) },
  ]
  let tables = plain
  const set = mutantSet(plain, mutants, (changed) => {
    tables = changed
  })
  const met: string[] = []
  set.watch((id, cell) => met.push(`${id} ${cell}`))
  expect(tables.word).toBe('kept')
  expect(met).toEqual(['a/longer .word'])
  set.load(new Set())
  expect(tables).toBe(plain)
})
