import { X509Certificate } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Bed, bedWithRoot, createBed } from '../../test-beds/pki-mount.test-bed.ts'

// biome-ignore lint/suspicious/noExplicitAny: each test knows the type of the reply that it reads.
type Data = any

const ec = { key_type: 'ec', ttl: '8760h' }
const leaf = { common_name: 'a.test', ttl: '1h' }

async function data(bed: Bed, ...asked: Parameters<Bed['call']>): Promise<Data> {
  const { data, refused } = await bed.call(...asked)
  if (refused) throw refused
  return data
}
const signedBy = (certificate: string, ca: string): boolean =>
  new X509Certificate(certificate).verify(new X509Certificate(ca).publicKey)
const refusal = async (bed: Bed, ...asked: Parameters<Bed['call']>): Promise<unknown> =>
  (await bed.call(...asked)).refused?.facts.message

/** Returns a mount with a default root, another root named `second`, and a role. */
async function bedWithTwo(): Promise<Bed & { readonly first: Data; readonly second: Data }> {
  const bed = await bedWithRoot()
  await bed.post('roles/any', { allow_any_name: true, key_type: 'ec' })
  const second = await data(bed, 'POST', 'issuers/generate/root/internal', {
    ...ec,
    ...{ common_name: 'Second', issuer_name: 'second', key_name: 'two' },
  })
  return { ...bed, first: await data(bed, 'GET', 'issuer/default'), second }
}

