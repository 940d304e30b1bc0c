/** Writes black and white PNG pictures (ISO/IEC 15948) with one bit per pixel. The suites read them with a library, so
 * a mistake cannot hide on both sides. */

/** The module is loaded when a picture is written, because few servers write one. */
const zlib = () => process.getBuiltinModule('node:zlib')

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(zlib().crc32(body))
  return Buffer.concat([length, body, sum])
}

/** `isBlack` is called for each pixel, from the upper left corner on, but not in lines that are like the one above. */
export function pngOf(
  width: number,
  height: number,
  isBlack: (x: number, y: number) => boolean,
  isLikeAbove: (y: number) => boolean = () => false,
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  // With bit depth 1 in greyscale, a bit that is set is white.
  header[8] = 1
  const stride = 1 + Math.ceil(width / 8)
  const rows = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    if (y > 0 && isLikeAbove(y)) {
      rows.copyWithin(y * stride, (y - 1) * stride, y * stride)
      continue
    }
    for (let x = 0; x < width; x++) {
      const at = y * stride + 1 + (x >> 3)
      if (!isBlack(x, y)) rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
  const parts = [chunk('IHDR', header), chunk('IDAT', zlib().deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}
