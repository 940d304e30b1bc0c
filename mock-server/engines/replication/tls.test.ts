import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import forge from 'node-forge'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TlsFiles } from '../../kernel/http/list-method.ts'
import { createMockServer, type MockServer } from '../../server.ts'

interface Authority {
  readonly pem: string
  sign(): TlsFiles
}

function makeAuthority(name: string): Authority {
  const certificateOf = (subject: string, publicKey: forge.pki.PublicKey): forge.pki.Certificate => {
    const certificate = forge.pki.createCertificate()
    certificate.publicKey = publicKey
    certificate.serialNumber = `0${subject.length}`
    certificate.validity.notBefore = new Date(Date.now() - 86_400_000)
    certificate.validity.notAfter = new Date(Date.now() + 86_400_000)
    certificate.setSubject([{ name: 'commonName', value: subject }])
    certificate.setIssuer([{ name: 'commonName', value: name }])
    return certificate
  }
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const own = certificateOf(name, keys.publicKey)
  own.setExtensions([{ name: 'basicConstraints', cA: true }])
  own.sign(keys.privateKey, forge.md.sha256.create())
  return {
    pem: forge.pki.certificateToPem(own),
    sign() {
      const pair = forge.pki.rsa.generateKeyPair(2048)
      const certificate = certificateOf('server.example', pair.publicKey)
      certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }])
      certificate.sign(keys.privateKey, forge.md.sha256.create())
      return { cert: forge.pki.certificateToPem(certificate), key: forge.pki.privateKeyToPem(pair.privateKey) }
    },
  }
}

let folder: string
let authority: Authority
let primary: MockServer
let secondary: MockServer
let agent: Agent

beforeAll(async () => {
  authority = makeAuthority('authority.example')
  folder = mkdtempSync(join(tmpdir(), 'assay-tls-'))
  mkdirSync(join(folder, 'right'))
  mkdirSync(join(folder, 'wrong'))
  mkdirSync(join(folder, 'empty'))
  const other = makeAuthority('other.example').pem
  writeFileSync(join(folder, 'right', 'a.pem'), other)
  writeFileSync(join(folder, 'right', 'b.pem'), authority.pem)
  writeFileSync(join(folder, 'wrong', 'a.pem'), other)
  primary = await createMockServer({ tls: authority.sign() })
  secondary = await createMockServer({ seed: 2 })
  agent = new Agent({ connect: { ca: authority.pem } })
  await ask(primary, 'primary/enable')
})
afterAll(async () => {
  await Promise.all([primary.close(), secondary.close(), agent.close()])
  rmSync(folder, { recursive: true })
})

async function ask(server: MockServer, path: string, body: object = {}) {
  const url = `${server.url}/v1/sys/replication/performance/${path}`
  const headers = { 'x-vault-token': server.rootToken }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), dispatcher: agent })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const enable = async (trust: object): Promise<number> => {
  const { body } = await ask(primary, 'primary/secondary-token', { id: 'a' })
  return (await ask(secondary, 'secondary/enable', { token: body.wrap_info.token, ...trust })).status
}

test.each([
  ['no CA', () => ({})],
  ['a CA file of another authority', () => ({ ca_file: join(folder, 'wrong', 'a.pem') })],
  ['a CA path of another authority', () => ({ ca_path: join(folder, 'wrong') })],
  ['an empty CA path', () => ({ ca_path: join(folder, 'empty') })],
])('%s is refused if the primary uses TLS', async (_what, trust) => {
  expect(await enable(trust())).toBe(400)
})

test.each([
  ['ca_file', () => ({ ca_file: join(folder, 'right', 'b.pem') })],
  ['ca_path', () => ({ ca_path: join(folder, 'right') })],
])('%s with the authority of the primary is trusted', async (_what, trust) => {
  expect(await enable(trust())).toBe(204)
  await secondary.reset()
})
