/** Writes DER. Every function returns the bytes of one whole value. */

/** Returns how many bytes follow the first byte of a length: none for a short one. */
const lengthBytesOf = (length: number): number => (length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8))

/** Writes one value: its tag, its length, and its parts one after the other. */
function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  let length = 0
  for (const part of parts) length += part.length
  const lengthBytes = lengthBytesOf(length)
  const bytes = Buffer.allocUnsafe(2 + lengthBytes + length)
  bytes[0] = tag
  bytes[1] = lengthBytes === 0 ? length : 0x80 | lengthBytes
  for (let i = 0; i < lengthBytes; i++) bytes[2 + i] = (length >>> (8 * (lengthBytes - 1 - i))) & 0xff
  let at = 2 + lengthBytes
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => tlv(0x31, ...parts)
export const octets = (...parts: readonly Uint8Array[]): Buffer => tlv(0x04, ...parts)
export const nothing: Buffer = tlv(0x05)
export const boolean = (value: boolean): Buffer => tlv(0x01, Buffer.of(value ? 0xff : 0))

/** Writes a number that is not negative, from a small number or from big-endian bytes. */
export function integer(value: number | Uint8Array): Buffer {
  if (typeof value === 'number') return integer(bytesOf(value))
  let start = 0
  while (start < value.length - 1 && value[start] === 0) start++
  const bytes = value.subarray(start)
  return (bytes[0] ?? 0) & 0x80 ? tlv(0x02, Buffer.of(0), bytes) : tlv(0x02, bytes)
}

function bytesOf(value: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(value, 0, 6)
  return bytes
}

export const bitString = (bytes: Uint8Array): Buffer => tlv(0x03, Buffer.of(0), bytes)

/** Writes a set of named bits, bit 0 first. DER drops the zero bits at the end. */
export function namedBits(bits: ReadonlySet<number>): Buffer {
  const highest = Math.max(-1, ...bits)
  if (highest < 0) return tlv(0x03, Buffer.of(0))
  const bytes = Buffer.alloc((highest >> 3) + 1)
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  return tlv(0x03, Buffer.of(7 - (highest & 7)), bytes)
}

/** Writes an object identifier from its dotted text, which `isOid` must have accepted. */
export function oid(dotted: string): Buffer {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt)
  const bytes: number[] = []
  for (const arc of [first * 40n + second, ...rest]) {
    const groups = [Number(arc & 0x7fn)]
    for (let left = arc >> 7n; left > 0n; left >>= 7n) groups.unshift(Number(left & 0x7fn) | 0x80)
    bytes.push(...groups)
  }
  return tlv(0x06, Buffer.from(bytes))
}

export const isOid = (text: string): boolean =>
  text.length <= 256 &&
  (/^[01]\.([0-9]|[1-3][0-9])(\.(0|[1-9]\d*))+$/.test(text) || /^2(\.(0|[1-9]\d*)){2,}$/.test(text))

export const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text, 'utf8'))
export const printable = (text: string): Buffer => tlv(0x13, Buffer.from(text, 'latin1'))
/** Writes a directory string, printable if its letters allow that, or else UTF-8 (RFC 5280, 4.1.2.4). */
export const directoryString = (text: string): Buffer =>
  /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text) ? printable(text) : utf8(text)

/** Writes a time in whole seconds, with two-digit years until 2049 (RFC 5280, 4.1.2.5). */
export function time(ms: number): Buffer {
  const iso = new Date(ms).toISOString()
  const [year, rest] = [
    iso.slice(0, 4),
    `${iso.slice(5, 7)}${iso.slice(8, 10)}${iso.slice(11, 13)}${iso.slice(14, 16)}`,
  ]
  const digits = `${rest}${iso.slice(17, 19)}Z`
  return Number(year) < 2050
    ? tlv(0x17, Buffer.from(`${year.slice(2)}${digits}`, 'latin1'))
    : tlv(0x18, Buffer.from(`${year}${digits}`, 'latin1'))
}

/** Writes `[n]` around whole values, or in place of a constructed tag. */
export const contextTag = (n: number, ...parts: readonly Uint8Array[]): Buffer => tlv(0xa0 | n, ...parts)
/** Writes `[n]` in place of a primitive tag. */
export const contextTagBytes = (n: number, bytes: Uint8Array): Buffer => tlv(0x80 | n, bytes)
