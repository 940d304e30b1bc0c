/** What a target can do with content codings, played against a client. */
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { sizeBounds } from '../vocabulary/index.ts'
import { patient } from '../whole-runs/patience.test-bed.ts'
import { createClient } from './client.ts'
import { decoded } from './decode.ts'
import { endpointAt, type Scripted, scriptedServer } from './scripted-server.ts'

const mib = 1024 * 1024
const read = { method: 'GET', path: '/', headers: {} }

async function sent(body: Buffer, encoding: string) {
  const server: Scripted = await scriptedServer((_asked, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body),
  )
  const client = createClient(endpointAt(server.url), { timeoutMs: 20_000, maxRps: 0 })
  onTestFinished(server.close)
  onTestFinished(client.close)
  return client.send(read)
}

const json = Buffer.from('{"a":1}')

test.each([
  ['gzip', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['br', brotliCompressSync(json)],
  ['zstd', zstdCompressSync(json)],
  ['deflate, X-GZIP', gzipSync(deflateSync(json))],
  ['identity, gzip,, identity', gzipSync(json)],
  ['gzip', Buffer.concat([gzipSync('{"a"'), gzipSync(':1}')])],
])('%s is decoded', async (encoding, body) => {
  const { reply, attempts } = await sent(body, encoding)
  expect(reply?.json).toEqual({ a: 1 })
  expect(attempts[0]?.bytes?.toString()).toBe('{"a":1}')
})

test('more codings than a server can mean are not decoded', async () => {
  let body: Buffer = json
  for (let layer = 0; layer < 3000; layer++) body = deflateSync(body, { level: 0 })
  const started = process.cpuUsage()
  const { trouble, attempts } = await sent(body, Array(3000).fill('deflate').join(','))
  expect(trouble).toBe('the reply body has 3000 content codings, but at most 2 are decoded')
  expect(attempts[0]).toMatchObject({ status: 200, received: body.length })
  expect(attempts[0]?.bytes).toBeUndefined()
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(patient(1))
})

test('the bound on decoded bytes holds over both codings together', async () => {
  const inner = Buffer.alloc(0.6 * mib)
  expect((await sent(gzipSync(inner), 'gzip')).reply?.bytes).toHaveLength(inner.length)
  const { trouble } = await sent(gzipSync(deflateSync(inner, { level: 0 })), 'deflate, gzip')
  expect(trouble).toBe('the reply body is larger than 1 MiB once decoded')
})

test.each([
  ['gzip', gzipSync(Buffer.alloc(300 * mib))],
  ['br', brotliCompressSync(Buffer.alloc(100 * mib), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['zstd', zstdCompressSync(Buffer.alloc(100 * mib))],
])('a bomb in %s is not decoded', async (encoding, body) => {
  expect((await sent(body, encoding)).trouble).toBe('the reply body is larger than 1 MiB once decoded')
})

test('zstd with a window beyond the 8 MiB of RFC 9659 is not decoded', async () => {
  const body = zstdCompressSync(Buffer.alloc(20 * mib), { params: { [constants.ZSTD_c_windowLog]: 25 } })
  expect((await sent(body, 'zstd')).trouble).toBe('the reply body is not valid zstd')
})

test.each([
  ['gzip', json, 'the reply body is not valid gzip'],
  ['br', brotliCompressSync(Buffer.alloc(1000)).subarray(0, 5), 'the reply body is not valid br'],
  ['compress', json, 'the reply has an unknown Content-Encoding: compress'],
  ['__proto__', json, 'the reply has an unknown Content-Encoding: __proto__'],
])('%s of a body that is something else is trouble', async (encoding, body, words) => {
  expect(await sent(body, encoding)).toMatchObject({ trouble: words, troubleKind: 'garbled' })
})

/** Eight MiB of members that decode to nothing: much work, and no decoded byte that would reach the bound. */
const empties = Buffer.concat(Array(Math.floor(sizeBounds.replyBody.value / 20)).fill(gzipSync(Buffer.alloc(0))))

/** Returns the longest time for which this thread was not free. A busy machine lets it wait now and then, decoding each time. */
async function longestStall(): Promise<number> {
  let longest = 0
  let last = performance.now()
  const looking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await decoded(empties, 'gzip', new AbortController().signal)
  await decoded(gzipSync(empties), 'gzip,gzip', new AbortController().signal)
  clearInterval(looking)
  return longest
}

test('the thread stays free while a reply is decoded', async () => {
  const tries: number[] = []
  while (tries.length < 5 && !tries.some((ms) => ms < 150)) tries.push(await longestStall())
  expect(Math.min(...tries)).toBeLessThan(patient(150))
})

test('decoding that takes too long is given up', async () => {
  const outcome = await decoded(empties, 'gzip', new AbortController().signal, 1)
  expect(outcome).toEqual({ kind: 'too-large', words: 'decoding the reply body took longer than 0.001 s' })
})

test('the end of a run ends decoding', async () => {
  const run = new AbortController()
  const decoding = decoded(empties, 'gzip', run.signal)
  run.abort()
  expect(await decoding).toMatchObject({ kind: 'cut' })
})
