import supertest from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../server.ts'

let server: MockServer
let token = ''
let accessor = ''
beforeAll(async () => {
  server = await createMockServer()
  await ask('POST', 'sys/policies/acl/p')
    .send({ policy: 'path "secret/*" { capabilities = ["read", "list"] }' })
    .expect(204)
  ;({ client_token: token, accessor } = (await ask('POST', 'auth/token/create').send({ policies: ['p'] })).body.auth)
})
afterAll(() => server.close())

const ask = (method: string, path: string, as = server.rootToken) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', as)

test.each([
  ['capabilities-self', () => ask('POST', 'sys/capabilities-self', token).send({ paths: ['secret/a', 'sys/mounts'] })],
  ['capabilities', () => ask('POST', 'sys/capabilities').send({ token, paths: ['secret/a', 'sys/mounts'] })],
  [
    'capabilities-accessor',
    () => ask('POST', 'sys/capabilities-accessor').send({ accessor, paths: 'secret/a,sys/mounts' }),
  ],
])('sys/%s', async (_, request) => {
  const { body } = await request().expect(200)
  expect(body.data).toEqual({ 'secret/a': ['list', 'read'], 'sys/mounts': ['deny'] })
  expect(body['secret/a']).toEqual(['list', 'read'])
})

test('the capabilities of a single path are under `capabilities` as well', async () => {
  const { body } = await ask('POST', 'sys/capabilities-self', token).send({ path: 'secret/a' }).expect(200)
  expect(body.data.capabilities).toEqual(['list', 'read'])
  expect((await ask('POST', 'sys/capabilities-self').send({ path: 'x' })).body.data.capabilities).toEqual(['root'])
})

test('a missing path and an unknown token are refused', async () => {
  await ask('POST', 'sys/capabilities-self').send({}).expect(400)
  await ask('POST', 'sys/capabilities')
    .send({ token: 'none', paths: ['a'] })
    .expect(400)
})
