/** Reads the JSON of a request body, and its fields. A reader returns undefined for a field that is absent or null, and
 * refuses a field of the wrong type. */
import { badRequest, type Refusal } from './refusal.ts'

/** The deepest nesting of JSON that is accepted. `JSON.stringify` is recursive and would fail on very deep values. */
export const deepestJson = 256

/** Works like `JSON.parse`, but throws a RangeError if the value is nested too deep. */
export function parseBoundedJson(text: string): unknown {
  // Each level takes two characters, so a short text cannot be too deep.
  if (text.length > 2 * deepestJson) assertDepth(text)
  return JSON.parse(text)
}

function assertDepth(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') at = endOfString(text, at)
    else if (letter === '[' || letter === '{') {
      if (++depth > deepestJson) throw new RangeError(`it is nested deeper than ${deepestJson} levels`)
    } else if (letter === ']' || letter === '}') depth--
  }
}

/** Returns the index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

type Body = Readonly<Record<string, unknown>>

const wrongType = (name: string, wanted: string): Refusal =>
  badRequest(`Field validation failed: ${name} must be ${wanted}`)

/** Reads a string. Numbers and booleans are converted to strings. */
export function textField(body: Body, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw wrongType(name, 'a string')
}

export function requiredText(body: Body, name: string): string {
  const value = textField(body, name)
  if (value === undefined || value === '') throw badRequest(`missing ${name}`)
  return value
}

export function flagField(body: Body, name: string): boolean | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 1) return true
  if (value === 'false' || value === 0) return false
  throw wrongType(name, 'true or false')
}

export function numberField(body: Body, name: string): number | undefined {
  const value = body[name]
  if (value === undefined || value === null || value === '') return undefined
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number)) return number
  throw wrongType(name, 'a whole number')
}

/** Accepts a list of strings, or one string with commas. */
export function listField(body: Body, name: string): readonly string[] | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  const items = typeof value === 'string' ? value.split(',') : value
  if (!Array.isArray(items) || !items.every((item) => typeof item === 'string'))
    throw wrongType(name, 'a list of strings')
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

/** Accepts everything that `listField` accepts, and a string that contains a JSON array. */
export function anyListField(body: Body, name: string): readonly string[] | undefined {
  const value = body[name]
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return listField(body, name)
  try {
    return listField({ [name]: parseBoundedJson(value) }, name)
  } catch {
    throw wrongType(name, 'a list of strings')
  }
}

/** Accepts an object, and converts its values to strings. */
export function mapField(body: Body, name: string): Readonly<Record<string, string>> | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  const isMap =
    typeof value === 'object' && !Object.values(value).some((item) => typeof item === 'object' && item !== null)
  if (!isMap || Array.isArray(value)) throw wrongType(name, 'a map of strings')
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, String(item)]))
}

/** Accepts everything that `mapField` accepts, and a list of pairs such as `team=red`. */
export function pairsField(body: Body, name: string): Readonly<Record<string, string>> | undefined {
  const value = body[name]
  if (!Array.isArray(value)) return mapField(body, name)
  const pairs = value.map((item) => String(item).split(/=(.*)/s, 2))
  if (pairs.some((pair) => pair.length < 2)) throw wrongType(name, 'a map of strings, or a list of pairs')
  return Object.fromEntries(pairs)
}
