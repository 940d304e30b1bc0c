import supertest from 'supertest'
import { describe, expect, test } from 'vitest'
import { createMockServer } from '../../server.ts'
import { shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await createMockServer())

interface How {
  readonly token?: string
  readonly namespace?: string
}

const ask = (method: string, path: string, { token = server.rootToken, namespace = '' }: How = {}) => {
  const request = new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', token)
  return namespace === '' ? request : request.set('X-Vault-Namespace', namespace)
}

const read = 'path "secret/*" { capabilities = ["read", "list"] }'

/** Makes a namespace with a mount, a value and a policy that reads it. */
async function furnish(path: string): Promise<void> {
  const names = path.split('/')
  const name = names.pop() ?? ''
  await ask('POST', `sys/namespaces/${name}`, { namespace: names.join('/') }).expect(200)
  await ask('POST', 'sys/mounts/secret', { namespace: path }).send({ type: 'kv' }).expect(204)
  await ask('POST', 'secret/a', { namespace: path }).send({ of: path }).expect(204)
  await ask('POST', 'sys/policies/acl/reader', { namespace: path }).send({ policy: read }).expect(204)
}

async function tokenIn(namespace: string, ...policies: string[]): Promise<string> {
  const { body } = await ask('POST', 'auth/token/create', { namespace }).send({ policies }).expect(200)
  return body.auth.client_token
}

describe('sys/namespaces', () => {
  test('creates, shows, changes, lists and removes', async () => {
    const metadata = { owner: 'a', kept: 'yes' }
    const { body } = await ask('POST', 'sys/namespaces/team-a').send({ custom_metadata: metadata }).expect(200)
    expect(body.data).toMatchObject({
      path: 'team-a/',
      custom_metadata: metadata,
      id: expect.stringMatching(/^\w{5}$/),
    })
    await ask('POST', 'sys/namespaces/inner', { namespace: 'team-a' }).expect(200)
    await ask('PATCH', 'sys/namespaces/team-a')
      .type('application/merge-patch+json')
      .send({ custom_metadata: { owner: null, other: '1' } })
      .expect(200)
    const { body: shown } = await ask('GET', 'sys/namespaces/team-a').expect(200)
    expect(shown.data).toMatchObject({ id: body.data.id, custom_metadata: { kept: 'yes', other: '1' } })
    expect((await ask('LIST', 'sys/namespaces').expect(200)).body.data.keys).toEqual(['team-a/'])
    const { body: below } = await ask('LIST', 'team-a/sys/namespaces').expect(200)
    expect(below.data.key_info['inner/'].path).toBe('team-a/inner/')
    expect((await ask('DELETE', 'sys/namespaces/team-a').expect(400)).body.errors[0]).toContain('child namespaces')
    await ask('DELETE', 'team-a/sys/namespaces/inner').expect(200)
    await ask('DELETE', 'sys/namespaces/team-a').expect(200)
    await ask('GET', 'sys/namespaces/team-a').expect(404)
    expect((await ask('DELETE', 'sys/namespaces/team-a').expect(200)).body.warnings).toHaveLength(1)
  })

  test('refuses names that are taken or reserved, and mounts at the path of a namespace', async () => {
    for (const name of ['root', 'sys', 'secret', 'a/b']) await ask('POST', `sys/namespaces/${name}`).expect(400)
    await ask('POST', 'sys/namespaces/team-a').expect(200)
    for (const path of ['team-a', 'team-a/x']) await ask('POST', `sys/mounts/${path}`).send({ type: 'kv' }).expect(400)
    expect((await ask('GET', 'sys/mounts', { namespace: 'nobody' }).expect(404)).body.errors[0]).toContain(
      'namespace not found',
    )
  })

  test('removes everything in a namespace with it', async () => {
    await furnish('team-a')
    const token = await tokenIn('team-a', 'reader')
    await ask('DELETE', 'sys/namespaces/team-a').expect(200)
    await ask('POST', 'sys/namespaces/team-a').expect(200)
    await ask('GET', 'team-a/secret/a', { token }).expect(403)
    await ask('GET', 'team-a/secret/a').expect(404)
    expect((await ask('LIST', 'team-a/sys/policies/acl').expect(200)).body.data.keys).toEqual(['default'])
  })
})

