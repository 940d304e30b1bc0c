import supertest from 'supertest'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mutants } from './mutants.ts'
import { createMockServer, type MockServer, type MockServerOptions } from './server.ts'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer({ seed: 1 })
})
afterEach(async () => {
  server.loadMutants([])
  await server.reset()
})
afterAll(() => server.close())

const ask = (method: string, path: string, token = server.rootToken) =>
  new supertest.Test(server.url, method, `/v1/${path}`).set('X-Vault-Token', token)
const write = (kind: 'acl' | 'rgp' | 'egp', name: string, body: object) =>
  ask('POST', `sys/policies/${kind}/${name}`).send(body).expect(204)
const tokenWith = async (...policies: string[]): Promise<string> =>
  (await ask('POST', 'auth/token/create').send({ policies }).expect(200)).body.auth.client_token

const lists = { policy: 'path "secret/*" { capabilities = ["list"] }\npath "secret" { capabilities = ["list"] }' }
const reads = { policy: 'path "secret/*" { capabilities = ["read"] }' }
const denies = 'main = rule { false }'

describe('access', () => {
  test('changes of a policy reach a token that exists, with its next request', async () => {
    const token = await tokenWith('p')
    await ask('LIST', 'secret', token).expect(403)
    await write('acl', 'p', lists)
    await ask('LIST', 'secret', token).expect(404)
    await write('acl', 'p', reads)
    await ask('LIST', 'secret', token).expect(403)
    await ask('GET', 'secret/a', token).expect(404)
    await ask('DELETE', 'sys/policies/acl/p').expect(204)
    await ask('GET', 'secret/a', token).expect(403)
  })

  test('under the mutant token-freezes-its-acl, they do not', async () => {
    server.loadMutants(['kernel/token-freezes-its-acl'])
    const token = await tokenWith('p')
    await ask('GET', 'secret/a', token).expect(403)
    await write('acl', 'p', reads)
    await ask('GET', 'secret/a', token).expect(403)
    await ask('GET', 'secret/a', await tokenWith('p')).expect(404)
    server.loadMutants([])
    await ask('GET', 'secret/a', token).expect(404)
  })

  test('a token without access to the path gets 403 for an unknown endpoint as well', async () => {
    const token = await tokenWith('p')
    await ask('GET', 'nowhere/a', token).expect(403)
    await ask('GET', 'sys/nowhere', token).expect(403)
  })

  test('an endpoint may need sudo in addition to the capability', async () => {
    const text = (words: string) => ({ policy: `path "auth/token/accessors" { capabilities = [${words}] }` })
    const token = await tokenWith('p')
    await write('acl', 'p', text('"sudo"'))
    await ask('LIST', 'auth/token/accessors', token).expect(403)
    await write('acl', 'p', text('"list"'))
    await ask('LIST', 'auth/token/accessors', token).expect(403)
    await write('acl', 'p', text('"list", "sudo"'))
    await ask('LIST', 'auth/token/accessors', token).expect(200)
  })

  test('denied parameters of a policy are enforced', async () => {
    const policy = 'path "secret/*" { capabilities = ["create", "update"]\n denied_parameters = { "x" = [] } }'
    await write('acl', 'p', { policy })
    const token = await tokenWith('p')
    await ask('POST', 'secret/a', token).send({ x: 1 }).expect(403)
    await ask('POST', 'secret/a', token).send({ y: 1 }).expect(204)
  })

  test('the wrapping TTLs of a policy are enforced', async () => {
    await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
    await write('acl', 'p', {
      policy: 'path "secret/*" { capabilities = ["read"]\n min_wrapping_ttl = "1m"\n max_wrapping_ttl = "1h" }',
    })
    const token = await tokenWith('p')
    await ask('GET', 'secret/a', token).expect(403)
    await ask('GET', 'secret/a', token).set('X-Vault-Wrap-TTL', '2h').expect(403)
    await ask('GET', 'secret/a', token).set('X-Vault-Wrap-TTL', '5m').expect(200)
  })
})

