/** A server that answers its health and the lookup of its token well, and everything else in one of many hostile ways. */
import { randomBytes } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { hostilities } from '../commands/hostile-front.test-bed.ts'
import { listening } from '../wire/scripted-server.ts'
import { bombs } from './size-bombs.test-bed.ts'

type Shape = (socket: Socket, head: string) => void
type Headers = Readonly<Record<string, string>>

const mib = 1024 * 1024

function message(body: string | Buffer, headers: Headers = {}, status = '200 OK'): Buffer {
  const bytes = Buffer.from(body as string)
  const all = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

const usual = {
  id: 'a1',
  method_id: 'b2',
  accessor: 'c3',
  name: 'n',
  keys: ['n'],
  client_token: 'hvs.not-a-real-token',
}
const json = (more: object): string => JSON.stringify({ data: { ...usual, ...more }, auth: usual })

/** Always replies with these bytes, which are made at the first use. */
function replying(make: () => string | Buffer): Shape {
  let bytes: string | Buffer | undefined
  return (socket) => {
    bytes ??= make()
    socket.write(bytes)
  }
}
/** Replies with these bytes and closes the connection. */
const ending =
  (bytes: string): Shape =>
  (socket) =>
    void socket.end(bytes, 'latin1')
const coded = (encoding: string, make: () => Buffer): Shape =>
  replying(() => message(make(), { 'content-encoding': encoding }))
const data = (make: () => object): Shape => replying(() => message(json(make())))
const text = (make: () => string | Buffer): Shape => replying(() => message(make()))
const bad = (status: string, headers: Headers = {}): Shape =>
  replying(() => message('{"errors":["x"]}', headers, status))
/** Writes the same bytes until the client closes the connection. */
const endless =
  (first: string, again: string): Shape =>
  (socket) => {
    socket.write(first)
    const more = () => {
      while (!socket.destroyed && socket.write(again));
      if (!socket.destroyed) socket.once('drain', more)
    }
    more()
  }

function layered(layers: number): Buffer {
  let body: Buffer = Buffer.from('{}')
  for (let layer = 0; layer < layers; layer++) body = deflateSync(body, { level: 0 })
  return body
}

/** A picture of noise, in which a QR reader finds thousands of possible corners. */
function noise(): string {
  const png = new PNG({ width: 500, height: 500 })
  for (const [at, byte] of randomBytes(250_000).entries())
    png.data.set([...Array(3).fill(byte & 128 ? 255 : 0), 255], at * 4)
  return PNG.sync.write(png).toString('base64')
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`
const ok = 'HTTP/1.1 200 OK\r\n'
const many = (count: number, of: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => of(n)).join('')

export const shapes: Readonly<Record<string, Shape>> = {
  ...hostilities,
  ...Object.fromEntries(
    Object.entries(bombs).map(([name, bomb]): [string, Shape] => [
      name,
      (socket) => {
        const { body, headers } = bomb()
        socket.write(message(body, headers))
      },
    ]),
  ),
  '3 000 stored layers': coded(Array(3000).fill('deflate').join(','), () => layered(3000)),
  'zeros in brotli': coded('br', () =>
    brotliCompressSync(Buffer.alloc(100 * mib), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  ),
  'zeros in zstd': coded('zstd', () => zstdCompressSync(Buffer.alloc(100 * mib))),
  'zeros in two codings': coded('gzip, gzip', () => gzipSync(gzipSync(Buffer.alloc(100 * mib)))),
  'members that decode to nothing': coded('gzip', () => Buffer.concat(Array(400_000).fill(gzipSync('')))),
  'an unknown coding': coded('rot13', () => Buffer.from('{}')),
  'a coding that lies': coded('gzip', () => Buffer.from('{}')),
  'a coding that is cut off': coded('gzip', () => gzipSync(Buffer.alloc(1000, 'x')).subarray(0, 20)),
  '4 000 headers': replying(() =>
    message('{}', Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`x${n}`, '1']))),
  ),
  'a header of 60 kB': replying(() => message('{}', { x: 'y'.repeat(60_000) })),
  'headers without an end': endless(ok, 'x-pad: yyyyyyyyyyyyyyyyyyyy\r\n'),
  'a header without a colon': replying(() => `${ok}nonsense\r\ncontent-length: 2\r\n\r\n{}`),
  'a header with a NUL': replying(() => `${ok}a: b\0c\r\ncontent-length: 2\r\n\r\n{}`),
  'a folded header': replying(() => `${ok}a: b\r\n c\r\ncontent-length: 2\r\n\r\n{}`),
  'headers named like parts of objects': replying(() => message('{}', { ['__proto__']: 'x', constructor: 'y' })),
  'two lengths': replying(() => `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`),
  'a length and chunks': replying(
    () => `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  'a negative length': replying(() => `${ok}content-length: -2\r\n\r\n{}`),
  'a length beyond all numbers': replying(() => `${ok}content-length: ${'9'.repeat(30)}\r\n\r\n{}`),
  'a second reply nobody asked for': replying(() => Buffer.concat([message('{}'), message('{"data":{"smuggled":1}}')])),
  'less than the length': ending(`${ok}content-length: 100\r\n\r\n{}`),
  'a chunk beyond all numbers': replying(() => `${ok}transfer-encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n{}`),
  'a broken chunk': replying(() => `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n{}`),
  'a chunk extension without an end': endless(`${ok}transfer-encoding: chunked\r\n\r\n1;x=`, 'y'.repeat(1000)),
  'trailers without an end': endless(`${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-pad: yyyyyyyyyyyyyy\r\n'),
  'chunks of one byte': endless(`${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\n[\r\n'.repeat(100)),
  'interim replies without an end': endless('', 'HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n'.repeat(20)),
  'another protocol': replying(() => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  'a status of 999': bad('999 Odd'),
  'a status of 000': bad('000 Odd'),
  'a body without a head': ending('{"data":{}}'),
  'HTTP/2': replying(() => Buffer.from('00001204000000000000030000006400040010000000', 'hex')),
  'a TLS alert': replying(() => Buffer.from('15030300020228', 'hex')),
  'another banner': ending('SSH-2.0-OpenSSH_9\r\n'),
  zeros: replying(() => Buffer.alloc(1000)),
  'a head that drips': (socket) => {
    const drip = setInterval(() => socket.write('H'), 500)
    socket.on('close', () => clearInterval(drip))
  },
  '204 with a body': bad('204 No Content'),
  'a redirect in a loop': (socket, head) =>
    void socket.write(message('', { location: head.split(' ')[1] ?? '/' }, '307 Temporary Redirect')),
  'a redirect to a file': bad('307 Temporary Redirect', { location: 'file:///etc/passwd' }),
  'a redirect to another host': bad('308 Permanent Redirect', { location: 'http://169.254.169.254/latest/' }),
  'a redirect of 20 kB': bad('302 Found', { location: `/${'x'.repeat(20_000)}` }),
  'a wait without a number': bad('429 Too Many Requests', { 'retry-after': '9'.repeat(400) }),
  'a date that is none': bad('503 Busy', { 'retry-after': `Mon, ${'1 '.repeat(5000)} 00:00:00 GMT` }),
  '200 000 keys': data(() => Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, n]))),
  '490 000 values': text(() => `{"data":{"keys":[${'[],'.repeat(489_000)}[]]}}`),
  'a number of a megabyte': text(() => `{"data":{"ttl":${'9'.repeat(mib)}}}`),
  'half a surrogate': text(() => '{"data":{"name":"\\ud800"},"errors":["\\udfff"]}'),
  'invalid UTF-8': text(() => Buffer.from('7b22ff223a22c3282266227d', 'hex')),
  'JSON in UTF-16': text(() => Buffer.from('\ufeff{"data":{}}', 'utf16le')),
  'fields named like parts of objects': text(
    () =>
      '{"__proto__":{"polluted":1},"data":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}}',
  ),
  'a picture of noise': data(() => ({ barcode: noise() })),
  '10 000 certificates': data(() => ({ certificate: pem('CERTIFICATE', Buffer.from('3000', 'hex')).repeat(10_000) })),
  'a key without an end': data(() => ({ private_key: `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(mib)}` })),
  'an otpauth URL of a megabyte': data(() => ({ url: `otpauth://totp/x?secret=${'A'.repeat(mib)}` })),
  'commands for the console': data(() => ({
    name: '\u001b]0;x\u0007\n::error::forged\r\n##[error]\u202e\u0000'.repeat(1000),
  })),
  'marks of our own': data(() => ({ name: '\ufdd0200,9999\ufdd0x\ufdd1… (cut: 1 characters in all)'.repeat(2000) })),
  'a page with scripts': replying(() =>
    message('<html><script>alert(1)</script>'.repeat(1000), { 'content-type': 'text/html' }, '502 Bad Gateway'),
  ),
  'escapes within escapes': data(() => ({ name: many(12, (n) => '\\'.repeat(2 ** n)), policy: '%25'.repeat(200_000) })),
  'a list of bytes': data(() => ({ name: Array.from({ length: 200_000 }, (_, n) => n % 256).join(', ') })),
  blanks: data(() => ({
    name: `${' '.repeat(300_000)}x`,
    policy: `${'\t '.repeat(150_000)}x`,
    keys: [`a${'-'.repeat(300_000)}`],
  })),
  'words that patterns like': data(() => ({
    errors: ['a.'.repeat(100_000), '//'.repeat(100_000), 's.'.repeat(100_000), '=3D'.repeat(100_000)],
  })),
  'errors by the thousand': replying(() =>
    message(JSON.stringify({ errors: Array(50_000).fill('permission denied') }), {}, '400 Bad Request'),
  ),
}

/** A reply between the others, so that the circuit breaker does not open. */
export const plainReply = 'a plain reply'
const plain = replying(() => message(json({})))

const health = JSON.stringify({
  ...{ initialized: true, sealed: false, standby: false, version: '1.14.0', server_time_utc: 1_700_000_000 },
  cluster_id: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
})
const lookup = JSON.stringify({ data: { id: 'x', policies: ['root'], path: 'auth/token/root' } })

export interface HostileServer {
  readonly url: string
  /** The number of requests that got each shape. */
  readonly counts: ReadonlyMap<string, number>
  close(): Promise<void>
}

/** Starts a server that replies with the named shapes in turn. */
export async function startHostileServer(names: readonly string[]): Promise<HostileServer> {
  const counts = new Map<string, number>()
  const sockets = new Set<Socket>()
  let asked = 0
  const answer = (socket: Socket, head: string): void => {
    if (head.includes('/v1/sys/health')) return void socket.write(message(health))
    if (head.includes('/v1/auth/token/lookup-self')) return void socket.write(message(lookup))
    const name = names[asked++ % names.length] ?? ''
    counts.set(name, (counts.get(name) ?? 0) + 1)
    ;(shapes[name] ?? plain)(socket, head)
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      const head = /^[A-Z]+ \S+(?= HTTP)/.exec(chunk.toString('latin1', 0, 8000))?.[0]
      if (head !== undefined) answer(socket, head)
    })
  })
  const url = await listening(server)
  return {
    url,
    counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
