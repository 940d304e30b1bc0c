/** A target whose replies contain addresses, and texts that try to start lines on the console. Neither may have any
 * effect. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assay, type Ended } from '../commands/child.test-bed.ts'
import { startReference } from '../targets/mock.ts'
import { isWhole } from '../tools/prove/sampled.test-bed.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

const token = 'hostile-target-test-token'
const forged = '1.14.0\n::error::forged\r\n##[error]forged\u2028::warning::\u202egnp\u001b[2K\u009b1A\u200b'

/** A server that must never receive a request. */
let canary: SocketServer
let canaryUrl = ''
let visitors: string[] = []
let target: Server
let folder = ''

const portOf = (server: Server | SocketServer): number => (server.address() as AddressInfo).port
const listening = (server: Server | SocketServer) =>
  new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))

beforeEach(async () => {
  visitors = []
  canary = createSocketServer((socket) => {
    visitors.push('a connection')
    socket.on('data', (bytes) => visitors.push(bytes.toString('latin1').slice(0, 80)))
    socket.on('error', () => {})
  })
  await listening(canary)
  canaryUrl = `http://127.0.0.1:${portOf(canary)}`
  folder = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
})
afterEach(async () => {
  target.closeAllConnections()
  for (const server of [canary, target]) await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** Fields in which servers of the family put addresses, and those in which our reference server described itself. */
const addressesOf = (url: string): Readonly<Record<string, unknown>> => ({
  ...{ url, address: url, addr: url, endpoint: url, iam_endpoint: url, sts_endpoint: url, redirect: url, control: url },
  ...{ api_addr: url, cluster_addr: url, primary_api_addr: url, primary_cluster_addr: url, leader_address: url },
  ...{
    issuing_certificates: [url],
    crl_distribution_points: [url],
    ocsp_servers: [url],
    known_primary_cluster_addrs: [url],
  },
  reference: {
    forms: { cloud: 'newer', 'plugin-catalog': 'newer', 'mfa-identity': 'served', 'mfa-legacy': 'served' },
    placed: {
      control: url,
      provider: { iam: url, sts: url, control: url },
      forwarder: { listen: url, advertise: url },
      clusters: [{ name: 'second', url, token: 'none', mayBeWiped: true }],
      'plugin-files': [{ command: url, sha256: '0'.repeat(64), type: 'secret' }],
    },
  },
})

async function judged(profile: Readonly<Record<string, unknown>>, flags: readonly string[] = []): Promise<Ended> {
  const file = join(folder, 'profile.json')
  const url = `http://127.0.0.1:${portOf(target)}`
  writeFileSync(file, JSON.stringify({ url, patienceSeconds: 1, maxWaitSeconds: 0, timeoutSeconds: 10, ...profile }))
  return assay(['run', '--profile', file, '--out', join(folder, 'out'), ...flags], { ASSAY_TOKEN: token })
}

const result = (): ResultDocument => JSON.parse(readFileSync(join(folder, 'out', 'result.json'), 'utf8'))

/** Asserts that no text of the target begins a line, is read as a command, or steers the terminal. */
function assertInert({ out, err }: Ended): void {
  for (const line of `${out}\n${err}`.split('\n')) {
    expect(line).not.toMatch(command)
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(line).not.toMatch(/^(error|warning)?:*forged/)
  }
}

/** Lines that a build system would read as commands. */
const command = /^\s*::|##[\w-]*\[/

/** Asserts that a report has escaped these characters in its own way. */
function assertReadable(name: string, report: string): void {
  const lines = report.split('\n')
  expect(
    lines
      .filter((line) => /[\0-\b\v-\u001f\u007f-\u009f\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(line))
      .slice(0, 3),
    name,
  ).toEqual([])
}

describe('a target whose every text is an address or a line of a log', () => {
  beforeEach(async () => {
    let calls = 0
    target = createServer((incoming, response) => {
      incoming.resume()
      answer(incoming, response, calls++)
    })
    await listening(target)
  })

  // Each refused redirect ends a check, so there are only a few.
  const statusOf = (call: number): number => (call % 40 === 1 ? 307 : ([200, 200, 400, 200, 404][call % 5] ?? 200))

  function answer({ url: path = '', method }: IncomingMessage, response: ServerResponse, call: number): void {
    const isHealth = path.includes('/sys/health')
    const text = call % 2 === 0 || isHealth ? canaryUrl : forged
    const keys = [text, `${text}/`, 'default', 'root']
    const fields = { ...addressesOf(text), keys, policies: keys, name: text, id: text, mode: text }
    response.statusCode = isHealth || call <= 40 ? 200 : statusOf(call)
    response.setHeader('location', `${canaryUrl}${path}`)
    response.setHeader('link', `<${canaryUrl}>; rel=next`)
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        ...fields,
        ...{ initialized: true, sealed: false, version: forged, cluster_id: forged, cluster_name: forged },
        ...(response.statusCode < 400 ? {} : { errors: [forged, text] }),
        warnings: [forged],
        lease_id: text,
        // A text in one of these fields would be redacted everywhere as a token, and so not appear on the console.
        auth: { client_token: `${canaryUrl}/a`, accessor: text, policies: keys },
        wrap_info: method === 'POST' ? { token: `${canaryUrl}/b`, accessor: text, creation_path: text, ttl: 60 } : null,
        data: { ...fields, data: fields },
      }),
    )
  }

  test('cannot make a run connect elsewhere, in any area, and the console shows its texts in one line', async () => {
    const declared = { version: '1.14.0', edition: 'premium' }
    const few = isWhole ? [] : ['--check', '*/errors*/*,*-replication/access/*']
    const ended = await judged({ declared }, ['--format', 'html,junit,markdown,sarif,badge', ...few])
    expect(visitors).toEqual([])
    expect([1, 3, 7], ended.err).toContain(ended.code)
    const { checks } = result()
    expect(new Set(checks.map(({ area }) => area)).size).toBe(8)
    expect(checks.flatMap(({ exchanges }) => exchanges).length).toBeGreaterThan(400)
    expect(ended.out + ended.err).toContain('forged')
    assertInert(ended)
    expect(
      readFileSync(join(folder, 'out', 'junit.xml'), 'utf8')
        .split('\n')
        .filter((line) => command.test(line)),
    ).toEqual([])
    for (const name of ['summary.md', 'junit.xml', 'assay.sarif', 'report.html', 'badge.svg'])
      assertReadable(name, readFileSync(join(folder, 'out', name), 'utf8'))
  })

  test('cannot start a line on the console, even if nothing is declared', async () => {
    const ended = await judged(
      {},
      isWhole ? ['--area', 'policies'] : ['--check', 'policies/transitions/acl-*,policies/errors/*'],
    )
    expect(visitors).toEqual([])
    expect(ended.out + ended.err).toContain('\\n::error::forged')
    assertInert(ended)
  })
})

