import { beforeEach, expect, test } from 'vitest'
import { at, caughtUp, join, openBed, tokenFor, until, valueAt } from '../../test-beds/replication.test-bed.ts'

const { cluster, parties } = await openBed()
const [primary, secondary, third] = parties

beforeEach(() => join(primary, secondary, 'performance'))

test('a write to a secondary is carried out by its primary, and visible on the secondary at once', async () => {
  await secondary.do('POST', 'secret/a', { v: 'written on the secondary' })
  expect(await valueAt(secondary, 'secret/a')).toBe('written on the secondary')
  expect(await valueAt(primary, 'secret/a')).toBe('written on the secondary')
})

test.each([
  ['a mount', 'sys/mounts/team', { type: 'kv' }],
  ['a policy', 'sys/policies/acl/team', { policy: 'path "a" { capabilities = ["read"] }' }],
  ['a user', 'auth/userpass/users/ann', { password: 'p' }],
  ['an entity', 'identity/entity/name/ann', {}],
  ['a namespace', 'sys/namespaces/team', {}],
])('%s reaches both clusters', async (_what, path, body) => {
  if (path.startsWith('auth/')) await primary.do('POST', 'sys/auth/userpass', { type: 'userpass' })
  await caughtUp(secondary, primary, 'performance')
  await secondary.do('POST', path, body)
  for (const party of [primary, secondary]) expect((await party.ask('GET', path)).status).toBe(200)
})

test('replies and refusals come from the primary', async () => {
  const made = await secondary.do('POST', 'identity/entity', { name: 'bob' })
  expect((await primary.ask('GET', `identity/entity/id/${made.body.data.id}`)).body.data.name).toBe('bob')
  const refused = await secondary.ask('POST', 'sys/mounts/secret', { type: 'kv' })
  expect(refused).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('already in use')] } })
})

test('a namespace in the header and one in the path reach the primary', async () => {
  await primary.do('POST', 'sys/namespaces/team', {})
  await caughtUp(secondary, primary, 'performance')
  const headers = { 'x-vault-token': secondary.token, 'x-vault-namespace': 'team' }
  const sent = { method: 'POST', headers, body: JSON.stringify({ type: 'kv' }) }
  expect((await fetch(`${secondary.server.url}/v1/sys/mounts/inner`, sent)).status).toBe(204)
  await secondary.do('POST', 'team/inner/a', { v: 'deep' })
  expect(await valueAt(primary, 'team/inner/a')).toBe('deep')
  expect(await valueAt(secondary, 'team/inner/a')).toBe('deep')
})

test('a token of the secondary may do on the primary only what its policies allow', async () => {
  await secondary.do('POST', 'sys/policies/acl/few', { policy: 'path "secret/mine" { capabilities = ["create"] }' })
  const { body } = await secondary.do('POST', 'auth/token/create', { policies: ['few'] })
  const { client_token: token } = body.auth
  const own = { ...secondary, token }
  const write = (path: string) =>
    fetch(`${own.server.url}/v1/${path}`, { method: 'POST', headers: { 'x-vault-token': token }, body: '{"v":"1"}' })
  expect((await write('secret/mine')).status).toBe(204)
  expect((await write('secret/other')).status).toBe(403)
  expect(await valueAt(primary, 'secret/mine')).toBe('1')
})

test('local mounts and tokens stay on the secondary', async () => {
  await secondary.do('POST', 'sys/mounts/here', { type: 'kv', local: true })
  await secondary.do('POST', 'here/a', { v: 'local' })
  expect(await valueAt(secondary, 'here/a')).toBe('local')
  expect((await primary.ask('GET', 'here/a')).status).toBe(404)
  const { body } = await secondary.do('POST', 'auth/token/create', {})
  const lookup = { token: body.auth.client_token }
  expect((await secondary.ask('POST', 'auth/token/lookup', lookup)).status).toBe(200)
  expect((await primary.ask('POST', 'auth/token/lookup', lookup)).status).toBe(403)
})

test('a response of the primary is wrapped by the secondary', async () => {
  const wrapped = await fetch(`${secondary.server.url}/v1/identity/entity`, {
    method: 'POST',
    headers: { 'x-vault-token': secondary.token, 'x-vault-wrap-ttl': '60s' },
    body: JSON.stringify({ name: 'carl' }),
  })
  const { wrap_info } = (await wrapped.json()) as { wrap_info: { token: string } }
  const { body } = await secondary.do('POST', 'sys/wrapping/unwrap', { token: wrap_info.token })
  expect((await primary.ask('GET', `identity/entity/id/${body.data.id}`)).status).toBe(200)
})

test('while the link is cut, a write is refused with a reason, and reads work', async () => {
  await secondary.do('POST', 'secret/a', { v: 'before' })
  cluster.links.cut(0, 1)
  const { status, body } = await secondary.ask('POST', 'secret/a', { v: 'after' })
  expect(status).toBe(502)
  expect(body.errors[0]).toMatch(`the link to ${primary.server.clusterAddress} is cut`)
  expect(await valueAt(secondary, 'secret/a')).toBe('before')
  cluster.links.heal()
  await until(async () => (await secondary.ask('POST', 'secret/a', { v: 'healed' })).status === 204, 'healed')
  expect(await valueAt(primary, 'secret/a')).toBe('healed')
})

test('a peer with a certificate of another authority is refused with a reason', async () => {
  await third.do('POST', at('performance', 'primary/enable'), {
    primary_cluster_addr: `https://${primary.server.clusterAddress}/`,
  })
  await secondary.do('POST', at('performance', 'secondary/update-primary'), {
    token: await tokenFor(third, 'performance', 'misled'),
  })
  const { status, body } = await secondary.ask('POST', 'secret/a', { v: 'x' })
  expect(status).toBe(502)
  expect(body.errors[0]).toMatch(/certificate is not from the certificate authority that the activation token names/)
  expect((await secondary.status('performance')).primaries[0].connection_status).toBe('disconnected')
})

test('a cluster address without TLS is refused', async () => {
  const address = { primary_cluster_addr: 'http://127.0.0.1:1' }
  const { status, body } = await third.ask('POST', at('performance', 'primary/enable'), address)
  expect([status, body.errors]).toEqual([400, [expect.stringContaining('TLS')]])
})

test('a secondary without a primary, and a revoked one, refuse a write with a reason', async () => {
  await primary.do('POST', at('performance', 'primary/revoke-secondary'), { id: 'second' })
  const revoked = await secondary.ask('POST', 'secret/a', { v: 'after' })
  expect(revoked).toMatchObject({ status: 502, body: { errors: [expect.stringContaining('refuses it with 403')] } })
  await secondary.do('POST', at('performance', 'secondary/update-primary'), { token: '' })
  const alone = await secondary.ask('POST', 'secret/a', { v: 'after' })
  expect(alone).toMatchObject({ status: 502, body: { errors: [expect.stringContaining('it has none')] } })
})
