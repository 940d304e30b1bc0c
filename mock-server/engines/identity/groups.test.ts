import { expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(
  await createMockServer({
    mounts: { 'auth/up': 'userpass' },
    users: { ann: { password: 'pw', mount: 'up' } },
    policies: {
      team: 'path "secret/team" { capabilities = ["read"] }',
      own: 'path "secret/{{identity.groups.names.crew.metadata.folder}}" { capabilities = ["read"] }',
    },
    writes: { 'secret/team': { a: 1 }, 'secret/crew': { a: 1 } },
  }),
)

const ask = askingOf(server)
const write = async (path: string, body: object) => (await ask('POST', path).send(body).expect(200)).body.data
const read = async (path: string) => (await ask('GET', path).expect(200)).body.data
const login = async () => (await ask('POST', 'auth/up/login/ann').send({ password: 'pw' }).expect(200)).body.auth

test('a member has the policies of its groups and of their parent groups, until it is removed', async () => {
  const { client_token: token, entity_id: entity } = await login()
  const { id: inner } = await write('identity/group', { name: 'crew', member_entity_ids: [entity] })
  const { id: outer } = await write('identity/group', { name: 'all', policies: ['Team'], member_group_ids: [inner] })
  await ask('GET', 'secret/team', token).expect(200)
  expect((await login()).identity_policies).toEqual(['team'])
  const { data } = (await ask('GET', 'auth/token/lookup-self', token).expect(200)).body
  expect(data.identity_policies).toEqual(['team'])
  expect(await read(`identity/entity/id/${entity}`)).toMatchObject({
    ...{ direct_group_ids: [inner], inherited_group_ids: [outer], group_ids: [inner, outer] },
  })
  expect(await read('identity/group/name/crew')).toMatchObject({
    ...{ type: 'internal', member_entity_ids: [entity], parent_group_ids: [outer], policies: null },
  })
  await ask('POST', `identity/group/id/${inner}`).send({ member_entity_ids: [] }).expect(204)
  await ask('GET', 'secret/team', token).expect(403)
})

test('policy templates can refer to the groups of the caller', async () => {
  const { client_token: token, entity_id: entity } = await login()
  const group = { metadata: { folder: 'crew' }, policies: ['own'], member_entity_ids: entity }
  await write('identity/group/name/crew', group)
  await ask('GET', 'secret/crew', token).expect(200)
  await ask('POST', 'identity/group/name/crew')
    .send({ metadata: { folder: 'other' } })
    .expect(204)
  await ask('GET', 'secret/crew', token).expect(403)
})

test('an external group has one alias, and can be looked up by it', async () => {
  const { accessor } = (await ask('GET', 'sys/auth').expect(200)).body.data['up/']
  const { id: group } = await write('identity/group', { name: 'staff', type: 'external' })
  const alias = { name: 'staff-of-up', mount_accessor: accessor, canonical_id: group }
  const { id } = await write('identity/group-alias', alias)
  expect((await read(`identity/group/id/${group}`)).alias).toMatchObject({ id, mount_path: 'auth/up/' })
  const query = { alias_name: 'staff-of-up', alias_mount_accessor: accessor }
  expect((await write('identity/lookup/group', query)).id).toBe(group)
  await ask('POST', 'identity/group-alias').send(alias).expect(400)
  const { id: internal } = await write('identity/group', { name: 'crew' })
  await ask('POST', 'identity/group-alias')
    .send({ ...alias, name: 'other', canonical_id: internal })
    .expect(400)
  expect((await ask('LIST', 'identity/group-alias/id').expect(200)).body.data.keys).toEqual([id])
  await ask('DELETE', `identity/group-alias/id/${id}`).expect(204)
  await ask('GET', `identity/group-alias/id/${id}`).expect(404)
})

test('a merge moves aliases and group memberships to the remaining entity', async () => {
  const { entity_id: from } = await login()
  const { id: to } = await write('identity/entity', { name: 'bob' })
  const { id: group } = await write('identity/group', { name: 'crew', member_entity_ids: [from] })
  await ask('POST', 'identity/entity/merge')
    .send({ from_entity_ids: [to], to_entity_id: to })
    .expect(400)
  await ask('POST', 'identity/entity/merge')
    .send({ from_entity_ids: [from], to_entity_id: to })
    .expect(204)
  expect((await login()).entity_id).toBe(to)
  expect(await read(`identity/entity/id/${to}`)).toMatchObject({ merged_entity_ids: [from], group_ids: [group] })
  await ask('GET', `identity/entity/id/${from}`).expect(404)
})

test('a snapshot contains the groups', async () => {
  const { id } = await write('identity/group', { name: 'crew' })
  const snapshot = server.snapshot()
  await ask('DELETE', `identity/group/id/${id}`).expect(204)
  server.restore(snapshot)
  expect((await read(`identity/group/id/${id}`)).name).toBe('crew')
})

test('a path of identity that is not served is refused with a reason', async () => {
  const { errors } = (await ask('GET', 'identity/oidc/config').expect(404)).body
  expect(errors[0]).toContain('this reference server has no identity tokens and is not an OIDC provider')
})
