import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../../server.ts'

let server: MockServer

interface Answer {
  readonly status: number
  readonly bytes: Buffer
  readonly data: Record<string, string>
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
  const json = isJson ? (JSON.parse(bytes.toString()) as { data: Record<string, string> | null }) : undefined
  return { status: response.status, bytes, data: json?.data ?? {} }
}

const ec = { key_type: 'ec', key_bits: 256 }

async function mountWithRoot(path: string): Promise<void> {
  await ask('POST', `sys/mounts/${path}`, { type: 'pki', config: { max_lease_ttl: '87600h' } })
  await ask('POST', `${path}/root/generate/internal`, { common_name: 'Root', ttl: '8760h', ...ec })
  await ask('POST', `${path}/roles/r`, { allow_any_name: true, ttl: '1h', ...ec })
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

  it('generates an RSA root without blocking other requests', async () => {
    await ask('POST', 'sys/mounts/rsa', { type: 'pki', config: { max_lease_ttl: '87600h' } })
    const made = ask('POST', 'rsa/root/generate/exported', { common_name: 'RSA', ttl: '100h' })
    expect((await ask('GET', 'rsa/config/crl')).status).toBe(200)
    expect((await made).data.private_key).toContain('RSA PRIVATE KEY')
  })
})
