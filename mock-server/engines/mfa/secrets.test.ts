import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Mfa, openMfa, urlIn } from '../../test-beds/mfa.test-bed.ts'
import type { Answered } from '../../test-beds/policies.test-bed.ts'
import { readQrCode } from '../../test-beds/qr-reader.test-bed.ts'

let server: Mfa
beforeAll(async () => {
  server = await openMfa()
})
afterEach(() => server.reset())
afterAll(() => server.close())

/** The requests of each variant. */
const legacy = {
  async define(name: string, fields: object = {}) {
    await server.ask(`POST sys/mfa/method/totp/${name}`, { issuer: 'Acme Inc', ...fields })
    return name
  },
  generate: (name: string, as: string) => server.ask(`GET sys/mfa/method/totp/${name}/generate`, undefined, as),
  adminGenerate: (name: string, body: object) => server.ask(`POST sys/mfa/method/totp/${name}/admin-generate`, body),
  adminDestroy: (name: string, body: object) => server.ask(`POST sys/mfa/method/${name}/admin-destroy`, body),
  remove: (name: string) => server.ask(`DELETE sys/mfa/method/totp/${name}`),
  rule: 'path "sys/mfa/*" { capabilities = ["read"] }',
}
const identity: typeof legacy = {
  async define(_, fields = {}) {
    const { data } = await server.ask('POST identity/mfa/method/totp', { issuer: 'Acme Inc', ...fields })
    return String(data.method_id)
  },
  generate: (id, as) => server.ask('POST identity/mfa/method/totp/generate', { method_id: id }, as),
  adminGenerate: (id, body) => server.ask('POST identity/mfa/method/totp/admin-generate', { method_id: id, ...body }),
  adminDestroy: (id, body) => server.ask('POST identity/mfa/method/totp/admin-destroy', { method_id: id, ...body }),
  remove: (id) => server.ask(`DELETE identity/mfa/method/totp/${id}`),
  rule: 'path "identity/mfa/*" { capabilities = ["update"] }',
}

const secretIn = (answer: Answered): string => urlIn(answer).searchParams.get('secret') ?? ''
const refused = { status: 400, data: {} }

