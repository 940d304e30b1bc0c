import { describe, expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { askingOf, shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

const ask = askingOf(server)

describe.each([
  { at: 'mounts', type: 'kv', kind: 'mounts' },
  { at: 'auth', type: 'userpass', kind: 'auth' },
])('sys/$at', ({ at, type, kind }) => {
  const paths = (): string[] => server.inventory()[kind] ?? []

  test('mounts an engine at a path of any depth, and unmounts it', async () => {
    const before = paths()
    const body = { type, description: 'mine', config: { default_lease_ttl: '1h' }, options: { version: '1' } }
    await ask('POST', `sys/${at}/team/one`).send(body).expect(204)
    const { body: all } = await ask('GET', `sys/${at}`).expect(200)
    expect(all.data['team/one/']).toMatchObject({
      type,
      description: 'mine',
      config: { default_lease_ttl: 3600, max_lease_ttl: 0 },
      options: { version: '1' },
      accessor: expect.stringMatching(/^\w+_[0-9a-f]{8}$/),
    })
    expect((await ask('GET', `sys/${at}/team/one`).expect(200)).body.data.type).toBe(type)
    await ask('DELETE', `sys/${at}/team/one`).expect(204)
    await ask('DELETE', `sys/${at}/team/one`).expect(204)
    expect(paths()).toEqual(before)
  })

  test('refuses a path that equals that of another mount, or lies above or below it', async () => {
    await ask('POST', `sys/${at}/team/one`).send({ type }).expect(204)
    for (const path of ['team/one', 'team', 'team/one/more']) {
      const { body } = await ask('POST', `sys/${at}/${path}`).send({ type }).expect(400)
      expect(body.errors[0]).toContain('already in use at team/one/')
    }
    await ask('POST', `sys/${at}/team/on`).send({ type }).expect(204)
  })

  test.each([
    [{}, 'missing type'],
    [{ type: 'nothing' }, 'plugin not found in the catalog: nothing; this reference server has no'],
    [{ type: 'kv', config: { default_lease_ttl: '2h', max_lease_ttl: '1h' } }, 'default_lease_ttl'],
    [{ type: 'kv', config: { max_lease_ttl: 'long' } }, 'max_lease_ttl'],
    [{ type: 'kv', options: { version: '3' } }, 'options.version 3'],
    [{ type: 'kv', options: { cas: 'true' } }, 'options.cas true'],
    [{ type: 'kv', plugin_version: 'v9.9.9' }, 'plugin_version v9.9.9'],
    [{ type: 'kv', config: { token_type: 'batch' } }, 'service tokens only'],
    [{ type: 'kv', config: { user_lockout_config: { lockout_disable: true } } }, 'user_lockout_config'],
    [{ type: 'kv', external_entropy_access: true }, 'external_entropy_access'],
    [{ type: 'kv', config: { listing_visibility: 'all' } }, 'listing_visibility all'],
  ])('refuses %j', async (body: { type?: string }, reason) => {
    const wanted = body.type === 'kv' ? { ...body, type } : body
    const { body: reply } = await ask('POST', `sys/${at}/one`).send(wanted).expect(400)
    expect(reply.errors[0]).toContain(reason)
  })

  test('changes the settings of a mount', async () => {
    await ask('POST', `sys/${at}/one`).send({ type }).expect(204)
    const { body: before } = await ask('GET', `sys/${at}/one/tune`).expect(200)
    expect(before.data).toMatchObject({ default_lease_ttl: 2_764_800, max_lease_ttl: 2_764_800 })
    const settings = { default_lease_ttl: '1h', max_lease_ttl: 7200, description: 'new', listing_visibility: 'unauth' }
    await ask('POST', `sys/${at}/one/tune`).send(settings).expect(204)
    const { body: after } = await ask('GET', `sys/${at}/one/tune`).expect(200)
    expect(after.data).toMatchObject({ ...settings, default_lease_ttl: 3600 })
    await ask('POST', `sys/${at}/one/tune`).send({ default_lease_ttl: '3h' }).expect(400)
    await ask('GET', `sys/${at}/none/tune`).expect(400)
  })
})

test('mounting a login method requires sudo, and mounting a secret engine does not', async () => {
  const text = 'path "sys/*" { capabilities = ["create", "read", "update", "delete"] }'
  await ask('POST', 'sys/policies/acl/mounter').send({ policy: text }).expect(204)
  const { client_token: token } = (await ask('POST', 'auth/token/create').send({ policies: ['mounter'] })).body.auth
  await ask('POST', 'sys/mounts/one', token).send({ type: 'kv' }).expect(204)
  await ask('POST', 'sys/auth/one', token).send({ type: 'userpass' }).expect(403)
})

test('a path that is mounted again starts empty', async () => {
  await ask('POST', 'sys/mounts/one').send({ type: 'kv' }).expect(204)
  await ask('POST', 'one/a').send({ v: 1 }).expect(204)
  await ask('DELETE', 'sys/mounts/one').expect(204)
  await ask('GET', 'one/a').expect(404, /nothing is mounted at one\//)
  await ask('POST', 'sys/mounts/one').send({ type: 'kv' }).expect(204)
  await ask('GET', 'one/a').expect(404, { errors: [] })
})

test('settings that have no effect here are refused, and unknown fields cause a warning', async () => {
  const server = await createMockServer()
  const post = async (path: string, body: object) => {
    const headers = { 'x-vault-token': server.rootToken }
    const reply = await fetch(`${server.url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? {} : JSON.parse(text) }
  }
  for (const name of ['audit_non_hmac_request_keys', 'passthrough_request_headers', 'allowed_response_headers']) {
    const { status, body } = await post('sys/mounts/secret/tune', { [name]: ['a'] })
    expect([status, body.errors]).toEqual([400, [expect.stringContaining(name)]])
  }
  const { body } = await post('sys/mounts/extra', { type: 'kv', colour: 'red', config: { shade: 1 } })
  expect(body.warnings).toEqual([expect.stringContaining('[colour]'), expect.stringContaining('[shade]')])
  expect((await post('sys/mounts/extra/tune', { colour: 'red' })).body.warnings).toHaveLength(1)
  expect((await post('sys/mounts/plain', { type: 'kv', config: { max_lease_ttl: '1h' } })).status).toBe(204)
  await server.close()
})
