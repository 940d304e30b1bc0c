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
  it('is absent at first: reads are empty, issuing is refused', async () => {
    const bed = createBed()
    expect((await bed.get('ca')).reply).toMatchObject({ kind: 'bare', status: 204 })
    expect((await bed.get('cert/ca')).refused?.code).toBe('not-found')
    expect((await issuedBy(bed)).refused).toBe(true)
    expect((await bed.post('intermediate/set-signed', { certificate: 'x' })).refused).toBeDefined()
  })

  it('is generated only once, and stays readable after it is deleted, until there is a new one', async () => {
    const bed = await bedWithRoot()
    const first = (await bed.bare('ca/pem')).toString()
    const again = await bed.post('root/generate/exported', { common_name: 'Second', ...ec })
    expect(again.reply).toMatchObject({ kind: 'empty' })
    expect((await bed.bare('ca/pem')).toString()).toBe(first)
    expect(isSignedBy((await issuedBy(bed)).certificate, first)).toBe(true)
    await bed.call('DELETE', 'root')
    expect((await bed.bare('ca/pem')).toString()).toBe(first)
    expect(await listOf(bed)).toEqual([])
    expect((await issuedBy(bed)).refused).toBe(true)
    const third = await bed.post('root/generate/exported', { common_name: 'Third', ...ec })
    expect(third.data.private_key).toContain('EC PRIVATE KEY')
    expect((await bed.bare('ca/pem')).toString()).not.toBe(first)
  })

  it('is overwritten in versions before 0.8.1', async () => {
    const bed = await bedWithRoot({ version: '0.8.0' })
    const first = (await bed.bare('ca/pem')).toString()
    await bed.post('root/generate/internal', { common_name: 'Second', ...ec, ttl: '1000h' })
    const second = (await bed.bare('ca/pem')).toString()
    expect(second).not.toBe(first)
    expect(isSignedBy((await issuedBy(bed)).certificate, second)).toBe(true)
    const newer = await bedWithRoot({ version: '0.8.1' })
    expect((await newer.post('root/generate/internal', { common_name: 'Second', ...ec })).reply?.kind).toBe('empty')
  })

  it('becomes an intermediate: another CA signs its request, and set-signed installs the certificate', async () => {
    const root = await bedWithRoot()
    const bed = await bedWithRoot()
    const old = (await bed.bare('ca/pem')).toString()
    const { data } = await bed.post('intermediate/generate/internal', { common_name: 'Int', ...ec })
    expect(data.private_key).toBeUndefined()
    expect((await bed.bare('ca/pem')).toString()).toBe(old)
    expect((await issuedBy(bed)).refused).toBe(true)
    const signed = await root.post('root/sign-intermediate', { csr: data.csr, common_name: 'Int', ttl: '1000h' })
    expect((await bed.post('intermediate/set-signed', { certificate: old })).refused).toBeDefined()
    const rootPem = (await root.bare('ca/pem')).toString()
    const chain = `${signed.data.certificate}\n${rootPem}`
    expect((await bed.post('intermediate/set-signed', { certificate: chain })).refused).toBeUndefined()
    expect((await bed.bare('ca_chain')).toString()).toBe(chain)
    const leaf = await issuedBy(bed)
    const verdict = openssl(['verify', '-x509_strict', '-CAfile', '@root', '-untrusted', '@int', '@leaf'], {
      root: rootPem,
      int: String(signed.data.certificate),
      leaf: leaf.certificate,
    })
    expect(verdict).toMatchObject({ ok: true })
    expect(await listOf(bed)).toEqual([])
  })

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

describe('revocation', () => {
  it('adds a certificate to the list once, with either separator in its serial number', async () => {
    const bed = await bedWithRoot()
    const [one, two] = [await issuedBy(bed), await issuedBy(bed)]
    expect(await listOf(bed)).toEqual([])
    await bed.post('revoke', { serial_number: one.serial })
    const first = await bed.post('revoke', { serial_number: two.serial.replaceAll(':', '-').toUpperCase() })
    bed.pass(10)
    expect((await bed.post('revoke', { serial_number: two.serial })).data).toEqual(first.data)
    expect((await listOf(bed)).sort()).toEqual([one, two].map(({ serial }) => serial.replaceAll(':', '')).sort())
    expect((await bed.get(`cert/${one.serial}`)).data.revocation_time).toBeGreaterThan(0)
    for (const serial of ['00:11', 'nonsense', '', 'ca'])
      expect((await bed.post('revoke', { serial_number: serial })).refused?.code).toBe('bad-request')
  })

  it('is recorded while the list is disabled', async () => {
    const bed = await bedWithRoot()
    const { serial } = await issuedBy(bed)
    await bed.post('revoke', { serial_number: serial })
    await bed.post('config/crl', { disable: true })
    expect(await listOf(bed)).toEqual([])
    expect((await bed.get('config/crl')).data).toMatchObject({ expiry: '72h', disable: true })
    const second = await issuedBy(bed)
    await bed.post('revoke', { serial_number: second.serial })
    expect(await listOf(bed)).toEqual([])
    await bed.post('config/crl', { disable: false, expiry: '24h' })
    expect(await listOf(bed)).toHaveLength(2)
    expect((await bed.post('config/crl', { expiry: 'soon' })).refused?.code).toBe('bad-request')
  })

  it('is dropped from the list by a rotation after the certificate has expired', async () => {
    const bed = await bedWithRoot()
    const { serial } = await issuedBy(bed)
    await bed.post('revoke', { serial_number: serial })
    expect(await listOf(bed)).toHaveLength(1)
    bed.pass(3700)
    expect(await listOf(bed)).toHaveLength(1)
    await bed.get('crl/rotate')
    expect(await listOf(bed)).toHaveLength(0)
    bed.pass(73 * 3600)
    const { text } = openssl(['crl', '-inform', 'DER', '-in', '@c', '-noout', '-crlnumber', '-nextupdate'], {
      c: await bed.bare('crl'),
    })
    const next = Date.parse(/nextUpdate=(.*)/.exec(text)?.[1] ?? '')
    expect(next).toBeGreaterThan(bed.now())
  })

  it('of the CA itself is refused', async () => {
    const bed = await bedWithRoot()
    const serial = new X509Certificate(await bed.bare('ca')).serialNumber.match(/../g)?.join(':')
    expect((await bed.post('revoke', { serial_number: serial })).refused?.code).toBe('bad-request')
  })

  it('happens when a lease is revoked', async () => {
    const bed = await bedWithRoot()
    await bed.post('roles/leased', { ...role, generate_lease: true })
    const { reply } = await bed.post('issue/leased', { common_name: 'a.example' })
    const lease = reply?.kind === 'data' ? reply.lease : undefined
    expect(lease?.ttl).toBeGreaterThan(3590)
    await lease?.revoke()
    expect(await listOf(bed)).toHaveLength(1)
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
