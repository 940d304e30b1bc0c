import supertest from 'supertest'
import { afterEach, expect, test } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../../server.ts'

let server: MockServer
afterEach(() => server.close())

async function start(options: MockServerOptions = {}): Promise<void> {
  server = await createMockServer(options)
}
const ask = (method: string, path: string) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', server.rootToken)

test.each([
  [{ version: '0.9.0', edition: 'community' }, '0.9.0', undefined],
  [{ version: '1.9.3', edition: 'enterprise' }, '1.9.3+ent', undefined],
  [{ version: '1.10.0', edition: 'community' }, '1.10.0', false],
  [{ version: '1.14.0', edition: 'premium' }, '1.14.0+prem', true],
] as const)('%j: sys/health shows version %s, enterprise %s without a token', async (options, version, enterprise) => {
  await start(options)
  const { body } = await new supertest.Test(server.url, 'GET', '/v1/sys/health').expect(200)
  expect(body).toMatchObject({ initialized: true, sealed: false, standby: false, version })
  expect(body.enterprise).toBe(enterprise)
  expect(Math.abs(body.server_time_utc - server.clock.now() / 1000)).toBeLessThan(5)
})

test('a sealed server serves only the endpoints of its seal, until enough shares are provided', async () => {
  await start()
  await ask('POST', 'sys/seal').expect(204)
  await ask('GET', 'sys/health').expect(503)
  await ask('GET', 'sys/health?sealedcode=299').expect(299)
  await ask('GET', 'auth/token/lookup-self').expect(503)
  const [a = '', b = '', , , e = ''] = server.keyShares
  await ask('PUT', 'sys/unseal').send({ key: a }).expect(200)
  expect((await ask('PUT', 'sys/unseal').send({ key: a }).expect(200)).body).toMatchObject({ progress: 1, t: 3, n: 5 })
  await ask('POST', 'sys/unseal').send({ reset: true }).expect(200)
  expect((await ask('GET', 'sys/seal-status').expect(200)).body).toMatchObject({ progress: 0, sealed: true, nonce: '' })
  await ask('POST', 'sys/unseal')
    .send({ key: Buffer.from(a, 'base64').toString('hex') })
    .expect(200)
  await ask('POST', 'sys/unseal').send({ key: b }).expect(200)
  expect((await ask('POST', 'sys/unseal').send({ key: e }).expect(200)).body).toMatchObject({ sealed: false })
  await ask('GET', 'auth/token/lookup-self').expect(200)
})

test('wrong shares do not unseal', async () => {
  await start()
  await ask('POST', 'sys/seal').expect(204)
  await ask('POST', 'sys/unseal').send({ key: 'short' }).expect(400)
  await ask('POST', 'sys/unseal').send({}).expect(400)
  const [a = '', b = '', c = ''] = server.keyShares
  const forged = Buffer.from(c, 'base64')
  forged[3] = (forged[3] ?? 0) ^ 1
  await ask('POST', 'sys/unseal').send({ key: a }).expect(200)
  await ask('POST', 'sys/unseal').send({ key: b }).expect(200)
  await ask('POST', 'sys/unseal')
    .send({ key: forged.toString('base64') })
    .expect(400)
  expect((await ask('GET', 'sys/seal-status')).body).toMatchObject({ sealed: true, progress: 0 })
})

test.each([
  { shares: 1, threshold: 1 },
  { shares: 3, threshold: 2 },
  { shares: 5, threshold: 5 },
])('init returns $shares shares, of which $threshold unseal', async ({ shares, threshold }) => {
  await start({ initialized: false })
  await ask('GET', 'sys/health').expect(501)
  await ask('GET', 'auth/token/lookup-self').expect(503)
  expect((await ask('GET', 'sys/init').expect(200)).body).toEqual({ initialized: false })
  await ask('POST', 'sys/unseal').send({ key: 'x' }).expect(400)
  const { body } = await ask('PUT', 'sys/init').send({ secret_shares: shares, secret_threshold: threshold }).expect(200)
  expect(body.keys_base64).toHaveLength(shares)
  expect(server.keyShares).toEqual(body.keys_base64)
  expect(server.rootToken).toBe(body.root_token)
  await ask('PUT', 'sys/init').send({ secret_shares: 1, secret_threshold: 1 }).expect(400)
  await ask('POST', 'sys/seal').expect(204)
  for (const key of body.keys.slice(-threshold)) await ask('POST', 'sys/unseal').send({ key }).expect(200)
  await ask('GET', 'auth/token/lookup-self').expect(200)
})

test.each([
  { secret_shares: 3, secret_threshold: 4 },
  { secret_shares: 0, secret_threshold: 0 },
  { secret_shares: 3, secret_threshold: 1 },
  { secret_shares: 256, secret_threshold: 3 },
  { secret_shares: 'x' },
])('init refuses %j', async (body) => {
  await start({ initialized: false })
  await ask('PUT', 'sys/init').send(body).expect(400)
  expect((await ask('GET', 'sys/init')).body).toEqual({ initialized: false })
})
