import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TlsSettings } from '../targets/target.ts'
import { createClient } from './client.ts'
import { endpointAt } from './scripted-server.ts'
import { selfSigned } from './self-signed.test-bed.ts'

const own = selfSigned('server')
const theirs = selfSigned('client')
const server = createServer(
  { cert: own.cert, key: own.key, ca: theirs.cert, requestCert: true, rejectUnauthorized: false },
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
  const client = createClient(endpointAt(at, { tls }), { timeoutMs: 2000, maxRps: 0, environment: {} })
  const outcome = await client.send({ method: 'GET', path: '/v1/x', headers: {} })
  await client.close()
  return outcome
}

test('a certificate that nobody vouches for is trouble, at once', async () => {
  const { trouble, attempts } = await ask({ insecure: false })
  expect(trouble).toMatch(/^TLS with 127\.0\.0\.1:\d+ failed: self-signed certificate/)
  expect(attempts).toHaveLength(1)
})

test('a named authority vouches for it, over HTTP/1.1', async () => {
  const { reply } = await ask({ insecure: false, ca: own.cert })
  expect(reply?.json).toEqual({ authorized: false, protocol: 'http/1.1' })
})

test('`insecure` asks for no voucher', async () => {
  expect((await ask({ insecure: true })).reply?.status).toBe(200)
})

test('the client shows its own certificate', async () => {
  const { reply } = await ask({ insecure: false, ca: own.cert, ...theirs })
  expect(reply?.json).toMatchObject({ authorized: true })
})

describe.each([
  ['TLSv1.2', 'handshake failure'],
  ['TLSv1.3', 'certificate required'],
] as const)('a server that insists on a client certificate, over %s', (version, alert) => {
  const strict = createServer({
    cert: own.cert,
    key: own.key,
    ca: theirs.cert,
    requestCert: true,
    minVersion: version,
    maxVersion: version,
  })
  beforeAll(() => new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise<void>((resolve) => strict.close(() => resolve())))

  test('is heard to say so, once, in plain words', async () => {
    const host = `127.0.0.1:${(strict.address() as AddressInfo).port}`
    const { trouble, attempts } = await ask({ insecure: false, ca: own.cert }, `https://${host}`)
    expect(trouble).toBe(`TLS with ${host} failed: it answered with the alert "${alert}"`)
    expect(attempts.map((one) => one.trouble?.kind)).toEqual(['untrusted'])
  })
})
