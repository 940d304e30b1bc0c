import { describe, expect, it } from 'vitest'
import { openssl } from '../../../test-beds/openssl.test-bed.ts'
import { noNames } from './alt-names.ts'
import { altNames, keyUsage } from './extensions.ts'
import { generateEc, generateRsa, pkcs8Pem, readPrivateKey, readPublicKey, traditionalPem } from './keys.ts'
import { readName, writeName } from './names.ts'
import { pem, readPem } from './pem.ts'
import { Malformed } from './reader.ts'
import { readRequest, writeRequest } from './request.ts'
import { signerOf } from './signer.ts'

const subject = writeName({ commonName: ['int.example.com'], ou: ['a', 'b'] })
const extensions = [altNames({ ...noNames, dns: ['int.example.com'] }, false), keyUsage(new Set([0, 8]))]

describe('certificate requests', () => {
  for (const [kind, make] of Object.entries({ rsa: () => generateRsa(2048), ec: () => generateEc(521) }))
    it(`of ${kind} keys are accepted by openssl and read back`, async () => {
      const key = await make()
      const der = writeRequest({ subject, spki: key.spki, extensions }, signerOf(key))
      expect(openssl(['req', '-in', '@r', '-verify', '-noout'], { r: pem('CERTIFICATE REQUEST', der) })).toMatchObject({
        ok: true,
      })
      const read = readRequest(der)
      expect(readName(read.subject)).toEqual({ commonName: ['int.example.com'], ou: ['a', 'b'] })
      expect(read.altNames.dns).toEqual(['int.example.com'])
      expect(read.keyUsage).toEqual(new Set([0, 8]))
      expect(readPublicKey(read.spki)).toMatchObject({ type: key.type, bits: key.bits })
    })

  it('made by openssl are read', () => {
    const made = openssl(
      ['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-nodes', '-keyout', '/dev/null'].concat([
        '-subj',
        '/CN=x.example.com/O=Örg',
        '-utf8',
        '-addext',
        'subjectAltName=DNS:x.example.com,IP:::1,email:a@b.c,URI:urn:x,otherName:1.2.3;UTF8:hello',
      ]),
    )
    const read = readRequest(readPem(made.text)[0]?.der ?? Buffer.alloc(0))
    expect(read.altNames).toEqual({
      dns: ['x.example.com'],
      ip: ['::1'],
      email: ['a@b.c'],
      uri: ['urn:x'],
      other: [{ oid: '1.2.3', value: 'hello' }],
    })
    expect(readName(read.subject).organization).toEqual(['Örg'])
  })

  it('are malformed if they have a foreign signature, are cut short, or have a changed byte', () => {
    const key = generateEc(256)
    const foreign = writeRequest({ subject, spki: generateEc(256).spki, extensions }, signerOf(key))
    const whole = writeRequest({ subject, spki: key.spki, extensions }, signerOf(key))
    expect(() => readRequest(foreign)).toThrow(Malformed)
    for (let length = 0; length < whole.length; length++)
      expect(() => readRequest(whole.subarray(0, length))).toThrow(Malformed)
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      expect(() => readRequest(changed)).toThrow(Malformed)
    }
  })
})

describe('private keys', () => {
  for (const [kind, make] of Object.entries({
    'RSA 2048': () => generateRsa(2048),
    'EC 224': () => generateEc(224),
    'EC 256': () => generateEc(256),
    'EC 384': () => generateEc(384),
    'EC 521': () => generateEc(521),
  }))
    it(`${kind} are read back from both formats, and openssl accepts them`, async () => {
      const key = await make()
      for (const text of [traditionalPem(key), pkcs8Pem(key)]) {
        const [block] = readPem(text)
        const read = readPrivateKey(block?.label ?? '', block?.der ?? Buffer.alloc(0))
        expect(read.spki).toEqual(key.spki)
        expect(openssl(['pkey', '-in', '@k', '-check', '-noout'], { k: text })).toMatchObject({ ok: true })
      }
    })
})