describe('several issuers', () => {
  let bed: Awaited<ReturnType<typeof bedWithTwo>>
  beforeEach(async () => {
    bed = await bedWithTwo()
  })

  test('an issuer signs if the path or the role names it, and the default issuer otherwise', async () => {
    const { first, second } = bed
    expect(second).toMatchObject({ issuer_name: 'second', key_name: 'two' })
    const byRef = await data(bed, 'POST', 'issuer/second/issue/any', leaf)
    expect(signedBy(byRef.certificate, second.certificate)).toBe(true)
    const usual = await data(bed, 'POST', 'issue/any', leaf)
    expect(signedBy(usual.certificate, first.certificate)).toBe(true)
    await bed.post('roles/any', { allow_any_name: true, key_type: 'ec', issuer_ref: 'second' })
    expect(await data(bed, 'GET', 'roles/any')).toMatchObject({ issuer_ref: 'second' })
    const byRole = await data(bed, 'POST', 'issue/any', leaf)
    expect(signedBy(byRole.certificate, second.certificate)).toBe(true)
    expect(await refusal(bed, 'POST', 'issuer/third/issue/any', leaf)).toContain('reference: third')
  })

  test('each issuer has a revocation list for the certificates that it signed', async () => {
    const mine = await data(bed, 'POST', 'issuer/second/issue/any', leaf)
    const other = await data(bed, 'POST', 'issue/any', leaf)
    for (const { serial_number } of [mine, other]) await bed.post('revoke', { serial_number })
    const bytes = (text: string): Buffer => Buffer.from(text.replaceAll(':', ''), 'hex')
    const [lists] = [[await bed.bare('crl'), await bed.bare('issuer/second/crl/der')]]
    const has = [mine, other].map((one) => lists?.map((list) => list.includes(bytes(one.serial_number))))
    expect(has).toEqual([
      [false, true],
      [true, false],
    ])
    expect((await data(bed, 'LIST', 'certs/revoked')).keys).toHaveLength(2)
  })

  test('another issuer can become the default, and both keep their lists', async () => {
    const { first, second } = bed
    const mine = await data(bed, 'POST', 'issue/any', leaf)
    await bed.post('revoke', { serial_number: mine.serial_number })
    const before = await bed.bare('crl')
    expect(await data(bed, 'POST', 'config/issuers', { default: 'second' })).toEqual({
      ...{ default: second.issuer_id, default_follows_latest_issuer: false },
    })
    expect((await bed.bare('ca/pem')).toString()).toBe(second.certificate)
    expect((await bed.bare(`issuer/${first.issuer_id}/crl/der`)).equals(before)).toBe(true)
    await data(bed, 'POST', 'root/rotate/internal', { ...ec, common_name: 'Third' })
    const { default: next } = await data(bed, 'POST', 'root/replace')
    expect((await data(bed, 'GET', 'issuer/next')).issuer_id).toBe(next)
  })

  test('settings decide what an issuer may do, and what happens to certificates that would outlive it', async () => {
    const short = await data(bed, 'POST', 'issuers/generate/root/internal', { ...ec, ttl: '30m', common_name: 'Short' })
    const path = `issuer/${short.issuer_id}`
    expect(await refusal(bed, 'POST', `${path}/issue/any`, leaf)).toContain('beyond the expiration')
    await data(bed, 'PATCH', path, { leaf_not_after_behavior: 'truncate', issuer_name: 'short' })
    const cut = await data(bed, 'POST', 'issuer/short/issue/any', leaf)
    const end = (text: string): string => new X509Certificate(text).validTo
    expect(end(cut.certificate)).toBe(end(short.certificate))
    await data(bed, 'PATCH', path, { leaf_not_after_behavior: 'permit', issuing_certificates: 'http://ca.test/ca' })
    const long = await data(bed, 'POST', 'issuer/short/issue/any', leaf)
    expect(end(long.certificate)).not.toBe(end(short.certificate))
    expect(new X509Certificate(long.certificate).infoAccess).toContain('http://ca.test/ca')
    expect(await data(bed, 'POST', path, { usage: 'crl-signing' })).toMatchObject({
      ...{ issuer_name: '', usage: 'crl-signing,read-only', leaf_not_after_behavior: 'err', issuing_certificates: [] },
    })
    expect(await refusal(bed, 'POST', `${path}/issue/any`, leaf)).toContain('may not issue')
    await data(bed, 'PATCH', path, { usage: 'issuing-certificates,crl-signing' })
    expect(await data(bed, 'POST', `${path}/revoke`)).toMatchObject({ revoked: true })
    expect(await refusal(bed, 'POST', `${path}/issue/any`, leaf)).toContain('may not issue')
    for (const [name, value] of [
      ...[['usage', 'anything'] as const, ['leaf_not_after_behavior', 'ignore'] as const],
      ...[['issuer_name', 'second'] as const, ['revocation_signature_algorithm', 'SHA256WithRSA'] as const],
      ...[['ocsp_servers', 'nowhere'] as const, ['manual_chain', 'none'] as const],
    ])
      expect(await refusal(bed, 'PATCH', path, { [name]: value }), name).toBeTypeOf('string')
  })

  test('deleting an issuer keeps its key, which can be deleted only afterwards', async () => {
    expect(await refusal(bed, 'DELETE', 'key/two')).toContain('delete that first')
    await data(bed, 'POST', 'key/two', { key_name: 'another' })
    await data(bed, 'DELETE', 'issuer/second')
    expect((await data(bed, 'LIST', 'issuers')).keys).toEqual([bed.first.issuer_id])
    expect((await data(bed, 'LIST', 'keys')).keys).toHaveLength(2)
    await data(bed, 'DELETE', 'key/another')
    expect((await data(bed, 'LIST', 'keys')).keys).toEqual([bed.first.key_id])
    expect((await bed.call('DELETE', 'issuer/second')).refused ?? (await bed.call('DELETE', 'key/two')).refused).toBe(
      undefined,
    )
    const { reply } = await bed.call('DELETE', 'issuer/default')
    expect(reply).toMatchObject({ warnings: [expect.stringContaining('default')] })
    expect(await refusal(bed, 'GET', 'issuer/default')).toContain('reference: default')
  })

  test('issuers are the same after a restart', async () => {
    await data(bed, 'PATCH', 'issuer/second', { usage: 'issuing-certificates' })
    const again = createBed({ state: JSON.parse(JSON.stringify(bed.state.snapshot())) })
    for (const path of ['issuer/second', 'issuer/default', 'key/two', 'config/issuers'])
      expect(await data(again, 'GET', path)).toEqual(await data(bed, 'GET', path))
    const made = await data(again, 'POST', 'issuer/second/issue/any', leaf)
    expect(signedBy(made.certificate, bed.second.certificate)).toBe(true)
  })
})

