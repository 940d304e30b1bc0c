import { type Cursor, hclEscapes } from './cursor.ts'
import type { Entry, Value } from './document.ts'

const identifier = /[\p{L}_][\p{L}\p{N}_.-]*/uy
const number = /-?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const heredocMark = /<<-?[\p{L}\p{N}_]+\r?\n/uy
const wordEnd = /[\p{L}\p{N}_.-]/u

/** Parses a document in HCL: blocks `path "x" { … }` and attributes `key = value`, with optional commas between
 * them. */
export function parseHcl(cursor: Cursor): readonly Entry[] {
  const entries = body(cursor, '')
  if (!cursor.done) cursor.fail(`expected a block or an attribute, found ${cursor.found()}`)
  return entries
}

function body(cursor: Cursor, end: '' | '}'): readonly Entry[] {
  const entries: Entry[] = []
  for (;;) {
    cursor.skipSpace()
    if (cursor.done || (end !== '' && cursor.next === end)) return entries
    entries.push(entry(cursor))
    cursor.skipSpace()
    cursor.skip(',')
  }
}

function entry(cursor: Cursor): Entry {
  const at = cursor.at
  const key = keyAt(cursor)
  cursor.skipSpace()
  if (cursor.skip('=')) {
    cursor.skipSpace()
    return { key, at, value: value(cursor) }
  }
  if (cursor.next === '{') return { key, at, value: object(cursor) }
  if (cursor.next !== '"' && !/[\p{L}_]/u.test(cursor.next)) {
    cursor.fail(`expected "=" or "{" after ${JSON.stringify(key)}, found ${cursor.found()}`)
  }
  const label = cursor.nested(() => entry(cursor))
  return { key, at, value: { kind: 'object', at: label.at, entries: [label] } }
}

function keyAt(cursor: Cursor): string {
  if (cursor.next === '"') return cursor.quoted(hclEscapes)
  return cursor.take(identifier) || cursor.fail(`expected a block or an attribute, found ${cursor.found()}`)
}

function value(cursor: Cursor): Value {
  const at = cursor.at
  if (cursor.next === '"') return { kind: 'string', at, value: cursor.quoted(hclEscapes) }
  if (cursor.next === '[') return list(cursor)
  if (cursor.next === '{') return object(cursor)
  if (cursor.text.startsWith('<<', at)) return { kind: 'string', at, value: heredoc(cursor) }
  const digits = cursor.take(number)
  if (digits !== '') {
    if (wordEnd.test(cursor.next)) cursor.fail('this is not a number; put text in double quotes', at)
    const magnitude = Number(digits.replace('-', ''))
    return { kind: 'number', at, value: digits.startsWith('-') ? -magnitude : magnitude }
  }
  const word = cursor.take(identifier)
  if (word === 'true' || word === 'false') return { kind: 'boolean', at, value: word === 'true' }
  if (word !== '') cursor.fail(`the word ${JSON.stringify(word)} must be in double quotes`, at)
  return cursor.fail(`expected a value, found ${cursor.found()}`)
}

function list(cursor: Cursor): Value {
  const at = cursor.at
  const items: Value[] = []
  cursor.skip('[')
  return cursor.nested(() => {
    for (;;) {
      cursor.skipSpace()
      if (cursor.skip(']')) return { kind: 'list', at, items }
      items.push(value(cursor))
      cursor.skipSpace()
      if (cursor.skip(',') || cursor.next === ']') continue
      cursor.fail(cursor.done ? 'this list is not closed' : `expected "," or "]", found ${cursor.found()}`)
    }
  })
}

function object(cursor: Cursor): Value {
  const at = cursor.at
  cursor.skip('{')
  const entries = cursor.nested(() => body(cursor, '}'))
  if (!cursor.skip('}')) cursor.fail('this block is not closed', at)
  return { kind: 'object', at, entries }
}

/** Reads from `<<EOF` to the line `EOF`. With `<<-EOF` that line may be indented, and its indentation is removed from
 * every line if all lines have it. */
function heredoc(cursor: Cursor): string {
  const start = cursor.at
  const mark = cursor.take(heredocMark).trimEnd()
  if (mark === '') cursor.fail('expected a word and the end of the line after "<<"')
  const indented = mark.startsWith('<<-')
  const word = mark.slice(indented ? 3 : 2)
  const lines: string[] = []
  while (!cursor.done) {
    const line = cursor.take(/[^\n]*/y)
    const bare = line.replace(/\r$/, '')
    if ((indented ? bare.trimStart() : bare) === word) {
      const indentation = bare.slice(0, bare.length - word.length)
      const all = lines.every((each) => each.startsWith(indentation))
      return lines.map((each) => `${all ? each.slice(indentation.length) : each}\n`).join('')
    }
    lines.push(line)
    cursor.skip('\n')
  }
  return cursor.fail(`no line ${JSON.stringify(word)} ends this text`, start)
}
