import { expect, test } from 'vitest'
import { deepestJson, parseBoundedJson } from './body-fields.ts'

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

test.each([
  ['lists', lists],
  ['objects', objects],
])('%s are parsed down to the deepest level, and refused below it', (_, make) => {
  const text = make(deepestJson)
  expect(JSON.stringify(parseBoundedJson(text))).toBe(text)
  expect(() => parseBoundedJson(make(deepestJson + 1))).toThrow(/deeper than 256 levels/)
  expect(() => parseBoundedJson(make(1_000_000))).toThrow(RangeError)
})

test('brackets in strings, and values beside each other, do not add to the depth', () => {
  for (const value of [{ a: `${'['.repeat(2000)}"\\` }, Array(2000).fill([{}]), [`\\"${'{'.repeat(1000)}`, '\\']])
    expect(parseBoundedJson(JSON.stringify(value))).toEqual(value)
  expect(() => parseBoundedJson(`"${'['.repeat(1000)}`)).toThrow(SyntaxError)
})
