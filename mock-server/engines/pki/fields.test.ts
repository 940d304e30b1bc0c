import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openssl } from '../../test-beds/openssl.test-bed.ts'
import { type Bed, bedWithRoot } from '../../test-beds/pki-mount.test-bed.ts'

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

/** Each row has role fields, request fields, what the certificate must show, and what it must not show. */
const rows: readonly (readonly [role: Fields, request: Fields, holds: string[], lacks?: string[]])[] = [
  [{}, {}, ['DNS:a.example.com', 'TLS Web Server Authentication, TLS Web Client Authentication'], ['Code Signing']],
  [{}, {}, ['Digital Signature, Key Encipherment, Key Agreement', 'Key Usage: critical'], ['Basic Constraints']],
  [{ server_flag: false }, {}, ['TLS Web Client'], ['TLS Web Server']],
  [{ client_flag: false }, {}, ['TLS Web Server'], ['TLS Web Client']],
  [{ server_flag: false, client_flag: false }, {}, [], ['Extended Key Usage']],
  [{ code_signing_flag: true }, {}, ['Code Signing']],
  [{ email_protection_flag: true }, {}, ['E-mail Protection']],
  [{ key_usage: [] }, {}, [], ['X509v3 Key Usage']],
  [{ key_usage: 'certsign,CRLSign,dataENCIPHERMENT' }, {}, ['Data Encipherment, Certificate Sign, CRL Sign']],
  [{ ext_key_usage: ['OCSPSigning', 'timestamping'] }, {}, ['OCSP Signing', 'Time Stamping']],
  [{ ext_key_usage_oids: '1.2.3.4,1.3.6.1.4.1.311.20.2.2' }, {}, ['1.2.3.4, Microsoft Smartcard Login']],
  [{ policy_identifiers: ['1.2.3.4', '2.5.29.32.0'] }, {}, ['Policy: 1.2.3.4', 'Policy: X509v3 Any Policy']],
  [{ basic_constraints_valid_for_non_ca: true }, {}, ['CA:FALSE']],
  [{ ou: 'a,b', organization: ['Comma, Inc'], country: 'DE' }, {}, ['C = DE, O = Comma, Inc, OU = a, OU = b, CN =']],
  [
    { locality: 'L', province: 'P', street_address: 'S', postal_code: '1', serial_number: 'n' },
    {},
    ['L = L, ST = P, street = S, postalCode = 1, CN = a.example.com, serialNumber = n'],
  ],
  [{}, { exclude_cn_from_sans: true }, [], ['Subject Alternative Name']],
  [{}, { common_name: 'me@example.com' }, ['email:me@example.com'], ['DNS:']],
  [{}, { alt_names: 'b.example.com,me@example.com' }, ['email:me@example.com, DNS:a.example.com, DNS:b.example.com']],
  [{}, { ip_sans: '10.0.0.1,::1' }, ['IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1']],
  [{ allowed_uri_sans: 'spiffe://*' }, { uri_sans: 'spiffe://x/y' }, ['URI:spiffe://x/y']],
  [
    { allowed_other_sans: '1.2.3;UTF8:*' },
    { other_sans: '["1.2.3;utf-8:one","1.2.3;UTF8:two"]' },
    ['othername: 1.2.3::one, othername: 1.2.3::two'],
  ],
  [{ allowed_other_sans: '*' }, { other_sans: ['1.2.3;UTF8:a,b'] }, ['othername: 1.2.3::a,b']],
  [
    { require_cn: false },
    { common_name: '', alt_names: 'x.example.com' },
    ['Alternative Name: critical'],
    ['Subject: CN ='],
  ],
  [{ enforce_hostnames: false }, { common_name: 'Ünder score' }, ['CN = Ünder score'], ['DNS:']],
  [{}, { alt_names: 'bücher.example' }, ['DNS:xn--bcher-kva.example']],
]

