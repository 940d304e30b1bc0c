import { isUtf8 } from 'node:buffer'
import { type Json, type Reply, sizeBounds } from '../vocabulary/index.ts'
import type { Attempt } from './attempt.ts'
import type { Trouble } from './trouble.ts'

export const isText = (bytes: Uint8Array): boolean => isUtf8(bytes)

/** Returns the reply of a complete attempt, or the trouble that keeps it from being judged. */
export function replyOf(attempt: Attempt, asked: string): Reply | Trouble {
  const { status = 0, headers = {} } = attempt
  const bytes = attempt.bytes ?? Buffer.alloc(0)
  const text = bytes.toString('utf8')
  const excess = excessOf(text)
  if (excess !== undefined)
    return { kind: 'too-large', words: `the reply body is JSON that is ${excess}: it was not parsed` }
  const date = headers.date === undefined ? Number.NaN : Date.parse(headers.date)
  return {
    status,
    headers,
    json: parsed(text),
    // Decoded on demand: most checks read only the JSON, and a second copy of a large body would cost memory.
    get text() {
      return bytes.toString('utf8')
    },
    bytes,
    asked,
    at: Number.isNaN(date) ? attempt.sentAt + attempt.durationMs : date,
  }
}

const quote = 34
const backslash = 92
const comma = 44
/** Both cover brackets and braces. */
const isOpening = (code: number): boolean => code === 91 || code === 123
const isClosing = (code: number): boolean => code === 93 || code === 125
const stepOf = (code: number): number => (isOpening(code) ? 1 : isClosing(code) ? -1 : 0)

/** Returns the index of the quote that ends the string beginning at `start`; the length of the text if it never ends. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return text.length
}

export interface JsonBounds {
  readonly depth: number
  readonly values: number
}

const replyBounds: JsonBounds = { depth: sizeBounds.jsonDepth.value, values: sizeBounds.jsonValues.value }

/** Returns how a JSON text exceeds the bounds, or undefined if it fits or is not JSON. Counts only brackets and commas,
 * because parsing such a text would take hundreds of megabytes. */
export function excessOf(text: string, bounds: JsonBounds = replyBounds): string | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 100))) return undefined
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    depth += stepOf(code)
    if (isOpening(code) || code === comma) values += 1
    if (depth > bounds.depth) return `nested deeper than ${bounds.depth} levels`
    if (values > bounds.values) return `more than ${bounds.values} values`
  }
  return undefined
}

/** Returns the JSON value of a text, or undefined if the text is not JSON or exceeds the bounds. */
export const jsonOf = (text: string): Json | undefined => (excessOf(text) === undefined ? parsed(text) : undefined)

function parsed(text: string): Json | undefined {
  if (text.length === 0) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
