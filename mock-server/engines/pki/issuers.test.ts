import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../server.ts'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer({ mounts: { pki: 'pki', bare: 'pki' } })
  await ask('POST', 'pki/root/generate/internal', { common_name: 'example.com', key_type: 'ec' })
})
afterAll(() => server.close())

async function send(method: string, path: string, body?: object, token = server.rootToken): Promise<Response> {
  const headers: Record<string, string> = token === '' ? {} : { 'x-vault-token': token }
  return fetch(`${server.url}/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}
// biome-ignore lint/suspicious/noExplicitAny: each test knows the type of the reply that it reads.
const ask = async (...asked: Parameters<typeof send>): Promise<any> => (await send(...asked)).json()

test('a mount with a CA has one issuer with one key, which are found by their ids and as the default', async () => {
  const { data: list } = await ask('GET', 'pki/issuers?list=true', undefined, '')
  const [id] = list.keys
  expect(list.keys).toHaveLength(1)
  const { data: keys } = await ask('GET', 'pki/keys?list=true')
  expect(list.key_info[id]).toMatchObject({ is_default: true, issuer_name: '', key_id: keys.keys[0] })
  expect(keys.key_info).toEqual({ [keys.keys[0]]: { is_default: true, key_name: '' } })
  const { data: issuer } = await ask('GET', `pki/issuer/${id}`)
  expect(issuer).toMatchObject({ issuer_id: id, key_id: keys.keys[0], ca_chain: [issuer.certificate] })
  expect(await ask('GET', 'pki/issuer/default')).toMatchObject({ data: issuer })
  expect((await ask('GET', 'pki/config/issuers')).data).toEqual({ default: id, default_follows_latest_issuer: false })
  expect((await ask('GET', 'pki/config/keys')).data).toEqual({ default: keys.keys[0] })
  const { serialNumber } = new X509Certificate(issuer.certificate)
  expect(list.key_info[id].serial_number.replaceAll(':', '').toUpperCase()).toBe(serialNumber)
  expect((await ask('GET', 'pki/key/default')).data).toMatchObject({ key_id: keys.keys[0], key_type: 'ec' })
})

test('the certificate in three formats, and the revocation list, are read without a token', async () => {
  const { data } = await ask('GET', 'pki/issuer/default/json', undefined, '')
  const inPem = await (await send('GET', 'pki/issuer/default/pem', undefined, '')).text()
  const inDer = Buffer.from(await (await send('GET', 'pki/issuer/default/der', undefined, '')).arrayBuffer())
  expect(data.certificate).toBe(inPem)
  expect(new X509Certificate(inDer).fingerprint256).toBe(new X509Certificate(inPem).fingerprint256)
  const crl = await (await send('GET', 'pki/issuer/default/crl/der', undefined, '')).arrayBuffer()
  expect((await ask('GET', 'pki/issuer/default/crl', undefined, '')).data.crl).toContain('BEGIN X509 CRL')
  expect(Buffer.from(crl).equals(Buffer.from(await (await send('GET', 'pki/crl')).arrayBuffer()))).toBe(true)
  expect((await send('GET', 'pki/issuer/default', undefined, '')).status).toBe(400)
})

test('a mount without a CA has no issuer, and older versions do not serve these endpoints', async () => {
  expect((await ask('GET', 'bare/config/issuers')).data).toMatchObject({ default: '' })
  expect((await send('GET', 'bare/issuers?list=true')).status).toBe(404)
  expect((await send('GET', 'bare/issuer/default/pem')).status).toBe(500)
  await using older = await createMockServer({ version: '1.10.0', mounts: { pki: 'pki' } })
  const headers = { 'x-vault-token': older.rootToken }
  expect((await fetch(`${older.url}/v1/pki/config/issuers`, { headers })).status).toBe(404)
})
