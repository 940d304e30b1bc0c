import { expect, test } from 'vitest'
import { nameSet } from './inventory.ts'

test('a set of names has exactly the names that it was made of', () => {
  const names = Array.from({ length: 2000 }, (_, index) => `name-${index}`)
  const set = nameSet([...names, ...names.slice(0, 3), 'naïve/'])
  expect([...names, 'naïve/'].filter((name) => !set.has(name))).toEqual([])
  const others = ['', 'name-', 'name-2000', 'NAME-1', 'naive/', 'name-1/']
  expect(others.filter((name) => set.has(name))).toEqual([])
  expect(nameSet([]).has('')).toBe(false)
})