describe('governing policies', () => {
  test('of a role deny or warn by their level, and an override passes soft-mandatory ones', async () => {
    await write('acl', 'p', reads)
    await ask('POST', 'secret/a').send({ x: 1 }).expect(204)
    const token = await tokenWith('p', 'role')
    await write('rgp', 'role', { policy: denies, enforcement_level: 'hard-mandatory' })
    await ask('GET', 'secret/a', token).set('X-Vault-Policy-Override', 'true').expect(403)
    await write('rgp', 'role', { policy: denies, enforcement_level: 'soft-mandatory' })
    await ask('GET', 'secret/a', token).expect(403)
    await ask('GET', 'secret/a', token).set('X-Vault-Policy-Override', 'true').expect(200)
    await write('rgp', 'role', { policy: denies, enforcement_level: 'advisory' })
    const { body } = await ask('GET', 'secret/a', token).expect(200)
    expect(body.warnings).toHaveLength(1)
    await ask('GET', 'secret/a').expect(200)
  })

  test('of an endpoint govern logins', async () => {
    await ask('POST', 'sys/auth/up').send({ type: 'userpass' }).expect(204)
    await ask('POST', 'auth/up/users/ann').send({ password: 'pw' }).expect(204)
    const login = () => new supertest.Test(server.url, 'POST', '/v1/auth/up/login/ann').send({ password: 'pw' })
    await login().expect(200)
    await write('egp', 'gate', { policy: denies, enforcement_level: 'hard-mandatory', paths: ['*'] })
    await login().expect(403)
    await new supertest.Test(server.url, 'GET', '/v1/sys/health').expect(200)
  })
})

describe('version and edition', () => {
  const status = async (options: MockServerOptions, path: string): Promise<number> => {
    const other = await createMockServer(options)
    const { status: seen } = await new supertest.Test(other.url, 'LIST', `/v1/${path}`).set(
      'X-Vault-Token',
      other.rootToken,
    )
    await other.close()
    return seen
  }
  test.each([
    [{ version: '0.8.3' }, 'sys/policies/acl', 404],
    [{ version: '0.9.0' }, 'sys/policies/acl', 200],
    [{ edition: 'community' }, 'sys/policies/acl', 200],
    [{ edition: 'enterprise' }, 'sys/policies/acl', 200],
  ] as const)('%j: LIST %s is %d', async (options, path, wanted) => {
    expect(await status(options, path)).toBe(wanted)
  })

  test.each(['community', 'enterprise'] as const)('on %s, governing policies are an unknown path', async (edition) => {
    const other = await createMockServer({ edition })
    for (const method of ['LIST', 'PATCH'])
      await new supertest.Test(other.url, method, '/v1/sys/policies/rgp')
        .set('X-Vault-Token', other.rootToken)
        .expect(404, /has no such path below sys\/policies/)
    await other.close()
  })
})

test('an unknown version or edition is refused by name', async () => {
  await expect(createMockServer({ version: 'new' })).rejects.toThrow('version "new" is invalid')
  await expect(createMockServer({ edition: 'pro' as 'premium' })).rejects.toThrow(
    'edition "pro" is not one of community',
  )
  await expect(createMockServer({ version: '99.1' })).rejects.toThrow('the versions are from 0.8.0 to')
  await expect(createMockServer({ forms: { clouds: 'newer' } })).rejects.toThrow('forms: "clouds" is not one of')
  await expect(createMockServer({ forms: { cloud: 'newest' } })).rejects.toThrow('cloud is "newest"; expected older or')
})

describe('mutants', () => {
  test('have unique ids, which begin with their area', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
    for (const { id, area } of mutants) expect(id.startsWith(`${area}/`)).toBe(true)
  })
  test('can be loaded one by one, and all together', () => {
    for (const { id } of mutants) server.loadMutants([id])
    server.loadMutants(mutants.map(({ id }) => id))
  })
  test('that do not exist are refused by name', () => {
    expect(() => server.loadMutants(['kernel/none', 'policies/none'])).toThrow(
      'no such mutant: kernel/none, policies/none',
    )
  })
})

test('the same seed and requests give the same ids, after a reset as well', async () => {
  const ids = async (from: MockServer): Promise<string> => {
    const { body } = await new supertest.Test(from.url, 'POST', '/v1/auth/token/create')
      .set('X-Vault-Token', from.rootToken)
      .send({ policies: ['a'] })
    return `${body.request_id} ${body.auth.client_token} ${body.auth.accessor}`
  }
  const [twin, other] = await Promise.all([createMockServer({ seed: 1 }), createMockServer({ seed: 2 })])
  await server.reset()
  const first = await ids(server)
  await server.reset()
  expect(await ids(server)).toBe(first)
  expect(await ids(twin)).toBe(first)
  expect(await ids(other)).not.toBe(first)
  await Promise.all([twin.close(), other.close()])
})

test('headers that would have no effect are refused by name', async () => {
  const { body } = await ask('GET', 'sys/mounts').set('X-Vault-Wrap-Format', 'jwt').expect(400)
  expect(body.errors[0]).toContain('X-Vault-Wrap-Format jwt')
  const { body: indexed } = await ask('GET', 'sys/mounts').set('X-Vault-Index', 'abc').expect(400)
  expect(indexed.errors[0]).toContain('X-Vault-Index')
})
