import { beforeEach, describe, expect, test } from 'vitest'
import { openServer } from '../../test-beds/policies.test-bed.ts'
import { shared } from '../../test-beds/shared.test-bed.ts'

const server = shared(await openServer())
beforeEach(async () => {
  await server.ask('POST sys/policies/acl/anchor', { policy: reading(anchorPath, 'sys/policies/acl/other') })
  await server.ask('POST sys/policies/acl/other', { policy: '# nothing' })
})

const reading = (...paths: readonly string[]): string =>
  paths.map((path) => `path "${path}" { capabilities = ["read"] }`).join('\n')
const anchorPath = 'sys/policies/acl/anchor'
const anchor = `GET ${anchorPath}`
const other = 'GET sys/policies/acl/other'
const override = { 'X-Vault-Policy-Override': 'true' }
const failing = { policy: 'main = rule { false }', enforcement_level: 'hard-mandatory' }
const status = async (line: string, token: string, headers = {}) =>
  (await server.ask(line, undefined, token, headers)).status

describe('an RGP', () => {
  test('of an entity governs its tokens, and can refer to the entity', async () => {
    await server.ask('POST sys/auth/people', { type: 'userpass' })
    await server.ask('POST auth/people/users/ann', { password: 'secret-word', token_policies: ['anchor'] })
    const login = () => server.ask('POST auth/people/login/ann', { password: 'secret-word' }, '')
    const { client_token: token, entity_id: id } = (await login()).auth
    expect(await status(anchor, token)).toBe(200)
    await server.ask('POST sys/policies/rgp/role', failing)
    await server.ask(`POST identity/entity/id/${id}`, { policies: ['role'] })
    expect(await status(anchor, token)).toBe(403)
    await server.ask('POST sys/policies/rgp/role', { ...failing, policy: `main = identity.entity.id is "${id}"` })
    expect(await status(anchor, token)).toBe(200)
  })

  test('does not govern root tokens', async () => {
    await server.ask('POST sys/policies/rgp/role', failing)
    const made = await server.ask('POST auth/token/create', { policies: ['root', 'role'] })
    expect(await status(anchor, made.auth.client_token)).toBe(200)
  })
})

test.each(['rgp', 'egp'])('a policy of kind %s that is overridden is named with its level', async (kind) => {
  const body = { ...failing, enforcement_level: 'soft-mandatory', paths: kind === 'egp' ? anchorPath : undefined }
  await server.ask(`POST sys/policies/${kind}/role`, body)
  const token = await server.token('anchor', 'role')
  const named = expect.arrayContaining([expect.stringContaining('"role" (soft-mandatory)')])
  expect(await server.ask(anchor, undefined, token)).toMatchObject({ status: 403, errors: named })
  expect(await server.ask(anchor, undefined, token, override)).toMatchObject({ status: 200, warnings: named })
})

