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
    // Each look is that of another process.
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

test('what is kept is found while the files that were loaded are the same', () => {
  expect(findByContent('outline', checkout)).toBeUndefined()
  keepByContent('outline', { some: 'data' }, checkout)
  expect(findByContent('outline', checkout)).toEqual({ some: 'data' })
  expect(findByContent('places', checkout)).toBeUndefined()
})

test('nothing is found once one of them has other content, at the same time and as long', () => {
  const [file = ''] = checkout.files()
  utimesSync(file, 1, 1)
  keepByContent('outline', { some: 'data' }, checkout)
  writeFileSync(file, 'as it is!')
  utimesSync(file, 1, 1)
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test('nothing is found once one of them is gone', () => {
  keepByContent('outline', { some: 'data' }, checkout)
  rmSync(join(checkout.root, 'two.ts'))
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test('a copy of a checkout looks at its own files', () => {
  keepByContent('outline', { some: 'data' }, checkout)
  const copy = checkoutAt('copy')
  cpSync(checkout.root, copy.root, { recursive: true })
  expect(findByContent('outline', copy)).toEqual({ some: 'data' })
  writeFileSync(join(copy.root, 'two.ts'), 'as it is!')
  expect(findByContent('outline', copy)).toBeUndefined()
  expect(findByContent('outline', checkout)).toEqual({ some: 'data' })
})

test('nothing is kept where a file changed after the start, since the older one may have been loaded', () => {
  keepByContent('outline', { some: 'data' }, { ...checkout, since: 1 })
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test('nothing is kept, or found, where nobody noted which files were loaded', () => {
  keepByContent('outline', { some: 'data' }, checkout)
  expect(findByContent('outline', { ...checkout, files: () => [] })).toBeUndefined()
  rmSync(place(checkout.root))
  keepByContent('outline', { some: 'data' }, { ...checkout, files: () => [] })
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test.each([
  ['half a file', (text: string) => text.slice(0, text.length / 2)],
  ['an entry of no files', () => '{"digest":"","files":[],"data":{"some":"other"}}'],
  ['another digest', (text: string) => text.replace(/"digest":"./, '"digest":"x')],
  ['null', () => 'null'],
])('%s counts as nothing', (_, spoil) => {
  keepByContent('outline', { some: 'data' }, checkout)
  const file = place(checkout.root)
  writeFileSync(file, spoil(readFileSync(file, 'utf8')))
  expect(findByContent('outline', checkout)).toBeUndefined()
})

test('a folder that cannot be written to is no obstacle', () => {
  writeFileSync(join(checkout.root, 'node_modules'), 'a file')
  chmodSync(checkout.root, 0o500)
  keepByContent('outline', { some: 'data' }, checkout)
  chmodSync(checkout.root, 0o700)
  expect(findByContent('outline', checkout)).toBeUndefined()
})
