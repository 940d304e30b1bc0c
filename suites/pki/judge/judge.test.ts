import { execFileSync } from 'node:child_process'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certified } from '../../../fixtures/pki/authorities.ts'
import { ecPair } from '../../../fixtures/pki/ec.ts'
import { testKeys } from '../../../fixtures/pki/keys.ts'
import { signingRequest } from '../../../fixtures/pki/signing-requests.ts'
import { x509 } from '../../../fixtures/pki/x509.ts'
import { readCertificate, readSigningRequest } from './certificate.ts'
import { readRevocationList } from './crl.ts'
import { base64, elements, isSignedBy, oidOf, pemBlocks } from './der.ts'
import { isKeyOf, keysIn } from './reply.ts'
import { serialTextOf } from './serial.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-judge-'))
afterAll(() => rmSync(folder, { recursive: true }))

const derOf = (text: string): Buffer => pemBlocks(text)[0]?.der ?? Buffer.alloc(0)

/** Makes a self-signed certificate with OpenSSL, so that our reader is compared with another implementation. */
function madeByOpenssl(key: string, extensions: string): Buffer {
  const [config, keyFile] = [join(folder, 'config'), join(folder, 'key')]
  writeFileSync(keyFile, key)
  writeFileSync(
    config,
    `[req]\ndistinguished_name=dn\nprompt=no\nx509_extensions=ext\n[dn]\nCN=a.example\n0.OU=One\n1.OU=Two\nC=DE\n[ext]\n${extensions}`,
  )
  return derOf(
    String(execFileSync('openssl', ['req', '-x509', '-new', '-key', keyFile, '-config', config, '-set_serial', '255'])),
  )
}

