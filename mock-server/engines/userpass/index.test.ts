import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

const ask = askingOf(server)
const login = (at: string, name: string, password: string) =>
  new supertest.Test(server.url, 'POST', `/v1/auth/${at}/login/${name}`).send({ password })

async function userAt(at: string, fields: object = {}): Promise<void> {
  await ask('POST', `sys/auth/${at}`).send({ type: 'userpass' }).expect(204)
  await ask('POST', `auth/${at}/users/ann`)
    .send({ password: 'pw', ...fields })
    .expect(204)
}

test('each login of a user returns a token with the same entity', async () => {
  await userAt('team/up', { token_policies: ['a', 'B'], token_ttl: '10m' })
  const { body: first } = await login('team/up', 'Ann', 'pw').expect(200)
  expect(first.data).toBeNull()
  expect(first.auth).toMatchObject({
    policies: ['a', 'b', 'default'],
    lease_duration: 600,
    metadata: { username: 'ann' },
  })
  const { body: second } = await login('team/up', 'ann', 'pw').expect(200)
  expect(second.auth.entity_id).toBe(first.auth.entity_id)
  expect(server.inventory().entities).toEqual([first.auth.entity_id])
  const { body: self } = await ask('GET', 'auth/token/lookup-self', second.auth.client_token).expect(200)
  expect(self.data).toMatchObject({ display_name: 'team-up-ann', path: 'auth/team/up/login/ann', orphan: true })
})

test('a change of the entity affects existing tokens at once', async () => {
  await userAt('up')
  await ask('POST', 'sys/policies/acl/reader')
    .send({ policy: 'path "secret/*" { capabilities = ["list"] }' })
    .expect(204)
  await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
  const { client_token: token, entity_id: id } = (await login('up', 'ann', 'pw').expect(200)).body.auth
  await ask('LIST', 'secret', token).expect(403)
  await ask('POST', `identity/entity/id/${id}`)
    .send({ policies: ['reader'] })
    .expect(204)
  await ask('LIST', 'secret', token).expect(200)
  await ask('POST', `identity/entity/id/${id}`).send({ disabled: true }).expect(204)
  await ask('LIST', 'secret', token).expect(403)
  await login('up', 'ann', 'pw').expect(403)
})

test('policy templates are filled in from the entity', async () => {
  await userAt('up', { token_policies: ['own'] })
  await ask('POST', 'sys/policies/acl/own')
    .send({ policy: 'path "secret/{{identity.entity.metadata.team}}/*" { capabilities = ["create", "update"] }' })
    .expect(204)
  const { client_token: token, entity_id: id } = (await login('up', 'ann', 'pw').expect(200)).body.auth
  await ask('POST', 'secret/red/a', token).send({ x: 1 }).expect(403)
  await ask('POST', `identity/entity/id/${id}`)
    .send({ metadata: { team: 'red' } })
    .expect(204)
  await ask('POST', 'secret/red/a', token).send({ x: 1 }).expect(204)
  await ask('POST', 'secret/blue/a', token).send({ x: 1 }).expect(403)
})

test('unmounting the login method revokes its tokens', async () => {
  await userAt('up')
  const { client_token: token } = (await login('up', 'ann', 'pw').expect(200)).body.auth
  await ask('DELETE', 'sys/auth/up').expect(204)
  await ask('GET', 'auth/token/lookup-self', token).expect(403)
  await login('up', 'ann', 'pw').expect(400)
})

test('a password hash instead of a password is refused', async () => {
  await userAt('up')
  const { body } = await ask('POST', 'auth/up/users/bob').send({ password_hash: '$2b$10$abc' }).expect(400)
  expect(body.errors[0]).toContain('password_hash')
})
