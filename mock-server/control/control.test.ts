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

const post = (path: string, body?: object) => new supertest.Test(control, 'POST', path).send(body)
const ask = (method: string, path: string) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', server.rootToken)

test('is off by default', async () => {
  const plain = await createMockServer()
  expect(plain.controlUrl).toBeUndefined()
  await plain.close()
})

test('moves the clock', async () => {
  const { body: before } = await new supertest.Test(control, 'GET', '/clock').expect(200)
  const { body: after } = await post('/clock/advance', { seconds: 3600 }).expect(200)
  expect(after.now - before.now).toBeGreaterThanOrEqual(3_600_000)
  await post('/clock/advance', { seconds: -1 }).expect(400)
  await post('/clock/advance', {}).expect(400)
})

test('shows the inventory and resets the state', async () => {
  await ask('POST', 'sys/policies/acl/p').send({ policy: 'path "a" { capabilities = ["read"] }' }).expect(204)
  expect((await new supertest.Test(control, 'GET', '/inventory').expect(200)).body).toMatchObject({
    acl: ['p'],
    rgp: [],
  })
  await post('/reset', {}).expect(204)
  expect((await new supertest.Test(control, 'GET', '/inventory').expect(200)).body).toMatchObject({ acl: [] })
})

test('loads mutants, and names mutants that do not exist', async () => {
  await post('/mutants', { ids: ['policies/acl-policy-optional'] }).expect(204)
  await ask('POST', 'sys/policies/acl/p').send({}).expect(204)
  await post('/mutants', { ids: [] }).expect(204)
  await ask('POST', 'sys/policies/acl/q').send({}).expect(400)
  await post('/mutants', { ids: ['none'] }).expect(400, { error: 'no such mutant: none' })
  await post('/mutants', { ids: ['policies/acl-policy-optionl', 'policies/acl-list-omits', 'none'] }).expect(400, {
    error: 'no such mutant: policies/acl-policy-optionl, none; did you mean "policies/acl-policy-optional"?',
  })
  await post('/mutants', { ids: 'none' }).expect(400)
})

test('plays faults, and shows the requests without secrets', async () => {
  await post('/faults', { faults: [{ fault: 'sealed', path: 'secret/*', times: 1 }] }).expect(204)
  await ask('POST', 'secret/a').send({ plain: 'hidden-value' }).expect(503)
  await ask('POST', 'secret/a').send({ plain: 'hidden-value' }).expect(204)
  const { body } = await new supertest.Test(control, 'GET', '/requests').expect(200)
  expect(body.requests.map(({ fault, status }: { fault?: string; status: number }) => [fault, status])).toEqual([
    ['sealed', 503],
    [undefined, 204],
  ])
  expect(JSON.stringify(body)).not.toContain('hidden-value')
  await post('/faults', { faults: [{ fault: 'none' }] }).expect(400)
})

test('changes the variation', async () => {
  await post('/variation', { seed: 3 }).expect(204)
  await post('/variation', { seed: 'x' }).expect(400)
})

const origin = (): string => new URL(control).origin
const key = (): string => new URL(control).pathname

test('accepts only callers that know its URL', async () => {
  const other = await createMockServer({ control: true, seed: 1 })
  const again = await createMockServer({ control: true, seed: 1 })
  const keys = [control, other.controlUrl, again.controlUrl].map((url) => new URL(url ?? '').pathname)
  await Promise.all([other.close(), again.close()])
  expect(new Set(keys).size).toBe(3)
  for (const path of ['/clock', `${keys[1]}/clock`, `${key()}x/clock`, '/', '//clock', key().slice(0, -1)])
    await new supertest.Test(origin(), 'GET', path).expect(404, /use its whole URL/)
  const { body } = await new supertest.Test(server.url, 'GET', '/v1/sys/health').expect(200)
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|control|placed/)
})

test.each([
  ['a name that resolves to this machine', { Host: 'evil.example' }],
  ['that name with the port', { Host: 'evil.example:80' }],
  ['another port', { Host: '127.0.0.1:1' }],
  ['a page of another origin', { Origin: 'https://evil.example' }],
  ['a page of another port', { Origin: 'http://127.0.0.1:1' }],
  ['a page without an origin', { Origin: 'null' }],
  ['a request that the browser marks as cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a request that the browser marks as same-site', { 'Sec-Fetch-Site': 'same-site' }],
])('refuses %s', async (_, headers) => {
  await new supertest.Test(control, 'GET', '/clock').set(headers).expect(403)
  const before = server.clock.now()
  await post('/clock/advance', { seconds: 3600 }).set(headers).expect(403)
  expect(server.clock.now() - before).toBeLessThan(3_000_000)
})

test('accepts requests from its own origin', async () => {
  const own = { Host: new URL(control).host, Origin: origin(), 'Sec-Fetch-Site': 'same-origin' }
  await new supertest.Test(control, 'GET', '/clock').set(own).expect(200)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx', ''])(
  'refuses a body of type %j',
  async (type) => {
    const sent = new supertest.Test(control, 'POST', '/clock/advance').set('Content-Type', type)
    await sent.send('{"seconds":3600}').expect(415, /application\/json/)
  },
)

test('refuses a body over 1 MiB, and numbers out of bounds', async () => {
  await post('/mutants', { ids: ['x'.repeat(2 ** 20)] }).expect(413)
  const sent = (text: string) =>
    new supertest.Test(control, 'POST', '/clock/advance').set('Content-Type', 'application/json').send(text)
  for (const number of ['1e300', '-1', '1e999', 'null', '"1"', '[1]', '316224001', 'true'])
    await sent(`{"seconds":${number}}`).expect(400, /seconds must be a number from 0 to 316224000/)
  await sent('{"seconds":NaN}').expect(400)
  for (const seed of [-1, 1.5, 2 ** 32]) await post('/variation', { seed }).expect(400)
})

test('does not move the clock past the year 9999', async () => {
  const decade = { seconds: 316_224_000 }
  let status = 200
  for (let moved = 0; status === 200 && moved < 1000; moved++) ({ status } = await post('/clock/advance', decade))
  expect(status).toBe(400)
  await ask('GET', 'auth/token/lookup-self').expect(200)
  await post('/reset', {}).expect(204)
  expect(Math.abs(server.clock.now() - Date.now())).toBeLessThan(60_000)
})

test('refuses unknown fields, paths and methods by name', async () => {
  await post('/clock/advance', { seconds: 1, minutes: 1 }).expect(400, /unknown field .*minutes.*expected seconds/)
  await post('/reset', { all: true }).expect(400, /no fields are expected/)
  await new supertest.Test(control, 'GET', '/clock?x=1').expect(404)
  await new supertest.Test(control, 'GET', '/__proto__').expect(404)
  const { headers } = await new supertest.Test(control, 'GET', '/reset').expect(405, /does not support GET; use POST/)
  expect(headers.allow).toBe('POST')
  await post('/clock', {}).expect(405)
})

test('refuses an unknown path and invalid JSON, and the API does not serve its paths', async () => {
  await new supertest.Test(control, 'GET', '/nothing').expect(404)
  await new supertest.Test(control, 'POST', '/reset').set('Content-Type', 'application/json').send('{').expect(400)
  await new supertest.Test(server.url, 'GET', '/inventory').expect(404)
})

test('a port that is in use is an error', async () => {
  const port = Number(new URL(control).port)
  await expect(createMockServer({ control: { port } })).rejects.toThrow('EADDRINUSE')
  await expect(createMockServer({ port: Number(new URL(server.url).port) })).rejects.toThrow('EADDRINUSE')
})
