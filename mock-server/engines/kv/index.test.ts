import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

const ask = askingOf(server)

test('a write replaces the whole value, and a deleted value is not found', async () => {
  await ask('POST', 'secret/a')
    .send({ x: 1, y: { z: [true] } })
    .expect(204)
  await ask('POST', 'secret/a').send({ z: 'only' }).expect(204)
  expect((await ask('GET', 'secret/a').expect(200)).body.data).toEqual({ z: 'only' })
  await ask('DELETE', 'secret/a').expect(204)
  await ask('DELETE', 'secret/a').expect(204)
  await ask('GET', 'secret/a').expect(404, { errors: [] })
  await ask('POST', 'secret/a').send({}).expect(400)
})

test('a list shows names, and folders with a slash', async () => {
  for (const path of ['b', 'a/x', 'a/y/z', 'a']) await ask('POST', `secret/${path}`).send({ v: 1 }).expect(204)
  expect((await ask('LIST', 'secret').expect(200)).body.data.keys).toEqual(['a', 'a/', 'b'])
  expect((await ask('LIST', 'secret/a').expect(200)).body.data.keys).toEqual(['x', 'y/'])
})

test('the first write requires the capability create, and the second requires update', async () => {
  await ask('POST', 'sys/policies/acl/maker')
    .send({ policy: 'path "secret/*" { capabilities = ["create"] }' })
    .expect(204)
  const { client_token: maker } = (await ask('POST', 'auth/token/create').send({ policies: ['maker'] })).body.auth
  await ask('POST', 'secret/a', maker).send({ v: 1 }).expect(204)
  await ask('POST', 'secret/a', maker).send({ v: 2 }).expect(403)
})

test('each mount has its own values', async () => {
  for (const path of ['team/one', 'team/two']) await ask('POST', `sys/mounts/${path}`).send({ type: 'kv' }).expect(204)
  await ask('POST', 'team/one/a').send({ v: 1 }).expect(204)
  await ask('GET', 'team/one/a').expect(200)
  await ask('GET', 'team/two/a').expect(404)
})
