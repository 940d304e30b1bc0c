import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

const ask = askingOf(server)

test('an entity is created, read, changed, listed and deleted by id', async () => {
  const { id } = (
    await ask('POST', 'identity/entity')
      .send({ name: 'ann', policies: ['P'], metadata: { a: 1 } })
      .expect(200)
  ).body.data
  const { data } = (await ask('GET', `identity/entity/id/${id}`).expect(200)).body
  expect(data).toMatchObject({ id, name: 'ann', policies: ['p'], metadata: { a: '1' }, disabled: false, aliases: [] })
  await ask('POST', `identity/entity/id/${id}`).send({ name: 'anna' }).expect(204)
  await ask('POST', 'identity/entity').send({ id, disabled: true }).expect(204)
  expect((await ask('GET', 'identity/entity/name/anna').expect(200)).body.data).toMatchObject({ id, disabled: true })
  expect((await ask('LIST', 'identity/entity/id').expect(200)).body.data.keys).toEqual([id])
  await ask('DELETE', `identity/entity/id/${id}`).expect(204)
  await ask('DELETE', `identity/entity/id/${id}`).expect(204)
  await ask('GET', `identity/entity/id/${id}`).expect(404)
  await ask('LIST', 'identity/entity/id').expect(404)
})

test('an entity is created, read, changed, listed and deleted by name', async () => {
  await ask('POST', 'identity/entity/name/ann')
    .send({ policies: ['p'] })
    .expect(200)
  await ask('POST', 'identity/entity/name/ann')
    .send({ policies: ['q'] })
    .expect(204)
  expect((await ask('GET', 'identity/entity/name/ann').expect(200)).body.data.policies).toEqual(['q'])
  expect((await ask('LIST', 'identity/entity/name').expect(200)).body.data.keys).toEqual(['ann'])
  await ask('DELETE', 'identity/entity/name/ann').expect(204)
  await ask('GET', 'identity/entity/name/ann').expect(404)
})

test('two entities cannot have the same name', async () => {
  await ask('POST', 'identity/entity').send({ name: 'ann' }).expect(200)
  const { id } = (await ask('POST', 'identity/entity').send({ name: 'bob' }).expect(200)).body.data
  await ask('POST', `identity/entity/id/${id}`).send({ name: 'ann' }).expect(400)
  await ask('POST', 'identity/entity').send({ id: 'none' }).expect(404)
})

test('an alias ties a login name to an entity', async () => {
  await ask('POST', 'sys/auth/up').send({ type: 'userpass' }).expect(204)
  await ask('POST', 'auth/up/users/ann').send({ password: 'pw' }).expect(204)
  const { accessor } = (await ask('GET', 'sys/auth').expect(200)).body.data['up/']
  const { id } = (await ask('POST', 'identity/entity').send({ name: 'ann' }).expect(200)).body.data
  const alias = { name: 'ann', mount_accessor: accessor, canonical_id: id }
  const { id: aliasId } = (await ask('POST', 'identity/entity-alias').send(alias).expect(200)).body.data
  const login = await ask('POST', 'auth/up/login/ann').send({ password: 'pw' }).expect(200)
  expect(login.body.auth.entity_id).toBe(id)
  expect((await ask('GET', `identity/entity-alias/id/${aliasId}`).expect(200)).body.data).toMatchObject({
    ...alias,
    mount_path: 'auth/up/',
    mount_type: 'userpass',
  })
  const query = { alias_name: 'ann', alias_mount_accessor: accessor }
  expect((await ask('POST', 'identity/lookup/entity').send(query).expect(200)).body.data.id).toBe(id)
  await ask('POST', `identity/entity-alias/id/${aliasId}`)
    .send({ ...alias, name: 'anna' })
    .expect(200)
  expect((await ask('LIST', 'identity/entity-alias/id').expect(200)).body.data.keys).toEqual([aliasId])
  await ask('DELETE', `identity/entity-alias/id/${aliasId}`).expect(204)
  await ask('GET', `identity/entity-alias/id/${aliasId}`).expect(404)
})

test('an alias requires an existing login method and an existing entity', async () => {
  await ask('POST', 'identity/entity-alias').send({ name: 'ann', mount_accessor: 'none' }).expect(400)
  const { accessor } = (await ask('GET', 'sys/auth').expect(200)).body.data['token/']
  await ask('POST', 'identity/entity-alias')
    .send({ name: 'a', mount_accessor: accessor, canonical_id: 'x' })
    .expect(400)
  await ask('POST', 'identity/lookup/entity').send({ name: 'none' }).expect(204)
})
