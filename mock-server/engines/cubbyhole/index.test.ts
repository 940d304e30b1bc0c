import supertest from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../server.ts'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer({ tokens: { one: { ttl: '1h' }, two: {} } })
})
afterAll(() => server.close())

const ask = (method: string, path: string, token: string) =>
  new supertest.Test(server.url, method, `/v1/cubbyhole/${path}`).set('X-Vault-Token', token)

test('each token has its own values, which are deleted when it expires', async () => {
  await ask('POST', 'a/b', 'one').send({ x: 1 }).expect(204)
  expect((await ask('GET', 'a/b', 'one').expect(200)).body.data).toEqual({ x: 1 })
  expect((await ask('LIST', '', 'one').expect(200)).body.data).toEqual({ keys: ['a/'] })
  for (const other of ['two', server.rootToken]) await ask('GET', 'a/b', other).expect(404)
  await ask('POST', 'a', 'one').send({}).expect(400)
  await ask('DELETE', 'a/b', 'one').expect(204)
  await ask('GET', 'a/b', 'one').expect(404)
  await ask('POST', 'c', 'one').send({ x: 1 }).expect(204)
  await server.clock.advance(3_700_000)
  expect(server.snapshot()).not.toContain('"c":{"x":1}')
})
