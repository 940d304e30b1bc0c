import { expect, test } from 'vitest'
import { cloudTables } from '../tables/index.ts'
import { mutants } from './index.ts'

test('ids are unique and begin with this area', () => {
  const ids = mutants.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^cloud\/[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([])
})

/** Compares functions by identity, so that a cell with another function counts as changed. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  const at = (value: object, name: string): unknown => (value as Record<string, unknown>)[name]
  return names.length === others.length && names.every((name) => isSame(at(one, name), at(other, name)))
}

test.each(mutants)('$id changes exactly one table', ({ change }) => {
  const changed = change(cloudTables)
  const tables = Object.keys(cloudTables) as (keyof typeof cloudTables)[]
  expect(tables.filter((name) => !isSame(changed[name], cloudTables[name]))).toHaveLength(1)
})
