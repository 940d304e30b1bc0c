import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

const ask = askingOf(server)
const wrapped = (method: string, path: string, ttl = '60s') => ask(method, path).set('X-Vault-Wrap-TTL', ttl)

test('the wrapping token can be used as client token, but only to unwrap', async () => {
  await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
  const { token } = (await wrapped('GET', 'secret/a').expect(200)).body.wrap_info
  await ask('GET', 'secret/a', token).expect(403)
  expect((await ask('POST', 'sys/wrapping/lookup').send({ token }).expect(200)).body.data).toMatchObject({
    creation_path: 'secret/a',
    creation_ttl: 60,
  })
  expect((await ask('PUT', 'sys/wrapping/unwrap', token).expect(200)).body.data).toEqual({ x: 1 })
  await ask('POST', 'sys/wrapping/lookup').send({ token }).expect(400)
})

test('a wrapping token expires after its TTL', async () => {
  await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
  const { token } = (await wrapped('GET', 'secret/a', '30').expect(200)).body.wrap_info
  await server.clock.advance(31_000)
  await ask('PUT', 'sys/wrapping/unwrap', token).expect(400)
})

test('the wrap info of a wrapped token shows only its accessor', async () => {
  const { body } = await wrapped('POST', 'auth/token/create')
    .send({ policies: ['a'] })
    .expect(200)
  expect(body.auth).toBeNull()
  const { body: inside } = await ask('PUT', 'sys/wrapping/unwrap', body.wrap_info.token).expect(200)
  expect(inside.auth.accessor).toBe(body.wrap_info.wrapped_accessor)
  await ask('GET', 'auth/token/lookup-self', inside.auth.client_token).expect(200)
})
