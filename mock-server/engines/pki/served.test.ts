import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../../server.ts'
import { openssl } from '../../test-beds/openssl.test-bed.ts'

let server: MockServer

interface Answer {
  readonly status: number
  readonly bytes: Buffer
  readonly data: Record<string, string>
  readonly leaseId: string
}

async function ask(
  method: string,
  path: string,
  body?: object,
  token: string | undefined = server.rootToken,
): Promise<Answer> {
  const response = await fetch(`${server.url}/v1/${path}`, {
    method,
    headers: token === '' ? {} : { 'x-vault-token': token },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = bytes[0] === 0x7b
  const json = isJson
    ? (JSON.parse(bytes.toString()) as { data: Record<string, string> | null; lease_id: string })
    : undefined
  return { status: response.status, bytes, data: json?.data ?? {}, leaseId: json?.lease_id ?? '' }
}

const ec = { key_type: 'ec', key_bits: 256 }

async function mountWithRoot(path: string): Promise<void> {
  await ask('POST', `sys/mounts/${path}`, { type: 'pki', config: { max_lease_ttl: '87600h' } })
  await ask('POST', `${path}/root/generate/internal`, { common_name: 'Root', ttl: '8760h', ...ec })
  await ask('POST', `${path}/roles/r`, { allow_any_name: true, ttl: '1h', generate_lease: true, ...ec })
}

const revoked = async (path: string): Promise<number> => {
  const { text } = openssl(['crl', '-inform', 'DER', '-in', '@c', '-noout', '-text'], {
    c: (await ask('GET', `${path}/crl`, undefined, '')).bytes,
  })
  return text.match(/Serial Number/g)?.length ?? 0
}

beforeAll(async () => {
  server = await createMockServer()
})
afterAll(() => server.close())

describe('the engine in a server', () => {
  it('is mounted at any path, and each mount has its own CA', async () => {
    await mountWithRoot('pki')
    await mountWithRoot('deep/other')
    const certificates = await Promise.all(['pki', 'deep/other'].map((path) => ask('GET', `${path}/ca`, undefined, '')))
    const [one, other] = certificates.map(({ bytes }) => new X509Certificate(bytes))
    expect(one?.fingerprint256).not.toBe(other?.fingerprint256)
    const { data } = await ask('POST', 'deep/other/issue/r', { common_name: 'a.example' })
    expect(new X509Certificate(data.certificate ?? '').checkIssued(other as X509Certificate)).toBe(true)
    expect(new X509Certificate(data.certificate ?? '').verify((other as X509Certificate).publicKey)).toBe(true)
    await ask('DELETE', 'sys/mounts/deep/other')
    expect((await ask('GET', 'deep/other/ca')).status).toBe(404)
  })

  it('revokes a certificate with its lease', async () => {
    await mountWithRoot('leases')
    const { leaseId } = await ask('POST', 'leases/issue/r', { common_name: 'a.example' })
    await ask('POST', 'leases/issue/r', { common_name: 'b.example', ttl: '2h' })
    expect(leaseId).toMatch(/^leases\/issue\/r\//)
    expect(await revoked('leases')).toBe(0)
    await ask('POST', 'sys/leases/revoke', { lease_id: leaseId })
    expect(await revoked('leases')).toBe(1)
  })

  it('generates an RSA root without blocking other requests', async () => {
    await ask('POST', 'sys/mounts/rsa', { type: 'pki', config: { max_lease_ttl: '87600h' } })
    const made = ask('POST', 'rsa/root/generate/exported', { common_name: 'RSA', ttl: '100h' })
    expect((await ask('GET', 'rsa/config/crl')).status).toBe(200)
    expect((await made).data.private_key).toContain('RSA PRIVATE KEY')
  })

  it('refuses to delete a root without sudo', async () => {
    await mountWithRoot('guarded')
    await ask('POST', 'sys/policies/acl/plain', { policy: 'path "guarded/*" { capabilities = ["delete"] }' })
    await ask('POST', 'sys/policies/acl/mighty', { policy: 'path "guarded/*" { capabilities = ["delete", "sudo"] }' })
    const tokenOf = async (policy: string): Promise<string> => {
      const response = await fetch(`${server.url}/v1/auth/token/create`, {
        method: 'POST',
        headers: { 'x-vault-token': server.rootToken },
        body: JSON.stringify({ policies: [policy] }),
      })
      return ((await response.json()) as { auth: { client_token: string } }).auth.client_token
    }
    expect((await ask('DELETE', 'guarded/root', undefined, await tokenOf('plain'))).status).toBe(403)
    expect((await ask('DELETE', 'guarded/root', undefined, await tokenOf('mighty'))).status).toBe(204)
  })
})
