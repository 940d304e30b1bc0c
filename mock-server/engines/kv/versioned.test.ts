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

test('every write creates a version, and old versions stay readable', async () => {
  expect((await write({ v: 1 }).expect(200)).body.data).toMatchObject({
    version: 1,
    destroyed: false,
    deletion_time: '',
  })
  await write({ v: 2 }).expect(200)
  expect((await ask('GET', 'kv/data/a/b').expect(200)).body.data).toMatchObject({
    data: { v: 2 },
    metadata: { version: 2 },
  })
  expect((await ask('GET', 'kv/data/a/b?version=1').expect(200)).body.data.data).toEqual({ v: 1 })
  await ask('GET', 'kv/data/a/b?version=3').expect(404)
  await ask('GET', 'kv/data/none').expect(404, { errors: [] })
  expect((await ask('LIST', 'kv/metadata').expect(200)).body.data.keys).toEqual(['a/'])
  expect((await ask('LIST', 'kv/metadata/a').expect(200)).body.data.keys).toEqual(['b'])
  await ask('POST', 'kv/data/a').send({ v: 1 }).expect(400)
})

test('check-and-set refuses a write if the current version has another number', async () => {
  await write({ v: 1 }, { cas: 1 }).expect(400)
  await write({ v: 1 }, { cas: 0 }).expect(200)
  await write({ v: 2 }, { cas: 0 }).expect(400)
  await write({ v: 2 }, { cas: 1 }).expect(200)
  await ask('POST', 'kv/config').send({ cas_required: true }).expect(204)
  await write({ v: 3 }).expect(400)
  await write({ v: 3 }, { cas: 2 }).expect(200)
})

test('versions are deleted, undeleted and destroyed', async () => {
  await write({ v: 1 }).expect(200)
  await write({ v: 2 }).expect(200)
  await ask('DELETE', 'kv/data/a/b').expect(204)
  const { body } = await ask('GET', 'kv/data/a/b').expect(404)
  expect(body.data).toMatchObject({ data: null, metadata: { version: 2, deletion_time: expect.stringMatching(/Z$/) } })
  await ask('GET', 'kv/data/a/b?version=1').expect(200)
  await ask('POST', 'kv/undelete/a/b')
    .send({ versions: [2] })
    .expect(204)
  await ask('GET', 'kv/data/a/b').expect(200)
  await ask('POST', 'kv/delete/a/b')
    .send({ versions: [1, 2] })
    .expect(204)
  await ask('GET', 'kv/data/a/b?version=1').expect(404)
  await ask('PUT', 'kv/destroy/a/b')
    .send({ versions: [2] })
    .expect(204)
  await ask('POST', 'kv/undelete/a/b')
    .send({ versions: [1, 2] })
    .expect(204)
  await ask('GET', 'kv/data/a/b?version=1').expect(200)
  expect((await ask('GET', 'kv/data/a/b').expect(404)).body.data.metadata.destroyed).toBe(true)
  await ask('POST', 'kv/destroy/a/b').send({}).expect(400)
})

test('a patch is merged into the value, and null removes a name', async () => {
  await ask('PATCH', 'kv/data/a/b')
    .type('application/merge-patch+json')
    .send({ data: { x: 1 } })
    .expect(404)
  await write({ x: 1, y: { z: 1, w: 2 } }).expect(200)
  const { errors } = (await ask('PATCH', 'kv/data/a/b').send({ data: {} }).expect(415)).body
  expect(errors[0]).toContain('application/merge-patch+json')
  await ask('PATCH', 'kv/data/a/b')
    .type('application/merge-patch+json')
    .send({ data: { x: null, y: { z: 3 }, n: { m: null, k: 1 } } })
    .expect(200)
  const { body } = await ask('GET', 'kv/data/a/b').expect(200)
  expect(body.data).toMatchObject({ metadata: { version: 2 } })
  expect(body.data.data).toEqual({ y: { z: 3, w: 2 }, n: { k: 1 } })
  const { body: keys } = await ask('GET', 'kv/subkeys/a/b').expect(200)
  expect(keys.data.subkeys).toEqual({ y: { z: null, w: null }, n: { k: null } })
  expect((await ask('GET', 'kv/subkeys/a/b?depth=1')).body.data.subkeys).toEqual({ y: null, n: null })
})

test('metadata and settings are written and patched, and deleting them deletes every version', async () => {
  await ask('POST', 'kv/metadata/a/b')
    .send({ max_versions: 2, custom_metadata: { team: 'red', old: 'x' } })
    .expect(204)
  for (const v of [1, 2, 3]) await write({ v }).expect(200)
  await ask('PATCH', 'kv/metadata/a/b')
    .type('application/merge-patch+json')
    .send({ custom_metadata: { old: null, new: 'y' }, delete_version_after: '1h' })
    .expect(204)
  expect((await ask('GET', 'kv/metadata/a/b').expect(200)).body.data).toMatchObject({
    ...{ current_version: 3, oldest_version: 2, max_versions: 2, delete_version_after: '1h0m0s' },
    custom_metadata: { team: 'red', new: 'y' },
    versions: { 2: { destroyed: false }, 3: { destroyed: false } },
  })
  await ask('GET', 'kv/data/a/b?version=1').expect(404)
  await ask('DELETE', 'kv/metadata/a/b').expect(204)
  await ask('GET', 'kv/data/a/b').expect(404, { errors: [] })
})

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
