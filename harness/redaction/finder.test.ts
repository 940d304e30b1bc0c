import { expect, test } from 'vitest'
import { Finder } from './finder.ts'

function finderOf(texts: readonly string[]): Finder {
  const finder = new Finder()
  for (const text of texts) finder.addExact(text, 'token')
  return finder
}

const found = (finder: Finder, text: string) => finder.find(text)?.map(({ start, end }) => text.slice(start, end))

test('finds every text at any position', () => {
  const texts = ['sixsix', 's.beginsAlike-one', 's.beginsAlike-two', 'a much longer text, of which the key is inside']
  const finder = finderOf(texts)
  expect(found(finder, `<${texts.join('><')}>`)).toEqual(texts)
  expect(found(finder, 's.beginsAlike-three')).toEqual([])
})

test('merges overlapping texts, whichever is found first', () => {
  const finder = finderOf(['abcdefgh', 'efghijklmnopqrstuvwxyz', 'stuvwxyz0123'])
  expect(found(finder, '<abcdefghijklmnopqrstuvwxyz0123>')).toEqual(['abcdefghijklmnopqrstuvwxyz0123'])
})

test('gives up on a text that was crafted to take long', () => {
  const alike = 'a'.repeat(60)
  const finder = finderOf(Array.from({ length: 2000 }, (_, index) => `${alike}${index}`))
  expect(finder.find('a'.repeat(100_000))).toBeUndefined()
  expect(found(finder, `b${alike}7`)).toEqual([`${alike}7`])
})

/** Returns windows with the same hash: each bit flips the lowest bit of a letter and the case of the next one. */
function windowAlike(bits: number): string {
  const codes = Array.from('bdfhjlnprtvx', (letter) => letter.charCodeAt(0))
  for (const [bit, at] of [0, 1, 2, 3, 4, 6, 7, 8, 9, 10].entries()) {
    if (((bits >> bit) & 1) === 0) continue
    codes[at] = (codes[at] ?? 0) ^ 1
    codes[at + 1] = (codes[at + 1] ?? 0) ^ 32
  }
  return String.fromCharCode(...codes)
}

test('gives up on a text whose windows were crafted to collide in the index', () => {
  const windows = Array.from({ length: 1024 }, (_, bits) => windowAlike(bits))
  const known = windows.slice(0, 512).join('')
  const others = windows.slice(512).join('')
  const finder = new Finder()
  for (let copy = 0; copy < 100; copy++) finder.addWrapped(known, 'key')
  expect(finder.find(others.repeat(40))).toBeUndefined()
  expect(found(finder, known.slice(600, 660))).toEqual([known.slice(600, 660)])
})
