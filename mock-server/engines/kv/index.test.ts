import { test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

const ask = askingOf(server)

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
