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

const textOf = (certificate: string): string =>
  openssl(['x509', '-in', '@c', '-noout', '-text', '-nameopt', 'utf8,sep_comma_plus_space,space_eq'], {
    c: certificate,
  }).text

describe('CA certificates', () => {
  const root = async (fields: Fields): Promise<string> => {
    const bed = createBed()
    const { data, refused } = await bed.post('root/generate/internal', { common_name: 'R', key_type: 'ec', ...fields })
    if (refused) throw refused
    return textOf(String(data.certificate))
  }

  it('of a root contain the requested values', async () => {
    expect(await root({})).toContain('CA:TRUE\n')
    expect(await root({})).not.toContain('pathlen')
    expect(await root({ max_path_length: 0 })).toContain('CA:TRUE, pathlen:0')
    expect(await root({ max_path_length: 3 })).toContain('CA:TRUE, pathlen:3')
    const constrained = await root({ permitted_dns_domains: 'example.com,.example.org' })
    expect(constrained).toContain('DNS:example.com\n')
    expect(constrained).toContain('DNS:.example.org')
    expect(await root({ common_name: 'r.example.com', alt_names: 'x.example.com' })).toContain(
      'DNS:r.example.com, DNS:x',
    )
    expect(await root({ common_name: 'r.example.com', exclude_cn_from_sans: true })).not.toContain('Alternative')
    expect(await root({ organization: 'O', ou: ['a', 'b'] })).toContain('Subject: O = O, OU = a, OU = b, CN = R')
    for (const bits of [224, 256, 384, 521]) expect(await root({ key_bits: bits })).toContain(`(${bits} bit)`)
    await expect(root({ max_path_length: -2 })).rejects.toThrow()
    await expect(root({ permitted_dns_domains: 'a b' })).rejects.toThrow()
  })

  it('respect the limits of the signing CA', async () => {
    for (const [limit, asked, wanted] of [
      [-1, -1, 'CA:TRUE\n'],
      [-1, 0, 'pathlen:0'],
      [-1, 4, 'pathlen:4'],
      [2, -1, 'pathlen:1'],
      [1, -1, 'pathlen:0'],
      [2, 0, 'pathlen:0'],
      [0, -1, undefined],
    ] as const) {
      const ca = createBed()
      await ca.post('root/generate/internal', { common_name: 'R', key_type: 'ec', max_path_length: limit })
      const { data: request } = await createBed().post('intermediate/generate/internal', {
        common_name: 'I',
        key_type: 'ec',
      })
      const signed = await ca.post('root/sign-intermediate', {
        csr: request.csr,
        common_name: 'I',
        max_path_length: asked,
      })
      if (wanted === undefined) expect(signed.refused?.code).toBe('bad-request')
      else expect(textOf(String(signed.data.certificate)), `${limit} ${asked}`).toContain(wanted)
    }
  })

  it('take values from the CSR only if use_csr_values is set', async () => {
    const { text: made } = openssl([
      ...['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null'],
      ...['-subj', '/CN=From CSR/O=Org', '-addext', 'subjectAltName=DNS:csr.example.com'],
      ...['-addext', 'keyUsage=digitalSignature,keyAgreement', '-addext', '1.2.3.4.5=ASN1:UTF8String:hello'],
      ...['-addext', 'basicConstraints=CA:FALSE'],
    ])
    const csr = /-----BEGIN CERT[\s\S]*-----END [A-Z ]+-----/.exec(made)?.[0]
    const bed = await bedWithRoot()
    const request = { csr, common_name: 'asked.example.com', ou: 'Unit' }
    const kept = textOf(
      String((await bed.post('root/sign-intermediate', { ...request, use_csr_values: true })).data.certificate),
    )
    for (const part of ['CN = From CSR, O = Org', 'DNS:csr.example.com\n', '1.2.3.4.5', 'CA:TRUE'])
      expect(kept).toContain(part)
    expect(kept).toContain('Digital Signature, Key Agreement, Certificate Sign, CRL Sign')
    const ignored = textOf(String((await bed.post('root/sign-intermediate', request)).data.certificate))
    expect(ignored).toContain('OU = Unit, CN = asked.example.com')
    expect(ignored).toContain('DNS:asked.example.com\n')
    expect(ignored).toContain('Certificate Sign, CRL Sign')
    for (const part of ['From CSR', 'csr.example.com', '1.2.3.4.5', 'Digital Signature'])
      expect(ignored).not.toContain(part)
  })

  it('can outlive the CA, but not the maximum TTL of the mount', async () => {
    const bed = createBed()
    await bed.post('root/generate/internal', { common_name: 'R', key_type: 'ec', ttl: '10h' })
    const { data } = await createBed().post('intermediate/generate/internal', { common_name: 'I', key_type: 'ec' })
    const days = async (ttl: string): Promise<number> => {
      const signed = await bed.post('root/sign-intermediate', { csr: data.csr, common_name: 'I', ttl })
      return (
        Math.round((Date.parse(new X509Certificate(String(signed.data.certificate)).validTo) - bed.now()) / 8_640_000) /
        10
      )
    }
    expect(await days('240h')).toBe(10)
    expect(await days('24000h')).toBe(32)
    await bed.post('roles/r', { ...base, ttl: '' })
    expect((await bed.post('issue/r', { common_name: 'a.example' })).refused?.message).toContain(
      'beyond the expiration',
    )
  })

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

  it('are signed by a role, which decides where names come from and which keys are allowed', async () => {
    const bed = await bedWithRoot()
    const make = (...args: string[]): string =>
      openssl(['req', '-new', '-nodes', '-keyout', '/dev/null', '-subj', '/CN=csr.example.com', ...args]).text.replace(
        /^[\s\S]*?(?=-----BEGIN CERT)/,
        '',
      )
    const ecRequest = make(
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-addext',
      'subjectAltName=DNS:san.example.com',
    )
    const sign = async (role: Fields, csr: string): Promise<string | undefined> => {
      await bed.post('roles/r', { ...base, ...role })
      const { data, refused } = await bed.post('sign/r', {
        csr,
        common_name: 'field.example.com',
        alt_names: 'alt.example.com',
      })
      return refused ? undefined : textOf(String(data.certificate))
    }
    expect(await sign({}, ecRequest)).toMatch(/CN = csr.*DNS:csr.example.com, DNS:san.example.com/s)
    expect(await sign({ use_csr_common_name: false }, ecRequest)).toMatch(/CN = field.*DNS:field.example.com, DNS:san/s)
    expect(await sign({ use_csr_sans: false }, ecRequest)).toMatch(/CN = csr.*DNS:csr.example.com, DNS:alt/s)
    expect(await sign({ key_type: 'rsa' }, ecRequest)).toBeUndefined()
    expect(await sign({ key_bits: 384 }, ecRequest)).toBeUndefined()
    expect(await sign({ key_type: 'any' }, ecRequest)).toBeDefined()
    expect(await sign({ key_type: 'any' }, make('-newkey', 'rsa:1024'))).toBeUndefined()
    expect(await sign({ key_type: 'any' }, make('-newkey', 'rsa:1536'))).toBeDefined()
    expect(await sign({ key_type: 'any' }, make('-newkey', 'ed25519'))).toBeUndefined()
  })
})