describe('fields of roles and requests', () => {
  it('have their effect on the certificate', async () => {
    const bed = await bedWithRoot()
    for (const [role, request, holds, lacks = []] of rows) {
      const text = textOf(await issued(bed, role, { common_name: 'a.example.com', ...request }))
      const message = JSON.stringify([role, request])
      for (const part of holds) expect(text, message).toContain(part)
      for (const part of lacks) expect(text, message).not.toContain(part)
    }
  })

  it('are refused if the role does not allow them, or if they are invalid', async () => {
    const bed = await bedWithRoot()
    const refused: readonly (readonly [Fields, Fields])[] = [
      [{ allow_ip_sans: false }, { ip_sans: '1.2.3.4' }],
      [{}, { ip_sans: '1.2.3.400' }],
      [{}, { uri_sans: 'spiffe://x' }],
      [{ allowed_uri_sans: 'https://*' }, { uri_sans: 'spiffe://x' }],
      [{ allowed_uri_sans: '*' }, { uri_sans: 'no uri' }],
      [{}, { other_sans: '1.2.3;UTF8:x' }],
      [{ allowed_other_sans: '1.2.3;UTF8:y' }, { other_sans: '1.2.3;UTF8:x' }],
      [{ allowed_other_sans: '1.2.4;UTF8:*' }, { other_sans: '1.2.3;UTF8:x' }],
      [{ allowed_other_sans: '*' }, { other_sans: '1.2.3;IA5:x' }],
      [{}, { common_name: '' }],
      [{ key_type: 'any' }, {}],
      [{}, { format: 'p12' }],
      [{}, { private_key_format: 'jwk' }],
      [{}, { ttl: 'x' }],
    ]
    for (const [role, request] of refused)
      await expect(
        issued(bed, role, { common_name: 'a.example.com', ...request }),
        JSON.stringify([role, request]),
      ).rejects.toThrow()
    for (const bad of [
      { key_type: 'dsa' },
      { key_type: 'ec', key_bits: 2048 },
      { key_type: 'rsa', key_bits: 1024 },
      { ttl: '2h', max_ttl: '1h' },
      { allowed_other_sans: 'x' },
      { ext_key_usage_oids: 'x' },
      { policy_identifiers: '1' },
      { key_usage: ['Nothing'] },
    ])
      expect((await bed.post('roles/bad', bad)).refused?.code, JSON.stringify(bad)).toBe('bad-request')
  })

  it('limit the lifetime by request, role and mount', async () => {
    const bed = await bedWithRoot()
    const hours = async (role: Fields, request: Fields = {}): Promise<number> => {
      const { validTo } = new X509Certificate(await issued(bed, role, { common_name: 'a.example.com', ...request }))
      return Math.round(((Date.parse(validTo) - bed.now()) / 3_600_000) * 100) / 100
    }
    expect(await hours({ ttl: '' })).toBe(24)
    expect(await hours({ ttl: '', max_ttl: '5h' })).toBe(5)
    expect(await hours({ ttl: '3h', max_ttl: '5h' })).toBe(3)
    expect(await hours({ ttl: '3h', max_ttl: '5h' }, { ttl: '4h' })).toBe(4)
    expect(await hours({ ttl: '3h', max_ttl: '5h' }, { ttl: '50h' })).toBe(5)
    bed.config.max_lease_ttl = 7200
    expect(await hours({ ttl: '3h', max_ttl: '5h' })).toBe(2)
    const { validFrom } = new X509Certificate(await issued(bed, {}))
    expect(Math.round((bed.now() - Date.parse(validFrom)) / 1000)).toBeLessThanOrEqual(32)
    const early = new X509Certificate(await issued(bed, { not_before_duration: '1h' }))
    expect(Math.round((bed.now() - Date.parse(early.validFrom)) / 3_600_000)).toBe(1)
  })

  it('with no_store, keep certificates out of the store', async () => {
    const bed = await bedWithRoot()
    await bed.post('roles/r', { ...base, no_store: true, generate_lease: true })
    const { data, reply } = await bed.post('issue/r', { common_name: 'a.example' })
    expect(reply).not.toHaveProperty('lease')
    expect((await bed.call('LIST', 'certs')).data.keys).toHaveLength(1)
    expect((await bed.post('revoke', { serial_number: data.serial_number })).refused).toBeDefined()
  })

  it('of the URLs are encoded, independent of each other, and removed by a blank value', async () => {
    const bed = await bedWithRoot()
    await bed.post('config/urls', { issuing_certificates: 'http://a/ca,http://b/ca', ocsp_servers: ['http://o'] })
    await bed.post('config/urls', { crl_distribution_points: 'http://c' })
    const text = textOf(await issued(bed, {}))
    for (const part of [
      'CA Issuers - URI:http://a/ca',
      'CA Issuers - URI:http://b/ca',
      'OCSP - URI:http://o',
      'URI:http://c',
    ])
      expect(text).toContain(part)
    await bed.post('config/urls', { ocsp_servers: '' })
    expect((await bed.get('config/urls')).data).toEqual({
      issuing_certificates: ['http://a/ca', 'http://b/ca'],
      crl_distribution_points: ['http://c'],
      ocsp_servers: [],
    })
    expect(textOf(await issued(bed, {}))).not.toContain('OCSP')
    expect((await bed.post('config/urls', { ocsp_servers: 'not a url' })).refused?.code).toBe('bad-request')
  })
})

it.each([{ not_after: '2030-01-01T00:00:00Z' }, { use_pss: true }])(
  'refuses %j, which this server does not implement',
  async (fields) => {
    const bed = await bedWithRoot()
    const { refused } = await bed.post('roles/r', { ...base, ...fields })
    expect(refused?.message).toContain('does not carry out this field')
  },
)
