import supertest from 'supertest'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../server.ts'

let server: MockServer
let control = ''
beforeAll(async () => {
  server = await createMockServer({ control: true })
  control = server.controlUrl ?? ''
})
afterEach(async () => {
  server.loadMutants([])
  server.vary(0)
  await server.reset()
})
afterAll(() => server.close())

const tell = (path: string, body?: object) => new supertest.Test(control, 'POST', path).send(body)
const ask = (method: string, path: string) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', server.rootToken)

test('is off unless asked for', async () => {
  const plain = await createMockServer()
  expect(plain.controlUrl).toBeUndefined()
  await plain.close()
})

test('moves the clock', async () => {
  const { body: before } = await new supertest.Test(control, 'GET', '/clock').expect(200)
  const { body: after } = await tell('/clock/advance', { seconds: 3600 }).expect(200)
  expect(after.now - before.now).toBeGreaterThanOrEqual(3_600_000)
  await tell('/clock/advance', { seconds: -1 }).expect(400)
  await tell('/clock/advance', {}).expect(400)
})

test('shows the inventory and takes state back', async () => {
  await ask('POST', 'sys/policies/acl/p').send({ policy: 'path "a" { capabilities = ["read"] }' }).expect(204)
  expect((await new supertest.Test(control, 'GET', '/inventory').expect(200)).body).toMatchObject({
    acl: ['p'],
    rgp: [],
  })
  await tell('/reset').expect(204)
  expect((await new supertest.Test(control, 'GET', '/inventory').expect(200)).body).toMatchObject({ acl: [] })
})

test('loads mutants, and names one that does not exist', async () => {
  await tell('/mutants', { ids: ['policies/acl-policy-optional'] }).expect(204)
  await ask('POST', 'sys/policies/acl/p').send({}).expect(204)
  await tell('/mutants', { ids: [] }).expect(204)
  await ask('POST', 'sys/policies/acl/q').send({}).expect(400)
  await tell('/mutants', { ids: ['none'] }).expect(400, { error: 'no such mutant: none' })
  await tell('/mutants', { ids: ['policies/acl-policy-optionl', 'policies/acl-list-omits', 'none'] }).expect(400, {
    error: 'no such mutant: policies/acl-policy-optionl, none; did you mean "policies/acl-policy-optional"?',
  })
  await tell('/mutants', { ids: 'none' }).expect(400)
})

test('varies', async () => {
  await tell('/variation', { seed: 3 }).expect(204)
  await tell('/variation', { seed: 'x' }).expect(400)
})

test('refuses what it does not know', async () => {
  await new supertest.Test(control, 'GET', '/nothing').expect(404)
  await new supertest.Test(control, 'POST', '/reset').set('Content-Type', 'application/json').send('{').expect(400)
  await new supertest.Test(server.url, 'GET', '/inventory').expect(404)
})

test('a port that is taken is an error, and leaves nothing open', async () => {
  const port = Number(new URL(control).port)
  await expect(createMockServer({ control: { port } })).rejects.toThrow('EADDRINUSE')
  await expect(createMockServer({ port: Number(new URL(server.url).port) })).rejects.toThrow('EADDRINUSE')
})
