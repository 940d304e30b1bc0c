import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import type { Json, Reply } from '../vocabulary/index.ts'
import { type Attempt, bodyCap } from './attempt.ts'
import type { Trouble } from './trouble.ts'

/** A value nested deeper than this is kept as text: walking it could exhaust the stack. */
const deepest = 200

const decoders: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** No encoding is ever asked for; a reply that has one all the same is decoded up to the cap, so that its text can be
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
      plain = decode(plain, { maxOutputLength: bodyCap })
    } catch (error) {
      const tooLarge = error instanceof RangeError
      return tooLarge
        ? { kind: 'too-large', words: `the reply body is larger than ${bodyCap / 1024 / 1024} MiB once decoded` }
        : { kind: 'garbled', words: `the reply body is not valid ${name}` }
    }
  }
  return plain
}

/** The JSON value of a text, or undefined where it is none or nested beyond reason. */
export function jsonOf(text: string): Json | undefined {
  if (text.length === 0) return undefined
  try {
    const value = JSON.parse(text) as Json
    return text.length > deepest && isDeeper(value) ? undefined : value
  } catch {
    return undefined
  }
}

function isDeeper(value: Json): boolean {
  let level: Json[] = [value]
  for (let depth = 0; depth <= deepest; depth++) {
    const below: Json[] = []
    for (const item of level)
      if (typeof item === 'object' && item !== null) for (const inner of Object.values(item)) below.push(inner as Json)
    if (below.length === 0) return false
    level = below
  }
  return true
}

export const isText = (bytes: Uint8Array): boolean => isUtf8(bytes)

/** The reply of a complete attempt, or what keeps it from being one. */
export function replyOf(attempt: Attempt, asked: string): Reply | Trouble {
  const { status = 0, headers = {} } = attempt
  const bytes = decoded(attempt.bytes ?? Buffer.alloc(0), headers['content-encoding'])
  if ('kind' in bytes) return bytes
  const text = bytes.toString('utf8')
  const date = headers.date === undefined ? Number.NaN : Date.parse(headers.date)
  return {
    status,
    headers,
    json: jsonOf(text),
    text,
    bytes,
    asked,
    at: Number.isNaN(date) ? attempt.sentAt + attempt.durationMs : date,
  }
}
