import { describe, expect, it } from 'vitest'
import { integer, isOid, namedBits, octets, oid, time } from './der.ts'
import { addressBytes, addressText } from './ip.ts'
import { readPem } from './pem.ts'
import { Malformed, readNamedBits, readOid, readOne, readTime, readValues } from './reader.ts'

const one = (bytes: Buffer) => readValues(bytes)[0]

describe('DER', () => {
  it('writes the bytes of known values', () => {
    expect(integer(0).toString('hex')).toBe('020100')
    expect(integer(128).toString('hex')).toBe('02020080')
    expect(integer(Buffer.from('0000ff', 'hex')).toString('hex')).toBe('020200ff')
    expect(oid('1.2.840.113549').toString('hex')).toBe('06062a864886f70d')
    expect(namedBits(new Set([5, 6])).toString('hex')).toBe('03020106')
    expect(namedBits(new Set([8])).toString('hex')).toBe('0303070080')
    expect(
      time(Date.UTC(2049, 11, 31, 23, 59, 59, 999))
        .toString('latin1')
        .slice(2),
    ).toBe('491231235959Z')
    expect(
      time(Date.UTC(2050, 0, 1))
        .toString('latin1')
        .slice(2),
    ).toBe('20500101000000Z')
  })

  it('reads lengths of every size', () => {
    for (const length of [0, 127, 128, 255, 256, 65_535, 65_536])
      expect(readOne(octets(Buffer.alloc(length)), 4).content.length).toBe(length)
  })

  it('reads back identifiers, bits and times', () => {
    for (const dotted of ['0.9.1', '1.3.6.1.4.1.311.20.2.3', '2.999.18446744073709551616'])
      expect(readOid(one(oid(dotted)))).toBe(dotted)
    expect(readNamedBits(one(namedBits(new Set([0, 8]))))).toEqual(new Set([0, 8]))
    for (const at of [Date.UTC(1999, 1, 3), Date.UTC(2049, 1, 3), Date.UTC(2071, 1, 3)])
      expect(readTime(one(time(at)))).toBe(at)
  })

  it('distinguishes identifiers from other text', () => {
    for (const good of ['1.2.3', '2.999.1', '0.0.0']) expect(isOid(good)).toBe(true)
    for (const bad of ['', '1', '3.1.2', '1.40.1', '1.2.', '1.02.3', 'a.b', '1.2.x', '1..2'])
      expect(isOid(bad)).toBe(false)
  })

  it('rejects every broken frame as malformed', () => {
    for (const hex of ['30', '3080', '3085ffffffffff', '30820101', '1f8100', '3003020101ff'])
      expect(() => readOne(Buffer.from(hex, 'hex'), 0x30), hex).toThrow(Malformed)
  })
})

describe('PEM', () => {
  it('rejects blocks that are cut short or do not contain base64', () => {
    expect(() => readPem('-----BEGIN X-----\nAAAA\n')).toThrow(Malformed)
    expect(() => readPem('-----BEGIN X-----\n####\n-----END X-----')).toThrow(Malformed)
    expect(readPem('none here')).toEqual([])
  })
})

describe('IP addresses', () => {
  it('are converted between text and bytes', () => {
    for (const [text, hex] of [
      ['1.2.3.4', '01020304'],
      ['::', '00000000000000000000000000000000'],
      ['2001:db8::1', '20010db8000000000000000000000001'],
      ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ] as const) {
      expect(addressBytes(text)?.toString('hex')).toBe(hex)
      expect(addressText(Buffer.from(hex, 'hex'))).toBe(text)
    }
    expect(addressBytes('::ffff:1.2.3.4')?.toString('hex')).toBe('00000000000000000000ffff01020304')
    for (const bad of ['256.1.1.1', 'fe80::1%eth0', 'x', '']) expect(addressBytes(bad)).toBeUndefined()
  })
})
