import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openssl } from '../../test-beds/openssl.test-bed.ts'
import { type Bed, bedWithRoot, createBed } from '../../test-beds/pki-mount.test-bed.ts'
import { pem } from './x509/pem.ts'

const base = { key_type: 'ec', allow_any_name: true, ttl: '1h' }
type Fields = Record<string, unknown>

async function issued(bed: Bed, role: Fields, request: Fields = { common_name: 'a.example.com' }): Promise<string> {
  const written = await bed.post('roles/r', { ...base, ...role })
  if (written.refused) throw written.refused
  const { data, refused } = await bed.post('issue/r', request)
  if (refused) throw refused
  return String(data.certificate)
}

describe('CA certificates', () => {
  it('that are self-issued keep their subject and get the CA as issuer', async () => {
    const bed = await bedWithRoot()
    const other = createBed()
    const { data } = await other.post('root/generate/internal', { common_name: 'Self', key_type: 'ec' })
    const { data: signed } = await bed.post('root/sign-self-issued', { certificate: data.certificate })
    const certificate = new X509Certificate(String(signed.certificate))
    expect(certificate.subject).toBe('CN=Self')
    expect(certificate.issuer).toBe('CN=Test Root')
    expect(certificate.verify(new X509Certificate(String(signed.issuing_ca)).publicKey)).toBe(true)
    const leaf = await issued(bed, {})
    for (const wrong of [leaf, signed.certificate, 'x'])
      expect((await bed.post('root/sign-self-issued', { certificate: wrong })).refused?.code).toBe('bad-request')
  })
})

describe('certificate requests', () => {
  it('that cannot be read are refused', async () => {
    const bed = await bedWithRoot()
    await bed.post('roles/r', base)
    const { data } = await bed.post('intermediate/generate/internal', { common_name: 'I', key_type: 'ec' })
    const signer = await bedWithRoot()
    await signer.post('roles/r', { ...base, allow_any_name: false })
    const csr = String(data.csr)
    const der = Buffer.from(csr.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1
    for (const wrong of [
      '',
      'garbage',
      `\n   ${csr}`,
      csr.slice(0, -30),
      csr.slice(0, 100),
      `${csr}\n${csr}`,
      pem('CERTIFICATE REQUEST', der),
    ])
      for (const path of ['sign/r', 'sign-verbatim', 'root/sign-intermediate'])
        expect((await signer.post(path, { csr: wrong, common_name: 'a.example.com' })).refused?.code).toBe(
          'bad-request',
        )
    expect((await signer.post('sign/r', { csr })).refused?.message).toContain('I')
    expect((await signer.post('sign-verbatim/r', { csr })).refused).toBeUndefined()
  })

  it('are signed only if the role allows their key', async () => {
    const bed = await bedWithRoot()
    const isSigned = async (role: Fields, ...key: string[]): Promise<boolean> => {
      const made = openssl(['req', '-new', '-nodes', '-keyout', '/dev/null', '-subj', '/CN=csr.example.com', ...key])
      await bed.post('roles/r', { ...base, ...role })
      const csr = made.text.replace(/^[\s\S]*?(?=-----BEGIN CERT)/, '')
      return (await bed.post('sign/r', { csr })).refused === undefined
    }
    const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
    expect(await isSigned({}, ...ec)).toBe(true)
    expect(await isSigned({ key_type: 'rsa' }, ...ec)).toBe(false)
    expect(await isSigned({ key_bits: 384 }, ...ec)).toBe(false)
    expect(await isSigned({ key_type: 'any' }, '-newkey', 'ed25519')).toBe(false)
  })
})
