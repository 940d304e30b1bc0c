/** Reads DER. Malformed input throws `Malformed`, and never anything else. */

export class Malformed extends Error {
  override readonly name = 'Malformed'
}

/** One value: `bytes` is the whole value, `content` is the part after its length. */
export interface Value {
  readonly tag: number
  readonly bytes: Buffer
  readonly content: Buffer
}

/** The tags of the universal types that certificates use. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  generalizedTime: 0x18,
} as const

function valueAt(bytes: Buffer, start: number): Value {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) throw new Malformed('DER ends inside a value')
  if ((tag & 0x1f) === 0x1f) throw new Malformed('DER holds a tag of more than one byte')
  let at = start + 2
  let length = first
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4) throw new Malformed('DER holds a length of an unknown form')
    length = 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[at++] ?? 0)
  }
  if (at + length > bytes.length) throw new Malformed('DER ends inside a value')
  return { tag, bytes: bytes.subarray(start, at + length), content: bytes.subarray(at, at + length) }
}

export function readValues(bytes: Buffer): Value[] {
  const values: Value[] = []
  for (let at = 0; at < bytes.length; ) {
    const value = valueAt(bytes, at)
    values.push(value)
    at += value.bytes.length
  }
  return values
}

/** Reads the only value in the bytes, which must have the expected tag. */
export function readOne(bytes: Buffer, tag: number): Value {
  const value = expectTag(valueAt(bytes, 0), tag)
  if (value.bytes.length !== bytes.length) throw new Malformed('DER goes on after its value')
  return value
}

export function expectTag(value: Value | undefined, tag: number): Value {
  if (value?.tag !== tag) throw new Malformed(`DER holds tag ${value?.tag ?? 'none'} where ${tag} is expected`)
  return value
}

export const members = (value: Value | undefined, tag: number = tags.sequence): Value[] =>
  readValues(expectTag(value, tag).content)

export function readOid(value: Value | undefined): string {
  const content = expectTag(value, tags.oid).content
  const arcs: bigint[] = []
  let arc = 0n
  for (const byte of content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f)
    if (byte & 0x80) continue
    arcs.push(arc)
    arc = 0n
  }
  const [head = 0n, ...rest] = arcs
  const first = head < 80n ? head / 40n : 2n
  return [first, head - first * 40n, ...rest].join('.')
}

/** Returns the bytes of a bit string that ends on a byte. */
export function readBits(value: Value | undefined): Buffer {
  const content = expectTag(value, tags.bitString).content
  if (content[0] !== 0) throw new Malformed('a bit string does not end on a byte')
  return content.subarray(1)
}

export function readNamedBits(value: Value | undefined): Set<number> {
  const bits = new Set<number>()
  const content = expectTag(value, tags.bitString).content
  content.subarray(1).forEach((byte, index) => {
    for (let bit = 0; bit < 8; bit++) if (byte & (0x80 >> bit)) bits.add(index * 8 + bit)
  })
  return bits
}

export function readNumber(value: Value | undefined): number {
  const content = expectTag(value, tags.integer).content
  if (content.length === 0 || content.length > 6) throw new Malformed('DER holds a number that is too large')
  return content.readIntBE(0, content.length)
}

/** Returns milliseconds since the epoch. */
export function readTime(value: Value | undefined): number {
  const digits = value?.content.toString('latin1') ?? ''
  const year = value?.tag === tags.utcTime ? `${Number(digits.slice(0, 2)) < 50 ? '20' : '19'}${digits}` : digits
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(year)
  if (!parts) throw new Malformed('DER holds a time of an unknown form')
  const [, y, m, d, hours, minutes, seconds] = parts.map(Number)
  return Date.UTC(y ?? 0, (m ?? 1) - 1, d, hours, minutes, seconds)
}
