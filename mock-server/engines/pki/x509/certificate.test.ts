import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openssl } from '../../../test-beds/openssl.test-bed.ts'
import { noNames } from './alt-names.ts'
import { readCertificate, writeCertificate } from './certificate.ts'
import {
  altNames,
  authorityKeyId,
  basicConstraints,
  extKeyUsage,
  keyUsage,
  nameConstraints,
  policies,
  subjectKeyId,
  urlExtensions,
} from './extensions.ts'
import { generateEc, generateRsa, type KeyPair, keyIdOf } from './keys.ts'
import { writeName } from './names.ts'
import { pem } from './pem.ts'
import { signerOf } from './signer.ts'

const day = 86_400_000
const now = Date.now()
const caName = writeName({ commonName: ['Root ä'], organization: ['A', 'B, C'], country: ['DE'] })

function caOf(key: KeyPair, pathLength?: number): Buffer {
  return writeCertificate(
    {
      serial: Buffer.of(1, 2, 3),
      issuer: caName,
      subject: caName,
      notBefore: now - day,
      notAfter: now + 40 * 365 * day,
      spki: key.spki,
      extensions: [
        basicConstraints(true, pathLength),
        keyUsage(new Set([5, 6])),
        subjectKeyId(keyIdOf(key.spki)),
        authorityKeyId(keyIdOf(key.spki)),
        nameConstraints(['.example.com', 'example.com', 'localhost']),
      ],
    },
    signerOf(key),
  )
}

const names = {
  dns: ['a.example.com', '*.example.com'],
  email: ['me@example.com'],
  ip: ['10.0.0.1', '2001:db8::1'],
  uri: ['spiffe://example.com/a'],
  other: [{ oid: '1.3.6.1.4.1.311.20.2.3', value: 'ümläut@example.com' }],
}

function leafOf(ca: KeyPair, key: KeyPair): Buffer {
  return writeCertificate(
    {
      serial: Buffer.from('80ff00112233445566778899aabbccddeeff0011', 'hex'),
      issuer: caName,
      subject: writeName({ commonName: ['a.example.com'], ou: ['x'], serialNumber: ['s-1'], streetAddress: ['1 Way'] }),
      notBefore: now - 30_000,
      notAfter: now + day,
      spki: key.spki,
      extensions: [
        basicConstraints(false),
        keyUsage(new Set([0, 2, 4])),
        extKeyUsage(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']),
        policies(['1.2.3.4', '2.999.1']),
        altNames(names, false),
        subjectKeyId(keyIdOf(key.spki)),
        authorityKeyId(keyIdOf(ca.spki)),
        ...urlExtensions({
          issuingCertificates: ['http://ca.example.com/ca'],
          crlDistributionPoints: ['http://ca.example.com/crl'],
          ocspServers: ['http://ocsp.example.com'],
        }),
      ],
    },
    signerOf(ca),
  )
}

const keys: Record<string, () => KeyPair | Promise<KeyPair>> = {
  'RSA 2048': () => generateRsa(2048),
  'RSA 3072': () => generateRsa(3072),
  'EC 224': () => generateEc(224),
  'EC 256': () => generateEc(256),
  'EC 384': () => generateEc(384),
  'EC 521': () => generateEc(521),
}

describe('certificates', () => {
  for (const [kind, generate] of Object.entries(keys))
    it(`of a CA with ${kind} are verified and read back`, async () => {
      const ca = await generate()
      const leafKey = generateEc(256)
      const root = caOf(ca)
      const leaf = leafOf(ca, leafKey)
      const verdict = openssl(['verify', '-x509_strict', '-CAfile', '@ca', '@leaf'], {
        ca: pem('CERTIFICATE', root),
        leaf: pem('CERTIFICATE', leaf),
      })
      expect(verdict).toMatchObject({ ok: true })
      const parsed = new X509Certificate(leaf)
      expect(parsed.verify(new X509Certificate(root).publicKey)).toBe(true)
      expect(new X509Certificate(root).ca).toBe(true)
      expect(parsed.ca).toBe(false)
      expect(readCertificate(leaf).isSignedBy(ca.spki)).toBe(true)
      expect(readCertificate(leaf).isSignedBy(leafKey.spki)).toBe(false)
    })

  it('contain every extension in a form that openssl reads', () => {
    const ca = generateEc(256)
    const { text } = openssl(['x509', '-in', '@leaf', '-noout', '-text', '-nameopt', 'utf8'], {
      leaf: pem('CERTIFICATE', leafOf(ca, generateEc(256))),
    })
    for (const part of [
      '80:ff:00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff:00:11',
      'Digital Signature, Key Encipherment, Key Agreement',
      'TLS Web Server Authentication, TLS Web Client Authentication',
      'Policy: 1.2.3.4',
      'Policy: 2.999.1',
      'othername: UPN::ümläut@example.com',
      'email:me@example.com, DNS:a.example.com, DNS:*.example.com, URI:spiffe://example.com/a',
      'IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1',
      'OCSP - URI:http://ocsp.example.com',
      'CA Issuers - URI:http://ca.example.com/ca',
      'URI:http://ca.example.com/crl',
      'CA:FALSE',
    ])
      expect(text).toContain(part)
  })

  it('are read back as they were written', () => {
    const ca = generateEc(384)
    const root = readCertificate(caOf(ca, 0))
    expect(root).toMatchObject({ ca: true, pathLength: 0, subjectKeyId: keyIdOf(ca.spki) })
    expect(root.subject).toEqual(caName)
    expect(new Date(root.notAfter).getUTCFullYear()).toBeGreaterThan(2049)
    expect(readCertificate(caOf(ca)).pathLength).toBeUndefined()
  })

  it('without a subject have critical alternative names', () => {
    const key = generateEc(256)
    const leaf = writeCertificate(
      {
        serial: Buffer.of(9),
        issuer: caName,
        subject: writeName({}),
        notBefore: now,
        notAfter: now + day,
        spki: key.spki,
        extensions: [altNames({ ...noNames, dns: ['a.example'] }, true)],
      },
      signerOf(key),
    )
    expect(openssl(['x509', '-in', '@c', '-noout', '-text'], { c: pem('CERTIFICATE', leaf) }).text).toContain(
      'X509v3 Subject Alternative Name: critical',
    )
  })
})
