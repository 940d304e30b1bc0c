import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TlsSettings } from '../targets/target.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { createClient } from './client.ts'
import { endpointAt } from './scripted-server.ts'
import { selfSigned } from './self-signed.test-bed.ts'

const own = selfSigned('server')
const clientPair = selfSigned('client')
const server = createServer(
  { cert: own.cert, key: own.key, ca: clientPair.cert, requestCert: true, rejectUnauthorized: false },
  (request, response) => {
    const socket = request.socket as TLSSocket
    response.end(JSON.stringify({ authorized: socket.authorized, protocol: socket.alpnProtocol || 'http/1.1' }))
  },
)
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
)

async function ask(tls: TlsSettings, at = url) {
  const client = createClient(endpointAt(at, { tls }), { timeoutMs: patient(2000), maxRps: 0, environment: {} })
  const outcome = await client.send({ method: 'GET', path: '/v1/x', headers: {} })
  await client.close()
  return outcome
}

test('an untrusted certificate is trouble, and is not retried', async () => {
  const { trouble, attempts } = await ask({ insecure: false })
  expect(trouble).toMatch(/^TLS with 127\.0\.0\.1:\d+ failed: self-signed certificate/)
  expect(attempts).toHaveLength(1)
})

test('a certificate is trusted if its CA is configured, over HTTP/1.1', async () => {
  const { reply } = await ask({ insecure: false, ca: own.cert })
  expect(reply?.json).toEqual({ authorized: false, protocol: 'http/1.1' })
})

test('`insecure` accepts an untrusted certificate', async () => {
  expect((await ask({ insecure: true })).reply?.status).toBe(200)
})

test('the client presents its own certificate', async () => {
  const { reply } = await ask({ insecure: false, ca: own.cert, ...clientPair })
  expect(reply?.json).toMatchObject({ authorized: true })
})

describe.each([
  ['TLSv1.2', 'handshake failure'],
  ['TLSv1.3', 'certificate required'],
] as const)('a server that insists on a client certificate, over %s', (version, alert) => {
  const strict = createServer({
    cert: own.cert,
    key: own.key,
    ca: clientPair.cert,
    requestCert: true,
    minVersion: version,
    maxVersion: version,
  })
  beforeAll(() => new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise<void>((resolve) => strict.close(() => resolve())))

  test('is reported by its alert in plain words, without a retry', async () => {
    const host = `127.0.0.1:${(strict.address() as AddressInfo).port}`
    const { trouble, attempts } = await ask({ insecure: false, ca: own.cert }, `https://${host}`)
    expect(trouble).toBe(`TLS with ${host} failed: it answered with the alert "${alert}"`)
    expect(attempts.map((one) => one.trouble?.kind)).toEqual(['untrusted'])
  })
})