describe('an intermediate', () => {
  test('is requested for a new key, signed by another CA, imported, and then issues with its chain', async () => {
    const upper = await bedWithTwo()
    const lower = await bedWithRoot()
    await lower.post('roles/any', { allow_any_name: true, key_type: 'ec' })
    const asked = { common_name: 'Lower', key_type: 'ec' }
    const { csr, key_id } = await data(lower, 'POST', 'issuers/generate/intermediate/internal', asked)
    const signed = await data(upper, 'POST', 'issuer/second/sign-intermediate', { ...ec, csr, common_name: 'Lower' })
    expect(signedBy(signed.certificate, upper.second.certificate)).toBe(true)
    const pem_bundle = `${signed.certificate}\n${upper.second.certificate}`
    const made = await data(lower, 'POST', 'issuers/import/cert', { pem_bundle })
    const [own, above] = made.imported_issuers
    expect(made).toMatchObject({ imported_keys: null, mapping: { [own]: key_id, [above]: '' } })
    expect((await data(lower, 'GET', `issuer/${own}`)).ca_chain).toHaveLength(2)
    await data(lower, 'POST', 'config/issuers', { default: own })
    const { certificate, ca_chain } = await data(lower, 'POST', 'issue/any', leaf)
    expect(signedBy(certificate, signed.certificate)).toBe(true)
    expect(ca_chain).toEqual([signed.certificate, upper.second.certificate])
    expect(await data(lower, 'POST', 'issuers/import/cert', { pem_bundle })).toMatchObject({
      ...{ imported_issuers: null, existing_issuers: [own, above] },
    })
    expect(await refusal(lower, 'POST', `issuer/${above}/issue/any`, leaf)).toContain('has no key')
  })

  test('a request that replaces the CA keeps it as an issuer that is not the default', async () => {
    const bed = await bedWithTwo()
    await data(bed, 'POST', 'intermediate/generate/internal', { common_name: 'Next', key_type: 'ec' })
    expect((await data(bed, 'GET', 'config/issuers')).default).toBe('')
    expect(await refusal(bed, 'POST', 'issue/any', leaf)).toContain('must be configured')
    const former = await data(bed, 'POST', `issuer/${bed.first.issuer_id}/issue/any`, leaf)
    expect(signedBy(former.certificate, bed.first.certificate)).toBe(true)
    expect((await data(bed, 'LIST', 'issuers')).keys).toHaveLength(2)
    expect((await bed.call('GET', 'issuer/second/crl/delta')).refused?.code).toBe('not-found')
  })

  test('a bundle is imported with its key, and becomes the default of an empty mount', async () => {
    const from = await bedWithRoot()
    const root = await data(from, 'POST', 'issuers/generate/root/exported', { ...ec, common_name: 'Moved' })
    const to = createBed()
    const pem_bundle = `${root.private_key}\n${root.certificate}`
    expect(await refusal(to, 'POST', 'issuers/import/cert', { pem_bundle })).toContain('no private keys')
    const made = await data(to, 'POST', 'issuers/import/bundle', { pem_bundle })
    expect(made).toMatchObject({ imported_issuers: [root.issuer_id], imported_keys: [root.key_id] })
    expect((await data(to, 'GET', 'config/issuers')).default).toBe(root.issuer_id)
    expect(await refusal(to, 'POST', 'issuers/import/bundle', { pem_bundle: 'nothing' })).toContain('PEM')
  })

  test('set-signed finds the key of an additional request', async () => {
    const [upper, lower] = [await bedWithRoot(), createBed()]
    const asked = { common_name: 'Lower', key_type: 'ec' }
    const { csr, key_id } = await data(lower, 'POST', 'issuers/generate/intermediate/internal', asked)
    const { certificate } = await data(upper, 'POST', 'root/sign-intermediate', { ...asked, csr, ttl: '8760h' })
    const { imported_issuers, mapping } = await data(lower, 'POST', 'intermediate/set-signed', { certificate })
    expect(mapping).toEqual({ [imported_issuers[0]]: key_id })
    expect((await data(lower, 'GET', 'config/issuers')).default).toBe(imported_issuers[0])
  })

  test('a root and a request can be created for an existing key', async () => {
    const bed = createBed()
    const key = await data(bed, 'POST', 'keys/generate/exported', { key_type: 'ec', key_name: 'one' })
    expect(key).toMatchObject({ key_name: 'one', key_type: 'ec', private_key: expect.stringContaining('EC PRIVATE') })
    const existing = { ...ec, common_name: 'Same key', key_ref: 'one' }
    expect(await data(bed, 'POST', 'root/generate/existing', existing)).toMatchObject({ key_id: key.key_id })
    expect(await data(bed, 'POST', 'intermediate/cross-sign', existing)).toMatchObject({ key_id: key.key_id })
    const other = createBed()
    const { private_key: pem_bundle } = key
    expect((await data(other, 'POST', 'keys/import', { pem_bundle, key_name: 'got' })).key_id).toBe(key.key_id)
  })
})

