import { describe, expect, test } from 'vitest'
import { certified } from '../../../fixtures/pki/authorities.ts'
import type { JsonObject, Reply, Scope } from '../../../harness/vocabulary/index.ts'
import { pathTo } from './path.ts'
import { flawsOf } from './relying-party.ts'
import { certificateIn } from './reply.ts'

const asked = 'POST m/issue/leaf'
const replied = (data: JsonObject, what = asked): Reply => ({
  status: 200,
  headers: {},
  json: { data },
  text: '',
  bytes: new Uint8Array(),
  asked: what,
  at: Date.parse('2026-01-10T12:00:00Z'),
})
const served = (bodies: Readonly<Record<string, JsonObject>>, saved: Readonly<Record<string, string>> = {}): Scope =>
  ({
    served: (path: string) => (bodies[path] ? [bodies[path]] : []),
    has: (name: string) => Object.hasOwn(saved, name),
    value: (name: string) => saved[name],
  }) as unknown as Scope

const read = (pem: string) => {
  const found = certificateIn(pem)
  if (!found) throw new TypeError('no certificate')
  return found
}

const plain: JsonObject = { key_type: 'ec', key_bits: 256, server_flag: false, client_flag: false }
const role: JsonObject = { ...plain, key_usage: ['DigitalSignature'] }
const bodies = { 'm/issue/leaf': { common_name: 'leaf.example', exclude_cn_from_sans: true }, 'm/roles/leaf': role }
const ca = await certified({ name: 'root.example', key: 'ecAuthority' })
const leafOf = async (options: Partial<Parameters<typeof certified>[0]> = {}) =>
  (await certified({ name: 'leaf.example', key: 'ecLeaf', issuer: ca, isCa: false, ...options })).certificate

const flawIn = (certificate: string, more: JsonObject = { issuing_ca: ca.certificate }) =>
  flawsOf(read(certificate), { reply: replied({ certificate, ...more }), scope: served(bodies) })[0]

describe('a relying party', () => {
  test('accepts a certificate whose path verifies', async () => {
    expect(flawIn(await leafOf())).toBeUndefined()
  })

  test('accepts a certificate whose CA is not shown', async () => {
    expect(flawIn(await leafOf(), {})).toBeUndefined()
  })

  test('refuses a certificate that names another issuer than the CA whose key signed it', async () => {
    const issuer = { name: 'other.example', key: 'ecAuthority' } as const
    expect(flawIn(await leafOf({ issuer }))?.at).toBe('issuer')
  })

  test('refuses a certificate that the issuing CA of the reply has not signed', async () => {
    const issuer = { name: 'root.example', key: 'ecOther' } as const
    expect(flawIn(await leafOf({ issuer }))?.at).toBe('signature')
  })

  test('refuses an issuer that is not a CA', async () => {
    const weak = await certified({ name: 'root.example', key: 'ecAuthority', isCa: false })
    expect(flawIn(await leafOf(), { issuing_ca: weak.certificate })?.at).toBe('issuing CA')
  })

  test('refuses a leaf that is a CA, or that has key usages which its role does not allow', async () => {
    expect(flawIn(await leafOf({ isCa: true }))?.at).toBe('Basic Constraints')
    const scope = served({ ...bodies, 'm/roles/leaf': { ...plain, key_usage: ['KeyAgreement'] } })
    const certificate = await leafOf()
    const reply = replied({ certificate, issuing_ca: ca.certificate })
    // It has a usage that nobody asked for, so it is not held to what was asked for.
    expect(flawsOf(read(certificate), { reply, scope }).map(({ row }) => row)).toEqual(['pki.issue.whole'])
  })

  test('tells the first thing alone that is not as asked for', async () => {
    const certificate = await leafOf()
    const reply = replied({ certificate, issuing_ca: ca.certificate })
    const of = { ...plain, ou: 'missing', policy_identifiers: '1.3.6.1.4.1.99999.1' }
    const scope = served({ ...bodies, 'm/roles/leaf': of })
    expect(flawsOf(read(certificate), { reply, scope }).map(({ row }) => row)).toEqual(['pki.role.ou.in-subject'])
  })

  test('accepts usages that either of two writes of the role allows', async () => {
    const certificate = await leafOf()
    const reply = replied({ certificate, issuing_ca: ca.certificate })
    const roles = [{ ...plain, key_usage: ['KeyAgreement'] }, role]
    const scope = { ...served(bodies), served: (path: string) => (path === 'm/roles/leaf' ? roles : [{}]) } as Scope
    expect(flawsOf(read(certificate), { reply, scope })).toEqual([])
  })

  test('refuses a root whose certificate is not that of a CA', async () => {
    const { certificate } = await certified({ name: 'root.example', key: 'ecAuthority', isCa: false })
    const path = 'm/root/generate/internal'
    const scope = served({ [path]: { common_name: 'root.example' } })
    const [flaw] = flawsOf(read(certificate), { reply: replied({ certificate }, `POST ${path}`), scope })
    expect(flaw).toMatchObject({ row: 'pki.root.is-ca', at: 'Basic Constraints' })
  })

  test('does not judge a certificate again when it is read', async () => {
    const certificate = await leafOf({ isCa: true })
    const reply = replied({ certificate }, 'GET m/cert/1')
    expect(flawsOf(read(certificate), { reply, scope: served({}) })).toEqual([])
  })

  test('follows the whole path, and enforces the limit of its length', async () => {
    const within = async (pathLength?: number) => {
      const top = await certified({
        name: 'top.example',
        key: 'ecOther',
        ...(pathLength === undefined ? {} : { pathLength }),
      })
      const parent = await certified({ name: 'root.example', key: 'ecAuthority', issuer: top })
      return pathTo(read(await leafOf()), [read(parent.certificate), read(top.certificate)])
    }
    const path = await within()
    expect('certificates' in path && path.certificates.length).toBe(3)
    expect(await within(0)).toMatchObject({ at: 'path' })
  })
})