describe('certificates', () => {
  const read = readCertificate(
    madeByOpenssl(
      testKeys.ecLeaf,
      [
        'subjectAltName=@alt',
        'keyUsage=critical,digitalSignature,keyCertSign',
        'extendedKeyUsage=serverAuth,1.3.6.1.4.1.55555.1',
        'basicConstraints=CA:TRUE,pathlen:2',
        'certificatePolicies=1.2.3.4,1.2.3.5',
        'nameConstraints=permitted;DNS:.in.example,excluded;DNS:out.example',
        'authorityInfoAccess=caIssuers;URI:http://a.example/ca,OCSP;URI:http://a.example/ocsp',
        'crlDistributionPoints=URI:http://a.example/crl',
        '[alt]',
        'DNS.1=*.a.example',
        'email.1=user@a.example',
        'IP.1=192.0.2.7',
        'IP.2=2001:db8:0:0:0:0:0:7',
        'URI.1=spiffe://a.example/one',
        'otherName.1=1.3.6.1.4.1.311.20.2.3;UTF8:dev',
        'otherName.2=1.3.6.1.4.1.55555.9;IA5:dev',
      ].join('\n'),
    ),
  )

  test('are read with all their extensions', () => {
    expect(read.subject).toEqual({ common_name: ['a.example'], ou: ['One', 'Two'], country: ['DE'] })
    expect(read.issuer).toEqual(read.subject)
    expect(read.serial).toBe('ff')
    expect(read.sans).toEqual({
      dns: ['*.a.example'],
      email: ['user@a.example'],
      ip: ['192.0.2.7', '2001:db8::7'],
      uri: ['spiffe://a.example/one'],
      other: [
        { oid: '1.3.6.1.4.1.311.20.2.3', value: 'dev', isUtf8: true },
        { oid: '1.3.6.1.4.1.55555.9', value: 'dev', isUtf8: false },
      ],
    })
    expect(read.keyUsage).toEqual(['DigitalSignature', 'CertSign'])
    expect(read.extKeyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.4.1.55555.1'])
    expect(read.basicConstraints).toEqual({ ca: true, pathLength: 2 })
    expect(read.policies).toEqual(['1.2.3.4', '1.2.3.5'])
    expect([read.permittedDns, read.excludedDns]).toEqual([['.in.example'], ['out.example']])
    expect([read.issuerUrls, read.ocspUrls, read.crlUrls]).toEqual([
      ['http://a.example/ca'],
      ['http://a.example/ocsp'],
      ['http://a.example/crl'],
    ])
  })

  test('are verified by the key that signed them, of any type, and by no other', async () => {
    expect(read.isSignedBy(read.publicKey)).toBe(true)
    expect(read.isSignedBy(createPublicKey(testKeys.ecOther))).toBe(false)
    expect(read.isSignedBy(createPublicKey(testKeys.rsa2048))).toBe(false)
    const rsa = madeByOpenssl(testKeys.rsa2048, 'basicConstraints=CA:FALSE')
    expect(isSignedBy(rsa, createPublicKey(testKeys.rsa2048))).toBe(true)
    expect(isSignedBy(rsa, createPublicKey(testKeys.rsa3072))).toBe(false)
    const p224 = String(execFileSync('openssl', ['ecparam', '-name', 'secp224r1', '-genkey', '-noout']))
    expect(isSignedBy(madeByOpenssl(p224, 'basicConstraints=CA:FALSE'), createPublicKey(p224))).toBe(true)
  })

  test('have undefined for an absent extension', async () => {
    const { certificate } = await certified({ name: 'a.example', key: 'ecLeaf' })
    const plain = readCertificate(derOf(certificate))
    expect([plain.extKeyUsage, plain.raw('1.2.3')]).toEqual([undefined, undefined])
    expect(plain.sans.dns).toEqual([])
    expect(plain.basicConstraints).toEqual({ ca: true, pathLength: undefined })
  })
})

test('CSRs are read with the subject, names and usages that they request, and with their signature', async () => {
  const ask = { commonName: 'a.example', organization: 'Org', dnsNames: ['x.example'] }
  for (const key of ['ecLeaf', 'rsa2048'] as const) {
    const read = readSigningRequest(derOf(await signingRequest({ key, ...ask, keyUsages: ['nonRepudiation'] })))
    expect(read.subject).toEqual({ common_name: ['a.example'], organization: ['Org'] })
    expect(read.sans.dns).toEqual(['x.example'])
    expect(read.keyUsage).toEqual(['ContentCommitment'])
    expect(read.isSignedBy(read.publicKey)).toBe(true)
    const wrong = readSigningRequest(derOf(await signingRequest({ key, ...ask, fault: 'signature-wrong' })))
    expect(wrong.isSignedBy(wrong.publicKey)).toBe(false)
  }
})

test('CRLs are read with their entries, times and signature', async () => {
  const { privateKey, signing } = await ecPair('ecAuthority')
  const thisUpdate = new Date('2026-01-01T00:00:00Z')
  const nextUpdate = new Date('2026-01-04T00:00:00Z')
  const { X509CrlGenerator } = await x509()
  const list = (serials: readonly string[]) =>
    X509CrlGenerator.create({
      issuer: 'CN=root.example',
      thisUpdate,
      nextUpdate,
      signingKey: privateKey,
      signingAlgorithm: signing,
      entries: serials.map((serialNumber) => ({ serialNumber, revocationDate: thisUpdate })),
    })
  const read = readRevocationList(Buffer.from((await list(['0a0b', 'ff01'])).rawData))
  expect(read.serials).toEqual(['0a0b', 'ff01'])
  expect([read.thisUpdate, read.nextUpdate]).toEqual([thisUpdate.getTime(), nextUpdate.getTime()])
  expect(read.isSignedBy(createPublicKey(testKeys.ecAuthority))).toBe(true)
  expect(read.isSignedBy(createPublicKey(testKeys.ecOther))).toBe(false)
  expect(readRevocationList(Buffer.from((await list([])).rawData)).serials).toEqual([])
})

test('a negative number in a CRL is not the serial with the same bytes', () => {
  const read = (hex: string): string => serialTextOf(Buffer.from(hex, 'hex'))
  expect(['0a0b', '00ff01', '00', 'ff01', '80'].map(read)).toEqual(['0a0b', 'ff01', '00', '-ff', '-80'])
})

describe('private keys', () => {
  test.each(['ecLeaf', 'rsa2048'] as const)('%s is found in each of its encodings', (name) => {
    const key = createPrivateKey(testKeys[name])
    const own = name === 'ecLeaf' ? 'sec1' : 'pkcs1'
    const forms = [
      [String(key.export({ type: 'pkcs8', format: 'pem' })), 'pem', true],
      [testKeys[name], 'pem', false],
      [key.export({ type: 'pkcs8', format: 'der' }).toString('base64'), 'der', true],
      [key.export({ type: own as 'pkcs1', format: 'der' }).toString('base64'), 'der', false],
    ] as const
    for (const [text, encoding, isPkcs8] of forms)
      expect(keysIn(text).map((found) => [found.encoding, found.isPkcs8])).toEqual([[encoding, isPkcs8]])
  })

  test('are not found in other texts', async () => {
    const { certificate } = await certified({ name: 'a.example', key: 'ecLeaf' })
    for (const text of ['', 'plain words', certificate, derOf(certificate).toString('base64')])
      expect(keysIn(text)).toEqual([])
  })
})

test('truncated DER is recognized, and base64 is distinguished from other texts', () => {
  expect(() => elements(Buffer.from('3005020101', 'hex'))).toThrow(RangeError)
  expect(oidOf(Buffer.from('2b0601040182371402 03'.replaceAll(' ', ''), 'hex'))).toBe('1.3.6.1.4.1.311.20.2.3')
  expect(base64('no base64!')).toBeUndefined()
})

test('a private key beside the public half of another one belongs to neither', () => {
  const [one = {}, other = {}] = [1, 2].map(() =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  )
  const textOf = (jwk: JsonWebKey, type: 'sec1' | 'pkcs8'): string =>
    String(createPrivateKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type }))
  for (const type of ['sec1', 'pkcs8'] as const) {
    const { d = '' } = one
    const mixed = textOf({ ...other, d }, type)
    const halves = [textOf(one, type), textOf(other, type)].map((text) => createPublicKey(text))
    const belongs = (text: string): boolean[] => keysIn(text).flatMap((key) => halves.map((half) => isKeyOf(key, half)))
    expect(belongs(textOf(other, type))).toEqual([false, true])
    expect(belongs(mixed)).toEqual([false, false])
    expect(belongs(derOf(mixed).toString('base64'))).toEqual([false, false])
  }
})
