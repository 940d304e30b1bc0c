import { expect, test } from 'vitest'
import { sizeBounds } from '../../../harness/vocabulary/index.ts'
import { readCertificate } from './certificate.ts'
import { readRevocationList } from './crl.ts'
import { assertDecodable, pemBlocks, pemOf } from './der.ts'
import { certificatesOf, keysIn } from './reply.ts'
import { isSerial } from './serial.ts'

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(8, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x84]), bytes])
}
const sequence = (content: Buffer): Buffer => Buffer.concat([Buffer.from([0x30]), lengthOf(content.length), content])

function nested(levels: number): Buffer {
  // The structure is built from the outside, because every level contains its own length.
  const heads: Buffer[] = []
  let inner = 2
  for (let level = 0; level < levels; level++) {
    const head = Buffer.concat([Buffer.from([0x30]), lengthOf(inner)])
    heads.push(head)
    inner += head.length
  }
  return Buffer.concat([...heads.toReversed(), Buffer.from([5, 0])])
}

test.each([
  ['nested 20 000 deep', nested(20_000)],
  ['with a length that lies', Buffer.from('3084fffffff0020101', 'hex')],
  ['with a length of its own length that lies', Buffer.from('30ff01', 'hex')],
  ['of indefinite length', Buffer.from('3080020101', 'hex')],
  ['whose part is longer than the whole', Buffer.from('300302057f', 'hex')],
  ['with 200 000 elements', sequence(Buffer.alloc(400_000, Buffer.from([5, 0])))],
  ['cut off', Buffer.from('30', 'hex')],
])('DER %s is refused before a decoder sees it', (_name, der) => {
  expect(() => assertDecodable(der, 1 << 20)).toThrow(RangeError)
  expect(() => readCertificate(der)).toThrow(RangeError)
  expect(() => readRevocationList(der)).toThrow(RangeError)
  expect(certificatesOf(pemOf('CERTIFICATE', der))).toEqual([])
  expect(keysIn(der.toString('base64'))).toEqual([])
})

test('DER within bounds passes', () => {
  expect(() => assertDecodable(nested(20), 1000)).not.toThrow()
  expect(() => assertDecodable(sequence(Buffer.from('020101300030020500', 'hex')), 1000)).not.toThrow()
})

test('at most 64 PEM blocks of a text are read', () => {
  expect(pemBlocks(pemOf('CERTIFICATE', Buffer.from('3000', 'hex')).repeat(10_000)).length).toBe(64)
})

test('a serial number of a megabyte is invalid, and is refused quickly', () => {
  expect(isSerial(`${'0a:'.repeat(350_000)}0`)).toBe(false)
  expect(isSerial(`${'a'.repeat(200)}!`)).toBe(false)
  expect(isSerial('0a:1b-2c')).toBe(true)
  expect(isSerial('0A1B')).toBe(true)
})

test.each([
  ['certificate', sizeBounds.certificate.value, readCertificate],
  ['revocationList', sizeBounds.revocationList.value, readRevocationList],
] as const)('DER beyond the bound `%s` is refused before a decoder sees it', (_name, most, read) => {
  const der = sequence(Buffer.concat([Buffer.from([4]), lengthOf(most), Buffer.alloc(most)]))
  expect(() => read(der)).toThrow(RangeError)
})
