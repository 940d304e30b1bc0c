import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

const ask = askingOf(server)

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