describe('an EGP', () => {
  const govern = (paths: string | readonly string[], policy = failing.policy) =>
    server.ask('POST sys/policies/egp/gate', { ...failing, policy, paths })

  test.each([
    ['/sys/policies/acl/anchor', 403],
    ['*anchor', 200],
  ])('on %s: status %i', async (paths, expected) => {
    await govern(paths)
    expect(await status(anchor, await server.token('anchor'))).toBe(expected)
    expect((await server.ask(anchor)).status).toBe(200)
  })

  test('governs logins by `*` and by their path, but no other request without a token', async () => {
    await server.ask('POST sys/auth/people', { type: 'userpass' })
    await server.ask('POST auth/people/users/ann', { password: 'secret-word' })
    const login = async () => (await server.ask('POST auth/people/login/ann', { password: 'secret-word' }, '')).status
    expect(await login()).toBe(200)
    await govern('*')
    expect(await login()).toBe(403)
    expect((await server.ask('GET sys/health', undefined, '')).status).toBe(200)
    await govern('auth/people/login/*')
    expect(await login()).toBe(403)
    await govern('*', 'main = rule { request.unauthenticated }')
    expect(await login()).toBe(200)
  })

  test('distinguishes a creation from an update', async () => {
    const policy = 'path "secret/*" { capabilities = ["create", "update", "read"] }'
    await server.ask('POST sys/policies/acl/writer', { policy })
    const writer = await server.token('writer')
    await govern('secret/*', 'main = request.operation is "create"')
    const statuses = []
    for (let n = 0; n < 2; n++) statuses.push((await server.ask('POST secret/new', { a: 1 }, writer)).status)
    expect([...statuses, await status('GET secret/new', writer)]).toEqual([204, 403, 403])
  })

  test('reports why it failed, if `main` is not simply false', async () => {
    const token = await server.token('anchor')
    await govern('*', 'print("seen")\nmain = identity.entity.name is "ann"')
    expect((await server.ask(anchor, undefined, token)).errors).toEqual([
      'permission denied: policy "gate" (hard-mandatory) evaluates to false: ' +
        'line 2, column 8: main is undefined: identity.entity has no value: printed: seen',
    ])
  })

  test('can refer to token, entity, time and namespace', async () => {
    await server.ask('POST sys/auth/people', { type: 'userpass' })
    await server.ask('POST auth/people/users/ann', { password: 'secret-word', token_policies: ['anchor'] })
    const { auth } = await server.ask('POST auth/people/login/ann', { password: 'secret-word' }, '')
    await server.ask(`POST identity/entity/id/${auth.entity_id}`, { metadata: { team: 'red' } })
    await server.ask('POST identity/group', { name: 'staff', member_entity_ids: [auth.entity_id] })
    await govern(
      'sys/*',
      `import "time"
      main = rule {
        identity.entity.metadata.team is "red" and identity.entity.aliases[0].name is "ann" and
        identity.groups.by_name.staff.member_entity_ids contains identity.entity.id and
        token.path is "auth/people/login/ann" and token.policies contains "anchor" and token.type is "service" and
        time.load(token.creation_time).before(time.now.unix + 1) and token.creation_ttl_seconds > 0 and
        request.wrapping.ttl_seconds is 0 and namespace.id is "root" and replication.dr.mode is "disabled"
      }`,
    )
    expect(await server.ask(anchor, undefined, auth.client_token)).toMatchObject({ status: 200 })
  })

  test('can refer to the namespace of the request, and to the identity of a token from above it', async () => {
    const inside = { 'X-Vault-Namespace': 'team/' }
    await server.ask('POST sys/namespaces/team')
    await server.ask('POST sys/auth/people', { type: 'userpass' })
    const grant = { policy: 'path "team/sys/mounts" { capabilities = ["read"] }' }
    await server.ask('POST sys/policies/acl/visitor', grant)
    await server.ask('POST auth/people/users/ann', { password: 'secret-word', token_policies: ['visitor'] })
    const { auth } = await server.ask('POST auth/people/login/ann', { password: 'secret-word' }, '')
    const policy = 'main = namespace.path is "team/" and identity.entity.aliases[0].name is "ann"'
    await server.ask('POST sys/policies/egp/gate', { ...failing, policy, paths: 'sys/mounts' }, undefined, inside)
    expect(await server.ask('GET sys/mounts', undefined, auth.client_token, inside)).toMatchObject({ status: 200 })
    const other = policy.replace('team/', 'other/')
    await server.ask(
      'POST sys/policies/egp/gate',
      { ...failing, policy: other, paths: 'sys/mounts' },
      undefined,
      inside,
    )
    expect((await server.ask('GET sys/mounts', undefined, auth.client_token, inside)).status).toBe(403)
  })

  test('can refer to the request', async () => {
    const token = await server.token('anchor')
    await govern('*', 'main = request.path is not "sys/policies/acl/other" and request.operation is "read"')
    expect([await status(anchor, token), await status(other, token)]).toEqual([200, 403])
    await server.ask('POST sys/policies/acl/writer', {
      policy: 'path "secret/*" { capabilities = ["create", "update"] }',
    })
    const writer = await server.token('writer')
    await govern('secret/*', 'main = request.data.colour in ["red", "blue"]')
    const write = async (body: object) => (await server.ask('POST secret/x', body, writer)).status
    expect([await write({ colour: 'red' }), await write({ colour: 'green' }), await write({})]).toEqual([204, 403, 403])
  })
})

test('parameters, wildcards and deny of ACL policies take effect', async () => {
  await server.ask('POST sys/policies/acl/fine', {
    policy: `
      path "secret/+/x" { capabilities = ["create", "update"] allowed_parameters = { colour = ["r*"], "size" = [] } }
      path "secret/no/*" { capabilities = ["deny"] }`,
  })
  const token = await server.token('fine')
  const write = async (path: string, body: object) => (await server.ask(`POST ${path}`, body, token)).status
  expect(await write('secret/a/x', { colour: 'red', size: 3 })).toBe(204)
  expect(await write('secret/a/x', { colour: 'blue' })).toBe(403)
  expect(await write('secret/a/x', { weight: 1 })).toBe(403)
  expect(await write('secret/a/y', { size: 1 })).toBe(403)
  expect(await write('secret/no/x', { size: 1 })).toBe(403)
})

describe('policies that are not evaluated', () => {
  const whole = { policy: 'import "sockaddr"\nmain = rule { sockaddr.whatever }', enforcement_level: 'soft-mandatory' }
  const rows = [
    ['opaque', 200, 200],
    ['opaque-fail', 403, 200],
  ] as const

  test.each(rows)(
    '%s: any text is stored; a request gets the status %i, and %i with an override',
    async (policyLanguage, plain, overridden) => {
      await using other = await openServer({ policyLanguage })
      expect((await other.ask('POST sys/policies/egp/whole', { ...whole, paths: 'sys/mounts' })).status).toBe(204)
      expect((await other.ask('GET sys/policies/egp/whole')).data.policy).toBe(whole.policy)
      await other.ask('POST sys/policies/acl/reader', { policy: reading('sys/mounts') })
      const token = await other.token('reader')
      const replies = [await other.ask('GET sys/mounts', undefined, token)]
      replies.push(await other.ask('GET sys/mounts', undefined, token, override))
      expect(replies.map((reply) => reply.status)).toEqual([plain, overridden])
      for (const reply of replies)
        expect([...reply.errors, ...reply.warnings].join()).toMatch(/"whole" .*it is stored as it is and not evaluated/)
      expect((await other.ask('POST sys/policies/acl/wrong', { policy: 'main = true' })).status).toBe(400)
    },
  )

  test('need one of three values of the option', async () => {
    await expect(openServer({ policyLanguage: 'none' as 'opaque' })).rejects.toThrow(
      'policyLanguage "none" is not one of evaluated, opaque, opaque-fail',
    )
  })
})
