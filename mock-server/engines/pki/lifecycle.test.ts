import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openssl } from '../../test-beds/openssl.test-bed.ts'
import { type Bed, bedWithRoot, createBed } from '../../test-beds/pki-mount.test-bed.ts'
import { generateEc, traditionalPem } from './x509/keys.ts'

const ec = { key_type: 'ec' }
const role = { ...ec, allow_any_name: true, ttl: '1h' }

async function issuedBy(bed: Bed): Promise<{ certificate: string; serial: string; refused: boolean }> {
  await bed.post('roles/r', role)
  const { data, refused } = await bed.post('issue/r', { common_name: 'a.example' })
  return { certificate: data.certificate ?? '', serial: data.serial_number ?? '', refused: refused !== undefined }
}

const isSignedBy = (certificate: string, ca: string): boolean =>
  new X509Certificate(certificate).verify(new X509Certificate(ca).publicKey)

async function listOf(bed: Bed): Promise<string[]> {
  const pem = (await bed.bare('crl/pem')).toString()
  const ca = (await bed.bare('ca/pem')).toString()
  const { text } = openssl(['crl', '-in', '@crl', '-CAfile', '@ca', '-noout', '-text'], { crl: pem, ca })
  expect(text).toContain('verify OK')
  return [...text.matchAll(/Serial Number: ([0-9A-F]+)/g)].map(([, serial = '']) => serial.toLowerCase())
}

describe('the CA of a mount', () => {
  it('is replaced by an uploaded bundle, and each broken bundle is refused', async () => {
    const source = createBed()
    const made = await source.post('root/generate/exported', { common_name: 'Up', ...ec, format: 'pem_bundle' })
    const bundle = String(made.data.certificate)
    const bed = await bedWithRoot()
    const before = (await bed.bare('ca/pem')).toString()
    const leaf = await issuedBy(bed)
    const wrongs = {
      'a foreign key': `${traditionalPem(generateEc(256))}\n${made.data.issuing_ca}`,
      'no key': made.data.issuing_ca,
      'no certificate': made.data.private_key,
      'two keys': `${bundle}\n${made.data.private_key}`,
      'cut short': bundle.slice(0, -40),
      garbage: 'garbage',
      nothing: '',
      'not a CA': `${(await bed.post('issue/r', { common_name: 'b.example', format: 'pem_bundle' })).data.certificate}`,
      noise: bundle.replace(/MI[A-Za-z0-9+/]{8}/g, 'MIIAAAAAAA'),
    }
    for (const [wrong, text] of Object.entries(wrongs))
      expect((await bed.post('config/ca', { pem_bundle: text })).refused?.code, wrong).toBe('bad-request')
    expect((await bed.bare('ca/pem')).toString()).toBe(before)
    expect((await bed.post('config/ca', { pem_bundle: bundle })).refused).toBeUndefined()
    expect((await bed.bare('ca/pem')).toString()).toBe(made.data.issuing_ca)
    expect(isSignedBy((await issuedBy(bed)).certificate, String(made.data.issuing_ca))).toBe(true)
    expect((await bed.get(`cert/${leaf.serial}`)).data.certificate).toBe(leaf.certificate)
  })
})

describe('a mount', () => {
  it('is restored from a snapshot', async () => {
    const bed = await bedWithRoot()
    const { serial, certificate } = await issuedBy(bed)
    await bed.post('revoke', { serial_number: serial })
    const again = createBed({ state: JSON.parse(JSON.stringify(bed.state.snapshot())) })
    expect(await listOf(again)).toHaveLength(1)
    expect((await again.get(`cert/${serial}`)).data.certificate).toBe(certificate)
    expect((await again.call('LIST', 'certs')).data.keys).toHaveLength(2)
    expect(isSignedBy((await issuedBy(again)).certificate, (await bed.bare('ca/pem')).toString())).toBe(true)
  })

  it('is tidied only after the safety buffer', async () => {
    const bed = await bedWithRoot()
    const { serial } = await issuedBy(bed)
    await bed.post('revoke', { serial_number: serial })
    bed.pass(3700)
    await bed.post('tidy', { tidy_cert_store: true, tidy_revoked_certs: true, safety_buffer: '1h' })
    expect((await bed.get(`cert/${serial}`)).refused).toBeUndefined()
    bed.pass(3700)
    await bed.post('tidy', { tidy_cert_store: true, tidy_revoked_certs: true, safety_buffer: '1h' })
    expect((await bed.get(`cert/${serial}`)).refused?.code).toBe('not-found')
  })
})
