import { isUtf8 } from 'node:buffer'
// A name that an older Node does not have would fail before `node-version.ts` can say so.
import * as zlib from 'node:zlib'
import { type Json, type Reply, sizeBounds } from '../vocabulary/index.ts'
import type { Attempt } from './attempt.ts'
import type { Trouble } from './trouble.ts'

const most = sizeBounds.decodedBody.value

const decoders: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
}

/** No encoding is ever asked for; a reply that has one all the same is decoded up to a bound, so that its text can be
 * judged, and its secrets found. */
export function decoded(bytes: Buffer, encoding: string | undefined): Buffer | Trouble {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  let plain = bytes
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity' || plain.length === 0) continue
    const decode = decoders[name]
    if (!decode) return { kind: 'garbled', words: `the reply has an unknown Content-Encoding: ${name}` }
    try {
      plain = decode(plain, { maxOutputLength: most })
    } catch (error) {
      const tooLarge = error instanceof RangeError
      return tooLarge
        ? { kind: 'too-large', words: `the reply body is larger than ${most / 1024 / 1024} MiB once decoded` }
        : { kind: 'garbled', words: `the reply body is not valid ${name}` }
    }
  }
  return plain
}

export const isText = (bytes: Uint8Array): boolean => isUtf8(bytes)

/** The reply of a complete attempt, or what keeps it from being one. */
export function replyOf(attempt: Attempt, asked: string): Reply | Trouble {
  const { status = 0, headers = {} } = attempt
  const bytes = decoded(attempt.bytes ?? Buffer.alloc(0), headers['content-encoding'])
  if ('kind' in bytes) return bytes
  const text = bytes.toString('utf8')
  const excess = excessOf(text)
  if (excess !== undefined)
    return { kind: 'too-large', words: `the reply body is JSON that is ${excess}: it was not parsed` }
  const date = headers.date === undefined ? Number.NaN : Date.parse(headers.date)
  return {
    status,
    headers,
    json: parsed(text),
    // Most checks look at the JSON only, and a second copy of a large body counts.
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
export const jsonOf = (text: string): Json | undefined => (excessOf(text) === undefined ? parsed(text) : undefined)

function parsed(text: string): Json | undefined {
  if (text.length === 0) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
