import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Call, Reply } from '../../kernel/contracts.ts'
import type { MountableEngine } from '../../kernel/engine.ts'
import { type MockServer, startServer } from '../../start.ts'
import { engines } from '../index.ts'

let revoked: string[] = []
let broken = false

/** Returns an engine that issues leases at `GET <mount>/creds/<role>`. */
const lender = (): MountableEngine => ({
  type: 'lender',
  kind: 'secret',
  open: () => ({
    revive: (kept) => () => void revoked.push(`revived ${kept}`),
    routes: [
      {
        verb: 'GET',
        path: 'creds/:role',
        access: 'token',
        handle: ({ params }: Call): Reply => ({
          kind: 'data',
          data: { role: params.role },
          lease: {
            ttl: 600,
            renewable: params.role !== 'stiff',
            kept: params.role,
            revoke() {
              if (broken) throw new Error('the provider is away')
              revoked.push(params.role ?? '')
            },
          },
        }),
      },
    ],
  }),
})

const withLender = { ...engines, mountable: [...engines.mountable, lender] }

let server: MockServer
beforeAll(async () => {
  server = await startServer({}, withLender)
})
beforeEach(async () => {
  revoked = []
  broken = false
  await ask('POST', 'sys/mounts/lend').send({ type: 'lender' }).expect(204)
})
afterEach(() => server.reset())
afterAll(() => server.close())

const ask = (method: string, path: string, token = server.rootToken) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', token)
const borrow = async (role: string, token?: string): Promise<string> =>
  (await ask('GET', `lend/creds/${role}`, token).expect(200)).body.lease_id

test('a lease is looked up and listed', async () => {
  const { body } = await ask('GET', 'lend/creds/a').expect(200)
  expect(body).toMatchObject({
    lease_id: expect.stringMatching(/^lend\/creds\/a\/./),
    lease_duration: 600,
    renewable: true,
  })
  const { body: reply } = await ask('PUT', 'sys/leases/lookup').send({ lease_id: body.lease_id }).expect(200)
  expect(reply.data).toMatchObject({ id: body.lease_id, ttl: 600, renewable: true, last_renewal: null })
  expect((await ask('LIST', 'sys/leases/lookup').expect(200)).body.data.keys).toEqual(['lend/'])
  expect((await ask('LIST', 'sys/leases/lookup/lend/creds/a').expect(200)).body.data.keys).toHaveLength(1)
  await ask('POST', 'sys/leases/lookup').send({ lease_id: 'none' }).expect(400)
  await ask('POST', 'sys/leases/lookup').send({}).expect(400)
  expect(server.inventory().leases).toEqual([body.lease_id])
})

test('a lease is revoked after its TTL', async () => {
  await borrow('a')
  await server.clock.advance(599_000)
  expect(revoked).toEqual([])
  await server.clock.advance(2_000)
  expect(revoked).toEqual(['a'])
  expect(server.inventory().leases).toEqual([])
})

test('a renewal extends a lease, up to the maximum TTL of the mount', async () => {
  await ask('POST', 'sys/mounts/lend/tune').send({ max_lease_ttl: '15m' }).expect(204)
  const id = await borrow('a')
  await server.clock.advance(500_000)
  const { body } = await ask('POST', 'sys/leases/renew').send({ lease_id: id, increment: 300 }).expect(200)
  expect(body).toMatchObject({ lease_id: id, renewable: true, lease_duration: 300 })
  expect(
    (await ask('POST', `sys/leases/renew/${id}`).send({ increment: '1h' })).body.lease_duration,
  ).toBeLessThanOrEqual(400)
  await ask('POST', 'sys/leases/renew')
    .send({ lease_id: await borrow('stiff') })
    .expect(400)
  await ask('POST', 'sys/leases/renew').send({ lease_id: 'none' }).expect(400)
})

test('a new lease is capped at the maximum TTL of the mount', async () => {
  await ask('POST', 'sys/mounts/lend/tune').send({ max_lease_ttl: '5m' }).expect(204)
  expect((await ask('GET', 'lend/creds/a').expect(200)).body.lease_duration).toBe(300)
})

test('leases are revoked one by one and by prefix', async () => {
  const id = await borrow('a')
  await borrow('b')
  await borrow('c')
  await ask('PUT', 'sys/leases/revoke').send({ lease_id: id }).expect(204)
  expect(revoked).toEqual(['a'])
  await ask('PUT', 'sys/leases/revoke-prefix/lend/creds').expect(204)
  expect(revoked.sort()).toEqual(['a', 'b', 'c'])
})

