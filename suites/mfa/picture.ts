/** Reads PNG pictures. They are measured before they are decoded, because a hundred kilobytes can contain a gigabyte of
 * pixels. */
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { sizeBounds } from '../../harness/vocabulary/index.ts'

export interface Picture {
  readonly width: number
  readonly height: number
  /** RGBA; absent if the picture is larger than the limit for decoding. */
  readonly pixels: Uint8ClampedArray | undefined
}

interface Header {
  readonly width: number
  readonly height: number
  /** Compressed pixels. */
  readonly data: Buffer
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** Returns the bytes of the pixels in the widest kind of PNG, with one more byte for each row in each of seven
 * passes. */
const mostInflated = (width: number, height: number): number => width * height * 8 + height * 7 + 64

/** Returns the size and the compressed pixels, or undefined if the bytes are not a PNG. */
function headerOf(bytes: Buffer): Header | undefined {
  if (!bytes.subarray(0, 8).equals(signature) || bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes.length < 33)
    return undefined
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) return undefined
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, end - 4))
    at = end
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), data: Buffer.concat(data) }
}

const load = createRequire(import.meta.url)
const decoder = () => (load('pngjs') as typeof import('pngjs')).PNG.sync

export function pictureIn(bytes: Buffer): Picture | undefined {
  const header = headerOf(bytes)
  if (!header) return undefined
  const { width, height, data } = header
  if (Math.max(width, height) > sizeBounds.pictureSide.value) return { width, height, pixels: undefined }
  try {
    // The decoder has no limit of its own for interlaced pictures.
    inflateSync(data, { maxOutputLength: mostInflated(width, height) })
    return { width, height, pixels: new Uint8ClampedArray(decoder().read(bytes).data) }
  } catch {
    return undefined
  }
}
