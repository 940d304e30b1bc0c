import supertest from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())
const ask = askingOf(server)
beforeEach(async () => {
  await ask('POST', 'sys/auth/approle').send({ type: 'approle' }).expect(204)
})

const role = 'auth/approle/role/app'
const secretId = async (fields: object = {}) =>
  (await ask('POST', `${role}/secret-id`).send(fields).expect(200)).body.data
const login = (role_id: string, secret_id?: string) =>
  new supertest.Test(server.url, 'POST', '/v1/auth/approle/login').send({ role_id, secret_id })
async function newRole(fields: object = {}): Promise<string> {
  await ask('POST', role).send(fields).expect(204)
  return (await ask('GET', `${role}/role-id`).expect(200)).body.data.role_id
}

test('a login with role id and secret id returns a token with an entity', async () => {
  const id = await newRole({ token_policies: ['A', 'b'], token_ttl: '10m', token_num_uses: 9 })
  const { secret_id } = await secretId({ metadata: '{"host":"one"}' })
  const { auth } = (await login(id, secret_id).expect(200)).body
  expect(auth).toMatchObject({
    ...{ policies: ['a', 'b', 'default'], lease_duration: 600, num_uses: 9 },
    metadata: { role_name: 'app', host: 'one' },
  })
  expect((await login(id, secret_id).expect(200)).body.auth.entity_id).toBe(auth.entity_id)
  await login(id, 'wrong').expect(400)
  await login('wrong', secret_id).expect(400)
  await login(id).expect(400)
})

test('a secret id is invalid after its last login, after its TTL, and after it is destroyed', async () => {
  const id = await newRole({ secret_id_num_uses: 2, secret_id_ttl: '1h' })
  const { secret_id: used, secret_id_num_uses, secret_id_ttl } = await secretId()
  expect({ secret_id_num_uses, secret_id_ttl }).toEqual({ secret_id_num_uses: 2, secret_id_ttl: 3600 })
  await login(id, used).expect(200)
  await login(id, used).expect(200)
  await login(id, used).expect(400)
  const { secret_id: destroyed } = await secretId()
  await ask('POST', `${role}/secret-id/destroy`).send({ secret_id: destroyed }).expect(204)
  await login(id, destroyed).expect(400)
  const { secret_id: old } = await secretId()
  await server.clock.advance(3_601_000)
  await login(id, old).expect(400)
  await ask('POST', `${role}/secret-id`).send({ ttl: '2h' }).expect(400)
})

test('logins and tokens are refused from addresses outside the bound CIDR blocks', async () => {
  const elsewhere = ['10.0.0.0/8']
  const id = await newRole({ secret_id_bound_cidrs: ['127.0.0.0/8', '10.0.0.0/8'] })
  const { secret_id } = await secretId({ cidr_list: elsewhere })
  const { body } = await login(id, secret_id).expect(400)
  expect(body.errors[0]).toContain('unauthorized through CIDR restrictions')
  await ask('POST', `${role}/secret-id`)
    .send({ cidr_list: ['192.0.2.0/24'] })
    .expect(400)
  await ask('POST', `${role}/secret-id`).send({ cidr_list: 'here' }).expect(400)
  const { secret_id: near } = await secretId({ cidr_list: ['127.0.0.1/32'] })
  await login(id, near).expect(200)
  await ask('POST', role).send({ token_bound_cidrs: elsewhere, secret_id_bound_cidrs: [] }).expect(204)
  expect((await ask('GET', role).expect(200)).body.data).toMatchObject({
    ...{ token_bound_cidrs: elsewhere, secret_id_bound_cidrs: null },
  })
  await login(id, near).expect(403)
})

test('a token type that is not served is refused', async () => {
  await ask('POST', role).send({ token_type: 'batch' }).expect(400)
})
