import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '../state/random.ts'
import type { ListForm } from './list-method.ts'
import { type Limits, type Listener, listen } from './listener.ts'

const bodyLimit = 1000

const start = (form: ListForm, limits: Partial<Limits> = {}): Promise<Listener> =>
  listen({
    ...{ host: '127.0.0.1', port: 0, form, bodyLimit, limits, clock: { now: () => 0 }, delay: () => 0 },
    serve: ({ method, url, body }) => ({
      ...{ status: 200, contentType: 'text/plain' },
      body: `<${method} ${url} ${body?.toString('latin1') ?? ''}>`,
    }),
  })

/** Returns what a raw connection receives until the text matches `enough`, or until the server closes it. */
function exchange(listener: Listener, pieces: readonly string[], enough = /^\b$/): Promise<string> {
  const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1', noDelay: true })
  let seen = ''
  return new Promise((resolve) => {
    const end = (): void => {
      socket.destroy()
      resolve(seen)
    }
    socket.on('data', (bytes) => {
      seen += bytes.toString('latin1')
      if (enough.test(seen)) end()
    })
    socket.on('close', end)
    socket.on('error', () => {})
    for (const piece of pieces) socket.write(piece, 'latin1')
  })
}

const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, one]) => Number(one))

const post = 'POST /a HTTP/1.1\r\nHost: a\r\n'
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`
const get = 'GET /first HTTP/1.1\r\nHost: a\r\n\r\n'
const list = 'LIST /last HTTP/1.1\r\nHost: a\r\n\r\n'

/** Each text is answered with this status, and then the connection is closed. */
const broken: readonly (readonly [name: string, text: string, status: number])[] = [
  ['a chunk size that is not a number', `${chunked}zz\r\n{}\r\n0\r\n\r\n`, 400],
  ['a chunk size below zero', `${chunked}-1\r\n{}\r\n0\r\n\r\n`, 400],
  ['a chunk size that overflows', `${chunked}ffffffffffffffffff\r\n{}\r\n0\r\n\r\n`, 400],
  ['a chunk without a size', `${chunked}\r\n{}\r\n0\r\n\r\n`, 400],
  ['a chunk that goes on after its size', `${chunked}2\r\n{}xx0\r\n\r\n`, 400],
  ['control characters in a chunk extension', `${chunked}2;\x01=\x02\r\n{}\r\n0\r\n\r\n`, 400],
  ['a chunk extension of 40 kB', `${chunked}2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`, 413],
  ['a chunk size that ends with a bare line feed', `${chunked}2\n{}\r\n0\r\n\r\n`, 400],
  ['a trailer of 80 kB', `${chunked}0\r\n${'x: y'.repeat(20_000)}\r\n\r\n`, 431],
  ['headers of 40 kB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ['a query of 40 kB', `GET /?${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: a\n\n', 400],
  ['a bare line feed at the end of the headers', 'GET / HTTP/1.1\r\nHost: a\n\r\n', 400],
  ['length and chunks', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['two lengths', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`, 400],
  ['a length below zero', `${post}Content-Length: -5\r\n\r\nabcde`, 400],
  ['a length that overflows', `${post}Content-Length: 99999999999999999999999\r\n\r\nabcde`, 400],
  ['another coding than chunks', `${post}Transfer-Encoding: gzip\r\n\r\nabc`, 400],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['CONNECT', `CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n`, 405],
  ['a length over the limit', `${post}Content-Length: 5000\r\n\r\n${'x'.repeat(5000)}`, 413],
  ['a length over the limit, and nothing more', `${post}Content-Length: 5000\r\n\r\n`, 413],
  ['chunks over the limit, and no end', `${chunked}1000\r\n${'x'.repeat(4096)}\r\n`, 413],
]

describe.each<ListForm>(['in-place', 'duplex'])('a connection, %s', (form) => {
  let listener: Listener
  beforeAll(async () => {
    listener = await start(form)
  })
  afterAll(() => listener.close())

  test.concurrent.each(broken)('%s is answered and closed, after the requests before it', async (_, text, status) => {
    // The server closes each connection only after a while, so both are tested at the same time.
    const seen = await Promise.all([exchange(listener, [text]), exchange(listener, [get, text])])
    expect(seen.map(statusesIn)).toEqual([[status], [200, status]])
  })

  test('a method that does not exist is answered on a connection that has rested since its last reply', async () => {
    const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1', noDelay: true })
    const nextReply = (): Promise<string> =>
      new Promise((resolve) => socket.once('data', (bytes) => resolve(String(bytes))))
    socket.write(get)
    expect(statusesIn(await nextReply())).toEqual([200])
    await new Promise((resolve) => setImmediate(resolve))
    socket.write('BREW /a HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(statusesIn(await nextReply())).toEqual([405])
    socket.destroy()
  })

  const upgrades = ['h2c', 'websocket'].flatMap((protocol) =>
    ['Upgrade', 'upgrade', 'UPGRADE'].map((name) => `Connection: Upgrade\r\n${name}: ${protocol}\r\n`),
  )
  test.each(upgrades)('serves a request with %j, and the LIST after it', async (headers) => {
    const requests = [
      [`GET /a HTTP/1.1\r\nHost: a\r\n${headers}\r\n`, '<GET /a >'],
      [`${post}${headers}Content-Length: 4\r\n\r\nLIST`, '<POST /a LIST>'],
      [`${post}${headers}Transfer-Encoding: chunked\r\n\r\n4\r\nLIST\r\n0\r\n\r\n`, '<POST /a LIST>'],
      [`${chunked}4\r\nLIST\r\n0\r\n${headers}\r\n`, '<POST /a LIST>'],
    ] as const
    for (const [sent, wanted] of requests) {
      const seen = await exchange(listener, [sent + list], /last/)
      expect(seen.match(/<.*?>/g)).toEqual([wanted, '<LIST /last >'])
    }
  })

  test('ignores an Upgrade header, wherever it is cut into segments', async () => {
    const sent = `GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`
    for (let at = 1; at < sent.length; at++) {
      const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1', noDelay: true })
      let seen = ''
      const done = new Promise<void>((resolve) => {
        socket.on('data', (bytes) => {
          seen += bytes.toString('latin1')
          if (seen.includes('last')) resolve()
        })
        socket.on('close', () => resolve())
      })
      await new Promise<void>((resolve) => socket.write(sent.slice(0, at), () => resolve()))
      await new Promise((resolve) => setImmediate(resolve))
      socket.write(sent.slice(at) + list)
      await done
      socket.destroy()
      expect(seen.match(/<.*?>/g), `cut at ${at}`).toEqual(['<GET /a >', '<LIST /last >'])
    }
  })

  test('is answered and closed after bytes changed at random', async () => {
    const random = createRandom(5)
    const seeds = [...broken.map(([, text]) => text), get + list, `${chunked}2\r\n{}\r\n0\r\n\r\n${list}`]
    const spoiled = Array.from({ length: 200 }, () => {
      const text = [...(seeds[random.integer(seeds.length)]?.slice(0, 6000) ?? '')]
      for (let change = 0; change < 3; change++)
        text[random.integer(text.length)] = String.fromCharCode(random.integer(256))
      return text.join('')
    })
    // The last request is a protocol error, unless it is read as the rest of an unfinished request.
    const last = `\r\n\r\nGET / HTTP/1.1\r\nbad header\r\n\r\n${'\r\n'.repeat(3000)}`
    const replies = await Promise.all(spoiled.map((text) => exchange(listener, [text + last])))
    for (const [index, reply] of replies.entries()) expect(statusesIn(reply), spoiled[index]).not.toEqual([])
  })
})

describe.each<ListForm>(['in-place', 'duplex'])('a slow client, %s', (form) => {
  let listener: Listener
  beforeAll(async () => {
    listener = await start(form, { headersMs: 150, requestMs: 300, idleMs: 100, checkMs: 20 })
  })
  afterAll(() => listener.close())

  test.concurrent.each([
    ['sends nothing', []],
    ['sends half a request line', ['GET /']],
    ['never ends its headers', ['GET / HTTP/1.1\r\nHost: a\r\nX: ']],
    ['never ends its body', [`${post}Content-Length: 10\r\n\r\nabc`]],
    ['never ends its chunks', [`${chunked}2\r\n{}\r\n`]],
  ])('gets 408 if it %s', async (_, pieces) => {
    expect(statusesIn(await exchange(listener, pieces))).toEqual([408])
  })

  test('is disconnected if it sends no further request', async () => {
    expect(statusesIn(await exchange(listener, [get]))).toEqual([200])
  })
})

test('connections above the bound are closed', async () => {
  const listener = await start('in-place', { connections: 1 })
  const open = connect(Number(new URL(listener.url).port), '127.0.0.1')
  const answered = new Promise((resolve) => open.once('data', resolve))
  open.write(get)
  await answered
  expect(await exchange(listener, [get])).toBe('')
  open.destroy()
  await listener.close()
})
