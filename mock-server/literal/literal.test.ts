import { X509Certificate } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../server.ts'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer({ seed: 1, literal: true, bodyLimit: 100_000 })
  expect(await ask('POST', 'sys/mounts/ca', { type: 'pki' })).toEqual(nothing(204))
  expect(await ask('POST', 'sys/mounts/cloud', { type: 'aws' })).toEqual(nothing(204))
  await ask('POST', 'ca/roles/leaf', { allow_any_name: true, key_type: 'ec', key_bits: 256, generate_lease: true })
})
afterAll(() => server.close())

interface Seen {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes are looked into.
  readonly body: any
}

/** This uses `fetch`, because supertest parses JSON only if the answer has a content type. */
async function ask(method: string, path: string, send?: object, token = server.rootToken): Promise<Seen> {
  const body = send === undefined ? {} : { body: JSON.stringify(send) }
  const reply = await fetch(`${server.url}/v1/${path}`, { method, headers: { 'X-Vault-Token': token }, ...body })
  const text = await reply.text()
  return { status: reply.status, text, body: text === '' ? undefined : JSON.parse(text) }
}

const nothing = (status: number): Seen => ({ status, text: '', body: undefined })

const method = { issuer: 'example' }
const id = '6f1fbb0f-1a7c-4bb1-9a5c-52ad0f6f5a01'

async function entity(): Promise<string> {
  const { body } = await ask('POST', 'identity/entity', { name: 'someone' })
  return body.data.id
}

describe('a request that no document states is answered 404', () => {
  test.each([
    ['POST', 'ca/sign/leaf'],
    ['POST', 'ca/sign-verbatim'],
    ['POST', 'ca/root/sign-self-issued'],
    ['POST', 'ca/tidy'],
    ['GET', 'ca/cert/ca'],
    ['GET', 'ca/cert/ca_chain'],
    ['LIST', 'cloud/static-roles'],
    ['POST', 'cloud/creds/worker'],
    ['GET', 'cloud/sts/worker'],
    ['POST', 'sys/mfa/validate'],
    ['POST', 'sys/mfa/method/totp/one/admin-destroy'],
    ['POST', 'identity/mfa/method/totp'],
    ['PUT', 'sys/policies/acl/one'],
    ['GET', 'sys/policies/acl?list=true'],
    ['GET', 'sys/policies/acl/one/more'],
    ['HEAD', 'ca/ca'],
  ])('%s %s', async (verb, path) => {
    expect(await ask(verb, path, ['POST', 'PUT'].includes(verb) ? {} : undefined)).toEqual(nothing(404))
  })
})

