import supertest from 'supertest'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../server.ts'
import { type Variation, variationAxes, variationOf } from './variation.ts'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer()
})
afterEach(async () => {
  server.vary(0)
  await server.reset()
})
afterAll(() => server.close())

const ask = (method: string, path: string) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', server.rootToken)

/** Varies the server by the first seed that has this choice. */
function vary<Axis extends keyof Variation>(axis: Axis, choice: Variation[Axis]): void {
  const seed = Array.from({ length: 100 }, (_, index) => index + 1).find((one) => variationOf(one)[axis] === choice)
  if (seed === undefined) throw new Error(`no seed up to 100 has ${axis} ${choice}`)
  server.vary(seed)
}

test('seed 0 is the plain dialect', () => {
  for (const [axis, [plain]] of Object.entries(variationAxes)) expect(variationOf(0)).toHaveProperty(axis, plain)
})

test('seeds 1 to 20 include each choice of each axis, and no two seeds give the same variation', () => {
  const variations = Array.from({ length: 20 }, (_, index) => variationOf(index + 1))
  for (const [axis, choices] of Object.entries(variationAxes))
    expect(new Set(variations.map((variation) => Reflect.get(variation, axis)))).toEqual(new Set(choices))
  expect(new Set(variations.map(({ seed: _, ...rest }) => JSON.stringify(rest))).size).toBe(20)
})

describe('an empty list', () => {
  test('can be data without keys', async () => {
    vary('emptyList', 'no-keys')
    expect((await ask('LIST', 'secret').expect(200)).body.data).not.toHaveProperty('keys')
  })
  test('can be data whose keys are null', async () => {
    vary('emptyList', 'null-keys')
    expect((await ask('LIST', 'secret').expect(200)).body.data.keys).toBeNull()
  })
})

test('a success without data can have a warning, or null data', async () => {
  vary('noData', 'warning')
  const { body: warned } = await ask('POST', 'secret/a').send({ x: 1 }).expect(200)
  expect(warned.data).toBeNull()
  expect(warned.warnings).toHaveLength(1)
  vary('noData', 'null-data')
  const { body } = await ask('POST', 'secret/a').send({ x: 1 }).expect(200)
  expect(body).toMatchObject({ data: null, warnings: null })
})

test('a missing token can be answered 403', async () => {
  vary('missingToken', 403)
  await new supertest.Test(server.url, 'GET', '/v1/secret/a').expect(403)
})

test('keys can be in another order', async () => {
  for (const name of ['a', 'b', 'c']) await ask('POST', `secret/${name}`).send({ x: 1 })
  vary('keyOrder', 'reversed')
  expect((await ask('LIST', 'secret')).body.data.keys).toEqual(['c', 'b', 'a'])
  vary('keyOrder', 'rotated')
  expect((await ask('LIST', 'secret')).body.data.keys).toEqual(['b', 'c', 'a'])
})

test('fields can be in another order', async () => {
  const names = async () => Object.keys((await ask('GET', 'auth/token/lookup-self')).body)
  const plain = await names()
  vary('fieldOrder', 'reversed')
  const reversed = (await names()).filter((name) => plain.includes(name))
  expect(reversed).toEqual([...plain].reverse())
})

test('unknown fields can be added, but not to what the caller wrote or to a map', async () => {
  await ask('POST', 'secret/a').send({ x: 1 })
  vary('extraFields', true)
  expect((await ask('GET', 'secret/a')).body.data).toEqual({ x: 1 })
  expect(Object.keys((await ask('GET', 'sys/mounts')).body.data).every((path) => path.endsWith('/'))).toBe(true)
  const { body } = await ask('GET', 'auth/token/lookup-self')
  expect(body.data).toHaveProperty('x_note')
  expect(body).toHaveProperty('mount_type')
})

test('a policy can be at the top level as well', async () => {
  const policy = 'path "a" { capabilities = ["read"] }'
  await ask('POST', 'sys/policies/acl/p').send({ policy }).expect(204)
  vary('alsoAtTop', 'all')
  const { body } = await ask('GET', 'sys/policies/acl/p').expect(200)
  expect(body).toMatchObject({ name: 'p', policy, data: { name: 'p', policy } })
})

test('ids can have other formats', async () => {
  const token = async () => (await ask('POST', 'auth/token/create').send({})).body.auth.client_token
  expect(await token()).toMatch(/^s\.\w{24}$/)
  vary('tokens', 'prefixed')
  expect(await token()).toMatch(/^hvs\.\w{90}$/)
  vary('tokens', 'uuid')
  expect(await token()).toMatch(/^[0-9a-f-]{36}$/)
  const entity = async () => (await ask('POST', 'identity/entity').send({})).body.data.id
  expect(await entity()).toMatch(/^[0-9a-f-]{36}$/)
  vary('entityIds', 'underlined')
  expect(await entity()).toMatch(/^ent_\w{20}$/)
  vary('mountAccessors', 'uuid')
  await ask('POST', 'sys/mounts/one').send({ type: 'kv' })
  vary('fieldOrder', 'plain')
  expect((await ask('GET', 'sys/mounts/one')).body.data.accessor).toMatch(/^mount-[0-9a-f-]{36}$/)
})

test('errors can have other texts', async () => {
  vary('errorText', 'counted')
  expect((await ask('GET', 'nowhere/x').expect(404)).body.errors[0]).toMatch(
    /^1 error occurred:\n\t\* unsupported path/,
  )
})

test('a variation does not change the root token', async () => {
  const { rootToken } = server
  for (let seed = 1; seed <= 20; seed++) {
    server.vary(seed)
    await server.reset()
    expect(server.rootToken).toBe(rootToken)
    await ask('GET', 'auth/token/lookup-self').expect(200)
  }
})