describe('lists with auto_rebuild', () => {
  let bed: Bed
  const revokeOne = async (): Promise<Buffer> => {
    const { serial_number } = await data(bed, 'POST', 'issue/any', leaf)
    await bed.post('revoke', { serial_number })
    return Buffer.from(serial_number.replaceAll(':', ''), 'hex')
  }
  beforeAll(async () => {
    bed = await bedWithRoot()
    await bed.post('roles/any', { allow_any_name: true, key_type: 'ec' })
  })

  test('a revocation is in the next complete list, and until then in the delta list', async () => {
    expect(await refusal(bed, 'POST', 'config/crl', { enable_delta: true })).toContain('auto_rebuild')
    expect((await bed.bare('crl/delta')).length).toBe(0)
    await data(bed, 'POST', 'config/crl', { auto_rebuild: true, enable_delta: true })
    expect(await data(bed, 'GET', 'config/crl')).toMatchObject({ auto_rebuild: true, enable_delta: true })
    await bed.bare('crl')
    const one = await revokeOne()
    expect((await bed.bare('crl')).includes(one)).toBe(false)
    expect((await bed.bare('crl/delta')).includes(one)).toBe(true)
    const two = await revokeOne()
    expect((await bed.bare('crl/delta')).includes(two)).toBe(false)
    await data(bed, 'GET', 'crl/rotate-delta')
    expect((await bed.bare('crl/delta')).includes(two)).toBe(true)
    await data(bed, 'GET', 'crl/rotate')
    const whole = await bed.bare('crl')
    expect([one, two].map((serial) => whole.includes(serial))).toEqual([true, true])
    expect((await bed.bare('crl/delta')).includes(two)).toBe(false)
    const three = await revokeOne()
    bed.pass(15 * 60)
    expect((await data(bed, 'GET', 'issuer/default/crl/delta')).crl).toContain('BEGIN X509 CRL')
    expect((await bed.bare('issuer/default/crl/delta/der')).includes(three)).toBe(true)
    bed.pass(60 * 3600)
    expect((await bed.bare('crl')).includes(two)).toBe(false)
  })
})

test('a role sets the hash that an RSA key signs with', async () => {
  const bed = createBed()
  await bed.post('root/generate/internal', { common_name: 'RSA', ttl: '8760h' })
  await bed.post('roles/a', { allow_any_name: true, key_type: 'ec', signature_bits: 512 })
  expect(await data(bed, 'GET', 'roles/a')).toMatchObject({ signature_bits: 512, issuer_ref: 'default' })
  const { certificate } = await data(bed, 'POST', 'issue/a', leaf)
  const sha512WithRsa = Buffer.from('2a864886f70d01010d', 'hex')
  expect(new X509Certificate(certificate).raw.includes(sha512WithRsa)).toBe(true)
  expect(await refusal(bed, 'POST', 'roles/a', { signature_bits: 100 })).toContain('not one of')
  expect(await refusal(bed, 'POST', 'roles/a', { cn_validations: 'disabled' })).toContain('email,hostname only')
})
