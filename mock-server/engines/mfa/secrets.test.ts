import { describe, expect, test } from 'vitest'
import { openMfa } from '../../test-beds/mfa.test-bed.ts'
import { shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await openMfa())

/** The requests of each variant. */
const legacy = {
  async define(name: string, fields: object = {}) {
    await server.ask(`POST sys/mfa/method/totp/${name}`, { issuer: 'Acme Inc', ...fields })
    return name
  },
  generate: (name: string, as: string) => server.ask(`GET sys/mfa/method/totp/${name}/generate`, undefined, as),
  adminGenerate: (name: string, body: object) => server.ask(`POST sys/mfa/method/totp/${name}/admin-generate`, body),
  adminDestroy: (name: string, body: object) => server.ask(`POST sys/mfa/method/${name}/admin-destroy`, body),
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
  rule: 'path "identity/mfa/*" { capabilities = ["update"] }',
}

const refused = { status: 400, data: {} }

describe.each([
  ['legacy', legacy],
  ['identity', identity],
])('%s', (_, variant) => {
  async function caller() {
    await server.ask('POST sys/policies/acl/own', { policy: variant.rule })
    return server.user(['own'])
  }

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
