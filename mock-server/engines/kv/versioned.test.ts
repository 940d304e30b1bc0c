import supertest from 'supertest'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../server.ts'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer()
})
beforeEach(async () => {
  await server.reset()
  await ask('POST', 'sys/mounts/kv')
    .send({ type: 'kv', options: { version: '2' } })
    .expect(204)
})
afterAll(() => server.close())

const ask = (method: string, path: string, token = server.rootToken) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', token)
const write = (data: object, options?: object) => ask('POST', 'kv/data/a/b').send({ data, options })

test('a version is deleted after the delete_version_after of the mount', async () => {
  await ask('POST', 'kv/config').send({ delete_version_after: '60s', max_versions: 5 }).expect(204)
  expect((await ask('GET', 'kv/config').expect(200)).body.data).toEqual({
    ...{ max_versions: 5, cas_required: false, delete_version_after: '1m0s' },
  })
  await write({ v: 1 }).expect(200)
  await ask('GET', 'kv/data/a/b').expect(200)
  await server.clock.advance(61_000)
  await ask('GET', 'kv/data/a/b').expect(404)
})

test('a mount of version 1 can be upgraded to version 2, and keeps its values', async () => {
  await ask('POST', 'secret/old').send({ v: 1 }).expect(204)
  await ask('POST', 'sys/mounts/secret/tune')
    .send({ options: { version: '2' } })
    .expect(204)
  expect((await ask('GET', 'secret/data/old').expect(200)).body.data).toMatchObject({
    data: { v: 1 },
    metadata: { version: 1 },
  })
  expect((await ask('GET', 'secret/old').expect(404)).body.warnings[0]).toContain('data/')
  await ask('POST', 'sys/mounts/secret/tune')
    .send({ options: { version: '1' } })
    .expect(400)
})

test('the first write requires the capability create, and a patch requires patch', async () => {
  await ask('POST', 'sys/policies/acl/maker').send({ policy: 'path "kv/data/*" { capabilities = ["create"] }' })
  const { client_token: maker } = (await ask('POST', 'auth/token/create').send({ policies: ['maker'] })).body.auth
  await ask('POST', 'kv/data/a', maker)
    .send({ data: { v: 1 } })
    .expect(200)
  await ask('POST', 'kv/data/a', maker)
    .send({ data: { v: 2 } })
    .expect(403)
  await ask('PATCH', 'kv/data/a', maker)
    .type('application/merge-patch+json')
    .send({ data: { v: 2 } })
    .expect(403)
  expect(server.inventory().values).toEqual(['kv/a'])
})
