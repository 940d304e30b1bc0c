/** Reads a QR code with independent libraries for QR codes and PNG. */
import { createRequire } from 'node:module'
import { PNG } from 'pngjs'

type Reader = (data: Uint8ClampedArray, width: number, height: number) => { readonly data: string } | null
const read: Reader = createRequire(import.meta.url)('jsqr').default

/** Returns the text of the QR code, or undefined if the image contains no readable code. */
export function readQrCode(png: Uint8Array): string | undefined {
  const { data, width, height } = PNG.sync.read(Buffer.from(png))
  return read(new Uint8ClampedArray(data), width, height)?.data
}