test('a revocation that fails blocks the unmount, until revoke-force removes the lease', async () => {
  const id = await borrow('a')
  broken = true
  await ask('PUT', 'sys/leases/revoke').send({ lease_id: id }).expect(400)
  await ask('PUT', 'sys/leases/revoke-prefix/lend').expect(400)
  await ask('DELETE', 'sys/mounts/lend').expect(400)
  await ask('GET', 'lend/creds/b').expect(200)
  await ask('PUT', 'sys/leases/revoke-force/lend').expect(204)
  await ask('DELETE', 'sys/mounts/lend').expect(204)
  expect(server.inventory().leases).toEqual([])
})

test('an expired lease stays if its revocation fails', async () => {
  const id = await borrow('a')
  broken = true
  await server.clock.advance(700_000)
  expect(server.inventory().leases).toEqual([id])
})

test('a lease is revoked with its token and with its mount', async () => {
  await ask('POST', 'sys/policies/acl/b').send({ policy: 'path "lend/*" { capabilities = ["read"] }' }).expect(204)
  const { client_token: token } = (await ask('POST', 'auth/token/create').send({ policies: ['b'] })).body.auth
  await borrow('a', token)
  await ask('POST', 'auth/token/revoke').send({ token }).expect(204)
  expect(revoked).toEqual(['a'])
  await borrow('b')
  await ask('DELETE', 'sys/mounts/lend').expect(204)
  expect(revoked).toEqual(['a', 'b'])
})

test('revoking by prefix requires sudo', async () => {
  await ask('POST', 'sys/policies/acl/b')
    .send({ policy: 'path "sys/leases/*" { capabilities = ["update"] }' })
    .expect(204)
  const { client_token: token } = (await ask('POST', 'auth/token/create').send({ policies: ['b'] })).body.auth
  await ask('PUT', 'sys/leases/revoke-prefix/lend', token).expect(403)
  await ask('PUT', 'sys/leases/revoke-force/lend', token).expect(403)
})

test('after a restart from a state file, a lease is still revoked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leases-'))
  const stateFile = join(folder, 'state.json')
  const first = await startServer({ stateFile }, withLender)
  const askOf = (from: MockServer, method: string, path: string) =>
    new supertest.Test(from.url, method, `/v1/${path}`).set('X-Vault-Token', from.rootToken)
  await askOf(first, 'POST', 'sys/mounts/lend').send({ type: 'lender' }).expect(204)
  const { lease_id } = (await askOf(first, 'GET', 'lend/creds/a').expect(200)).body
  await first.close()
  const second = await startServer({ stateFile }, withLender)
  expect(second.inventory().leases).toEqual([lease_id])
  await second.clock.advance(700_000)
  expect(revoked).toEqual(['revived a'])
  await second.close()
  rmSync(folder, { recursive: true })
})

test('tokens of logins have leases, whose ids do not reveal the tokens', async () => {
  await ask('POST', 'sys/auth/userpass').send({ type: 'userpass' }).expect(204)
  await ask('POST', 'auth/userpass/users/ann').send({ password: 'pass-1' }).expect(204)
  const login = await ask('POST', 'auth/userpass/login/ann').send({ password: 'pass-1' }).expect(200)
  const { client_token: token, lease_duration: ttl } = login.body.auth
  const folder = 'auth/userpass/login/ann'
  const { keys } = (await ask('LIST', `sys/leases/lookup/${folder}`).expect(200)).body.data
  expect(keys).toEqual([expect.stringMatching(/^h[0-9a-f]{64}$/)])
  const lease_id = `${folder}/${keys[0]}`
  const { data } = (await ask('POST', 'sys/leases/lookup').send({ lease_id }).expect(200)).body
  expect(data).toMatchObject({ id: lease_id, renewable: true })
  expect(ttl - data.ttl).toBeLessThan(60)
  const renewed = await ask('POST', 'sys/leases/renew').send({ lease_id, increment: 600 }).expect(200)
  expect(renewed.body).toMatchObject({ lease_id, lease_duration: 600, renewable: true })
  await ask('POST', 'sys/leases/revoke').send({ lease_id }).expect(204)
  await ask('GET', 'auth/token/lookup-self', token).expect(403)
})
