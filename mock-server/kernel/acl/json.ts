import { type Cursor, jsonEscapes } from './cursor.ts'
import type { Entry, Value } from './document.ts'

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Parses a document in JSON. The errors of `JSON.parse` have no line and column, so it is not used. */
export function parseJson(cursor: Cursor): Value {
  cursor.skipBlanks()
  const document = value(cursor)
  cursor.skipBlanks()
  if (!cursor.done) cursor.fail(`expected the end of the document, found ${cursor.found()}`)
  return document
}

function value(cursor: Cursor): Value {
  const at = cursor.at
  if (cursor.next === '"') return { kind: 'string', at, value: cursor.quoted(jsonEscapes) }
  if (cursor.next === '[') return { kind: 'list', at, items: members(cursor, '[', ']', () => value(cursor)) }
  if (cursor.next === '{') return { kind: 'object', at, entries: members(cursor, '{', '}', () => entry(cursor)) }
  if (cursor.skip('true')) return { kind: 'boolean', at, value: true }
  if (cursor.skip('false')) return { kind: 'boolean', at, value: false }
  if (cursor.skip('null')) return { kind: 'null', at }
  const digits = cursor.take(number)
  if (digits === '') cursor.fail(`expected a JSON value, found ${cursor.found()}`)
  return { kind: 'number', at, value: Number(digits) }
}

function entry(cursor: Cursor): Entry {
  const at = cursor.at
  if (cursor.next !== '"') cursor.fail(`expected a name in double quotes, found ${cursor.found()}`)
  const key = cursor.quoted(jsonEscapes)
  cursor.skipBlanks()
  if (!cursor.skip(':')) cursor.fail(`expected ":", found ${cursor.found()}`)
  cursor.skipBlanks()
  return { key, at, value: value(cursor) }
}

function members<T>(cursor: Cursor, open: string, close: string, member: () => T): readonly T[] {
  const all: T[] = []
  cursor.skip(open)
  return cursor.nested(() => {
    cursor.skipBlanks()
    if (cursor.skip(close)) return all
    for (;;) {
      cursor.skipBlanks()
      all.push(member())
      cursor.skipBlanks()
      if (cursor.skip(close)) return all
      if (!cursor.skip(',')) cursor.fail(`expected "," or "${close}", found ${cursor.found()}`)
    }
  })
}
