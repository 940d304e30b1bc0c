import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
// A named import that an older Node lacks would fail before `node-version.ts` can report the version.
import * as zlib from 'node:zlib'
import { sizeBounds } from '../vocabulary/index.ts'
import { boundMs } from './bounds.ts'
import type { Trouble } from './trouble.ts'

const mostBytes = sizeBounds.decodedBody.value
const mostCodings = sizeBounds.contentCodings.value

/** Requests never ask for a coding, but a reply that has one must be readable to be judged and searched for secrets.
 * These streams work in the thread pool, so a timer or a signal can end them. */
const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
  ['br', () => zlib.createBrotliDecompress()],
  // RFC 9659 allows a window of 8 MiB. By itself, the decoder would allocate up to 128.
  ['zstd', () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } })],
])

const garbled = (words: string): Trouble => ({ kind: 'garbled', words })
const tooLarge = (words: string): Trouble => ({ kind: 'too-large', words })

class TooLarge extends Error {
  readonly trouble = tooLarge(`the reply body is larger than ${mostBytes / 1024 / 1024} MiB once decoded`)
}

/** A part of the input takes a moment, so a stream can be ended soon. */
const partBytes = 64 * 1024

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes)
}

/** Decodes one coding. */
async function unpacked(
  bytes: Buffer,
  name: string,
  most: number,
  { cut, late, mostMs }: { cut: AbortSignal; late: AbortSignal; mostMs: number },
): Promise<Buffer | Trouble> {
  const decoder = decoders.get(name)
  if (!decoder) return garbled(`the reply has an unknown Content-Encoding: ${name}`)
  const chunks: Buffer[] = []
  let size = 0
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      size += chunk.length
      if (size > most) throw new TooLarge()
      chunks.push(chunk)
    }
  }
  try {
    await pipeline(partsOf(bytes), decoder(), collect, { signal: AbortSignal.any([cut, late]) })
    return Buffer.concat(chunks)
  } catch (error) {
    if (cut.aborted) return { kind: 'cut', words: 'cut off: the run has ended' }
    if (late.aborted) return tooLarge(`decoding the reply body took longer than ${mostMs / 1000} s`)
    return error instanceof TooLarge ? error.trouble : garbled(`the reply body is not valid ${name}`)
  }
}

/** Decodes a body by its `Content-Encoding`, or returns the trouble. The bounds hold over all codings together. */
export async function decoded(
  bytes: Buffer,
  encoding: string,
  cut: AbortSignal,
  mostMs: number = boundMs('decoding'),
): Promise<Buffer | Trouble> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > mostCodings)
    return tooLarge(`the reply body has ${names.length} content codings, but at most ${mostCodings} are decoded`)
  const late = AbortSignal.timeout(mostMs)
  let plain = bytes
  let left: number = mostBytes
  for (const name of names.toReversed()) {
    const next = await unpacked(plain, name, left, { cut, late, mostMs })
    if ('kind' in next) return next
    plain = next
    left -= plain.length
  }
  return plain
}