describe.each([
  ['legacy', legacy],
  ['identity', identity],
])('%s', (_, variant) => {
  async function caller() {
    await server.ask('POST sys/policies/acl/own', { policy: variant.rule })
    return server.user(['own'])
  }

  test('the URL and the QR code contain the settings of the method', async () => {
    const { entity } = await server.user()
    const fields = { digits: 8, period: '1m', algorithm: 'SHA512', key_size: 33, qr_size: 333 }
    const made = await variant.adminGenerate(await variant.define('phone', fields), { entity_id: entity })
    const url = urlIn(made)
    expect(url.protocol + url.host + decodeURIComponent(url.pathname)).toBe(`otpauth:totp/Acme Inc:${entity}`)
    const { secret, ...parameters } = Object.fromEntries(url.searchParams)
    expect(parameters).toEqual({ digits: '8', period: '60', algorithm: 'SHA512', issuer: 'Acme Inc' })
    expect(secret).toHaveLength(Math.ceil((33 * 8) / 5))
    expect(readQrCode(Buffer.from(String(made.data.barcode), 'base64'))).toBe(made.data.url)
  })

  test('a secret is made once, by either operation, until it is destroyed', async () => {
    const { token, entity } = await caller()
    const method = await variant.define('phone')
    const first = await variant.generate(method, token)
    expect(first.status).toBe(200)
    for (const again of [
      await variant.generate(method, token),
      await variant.adminGenerate(method, { entity_id: entity }),
    ]) {
      expect(again).toMatchObject({ status: 200, data: {} })
      expect(again.warnings).toHaveLength(1)
    }
    expect((await variant.adminDestroy(method, { entity_id: entity })).status).toBe(204)
    expect((await variant.adminDestroy(method, { entity_id: entity })).status).toBe(204)
    const second = await variant.adminGenerate(method, { entity_id: entity })
    expect(secretIn(second)).not.toBe(secretIn(first))
    expect((await variant.generate(method, token)).data).toEqual({})
  })

  test('only one of several simultaneous requests gets the secret', async () => {
    const { token } = await caller()
    const method = await variant.define('phone')
    const answers = await Promise.all([1, 2, 3].map(() => variant.generate(method, token)))
    expect(answers.filter(({ data }) => 'url' in data)).toHaveLength(1)
  })

  test('each entity has its own secret of each method', async () => {
    const { entity } = await server.user()
    const { id: other } = (await server.ask('POST identity/entity', { name: 'other' })).data
    const [phone, tablet] = [await variant.define('phone'), await variant.define('tablet')]
    const secrets = []
    for (const [method, entity_id] of [
      [phone, entity],
      [phone, other],
      [tablet, entity],
    ] as const)
      secrets.push(secretIn(await variant.adminGenerate(method, { entity_id })))
    expect(new Set(secrets).size).toBe(3)
    await variant.adminDestroy(phone, { entity_id: entity })
    expect((await variant.adminGenerate(phone, { entity_id: other })).data).toEqual({})
    expect((await variant.adminGenerate(tablet, { entity_id: entity })).data).toEqual({})
  })

  test('a method has no secrets after it is deleted or defined again', async () => {
    const { token, entity } = await caller()
    const method = await variant.define('phone')
    await variant.generate(method, token)
    await variant.remove(method)
    expect(await variant.generate(method, token)).toMatchObject(refused)
    expect(await variant.adminGenerate(method, { entity_id: entity })).toMatchObject(refused)
    expect((await variant.generate(await variant.define('phone'), token)).data).toHaveProperty('url')
  })

  test('a caller without an entity, an unknown entity or method is refused', async () => {
    const { token, entity } = await caller()
    const method = await variant.define('phone')
    expect(await variant.generate(method, server.rootToken)).toMatchObject(refused)
    for (const entity_id of [undefined, null, '', 'none', '__proto__', 7, [entity], {}]) {
      expect(await variant.adminGenerate(method, { entity_id })).toMatchObject(refused)
      expect(await variant.adminDestroy(method, { entity_id })).toMatchObject(refused)
    }
    for (const unknown of ['none', '__proto__', 'constructor']) {
      expect(await variant.generate(unknown, token)).toMatchObject(refused)
      expect(await variant.adminGenerate(unknown, { entity_id: entity })).toMatchObject(refused)
      expect(await variant.adminDestroy(unknown, { entity_id: entity })).toMatchObject(refused)
    }
    expect((await variant.generate(method, token)).data).toHaveProperty('url')
  })

  test('the token of a deleted entity gets no secret', async () => {
    const { token, entity } = await caller()
    const method = await variant.define('phone')
    await server.ask(`DELETE identity/entity/id/${entity}`)
    expect(await variant.generate(method, token)).toMatchObject(refused)
    expect(await variant.adminGenerate(method, { entity_id: entity })).toMatchObject(refused)
  })

  test('a request without a token, or with a token that lacks the capability, gets nothing', async () => {
    const method = await variant.define('phone')
    expect((await variant.generate(method, await server.token('none'))).status).toBe(403)
    expect((await variant.generate(method, '')).status).toBe(400)
    expect((await variant.generate(method, 'wrong')).status).toBe(403)
  })

  test('no secret is made if the QR code of its URL does not fit into the picture', async () => {
    const { token } = await caller()
    expect(await variant.generate(await variant.define('small', { qr_size: 20 }), token)).toMatchObject(refused)
    expect(
      await variant.generate(await variant.define('long', { issuer: 'x'.repeat(1024), key_size: 1024 }), token),
    ).toMatchObject(refused)
    const blank = await variant.generate(await variant.define('blank', { qr_size: 0 }), token)
    expect(blank.data.barcode).toBe('')
  })
})
