import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { type Reply, sizeBounds } from '../vocabulary/index.ts'
import type { Attempt } from './attempt.ts'
import { excessOf, jsonOf } from './json.ts'
import type { Trouble } from './trouble.ts'

const most = sizeBounds.decodedBody.value

const decoders: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
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
    json: jsonOf(text),
    // Most checks look at the JSON only, and a second copy of a large body counts.
    get text() {
      return bytes.toString('utf8')
    },
    bytes,
    asked,
    at: Number.isNaN(date) ? attempt.sentAt + attempt.durationMs : date,
  }
}
