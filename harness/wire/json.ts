import { type Json, sizeBounds } from '../vocabulary/index.ts'

const quote = 34
const backslash = 92

const comma = 44
/** Of brackets and braces. */
const isOpening = (code: number): boolean => code === 91 || code === 123
const isClosing = (code: number): boolean => code === 93 || code === 125

/** The end of the string that begins at a quote: after its last quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return at + 1
  }
  return text.length
}

export interface JsonBounds {
  readonly depth: number
  readonly values: number
}

const replyBounds: JsonBounds = { depth: sizeBounds.jsonDepth.value, values: sizeBounds.jsonValues.value }

/** In which way a text is too much JSON to be parsed, seen by its brackets and commas alone: the parser would take
 * hundreds of megabytes first. Undefined where it fits, or is not JSON. */
export function excessOf(text: string, bounds: JsonBounds = replyBounds): string | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 100))) return undefined
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      continue
    }
    if (isOpening(code)) depth += 1
    else if (isClosing(code)) depth -= 1
    if (isOpening(code) || code === comma) values += 1
    if (depth > bounds.depth) return `nested deeper than ${bounds.depth} levels`
    if (values > bounds.values) return `more than ${bounds.values} values`
    at += 1
  }
  return undefined
}

/** The JSON value of a text, or undefined where it is not JSON, or too much of it. */
export function jsonOf(text: string): Json | undefined {
  if (text.length === 0 || excessOf(text) !== undefined) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
