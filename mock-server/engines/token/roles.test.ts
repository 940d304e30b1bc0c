import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(
  await createMockServer({
    policies: { maker: 'path "auth/token/create/*" { capabilities = ["update"] }' },
    tokens: { maker: { policies: ['maker', 'own'] } },
  }),
)

const ask = (method: string, path: string, token = server.rootToken) =>
  new supertest.Test(server.url, method, `/v1/auth/token/${path}`).set('X-Vault-Token', token)
const newRole = (fields: object) => ask('POST', 'roles/one').send(fields).expect(204)
const create = async (fields: object = {}, token = 'maker') =>
  (await ask('POST', 'create/one', token).send(fields).expect(200)).body.auth

test('a role grants its allowed policies, which its caller need not have, and no others', async () => {
  await newRole({ allowed_policies: ['a', 'b'], allowed_policies_glob: ['dev-*'], disallowed_policies: ['dev-x'] })
  expect((await create()).policies).toEqual(['a', 'b', 'default'])
  expect((await create({ policies: ['dev-1'], no_default_policy: true })).policies).toEqual(['dev-1'])
  for (const policies of [['own'], ['dev-x'], ['root']])
    await ask('POST', 'create/one', 'maker').send({ policies }).expect(400)
  await newRole({ allowed_policies: [], allowed_policies_glob: [], disallowed_policies: [] })
  await ask('POST', 'create/one', 'maker')
    .send({ policies: ['a'] })
    .expect(400)
  expect((await create({ policies: ['own'] })).policies).toEqual(['default', 'own'])
})

test('a role sets the lifetime, the number of uses, the parent and the path of its tokens', async () => {
  const fields = { token_period: '1h', token_explicit_max_ttl: '3h', token_num_uses: 3, orphan: true }
  await newRole({ ...fields, path_suffix: 'ci', token_no_default_policy: true, renewable: true })
  const auth = await create({ policies: ['own'], ttl: '9h' })
  expect(auth).toMatchObject({ lease_duration: 3600, num_uses: 3, orphan: true, policies: ['own'] })
  const { data } = (await ask('POST', 'lookup').send({ token: auth.client_token }).expect(200)).body
  expect(data).toMatchObject({ path: 'auth/token/create/one/ci', period: 3600, explicit_max_ttl: 10800, role: 'one' })
  await newRole({ renewable: false })
  expect((await create({ policies: ['own'] })).renewable).toBe(false)
})

test('a role binds its tokens to addresses, and allows entity aliases', async () => {
  await newRole({ token_bound_cidrs: '192.0.2.0/24' })
  const { client_token: elsewhere } = await create({ policies: ['own'] })
  await ask('GET', 'lookup-self', elsewhere).expect(403)
  await newRole({ token_bound_cidrs: '127.0.0.0/8', allowed_entity_aliases: ['ci-*'] })
  const first = await create({ entity_alias: 'CI-one', policies: ['own'] })
  expect((await create({ entity_alias: 'ci-one', policies: ['own'] })).entity_id).toBe(first.entity_id)
  await ask('POST', 'create/one').send({ entity_alias: 'other' }).expect(400)
  await ask('POST', 'create').send({ entity_alias: 'ci-one' }).expect(400)
})

test('renewing a token by its accessor does not reveal the token', async () => {
  await newRole({})
  const { accessor } = await create({ policies: ['own'], ttl: '1h' })
  const { auth } = (await ask('POST', 'renew-accessor').send({ accessor }).expect(200)).body
  expect(auth).toMatchObject({ accessor, client_token: '', lease_duration: 3600 })
})

test('batch tokens are refused with a reason', async () => {
  const { errors } = (await ask('POST', 'create').send({ type: 'batch' }).expect(400)).body
  expect(errors[0]).toContain('service tokens only')
})
