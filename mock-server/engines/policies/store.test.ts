import { expect, test } from 'vitest'
import { Shelf, type Source, type Written } from './store.ts'

const written = (name: string, policy: string, builtIn = false): Written => ({
  ...{ name, policy, builtIn },
  ...{ enforcement_level: '', paths: [] },
})
const names = (shelf: Shelf, ...sources: readonly Source[]) =>
  shelf
    .view(sources)
    .all()
    .map((one) => one.name)

test('a name is created, updated and deleted, and its last two writes are remembered', () => {
  const shelf = new Shelf()
  expect(shelf.isEmpty).toBe(true)
  expect([1, 2, 3].map((turn) => shelf.put(written('p', `text ${turn}`)))).toEqual(['created', 'updated', 'updated'])
  expect(shelf.entry('p')?.history.map((one) => one.policy)).toEqual(['text 2', 'text 3'])
  expect(shelf.find('p')?.policy).toBe('text 3')
  expect([shelf.remove('p'), shelf.remove('p')]).toEqual([true, false])
  expect(shelf.find('p')).toBeUndefined()
  expect(shelf.entry('p')?.state).toBe('deleted')
  expect(shelf.isEmpty).toBe(false)
  expect(shelf.put(written('p', 'again'))).toBe('recreated')
  expect(shelf.entry('p')?.history.map((one) => one.policy)).toEqual(['text 3', 'again'])
})

test('a view contains only policies of its sources, sorted by name', () => {
  const shelf = new Shelf()
  for (const name of ['c', 'a', 'b']) shelf.put(written(name, ''))
  shelf.put(written('own', '', true))
  shelf.remove('b')
  expect(names(shelf, 'written')).toEqual(['a', 'c'])
  expect(names(shelf, 'built-in', 'deleted')).toEqual(['b', 'own'])
  expect(shelf.view(['written']).get('b')).toBeUndefined()
  expect(shelf.view(['deleted']).get('b')?.name).toBe('b')
})

test('the number of remembered deleted policies is limited', () => {
  const shelf = new Shelf()
  for (let turn = 0; turn < 1_500; turn++) {
    shelf.put(written(`p${turn}`, ''))
    shelf.remove(`p${turn}`)
  }
  expect(shelf.entries()).toHaveLength(1_000)
  expect(shelf.entry('p499')).toBeUndefined()
  expect(shelf.entry('p1499')?.state).toBe('deleted')
})
