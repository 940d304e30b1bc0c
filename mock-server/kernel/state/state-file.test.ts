import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../../server.ts'

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

/** Polls without a limit; the timeout of the test ends the loop. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 1))
}

async function again(options: MockServerOptions = {}): Promise<void> {
  await server.close()
  server = await createMockServer({ stateFile, ...options })
}

test('a restart restores everything', async () => {
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

test('no id is used again after a restart', async () => {
  const token = async () => (await ask('POST', 'auth/token/create').send({})).body.auth.client_token
  const first = await token()
  await again()
  expect(await token()).not.toBe(first)
})

test('a token expires at its time after a restart', async () => {
  const { client_token: token } = (await ask('POST', 'auth/token/create').send({ ttl: '1h' })).body.auth
  await again()
  await ask('GET', 'auth/token/lookup-self', token).expect(200)
  await server.clock.advance(3_700_000)
  await ask('GET', 'auth/token/lookup-self', token).expect(403)
})

test('a reset is saved as well', async () => {
  await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
  await server.reset()
  await again()
  await ask('GET', 'secret/a').expect(404)
})

test('a sealed server is sealed after a restart', async () => {
  await ask('POST', 'sys/seal').expect(204)
  await again()
  await ask('GET', 'sys/health').expect(503)
})

test('a change is saved soon, while the server is running', async () => {
  await ask('POST', 'secret/a').send({ x: 'of-the-first-write' }).expect(204)
  await until(() => readFileSync(stateFile, 'utf8').includes('of-the-first-write'))
  const copy = join(folder, 'copy.json')
  writeFileSync(copy, readFileSync(stateFile))
  const other = await createMockServer({ stateFile: copy })
  expect(other.inventory().values).toEqual(['secret/a'])
  await other.close()
})

test('unfinished copies of a killed server are removed at the next start', async () => {
  for (const name of ['state.json.tmp', 'state.json.4711.tmp']) writeFileSync(join(folder, name), 'half a secret')
  for (const name of ['other.json.tmp', 'state.json.bak', 'state.json.tmpl'])
    writeFileSync(join(folder, name), 'not ours')
  await again()
  expect(readdirSync(folder).sort()).toEqual(['other.json.tmp', 'state.json', 'state.json.bak', 'state.json.tmpl'])
})

test('a link at the path of the copy is not followed', async () => {
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'untouched')
  await server.close()
  symlinkSync(victim, `${stateFile}.tmp`)
  server = await createMockServer({ stateFile })
  expect(readFileSync(victim, 'utf8')).toBe('untouched')
})

test('none of many concurrent writes is lost', async () => {
  const paths = Array.from({ length: 300 }, (_, index) => `secret/${index}`)
  await Promise.all(paths.map((path) => ask('POST', path).send({ x: 1 }).expect(204)))
  await again()
  expect(server.inventory().values).toHaveLength(300)
})

test('while the file cannot be written, changes are answered 500; they are saved later', async () => {
  const gone = `${folder}-gone`
  renameSync(folder, gone)
  await until(async () => (await ask('POST', 'secret/a').send({ x: 1 })).status === 500)
  const { body } = await ask('POST', 'secret/a').send({ x: 1 }).expect(500)
  expect(body.errors.join()).toContain(`state file ${stateFile} cannot be written`)
  await ask('GET', 'sys/health').expect(200)
  renameSync(gone, folder)
  await until(async () => (await ask('POST', 'secret/b').send({ x: 1 })).status === 204)
  await again()
  expect(server.inventory().values).toEqual(['secret/a', 'secret/b'])
})

test('only the owner can read the file, and no copy is left beside it', async () => {
  await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
  await again()
  expect(statSync(stateFile).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test.each([
  ['cut short', (text: string) => text.slice(0, text.length / 2), 'is corrupt: it is not JSON'],
  ['empty', () => '', 'is corrupt: it is not JSON'],
  ['changed', (text: string) => text.replace('"root"', '"toor"'), 'is corrupt: its checksum does not match'],
  ['something else', () => '{"a":1}', 'is not a state of this server'],
])('a file that is %s is refused by name and not changed', async (_, spoil, reason) => {
  const file = join(folder, 'spoiled.json')
  const text = spoil(readFileSync(stateFile, 'utf8'))
  writeFileSync(file, text)
  await expect(createMockServer({ stateFile: file })).rejects.toThrow(`state file ${file} ${reason}`)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a file that cannot be written or read is an error at the start', async () => {
  const file = join(folder, 'none', 'state.json')
  await expect(createMockServer({ stateFile: file })).rejects.toThrow(`state file ${file} cannot be written`)
  await expect(createMockServer({ stateFile: folder })).rejects.toThrow(`state file ${folder} cannot be read`)
})
