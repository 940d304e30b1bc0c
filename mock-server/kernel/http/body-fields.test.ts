import { describe, expect, test } from 'vitest'
import { flagField, listField, mapField, numberField, requiredText, textField } from './body-fields.ts'

const readers = { textField, flagField, numberField, listField, mapField }

describe.each(Object.entries(readers))('%s', (_, read) => {
  test('an absent or null field is undefined', () => {
    expect(read({}, 'a')).toBeUndefined()
    expect(read({ a: null }, 'a')).toBeUndefined()
  })
})

test.each([
  ['text', () => textField({ a: 5 }, 'a'), '5'],
  ['flag', () => flagField({ a: 'false' }, 'a'), false],
  ['flag', () => flagField({ a: 1 }, 'a'), true],
  ['number', () => numberField({ a: '7' }, 'a'), 7],
  ['list', () => listField({ a: 'x, y,,z' }, 'a'), ['x', 'y', 'z']],
  ['list', () => listField({ a: ['x', ' y'] }, 'a'), ['x', 'y']],
  ['map', () => mapField({ a: { x: 1 } }, 'a'), { x: '1' }],
])('%s is read', (_, read, wanted) => expect(read()).toEqual(wanted))

test.each([
  [() => textField({ a: {} }, 'a'), 'a must be a string'],
  [() => flagField({ a: 'perhaps' }, 'a'), 'a must be true or false'],
  [() => numberField({ a: 1.5 }, 'a'), 'a must be a whole number'],
  [() => listField({ a: [1] }, 'a'), 'a must be a list of strings'],
  [() => mapField({ a: ['x'] }, 'a'), 'a must be a map of strings'],
  [() => requiredText({ a: '' }, 'a'), 'missing a'],
])('a field of the wrong type is refused: %#', (read, reason) => expect(read).toThrow(reason))
