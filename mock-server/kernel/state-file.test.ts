import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../server.ts'

let folder = ''
let stateFile = ''
let server: MockServer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'state-'))
  stateFile = join(folder, 'state.json')
  server = await createMockServer({ stateFile })
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const ask = (method: string, path: string, token = server.rootToken) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', token)

/** A second server on what the first has written so far: the first is not asked to close. */
async function again(options: MockServerOptions = {}): Promise<void> {
  const text = readFileSync(stateFile)
  await server.close()
  writeFileSync(stateFile, text)
  server = await createMockServer({ stateFile, ...options })
}

test('everything comes back', async () => {
  await ask('POST', 'sys/policies/acl/p').send({ policy: 'path "one/*" { capabilities = ["read"] }' }).expect(204)
  await ask('POST', 'sys/policies/egp/e')
    .send({ policy: 'main = rule { true }', enforcement_level: 'advisory', paths: ['a', 'b/*'] })
    .expect(204)
  await ask('POST', 'sys/mounts/one').send({ type: 'kv', description: 'mine' }).expect(204)
  await ask('POST', 'one/a').send({ x: 1 }).expect(204)
  await ask('POST', 'sys/auth/up').send({ type: 'userpass' }).expect(204)
  await ask('POST', 'auth/up/users/ann')
    .send({ password: 'pw', token_policies: ['p'] })
    .expect(204)
  const login = () => new supertest.Test(server.url, 'POST', '/v1/auth/up/login/ann').send({ password: 'pw' })
  const { client_token: token, entity_id: entity } = (await login().expect(200)).body.auth
  await server.clock.advance(3_600_000)
  await ask('POST', 'one/b').send({ x: 1 }).expect(204)
  const { body: wrapped } = await ask('GET', 'one/a').set('X-Vault-Wrap-TTL', '5m').expect(200)
  const before = { inventory: server.inventory(), root: server.rootToken, shares: server.keyShares }

  await again({ seed: 1 })
  expect({ inventory: server.inventory(), root: server.rootToken, shares: server.keyShares }).toEqual(before)
  expect((await ask('GET', 'one/a', token).expect(200)).body.data).toEqual({ x: 1 })
  expect((await login().expect(200)).body.auth.entity_id).toBe(entity)
  expect((await ask('GET', 'sys/mounts/one').expect(200)).body.data.description).toBe('mine')
  expect((await ask('PUT', 'sys/wrapping/unwrap', wrapped.wrap_info.token).expect(200)).body.data).toEqual({ x: 1 })
  const { ttl } = (await ask('GET', 'auth/token/lookup-self', token).expect(200)).body.data
  expect(ttl).toBeLessThanOrEqual(2_764_800 - 3600)
  expect((await ask('GET', 'sys/policies/egp/e').expect(200)).body.data.paths).toEqual(['a', 'b/*'])
})

test('ids are not given out twice', async () => {
  const token = async () => (await ask('POST', 'auth/token/create').send({})).body.auth.client_token
  const first = await token()
  await again()
  expect(await token()).not.toBe(first)
})

test('a token that ended while the server was away is gone', async () => {
  const { client_token: token } = (await ask('POST', 'auth/token/create').send({ ttl: '1h' })).body.auth
  await again()
  await ask('GET', 'auth/token/lookup-self', token).expect(200)
  await server.clock.advance(3_700_000)
  await ask('GET', 'auth/token/lookup-self', token).expect(403)
})

test('a reset is kept as well', async () => {
  await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
  await server.reset()
  await again()
  await ask('GET', 'secret/a').expect(404)
})

test('a sealed server comes back sealed', async () => {
  await ask('POST', 'sys/seal').expect(204)
  await again()
  await ask('GET', 'sys/health').expect(503)
})

test('the file is its owner’s, and nothing lies beside it', async () => {
  await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
  expect(statSync(stateFile).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test.each([
  ['cut short', (text: string) => text.slice(0, text.length / 2), 'is corrupt: it is no JSON'],
  ['empty', () => '', 'is corrupt: it is no JSON'],
  ['changed', (text: string) => text.replace('"root"', '"toor"'), 'is corrupt: its checksum does not fit'],
  ['something else', () => '{"a":1}', 'is no state of this server'],
])('a file that is %s is refused by name', async (_, spoil, reason) => {
  const file = join(folder, 'spoiled.json')
  const text = spoil(readFileSync(stateFile, 'utf8'))
  writeFileSync(file, text)
  await expect(createMockServer({ stateFile: file })).rejects.toThrow(`state file ${file} ${reason}`)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('one that cannot be written is an error at the start, and 500 later', async () => {
  const file = join(folder, 'none', 'state.json')
  await expect(createMockServer({ stateFile: file })).rejects.toThrow(`state file ${file} cannot be written`)
  await expect(createMockServer({ stateFile: folder })).rejects.toThrow(`state file ${folder} cannot be read`)
})
