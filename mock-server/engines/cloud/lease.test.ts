import { afterEach, expect, test } from 'vitest'
import { type Bed, openBed } from '../../test-beds/cloud.test-bed.ts'

let bed: Bed
afterEach(() => bed.close())

const keys = { access_key: 'AKIAAAAAAAAAAAAAAAAA', secret_key: 's'.repeat(40) }
const federation = { role_arn: 'arn:aws:iam::1:role/r', identity_token_audience: 'aud' }

test.each([
  ['nothing', {}, 204],
  ['both keys', keys, 204],
  ['federation', federation, 204],
  ['a key without its secret', { access_key: keys.access_key }, 400],
  ['a secret without its key', { secret_key: keys.secret_key }, 400],
  ['a key and an audience', { ...keys, ...federation }, 400],
  ['an audience without a role', { identity_token_audience: 'aud' }, 400],
  ['an invalid template', { ...keys, username_template: '{{ secret }}' }, 400],
])('config/root with %s gets the status %i', async (_, body, status) => {
  bed = await openBed()
  expect((await bed.post('config/root', body)).status).toBe(status)
  const read = await bed.get('config/root')
  expect(read.status).toBe(status === 204 ? 200 : 404)
  expect(JSON.stringify(read.data)).not.toContain(keys.secret_key)
  expect(await bed.calls()).toEqual([])
})

test('a write replaces the whole configuration, and a refused write changes nothing', async () => {
  bed = await openBed()
  await bed.post('config/root', { ...keys, region: 'eu-west-1', max_retries: 5 })
  await bed.post('config/root', keys)
  expect((await bed.get('config/root')).data).toMatchObject({ region: '', max_retries: -1 })
  await bed.post('config/root', { access_key: 'other', region: 'eu-west-1' })
  expect((await bed.get('config/root')).data).toMatchObject({ access_key: keys.access_key, region: '' })
})

test.each([
  ['community', 'newer'],
  ['premium', 'older'],
] as const)('the %s edition with the %s form has no federation', async (edition, cloud) => {
  bed = await openBed({}, { edition, forms: { cloud } })
  await bed.post('config/root', { ...keys, ...federation })
  expect((await bed.get('config/root')).data).not.toHaveProperty('identity_token_audience')
})

test('the older form requires both keys, and has no static roles', async () => {
  bed = await openBed({}, { forms: { cloud: 'older' } })
  expect((await bed.post('config/root', {})).status).toBe(400)
  expect((await bed.post('config/root', { secret_key: 's' })).status).toBe(400)
  expect((await bed.configure()).status).toBe(204)
  expect((await bed.post('roles/r', { credential_type: 'session_token' })).status).toBe(400)
  expect((await bed.post('static-roles/s', { username: 'app', rotation_period: 60 })).status).toBe(404)
})

test('a workload identity is exchanged for credentials, which sign the calls', async () => {
  bed = await openBed({ roles: ['plugin'] })
  const { account, provider } = bed
  const role_arn = `arn:aws:iam::${account.account}:role/plugin`
  const more = { iam_endpoint: provider.iam, sts_endpoint: provider.sts, identity_token_ttl: '10m' }
  await bed.post('config/root', { role_arn, identity_token_audience: 'aud', ...more })
  const document = '{"Version":"2012-10-17","Statement":[]}'
  await bed.post('roles/r', { credential_type: 'iam_user', policy_document: document })
  expect((await bed.get('creds/r')).status).toBe(200)
  const [first, second] = await bed.calls()
  expect(first).toMatchObject({ endpoint: 'sts', action: 'AssumeRoleWithWebIdentity', key: '' })
  const [, payload = ''] = (first?.parameters.WebIdentityToken ?? '').split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  expect(claims).toMatchObject({ aud: 'aud' })
  expect(claims.exp - claims.iat).toBe(600)
  expect(second).toMatchObject({ endpoint: 'iam', action: 'CreateUser', key: expect.stringMatching(/^ASIA/) })
})

test('a rotation returns the new key, deletes the old one, and signs with the new one', async () => {
  bed = await openBed()
  await bed.configure()
  const rotated = await bed.post('config/rotate-root')
  expect(rotated.data.access_key).not.toBe(bed.account.accessKey)
  expect((await bed.get('config/root')).data.access_key).toBe(rotated.data.access_key)
  expect((await bed.user(bed.account.userName))?.keys.map(({ id }) => id)).toEqual([rotated.data.access_key])
  await bed.post('roles/r', { credential_type: 'session_token' })
  await bed.get('sts/r')
  expect((await bed.calls()).at(-1)?.key).toBe(rotated.data.access_key)
})

test.each([
  ['1h', 204],
  ['90m30s', 204],
  ['2d', 400],
  ['3600', 400],
  ['', 400],
])('a lease of %j gets the status %i', async (lease, status) => {
  bed = await openBed()
  expect((await bed.post('config/lease', { lease, lease_max: '24h' })).status).toBe(status)
})

test('lease settings can be read before they are written', async () => {
  bed = await openBed()
  expect((await bed.get('config/lease')).data).toEqual({ lease: '768h0m0s', lease_max: '768h0m0s' })
  expect((await bed.post('config/lease', { lease: '1h' })).status).toBe(400)
  await bed.post('config/lease', { lease: '1h', lease_max: '24h' })
  expect((await bed.get('config/lease')).data).toEqual({ lease: '1h0m0s', lease_max: '24h0m0s' })
})
