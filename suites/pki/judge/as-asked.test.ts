import { describe, expect, test } from 'vitest'
import { certified } from '../../../fixtures/pki/authorities.ts'
import type { JsonObject, Reply } from '../../../harness/vocabulary/index.ts'
import { type Asked, flawsAsAsked, rowsAsAsked } from './as-asked.ts'
import type { Certificate } from './certificate.ts'
import { certificateIn } from './reply.ts'

const { certificate: pem } = await certified({ name: 'leaf.example', key: 'ecLeaf' })
const base = certificateIn(pem) ?? expect.fail('no certificate')
const sans = { dns: ['leaf.example'], email: [], ip: [], uri: [], other: [] }
const found: Certificate = {
  ...base,
  sans,
  extKeyUsage: undefined,
  keyUsage: ['DigitalSignature'],
  basicConstraints: undefined,
}

const reply: Reply = {
  ...{ status: 200, headers: {}, json: { data: { certificate: pem } }, text: '', bytes: new Uint8Array() },
  ...{ asked: 'POST m/issue/leaf', at: 0 },
}
const role: JsonObject = {
  ...{ key_type: 'ec', key_bits: 256, key_usage: ['DigitalSignature'], server_flag: false, client_flag: false },
}
const body: JsonObject = { common_name: 'leaf.example', key_type: 'ec', key_bits: 256 }

const rowsOf = (held: Partial<Certificate>, asked: Partial<Asked> = {}): readonly string[] =>
  [...flawsAsAsked({ ...found, ...held }, { maker: 'issue', body, roles: [role], urls: [], ...asked }, reply)].map(
    ({ row }) => row,
  )

describe('a certificate', () => {
  test('that is as asked for has no flaw', () => expect(rowsOf({})).toEqual([]))

  test.each<[string, Partial<Certificate>, Partial<Asked>]>([
    [
      'role.country.in-subject',
      { subject: { ...base.subject, country: ['NL'] } },
      { roles: [{ ...role, country: ['NL', 'PT'] }] },
    ],
    ['role.subject.default', { subject: { ...base.subject, ou: ['Unit'] } }, {}],
    [
      'root.subject.comma-list',
      { subject: { ...base.subject, ou: ['B'] } },
      { maker: 'root', body: { ...body, ou: 'A,B' } },
    ],
    ['root.subject.array', {}, { maker: 'root', body: { ...body, ou: ['A'] } }],
    ['san.alt-names.host', {}, { body: { ...body, alt_names: 'other.example' } }],
    ['san.alt-names.comma-list', {}, { body: { ...body, alt_names: 'leaf.example, a@other.example' } }],
    ['san.ip-sans', {}, { body: { ...body, ip_sans: '192.0.2.1' } }],
    [
      'san.uri-sans.comma-list',
      { sans: { ...sans, uri: ['https://a/'] } },
      { body: { ...body, uri_sans: 'https://a/,https://b/' } },
    ],
    ['san.other-sans', {}, { body: { ...body, other_sans: '1.3.6;UTF8:one' } }],
    ['san.other-sans.without-role', {}, { maker: 'root', body: { ...body, other_sans: '1.3.6;utf-8:one' } }],
    ['san.exclude-cn.default', { sans: { ...sans, dns: [] } }, {}],
    ['san.exclude-cn.dns', {}, { body: { ...body, exclude_cn_from_sans: true } }],
    ['issue.common-name.subject', { subject: { common_name: ['x.example'] } }, {}],
    ['role.key-type.rsa', {}, { roles: [{ ...role, key_type: 'rsa', key_bits: 2048 }] }],
    ['role.key-bits.ec-384', {}, { roles: [{ ...role, key_bits: 384 }] }],
    ['root.key-type.default', {}, { maker: 'root', body: { common_name: 'leaf.example' } }],
    ['format.der', {}, { body: { ...body, format: 'der' } }],
    ['root.max-path-length.used', {}, { maker: 'root', body: { ...body, max_path_length: 2 } }],
    [
      'root.permitted-dns-domains.comma-list',
      {},
      { maker: 'root', body: { ...body, permitted_dns_domains: 'a.example' } },
    ],
    [
      'sign-intermediate.permitted-dns-domains.default',
      { permittedDns: ['a.example'] },
      { maker: 'sign-intermediate' },
    ],
    ['role.client-flag.flags', {}, { roles: [{ ...role, client_flag: true }] }],
    ['role.ext-key-usage.used', {}, { roles: [{ ...role, ext_key_usage: ['codesigning'] }] }],
    ['role.key-usage.list', {}, { roles: [{ ...role, key_usage: ['DigitalSignature', 'KeyAgreement'] }] }],
    ['role.policy-identifiers.comma-list', {}, { roles: [{ ...role, policy_identifiers: '1.3.6.1' }] }],
    ['role.basic-constraints.on', {}, { roles: [{ ...role, basic_constraints_valid_for_non_ca: true }] }],
    ['config-urls.ocsp-servers', {}, { urls: [{ ocsp_servers: 'http://a/' }] }],
    ['config-urls.independent', {}, { urls: [{ ocsp_servers: 'http://a/' }, { crl_distribution_points: '' }] }],
    ['config-urls.blank', { ocspUrls: ['http://a/'] }, { urls: [{ ocsp_servers: 'http://a/' }, { ocsp_servers: '' }] }],
  ])('contradicts %s alone', (row, held, asked) => {
    expect(rowsOf(held, asked)).toEqual([`pki.${row}`])
    expect(rowsAsAsked).toContain(`pki.${row}`)
  })

  test('is not held to what two writes of its role say differently', () =>
    expect(rowsOf({}, { roles: [role, { ...role, ou: 'A', key_bits: 384 }] })).toEqual([]))

  test('is not held to its request where the values of the CSR are used', () =>
    expect(
      rowsOf(
        {},
        { maker: 'sign-intermediate', body: { ...body, use_csr_values: true, ou: 'A', alt_names: 'b.example' } },
      ),
    ).toEqual([]))
})
