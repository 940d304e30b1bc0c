import { expect, test } from 'vitest'
import { replicationTables } from '../tables/index.ts'
import { areas, kinds } from './cells.ts'
import { mutants } from './index.ts'

test('ids are unique and begin with an area of replication', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  for (const { id } of mutants) expect(kinds.map((kind) => areas[kind])).toContain(id.split('/')[0])
})

test.each(mutants)('$id changes only tables of its own kind of replication', ({ id, change }) => {
  const changed = change(replicationTables)
  for (const kind of kinds) {
    const isOwn = id.startsWith(`${areas[kind]}/`)
    if (isOwn) expect(changed[kind]).not.toEqual(replicationTables[kind])
    else expect(changed[kind]).toBe(replicationTables[kind])
  }
})
