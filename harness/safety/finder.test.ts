import { expect, test } from 'vitest'
import { Finder } from './finder.ts'

function finderOf(texts: readonly string[]): Finder {
  const finder = new Finder()
  for (const text of texts) finder.addExact(text, 'token')
  return finder
}

const found = (finder: Finder, text: string) => finder.find(text)?.map(({ start, end }) => text.slice(start, end))

test('finds every text wherever it stands', () => {
  const texts = ['sixsix', 's.beginsAlike-one', 's.beginsAlike-two', 'a much longer text, of which the key is inside']
  const finder = finderOf(texts)
  expect(found(finder, `<${texts.join('><')}>`)).toEqual(texts)
  expect(found(finder, 's.beginsAlike-three')).toEqual([])
})

test('covers all that two overlapping texts cover, whichever is found first', () => {
  const finder = finderOf(['abcdefgh', 'efghijklmnopqrstuvwxyz', 'stuvwxyz0123'])
  expect(found(finder, '<abcdefghijklmnopqrstuvwxyz0123>')).toEqual(['abcdefghijklmnopqrstuvwxyz0123'])
})

test('does not search a text that was made to take long', () => {
  const alike = 'a'.repeat(60)
  const finder = finderOf(Array.from({ length: 2000 }, (_, index) => `${alike}${index}`))
  expect(finder.find('a'.repeat(100_000))).toBeUndefined()
  expect(found(finder, `b${alike}7`)).toEqual([`${alike}7`])
})
