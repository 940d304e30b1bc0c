import supertest from 'supertest'
import { describe, expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(
  await createMockServer({
    edition: 'community',
    mounts: { kv: 'kv', 'auth/up': 'userpass' },
    users: { ann: { password: 'pw', mount: 'up' } },
    policies: { reader: 'path "kv/team/*" { capabilities = ["read"] }' },
    tokens: { reader: { policies: ['reader'] } },
    writes: { 'kv/a': { x: 1 } },
  }),
)

const ask = askingOf(server)
const post = async (path: string, body: object = {}) => (await ask('POST', path).send(body).expect(200)).body
const get = async (path: string) => (await ask('GET', path).expect(200)).body

describe('remount', () => {
  test('moves a mount with its data, and shows the status of the move', async () => {
    const { accessor } = await get('sys/mounts/kv')
    const { migration_id: id, data } = await post('sys/remount', { from: 'kv', to: 'moved/kv' })
    expect(data.migration_id).toBe(id)
    expect((await get('moved/kv/a')).data).toEqual({ x: 1 })
    await ask('GET', 'kv/a').expect(404)
    expect((await get('sys/mounts/moved/kv')).accessor).toBe(accessor)
    expect((await get(`sys/remount/status/${id}`)).data.migration_info).toEqual({
      ...{ source_mount: 'kv/', target_mount: 'moved/kv/', status: 'success' },
    })
    await ask('GET', 'sys/remount/status/none').expect(404)
  })

  test('keeps the users of a login method, and revokes their tokens', async () => {
    const login = (at: string) => ask('POST', `auth/${at}/login/ann`).send({ password: 'pw' }).expect(200)
    const { client_token: token } = (await login('up')).body.auth
    await post('sys/remount', { from: 'auth/up', to: 'auth/down' })
    await ask('GET', 'auth/token/lookup-self', token).expect(403)
    await login('down')
  })
})

test('a rotation, on request or by time, increases the term of the key', async () => {
  expect(await get('sys/key-status')).toMatchObject({ term: 1, data: { term: 1 } })
  await ask('POST', 'sys/rotate').expect(204)
  expect((await get('sys/key-status')).term).toBe(2)
  await ask('POST', 'sys/rotate/config').send({ interval: '1h' }).expect(400)
  await ask('POST', 'sys/rotate/config').send({ max_operations: 5 }).expect(400)
  await ask('POST', 'sys/rotate/config').send({ interval: '48h' }).expect(204)
  expect((await get('sys/rotate/config')).data).toMatchObject({ enabled: true, interval: '48h0m0s' })
  await server.clock.advance(97 * 3_600_000)
  expect((await get('sys/key-status')).term).toBe(4)
})

describe('rekey', () => {
  const give = async (path: string, keys: readonly string[], nonce: string) => {
    let last: Record<string, unknown> = {}
    for (const key of keys) last = await post(path, { key, nonce })
    return last
  }

  test('replaces the shares of the root key', async () => {
    const old = server.keyShares
    await post('sys/rekey/init', { secret_shares: 2, secret_threshold: 2 })
    await ask('POST', 'sys/rekey/init').send({ secret_shares: 1, secret_threshold: 1 }).expect(400)
    await ask('DELETE', 'sys/rekey/init').expect(204)
    const { nonce } = await post('sys/rekey/init', { secret_shares: 2, secret_threshold: 2 })
    await ask('POST', 'sys/rekey/update').send({ key: old[0], nonce: 'other' }).expect(400)
    const done = await give('sys/rekey/update', old.slice(0, 3), nonce)
    expect(done).toMatchObject({ complete: true, nonce })
    expect(server.keyShares).toEqual(done.keys_base64)
    await ask('POST', 'sys/seal').expect(204)
    for (const key of server.keyShares) await ask('POST', 'sys/unseal').send({ key }).expect(200)
    expect(await get('sys/seal-status')).toMatchObject({ sealed: false, t: 2, n: 2 })
    expect((await get('sys/rekey/init')).started).toBe(false)
  })

  test('with verification, replaces the shares only after the new shares were provided', async () => {
    const old = server.keyShares
    const request = { secret_shares: 1, secret_threshold: 1, require_verification: true }
    const { nonce } = await post('sys/rekey/init', request)
    const { keys, verification_nonce } = await give('sys/rekey/update', old.slice(0, 3), nonce)
    expect(server.keyShares).toEqual(old)
    const [key] = keys as string[]
    const again = (await ask('DELETE', 'sys/rekey/verify').expect(200)).body.nonce
    expect(again).not.toBe(verification_nonce)
    expect(await post('sys/rekey/verify', { key, nonce: again })).toEqual({ nonce: again, complete: true })
    expect(server.keyShares).toHaveLength(1)
  })

  test('changes nothing if the shares are wrong', async () => {
    const old = server.keyShares
    const { nonce } = await post('sys/rekey/init', { secret_shares: 1, secret_threshold: 1 })
    const wrong = [1, 2, 3].map((byte) => Buffer.alloc(33, byte).toString('hex'))
    for (const key of wrong.slice(0, 2)) await post('sys/rekey/update', { key, nonce })
    await ask('POST', 'sys/rekey/update').send({ key: wrong[2], nonce }).expect(400)
    expect(server.keyShares).toEqual(old)
  })

  test('refuses unsupported options with a reason', async () => {
    const { errors } = (
      await ask('POST', 'sys/rekey/init')
        .send({ pgp_keys: ['x'] })
        .expect(400)
    ).body
    expect(errors[0]).toContain('without encryption only')
    const recovery = (await ask('GET', 'sys/rekey-recovery-key/init').expect(404)).body
    expect(recovery.errors[0]).toContain('no recovery keys')
    await ask('GET', 'sys/rekey/backup').expect(400)
  })
})

describe('sys/internal/ui/mounts', () => {
  test('shows the mount of a path to tokens that can reach it', async () => {
    const { data } = (await ask('GET', 'sys/internal/ui/mounts/kv/team/x', 'reader').expect(200)).body
    expect(data).toMatchObject({ path: 'kv/', type: 'kv', options: null })
    const { errors } = (await ask('GET', 'sys/internal/ui/mounts/secret/x', 'reader').expect(403)).body
    expect(errors[0]).toContain('preflight capability check')
    await ask('GET', 'sys/internal/ui/mounts/none').expect(403)
  })

  test('lists the mounts that a token can reach, or without a token those for everyone', async () => {
    const listed = (await ask('GET', 'sys/internal/ui/mounts', 'reader').expect(200)).body.data
    expect(Object.keys(listed.secret)).toContain('kv/')
    expect(Object.keys(listed.secret)).not.toContain('secret/')
    await ask('POST', 'sys/auth/up/tune').send({ listing_visibility: 'unauth' }).expect(204)
    const { body } = await new supertest.Test(server.url, 'GET', '/v1/sys/internal/ui/mounts').expect(200)
    expect(body.data).toEqual({ secret: {}, auth: { 'up/': { type: 'userpass', description: '', options: null } } })
  })
})

test('paths have help, which requires any token', async () => {
  expect((await ask('GET', 'kv?help=1', 'reader').expect(200)).body.help).toContain('Engine:   at kv/')
  expect((await get('sys/mounts/kv?help=1')).help).toMatch(/DELETE {2}sys\/mounts\/:path\*/)
  await new supertest.Test(server.url, 'GET', '/v1/kv?help=1').expect(400)
})

test('there are no audit devices and no quotas, and creating one is refused with a reason', async () => {
  expect((await get('sys/audit')).data).toEqual({})
  await ask('LIST', 'sys/quotas/rate-limit').expect(404)
  const { errors: audit } = (await ask('POST', 'sys/audit/file').send({ type: 'file' }).expect(405)).body
  expect(audit[0]).toContain('this reference server has no audit devices')
  const { errors: quota } = (await ask('POST', 'sys/quotas/rate-limit/a').send({ rate: 1 }).expect(404)).body
  expect(quota[0]).toContain('this reference server has no quotas')
})

test('replies of the oldest endpoints show their data at the top level as well', async () => {
  expect(await get('sys/mounts/kv')).toMatchObject({ type: 'kv', data: { type: 'kv' }, lease_id: '' })
  expect(await get('sys/policies/acl/reader')).not.toHaveProperty('policy')
})