describe('a namespace', () => {
  test('is named by the header, by the path, or by both', async () => {
    await furnish('team-a')
    await furnish('team-a/inner')
    for (const [path, namespace] of [
      ['secret/a', 'team-a/inner'],
      ['secret/a', '/team-a/inner/'],
      ['inner/secret/a', 'team-a'],
      ['team-a/inner/secret/a', ''],
      ['team-a/inner/secret/a', 'root'],
    ] as const)
      expect((await ask('GET', path, { namespace }).expect(200)).body.data).toEqual({ of: 'team-a/inner' })
  })

  test('has mounts, auth mounts, policies and entities of its own', async () => {
    await furnish('team-a')
    await ask('POST', 'sys/auth/userpass', { namespace: 'team-a' }).send({ type: 'userpass' }).expect(204)
    const user = { password: 'pw', policies: 'reader' }
    await ask('POST', 'auth/userpass/users/ann', { namespace: 'team-a' }).send(user).expect(204)
    const { body } = await ask('POST', 'team-a/auth/userpass/login/ann').send({ password: 'pw' }).expect(200)
    const { client_token: token, entity_id: entity } = body.auth
    expect((await ask('GET', 'secret/a', { token, namespace: 'team-a' }).expect(200)).body.data.of).toBe('team-a')
    await ask('GET', `identity/entity/id/${entity}`, { namespace: 'team-a' }).expect(200)
    await ask('GET', `identity/entity/id/${entity}`).expect(404)
    await ask('GET', 'sys/auth/userpass').expect(400)
    await ask('GET', 'sys/policies/acl/reader').expect(404)
    await ask('GET', 'secret/a').expect(404)
    expect(server.inventory()).toMatchObject({
      ...{ namespaces: ['team-a/'], mounts: ['secret/', 'team-a/secret/'], auth: ['team-a/userpass/'] },
      ...{ acl: ['team-a/reader'], users: ['team-a/userpass/ann'], entities: [`team-a/${entity}`] },
    })
  })

  test('refuses tokens from below and beside, and accepts those from above whose policies name its path', async () => {
    for (const path of ['team-a', 'team-a/inner', 'team-b']) await furnish(path)
    const own = await tokenIn('team-a', 'reader')
    const inner = await tokenIn('team-a/inner', 'reader')
    await ask('GET', 'secret/a', { token: own, namespace: 'team-a' }).expect(200)
    for (const [token, namespace] of [
      [own, ''],
      [own, 'team-b'],
      [own, 'team-a/inner'],
      [inner, 'team-a'],
      [inner, ''],
    ] as const)
      await ask('GET', 'secret/a', { token, namespace }).expect(403)

    const policy = 'path "team-a/secret/*" { capabilities = ["read"] }'
    await ask('POST', 'sys/policies/acl/above').send({ policy }).expect(204)
    const above = await tokenIn('', 'above')
    await ask('GET', 'secret/a', { token: above, namespace: 'team-a' }).expect(200)
    await ask('GET', 'team-a/secret/a', { token: above }).expect(200)
    await ask('GET', 'secret/a', { token: above, namespace: 'team-a/inner' }).expect(403)
    await ask('GET', 'secret/a', { token: above, namespace: 'team-b' }).expect(403)
    const asked = ask('POST', 'team-a/sys/capabilities-self', { token: server.rootToken }).send({ path: 'secret/a' })
    expect((await asked.expect(200)).body.data.capabilities).toEqual(['root'])
  })

  test('has EGPs for its own paths, while RGPs come from the namespace of the token', async () => {
    await furnish('team-a')
    const policy = 'path "team-a/secret/*" { capabilities = ["read"] }'
    for (const name of ['above', 'role']) await ask('POST', `sys/policies/acl/${name}-acl`).send({ policy }).expect(204)
    const governing = { policy: 'main = false', enforcement_level: 'hard-mandatory' }
    await ask('POST', 'sys/policies/rgp/role').send(governing).expect(204)
    await ask('POST', 'team-a/sys/policies/rgp/above-acl').send(governing).expect(204)
    const [free, bound] = [await tokenIn('', 'above-acl'), await tokenIn('', 'role-acl', 'role')]
    await ask('GET', 'team-a/secret/a', { token: free }).expect(200)
    expect((await ask('GET', 'team-a/secret/a', { token: bound }).expect(403)).body.errors[0]).toContain('"role"')
    await ask('POST', 'team-a/sys/policies/egp/gate')
      .send({ ...governing, paths: ['secret/*'] })
      .expect(204)
    expect((await ask('GET', 'team-a/secret/a', { token: free }).expect(403)).body.errors[0]).toContain('"gate"')
    await ask('GET', 'team-a/secret/a').expect(200)
  })

  test('issues no root tokens, and a lookup shows the namespace of a token', async () => {
    await furnish('team-a')
    await ask('POST', 'team-a/auth/token/create')
      .send({ policies: ['root'] })
      .expect(400)
    const { body } = await ask('POST', 'team-a/auth/token/create').send({}).expect(200)
    expect(body.auth.policies).toEqual(['default'])
    const token = body.auth.client_token
    const { body: self } = await ask('GET', 'team-a/auth/token/lookup-self', { token }).expect(200)
    expect(self.data).toMatchObject({ namespace_path: 'team-a/', id: token })
    await ask('POST', 'auth/token/lookup').send({ token }).expect(200)
    await ask('POST', 'team-a/auth/token/revoke').send({ token: server.rootToken }).expect(204)
    await ask('GET', 'auth/token/lookup-self').expect(200)
    await ask('POST', 'team-a/auth/token/revoke-self', { token }).send({}).expect(204)
    await ask('GET', 'team-a/auth/token/lookup-self', { token }).expect(403)
  })

  test('has neither the seal nor the replication of the server', async () => {
    await furnish('team-a')
    for (const path of ['sys/seal', 'sys/replication/dr/status', 'sys/plugins/catalog', 'sys/health']) {
      const { body } = await ask('GET', path, { namespace: 'team-a' }).expect(400)
      expect(body.errors[0]).toContain('operation unavailable in namespaces')
    }
  })

  test('has mounts that can be looked up from above, and cannot be moved out of it', async () => {
    await furnish('team-a')
    const { body } = await ask('GET', 'sys/internal/ui/mounts/team-a/secret/a').expect(200)
    expect(body.data).toMatchObject({ type: 'kv', path: 'team-a/secret/' })
    await ask('POST', 'sys/remount').send({ from: 'secret', to: 'team-a/moved' }).expect(400)
    await ask('POST', 'team-a/sys/remount').send({ from: 'secret', to: 'moved' }).expect(200)
    expect((await ask('GET', 'team-a/moved/a').expect(200)).body.data).toEqual({ of: 'team-a' })
  })

  test('has leases of its own, which end with their token', async () => {
    await furnish('team-a')
    await ask('POST', 'team-a/sys/mounts/pki').send({ type: 'pki' }).expect(204)
    await ask('POST', 'team-a/pki/root/generate/internal').send({ common_name: 'ca', key_type: 'ec', key_bits: 256 })
    // A leaf with the longest lifetime would outlive its CA if a second passed between the two requests.
    const role = { allow_any_name: true, generate_lease: true, key_type: 'ec', key_bits: 256, ttl: '1h' }
    await ask('POST', 'team-a/pki/roles/r').send(role).expect(204)
    const { body } = await ask('POST', 'team-a/pki/issue/r').send({ common_name: 'x.example.com' }).expect(200)
    expect(body.lease_id).toMatch(/^pki\/issue\/r\/\w+\.\w{5}$/)
    await ask('POST', 'sys/leases/lookup').send({ lease_id: body.lease_id }).expect(400)
    await ask('POST', 'team-a/sys/leases/lookup').send({ lease_id: body.lease_id }).expect(200)
    server.restore(server.snapshot())
    await ask('POST', 'team-a/sys/leases/revoke-prefix/pki').send({}).expect(204)
    const serial = body.data.serial_number
    const { body: revoked } = await ask('GET', `team-a/pki/cert/${serial}`).expect(200)
    expect(revoked.data.revocation_time).toBeGreaterThan(0)
    expect(server.inventory().leases).toEqual([])
  })

  test('is part of snapshots, and loaded mutants apply to it', async () => {
    await furnish('team-a')
    const token = await tokenIn('team-a', 'reader')
    const before = server.snapshot()
    await server.reset()
    await ask('GET', 'team-a/secret/a').expect(404)
    server.restore(before)
    await ask('GET', 'team-a/secret/a', { token }).expect(200)
    expect(server.requests.at(-1)?.accessor).toBeDefined()
    server.loadMutants(['kernel/denied-requests-act', 'policies/acl-list-keeps-deleted'])
    await ask('DELETE', 'team-a/sys/policies/acl/reader').expect(204)
    expect((await ask('LIST', 'team-a/sys/policies/acl')).body.data.keys).toContain('reader')
    server.loadMutants([])
  })
})

test('an edition without namespaces refuses the header with an explanation', async () => {
  await using other = await createMockServer({ edition: 'community' })
  const request = () => new supertest.Test(other.url, 'GET', '/v1/sys/mounts').set('X-Vault-Token', other.rootToken)
  const { body } = await request().set('X-Vault-Namespace', 'team-a').expect(400)
  expect(body.errors[0]).toMatch(/X-Vault-Namespace: .* community edition\) has no namespaces/)
  await request().set('X-Vault-Namespace', 'root').expect(200)
})
