import { once } from 'node:events'
import { connect } from 'node:tls'
import forge from 'node-forge'
import { beforeAll, expect, test } from 'vitest'
import { createMockServer, type MockServer } from '../../server.ts'
import type { TlsFiles } from './list-method.ts'

function selfSigned(): TlsFiles {
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const certificate = forge.pki.createCertificate()
  const subject = [{ name: 'commonName', value: 'localhost' }]
  certificate.publicKey = keys.publicKey
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000)
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000)
  certificate.setSubject(subject)
  certificate.setIssuer(subject)
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }])
  certificate.sign(keys.privateKey, forge.md.sha256.create())
  return { cert: forge.pki.certificateToPem(certificate), key: forge.pki.privateKeyToPem(keys.privateKey) }
}

let tls: TlsFiles
beforeAll(() => {
  tls = selfSigned()
})

test.each(['in-place', 'duplex'] as const)('LIST over TLS, %s', async (listForm) => {
  const server: MockServer = await createMockServer({ tls, listForm })
  expect(server.url).toMatch(/^https:/)
  const socket = connect({
    port: Number(new URL(server.url).port),
    host: '127.0.0.1',
    ca: tls.cert,
    servername: 'localhost',
  })
  await once(socket, 'secureConnect')
  const request = `LIST /v1/auth/token/accessors HTTP/1.1\r\nHost: a\r\nX-Vault-Token: ${server.rootToken}\r\n\r\n`
  let seen = ''
  const whole = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      seen += bytes.toString()
      if ((seen.match(/"auth":null\}\n/g) ?? []).length === 2) resolve()
    })
  })
  socket.write(request.slice(0, 3))
  await new Promise((resolve) => setImmediate(resolve))
  socket.write(request.slice(3) + request)
  await whole
  expect(seen.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  socket.destroy()
  await server.close()
})
