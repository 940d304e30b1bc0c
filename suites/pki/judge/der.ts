/** Reads signed structures from bytes: PEM blocks, DER elements, signatures. We have our own reader of DER, because
 * size and depth have to be limited before a library with a recursive decoder gets the bytes. */
import { constants, type KeyObject, verify } from 'node:crypto'
import { sizeBounds } from '../../../harness/vocabulary/index.ts'

export interface PemBlock {
  readonly label: string
  readonly der: Buffer
  readonly text: string
}

/** Returns the PEM blocks of a text in order, up to the limit for one reply. A block has to begin on a new line,
 * because readers of PEM overlook a block that follows another one on the same line. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = []
  for (const [, block = '', label = '', body = ''] of text.matchAll(
    /(?:^|[\r\n])[ \t]*(-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \2-----)/g,
  )) {
    blocks.push({ label, der: Buffer.from(body.replace(/^[^\r\n:]*:.*\r?\n/gm, ''), 'base64'), text: block })
    if (blocks.length === sizeBounds.pemBlocks.value) break
  }
  return blocks
}

export const pemOf = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`

/** Returns the bytes of a text that consists of base64 only; undefined for other texts. */
export function base64(text: string): Buffer | undefined {
  const plain = text.replace(/\s+/g, '')
  return plain.length > 0 && plain.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(plain)
    ? Buffer.from(plain, 'base64')
    : undefined
}

export interface Element {
  readonly tag: number
  readonly content: Buffer
  /** The bytes of tag, length and content. */
  readonly whole: Buffer
}

/** Throws `RangeError` if the bytes are not DER, or exceed the limits on size, number of elements and depth. Without
 * these limits a decoder, which calls itself for each level, could run out of stack or memory. */
export function assertDecodable(der: Buffer, mostBytes: number): void {
  const assertAtMost = (most: number, seen: number, words: string): void => {
    if (seen > most) throw new RangeError(words)
  }
  assertAtMost(mostBytes, der.length, `DER of ${der.length} bytes`)
  /** The ends of the open structures. */
  const open: number[] = [der.length]
  let count = 0
  for (let at = 0; at < der.length; ) {
    closeEnded(open, at)
    const { isStructure, start, length } = headAt(der, at)
    assertAtMost(open.at(-1) ?? 0, start + length, 'DER element beyond the end of its structure')
    assertAtMost(sizeBounds.asnElements.value, ++count, 'too many DER elements')
    const isOpened = isStructure && length > 0
    if (isOpened) open.push(start + length)
    assertAtMost(sizeBounds.asnDepth.value, open.length, 'DER is nested too deep')
    at = isOpened ? start : start + length
  }
}

/** Removes from `open` the structures that end here, except the outermost. */
function closeEnded(open: number[], at: number): void {
  while (open.length > 1 && open.at(-1) === at) open.pop()
}

/** Reads the tag and length of the element that begins here. Throws `RangeError` for what DER does not allow. */
function headAt(bytes: Buffer, at: number): { isStructure: boolean; start: number; length: number } {
  const first = bytes[at + 1] ?? 0x80
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || lengthBytes > 4) throw new RangeError('a length that DER does not allow')
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes)
  return { isStructure: ((bytes[at] ?? 0) & 0x20) !== 0, start: at + 2 + lengthBytes, length }
}

/** Returns the sequence of DER elements in these bytes. Throws `RangeError` if the bytes end too early. */
export function elements(bytes: Buffer): readonly Element[] {
  const found: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const { start, length } = headAt(bytes, at)
    const end = start + length
    if (end > bytes.length) throw new RangeError('DER element beyond the end of its bytes')
    found.push({ tag: bytes[at] ?? 0, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return found
}

/** Returns an object identifier, from its content bytes, in dotted notation. */
export function oidOf(content: Buffer): string {
  const parts: number[] = []
  let value = 0
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f)
    if (byte & 0x80) continue
    parts.push(value)
    value = 0
  }
  const [first = 0, ...rest] = parts
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...rest].join('.')
}

const hashes: Readonly<Record<string, string>> = {
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.1': 'sha224',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
}
const rsaPss = '1.2.840.113549.1.1.10'

/** Returns whether the public key `key` verifies the signature of a certificate, CSR or CRL. */
export function isSignedBy(der: Buffer, key: KeyObject): boolean {
  const [signed] = elements(der)
  const [told, algorithm, signature] = elements(signed?.content ?? Buffer.alloc(0))
  const name = elements(algorithm?.content ?? Buffer.alloc(0))[0]
  if (!told || !name || !signature) return false
  // The first byte of a bit string says how many bits of the last byte are unused.
  const bytes = signature.content.subarray(1)
  const oid = oidOf(name.content)
  try {
    if (oid === rsaPss)
      return ['sha256', 'sha384', 'sha512'].some((hash) =>
        verify(hash, told.whole, { key, padding: constants.RSA_PKCS1_PSS_PADDING }, bytes),
      )
    const hash = hashes[oid] ?? (oid.startsWith('1.3.101.') ? null : undefined)
    return hash !== undefined && verify(hash, told.whole, key, bytes)
  } catch {
    // The signature belongs to another type of key.
    return false
  }
}
