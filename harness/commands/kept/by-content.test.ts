import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Checkout, findByContent, keepByContent } from './by-content.ts'

const home = mkdtempSync(join(tmpdir(), 'assay-kept-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const checkoutAt = (name: string, since = Number.POSITIVE_INFINITY): Checkout => {
  const root = join(home, name)
  return {
    root,
    since,
    files: () => ['one.ts', 'two.ts'].map((file) => join(root, file)),
    // Each access returns a new map, as in another process.
    get digests() {
      return new Map()
    },
  }
}
const place = (root: string): string => join(root, 'node_modules/.cache/assay/outline.json')
const checkout = checkoutAt('checkout')

beforeEach(() => {
  rmSync(checkout.root, { recursive: true, force: true })
  mkdirSync(checkout.root)
  for (const file of checkout.files()) writeFileSync(file, 'as it was')
})

test('cached data are found while the loaded files are the same', () => {
  expect(findByContent('outline', checkout)).toBeUndefined()
  keepByContent('outline', { some: 'data' }, checkout)
  expect(findByContent('outline', checkout)).toEqual({ some: 'data' })
  expect(findByContent('places', checkout)).toBeUndefined()
})

test('nothing is found once a file has other content, even with the same time and length', () => {
  const [file = ''] = checkout.files()
  utimesSync(file, 1, 1)
  keepByContent('outline', { some: 'data' }, checkout)
  writeFileSync(file, 'as it is!')
  utimesSync(file, 1, 1)
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test('nothing is found once a file is gone', () => {
  keepByContent('outline', { some: 'data' }, checkout)
  rmSync(join(checkout.root, 'two.ts'))
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test('a copy of a checkout checks its own files', () => {
  keepByContent('outline', { some: 'data' }, checkout)
  const copy = checkoutAt('copy')
  cpSync(checkout.root, copy.root, { recursive: true })
  expect(findByContent('outline', copy)).toEqual({ some: 'data' })
  writeFileSync(join(copy.root, 'two.ts'), 'as it is!')
  expect(findByContent('outline', copy)).toBeUndefined()
  expect(findByContent('outline', checkout)).toEqual({ some: 'data' })
})

test('nothing is cached if a file changed after the start, because the older version may have been loaded', () => {
  keepByContent('outline', { some: 'data' }, { ...checkout, since: 1 })
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test('nothing is cached or found if the loaded files are not known', () => {
  keepByContent('outline', { some: 'data' }, checkout)
  expect(findByContent('outline', { ...checkout, files: () => [] })).toBeUndefined()
  rmSync(place(checkout.root))
  keepByContent('outline', { some: 'data' }, { ...checkout, files: () => [] })
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test.each([
  ['half its text', (text: string) => text.slice(0, text.length / 2)],
  ['an entry without files', () => '{"digest":"","files":[],"data":{"some":"other"}}'],
  ['another digest', (text: string) => text.replace(/"digest":"./, '"digest":"x')],
  ['null', () => 'null'],
])('a cache file with %s is ignored', (_, spoil) => {
  keepByContent('outline', { some: 'data' }, checkout)
  const file = place(checkout.root)
  writeFileSync(file, spoil(readFileSync(file, 'utf8')))
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test('a folder that cannot be written to causes no error', () => {
  writeFileSync(join(checkout.root, 'node_modules'), 'a file')
  chmodSync(checkout.root, 0o500)
  keepByContent('outline', { some: 'data' }, checkout)
  chmodSync(checkout.root, 0o700)
  expect(findByContent('outline', checkout)).toBeUndefined()
})