/** Checks whose replies contain addresses: of clusters, of endpoints of the provider, of secrets and certificates. */
const withAddresses = [
  ...(isWhole
    ? ['pki/fields-urls/*', '*-replication/*', 'cloud/*', 'mfa-identity/*', 'pki/errors/*', 'pki/transitions/*']
    : [
        'pki/fields-urls/*-are-encoded-into-certificates',
        '*-replication/access/*',
        'cloud/fields-root/*endpoint*',
        'mfa-identity/errors/*-without-*',
      ]),
]

describe('a server that works, behind a proxy that puts addresses into its replies', () => {
  test('cannot make a run connect elsewhere', async () => {
    const server = await startReference({ rootToken: token, testKeys: true })
    target = createServer((incoming, response) => forward(incoming, response, new URL(server.url)))
    await listening(target)
    try {
      const ended = await judged(
        { provider: { listen: '127.0.0.1:0' } },
        withAddresses.flatMap((glob) => ['--check', glob]),
      )
      expect(visitors).toEqual([])
      expect([1, 3], ended.err).toContain(ended.code)
      expect(result().checks.flatMap(({ exchanges }) => exchanges).length).toBeGreaterThan(20)
    } finally {
      await server.close()
    }
  })

  function forward(incoming: IncomingMessage, response: ServerResponse, to: URL): void {
    const { method, url: path, headers } = incoming
    const onward = request({ host: to.hostname, port: to.port, method, path, headers }, async (reply) => {
      const chunks: Buffer[] = []
      for await (const chunk of reply as AsyncIterable<Buffer>) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const { 'content-length': _, 'transfer-encoding': __, ...kept } = reply.headers
      response.writeHead(reply.statusCode ?? 502, { ...kept, location: `${canaryUrl}${path}` })
      response.end(readdressed(bytes))
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  }

  /** Replaces each address in a reply, and adds more. */
  function readdressed(bytes: Buffer): Buffer | string {
    let json: unknown
    try {
      json = JSON.parse(bytes.toString())
    } catch {
      return bytes
    }
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return bytes
    const text = JSON.stringify(json, (_, value) =>
      typeof value === 'string' && /^https?:\/\/|^[\w.]+:\d+$/.test(value) ? canaryUrl : value,
    )
    return JSON.stringify({ ...addressesOf(canaryUrl), ...JSON.parse(text) })
  }
})