describe('a reply has exactly the stated fields', () => {
  test('of certificates', async () => {
    const root = await ask('POST', 'ca/root/generate/internal', { common_name: 'ca', key_type: 'ec', key_bits: 256 })
    expect(root.body).toEqual({ data: { certificate: expect.stringContaining('BEGIN CERTIFICATE') } })
    const leaf = await ask('POST', 'ca/issue/leaf', { common_name: 'a.example', ttl: '1h' })
    expect(leaf.body).toEqual({
      ...{ lease_id: expect.stringContaining('ca/issue/leaf/'), lease_duration: expect.any(Number) },
      data: { private_key: expect.anything(), certificate: expect.anything(), issuing_ca: root.body.data.certificate },
    })
    const { certificate } = leaf.body.data
    const serial = new X509Certificate(certificate).serialNumber.toLowerCase().replaceAll(/..(?=.)/g, '$&:')
    expect((await ask('LIST', 'ca/certs')).body).toEqual({ data: { keys: expect.arrayContaining([serial]) } })
    expect((await ask('GET', `ca/cert/${serial}`)).body).toEqual({ data: { certificate } })
    expect((await ask('GET', 'ca/config/crl')).body).toEqual({ data: { expiry: '72h', disable: false } })
    const intermediate = await ask('POST', 'ca/intermediate/generate/internal', { common_name: 'sub' })
    expect(Object.keys(intermediate.body.data)).toEqual(['csr'])
    for (const path of ['ca/roles/leaf', 'ca/config/urls', 'ca/crl/rotate'])
      expect(await ask('GET', path)).toEqual(nothing(204))
    expect(await ask('POST', 'ca/revoke', { serial_number: serial })).toEqual(nothing(204))
  })

  test('of policies and plugins', async () => {
    const policy = 'main = rule { true }'
    const egp = { policy, enforcement_level: 'advisory', paths: ['secret/*'] }
    expect(await ask('POST', 'sys/policies/egp/one', egp)).toEqual(nothing(204))
    expect((await ask('GET', 'sys/policies/egp/one')).body).toEqual({ data: { name: 'one', ...egp } })
    expect(Object.keys((await ask('LIST', 'sys/policies/egp')).body.data)).toEqual(['keys', 'name_path_map'])
    expect((await ask('LIST', 'sys/policies/rgp')).body).toEqual({ data: { keys: [] } })
    expect(Object.keys((await ask('GET', 'sys/plugins/catalog')).body.data)).toEqual(['auth', 'database', 'secret'])
  })

  test('of methods and secrets', async () => {
    expect(await ask('POST', `identity/mfa/method/totp/${id}`, method)).toEqual(nothing(204))
    expect(await ask('GET', `identity/mfa/method/totp/${id}`)).toEqual(nothing(204))
    expect((await ask('LIST', 'identity/mfa/method/totp')).body).toEqual({ data: { keys: [id] } })
    const to = { method_id: id, entity_id: await entity() }
    const made = await ask('POST', 'identity/mfa/method/totp/admin-generate', to)
    expect(made.body).toEqual({ data: { barcode: expect.any(String) } })
    // On other servers the second request gets a warning, which no document states.
    expect(await ask('POST', 'identity/mfa/method/totp/admin-generate', to)).toEqual(nothing(204))
  })

  test('of the cloud engine', async () => {
    const keys = { access_key: 'AKIAEXAMPLEEXAMPLE00', secret_key: 'example' }
    expect(await ask('POST', 'cloud/config/root', keys)).toEqual(nothing(204))
    const { data } = (await ask('GET', 'cloud/config/root')).body
    expect(data).toMatchObject({ access_key: keys.access_key, max_retries: -1 })
    expect(data).not.toHaveProperty('secret_key')
    expect((await ask('GET', 'cloud/config/lease')).body.data).toEqual({ lease: '768h0m0s', lease_max: '768h0m0s' })
    await ask('POST', 'cloud/roles/worker', { credential_type: 'iam_user', policy_arns: ['arn:aws:iam::aws:policy/x'] })
    expect(await ask('GET', 'cloud/roles/worker')).toEqual(nothing(204))
    expect(await ask('GET', 'cloud/roles/nobody')).toEqual(nothing(404))
  })

  test('of replication', async () => {
    const kind = 'sys/replication/performance'
    expect((await ask('GET', `${kind}/status`)).body).toEqual({ data: { mode: 'disabled' } })
    expect(await ask('POST', `${kind}/primary/enable`, {})).toEqual(nothing(204))
    const status = await ask('GET', `${kind}/status`)
    expect(Object.keys(status.body.data)).toEqual(['mode', 'cluster_id', 'last_wal'])
    const issued = await ask('POST', `${kind}/primary/secondary-token`, { id: 'second' })
    expect(issued.body).toEqual({ wrap_info: { token: expect.any(String) } })
    expect(await ask('POST', `${kind}/primary/disable`, {})).toEqual(nothing(204))
  })
})

describe('outside the reply data', () => {
  const headersOf = (verb: string, path: string) =>
    new Promise<readonly string[]>((resolve, reject) => {
      const sent = request(`${server.url}/v1/${path}`, { method: verb, agent: false }, (reply) => {
        resolve(reply.rawHeaders.filter((_, index) => index % 2 === 0))
        reply.resume()
      })
      sent.on('error', reject).end()
    })

  test('answers have only the headers of the transport', async () => {
    for (const [verb, path] of [
      ['GET', 'sys/health'],
      ['GET', 'ca/crl'],
      ['GET', 'nowhere'],
      ['BIND', 'sys/health'],
    ] as const)
      expect(
        (await headersOf(verb, path)).filter((name) => !/^(content-length|connection|keep-alive)$/i.test(name)),
      ).toEqual([])
  })

  test('a refusal has a status and nothing else', async () => {
    const refusals = [
      [await ask('GET', 'sys/policies/acl/one', undefined, 'nobody'), 403],
      [await ask('GET', 'sys/policies/acl/none'), 404],
      [await ask('POST', 'sys/policies/rgp/one', {}), 400],
      [await ask('POST', 'sys/mounts/more', { type: 'no-such-type' }), 400],
      [await ask('POST', 'sys/policies/acl/one', { policy: 'x'.repeat(100_000) }), 413],
    ] as const
    expect(refusals.map(([{ status, text }]) => ({ status, text }))).toEqual(
      refusals.map(([, status]) => ({ status, text: '' })),
    )
  })

  test('what the documents leave to the family works as on other servers', async () => {
    const made = await ask('POST', 'auth/token/create', { policies: ['default'] })
    expect(made.body.auth).toMatchObject({ client_token: expect.any(String), accessor: expect.any(String) })
    expect((await ask('GET', 'sys/mounts')).body.data['ca/']).toMatchObject({ type: 'pki' })
    const { body: health } = await ask('GET', 'sys/health')
    expect(health).toMatchObject({ initialized: true, sealed: false })
    expect(health).not.toHaveProperty('reference')
    expect(await ask('POST', 'sys/policy/older', { policy: 'path "secret/*" { capabilities = ["read"] }' })).toEqual(
      nothing(204),
    )
  })
})
