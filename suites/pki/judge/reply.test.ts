import { X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundleOf, type Certified, certified } from '../../../fixtures/pki/authorities.ts'
import { testKeys } from '../../../fixtures/pki/keys.ts'
import { signingRequest } from '../../../fixtures/pki/signing-requests.ts'
import type { Json, Reply } from '../../../harness/vocabulary/index.ts'
import { certificateOf, signingRequestOf } from './reply.ts'

let [root, above, leaf]: Certified[] = []
beforeAll(async () => {
  root = await certified({ name: 'root.example', key: 'ecAuthority' })
  above = await certified({ name: 'intermediate.example', key: 'ecIntermediate', issuer: root })
  leaf = await certified({ name: 'leaf.example', key: 'ecLeaf', issuer: above, isCa: false })
})

const replied = (body: Json | string, status = 200): Reply => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'latin1')
  return {
    status,
    headers: {},
    json: typeof body === 'string' ? undefined : body,
    text: bytes.toString('utf8'),
    bytes,
    asked: 'POST pki/issue/leaf',
    at: 0,
  }
}
const pem = (one: Certified | undefined): string => one?.certificate ?? ''
const raw = (one: Certified | undefined): Buffer => new X509Certificate(pem(one)).raw
const nameOf = (reply: Reply): string | undefined => certificateOf(reply)?.subject.common_name?.[0]

describe('the certificate of a reply', () => {
  test('is its field of that name, at the top level or in data', () => {
    for (const body of [{ certificate: pem(leaf) }, { data: { certificate: pem(leaf) } }])
      expect(nameOf(replied(body))).toBe('leaf.example')
    expect(nameOf(replied({ data: null, certificate: raw(leaf).toString('base64') }))).toBe('leaf.example')
    expect(nameOf(replied({ certificate: pem(leaf), data: {} }))).toBe('leaf.example')
  })

  test('is the body of a bare reply, in PEM or DER', () => {
    expect(nameOf(replied(pem(leaf)))).toBe('leaf.example')
    expect(nameOf(replied(raw(leaf).toString('latin1')))).toBe('leaf.example')
  })

  test('is found under another name, and distinguished from the certificates above it', () => {
    for (const data of [
      { leaf: pem(leaf), ca: pem(above), top: pem(root) },
      { chain: [pem(root), pem(above), pem(leaf)] },
      { pem: `${pem(root)}${pem(above)}${pem(leaf)}` },
      { der: raw(leaf).toString('base64'), issuer: pem(above) },
      { made: pem(leaf), key: testKeys.ecLeaf },
      { ca: pem(root), intermediate: pem(above), key: testKeys.ecLeaf, other: pem(leaf) },
    ])
      expect(nameOf(replied({ data }))).toBe('leaf.example')
  })

  test('may be a root if the reply has its private key', () => {
    expect(nameOf(replied({ data: { pem: pem(root), key: testKeys.ecAuthority } }))).toBe('root.example')
  })

  test('is, in a bundle of any order, the certificate of the private key', () => {
    if (!leaf || !above) throw new Error('no certificates')
    const bundle = bundleOf(leaf, above)
    const reversed = `${pem(above)}${pem(leaf)}${testKeys.ecLeaf}`
    for (const certificate of [bundle, reversed]) expect(nameOf(replied({ certificate }))).toBe('leaf.example')
  })

  test('is not the certificate of the CA if the reply has no other', () => {
    expect(certificateOf(replied({ data: { issuing_ca: pem(root) } }))).toBeUndefined()
    expect(certificateOf(replied({ data: { certificate: testKeys.ecLeaf, issuing_ca: pem(above) } }))).toBeUndefined()
  })

  test('is absent from a refusal, from an empty success, and from malformed values', async () => {
    expect(certificateOf(replied({ certificate: pem(leaf) }, 400))).toBeUndefined()
    const other = await certified({ name: 'other.example', key: 'ecOther', issuer: { name: 'x', key: 'ecAuthority' } })
    for (const body of [
      '',
      {},
      { data: null, warnings: ['none'] },
      { certificate: null },
      { data: { certificate: 'no PEM' } },
      { data: [1, null, 'x'] },
      { one: pem(leaf), other: pem(other) },
    ])
      expect(certificateOf(replied(body))).toBeUndefined()
  })
})

test('the CSR of a reply is its field `csr`, or else any text that is a CSR', async () => {
  const csr = await signingRequest({ key: 'ecLeaf', commonName: 'csr.example' })
  for (const body of [{ csr }, { data: { csr } }, { data: { request: csr, private_key: testKeys.ecLeaf } }])
    expect(signingRequestOf(replied(body))?.subject.common_name).toEqual(['csr.example'])
  for (const body of [{ csr: pem(leaf) }, { data: { certificate: pem(leaf) } }, '', {}])
    expect(signingRequestOf(replied(body))).toBeUndefined()
  expect(signingRequestOf(replied({ csr }, 500))).toBeUndefined()
})
