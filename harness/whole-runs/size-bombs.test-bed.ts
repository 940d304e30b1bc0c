/** A target that serves its health, and replies to everything else with a bomb. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'

const health = {
  initialized: true,
  sealed: false,
  standby: false,
  version: '1.14.0',
  cluster_id: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
  server_time_utc: 1_700_000_000,
}

const mib = 1024 * 1024

function picture(): string {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(30_000)
  header.writeUInt32BE(30_000, 4)
  header.set([1, 0], 8)
  const pixels = deflateSync(Buffer.alloc(30_000 * (30_000 / 8 + 1)))
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]).toString('base64')
}

/** Makes nested DER in which each level extends to the end. */
function deepDer(levels: number): Buffer {
  const heads: Buffer[] = []
  for (let inner = 2, level = 0; level < levels; level++, inner += 6) {
    const head = Buffer.from('308400000000', 'hex')
    head.writeUInt32BE(inner, 2)
    heads.push(head)
  }
  return Buffer.concat([...heads.toReversed(), Buffer.from('0500', 'hex')])
}

const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`

interface Bomb {
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** The fields that steps of checks need, so that checks reach the judged request. */
const usual = () => ({
  id: randomBytes(8).toString('hex'),
  method_id: randomBytes(8).toString('hex'),
  accessor: randomBytes(8).toString('hex'),
  name: 'n',
  keys: ['n'],
})
const data = (more: object): string => JSON.stringify({ data: { ...usual(), ...more }, auth: usual() })
const hex = (bytes: number): string => randomBytes(bytes / 2).toString('hex')

/** Some bombs take seconds and hundreds of megabytes to make. */
function onFirstUse(make: () => () => Bomb): () => Bomb {
  let bomb: (() => Bomb) | undefined
  return () => {
    bomb ??= make()
    return bomb()
  }
}

export const bombs: Readonly<Record<string, () => Bomb>> = {
  'a picture of 30 000 by 30 000 pixels': onFirstUse(() => {
    const barcode = picture()
    return () => ({ body: data({ barcode }) })
  }),
  'replies of 17 MB': onFirstUse(() => {
    const body = Buffer.alloc(17 * mib, 'x')
    return () => ({ body })
  }),
  'lists of 7 MB': onFirstUse(() => {
    const body = data({ keys: Array.from({ length: 100_000 }, () => hex(60)) })
    return () => ({ body })
  }),
  '900 secrets in each reply': () => ({
    body: data({ list: Array.from({ length: 900 }, () => ({ client_token: `hvs.${hex(90)}` })), token: hex(40_000) }),
  }),
  'serial numbers of 1 MB': onFirstUse(() => {
    const serial = hex(mib)
    return () => ({ body: data({ serial_number: serial, id: serial, accessor: serial, version: serial }) })
  }),
  'ASN.1 of 20 000 levels': onFirstUse(() => {
    const deep = deepDer(20_000)
    const lying = Buffer.from('3084fffffff0020101', 'hex')
    const certificate = pem('CERTIFICATE', deep) + pem('CERTIFICATE', lying)
    const body = data({ certificate, csr: pem('CERTIFICATE REQUEST', deep), private_key: pem('PRIVATE KEY', deep) })
    return () => ({ body })
  }),
  'JSON of 100 000 levels': () => ({ body: `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }),
  'JSON that is opened eight million times': onFirstUse(() => {
    const body = Buffer.alloc(8 * mib, '[')
    return () => ({ body })
  }),
  'compressed zeros': onFirstUse(() => {
    const body = gzipSync(Buffer.alloc(300 * mib))
    return () => ({ body, headers: { 'content-encoding': 'gzip' } })
  }),
  '100 000 bytes of headers': () => ({
    body: data({}),
    headers: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, 'h'.repeat(5000)])),
  }),
  '30 000 bytes of headers': () => ({
    body: data({}),
    headers: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`x-${n}`, hex(3000)])),
  }),
}

export interface HostileTarget {
  readonly url: string
  /** The number of requests that got a bomb. */
  readonly asked: () => number
  close(): Promise<void>
}

/** Starts a target that sends the named bombs in turn. */
export async function startHostileTarget(names: readonly string[]): Promise<HostileTarget> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      if (request.url?.startsWith('/v1/sys/health')) return response.end(JSON.stringify(health))
      if (request.url?.startsWith('/v1/auth/token/lookup-self'))
        return response.end(JSON.stringify({ data: { id: 'x', policies: ['root'], path: 'auth/token/root' } }))
      const bomb = bombs[names[count++ % names.length] ?? '']?.()
      response.writeHead(200, bomb?.headers ?? {})
      return response.end(bomb?.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
