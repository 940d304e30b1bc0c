import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listener, listen } from './listener.ts'
import type { Answer } from './request-context.ts'

const json = 'application/json'
const large = 'x'.repeat(20_000)

/** The answers of the server, by path. */
const answers: Readonly<Record<string, Answer>> = {
  '/text': { status: 200, contentType: json, body: '{"a":1}\n' },
  '/other-type': { status: 200, contentType: 'text/plain', body: 'a' },
  '/letters': { status: 200, contentType: json, body: '{"a":"é€"}' },
  '/bytes': { status: 200, contentType: 'application/pkix-cert', body: Buffer.from([0, 128, 255]) },
  '/empty': { status: 200, contentType: json, body: '' },
  '/nothing': { status: 204, contentType: json, body: undefined },
  '/no-body': { status: 404, contentType: json, body: undefined },
  '/refused': { status: 403, contentType: json, body: '{"errors":[]}\n' },
  '/further': { status: 307, contentType: json, body: undefined, headers: ['Location', '/v1/a'] },
  '/large': { status: 200, contentType: json, body: large },
}

const start = (form: 'in-place' | 'duplex', literal: boolean): Promise<Listener> =>
  listen({
    ...{ host: '127.0.0.1', port: 0, form, literal, bodyLimit: 1000, clock: { now: () => 0 }, delay: () => 0 },
    serve({ url, body }) {
      const path = url.split('?', 1)[0] ?? ''
      const answer = answers[path.replace('/late', '')] ?? { status: 200, contentType: json, body: `<${url} ${body}>` }
      if (!path.startsWith('/late')) return answer
      return new Promise((resolve) => setImmediate(resolve, answer))
    },
  })

/** Sends the text, and closes its own side if `closes` is true. Returns the received pieces when they match `enough`,
 * or when the server closes the connection. */
function received(listener: Listener, text: string, enough?: RegExp, closes = false): Promise<readonly string[]> {
  const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1', noDelay: true })
  const pieces: string[] = []
  return new Promise((resolve) => {
    socket.on('data', (bytes) => {
      pieces.push(bytes.toString('latin1'))
      if (enough?.test(pieces.join(''))) socket.destroy()
    })
    socket.on('close', () => resolve(pieces))
    socket.on('error', () => {})
    if (closes) socket.end(text, 'latin1')
    else socket.write(text, 'latin1')
  })
}

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const last = get('/last', 'Connection: close\r\n')

const paths = Object.keys(answers)
/** The answers to these requests must be the bytes that Node itself writes, as it does in the form `duplex`. */
const requests: readonly (readonly [name: string, text: string])[] = [
  ...paths.map((path) => [`GET ${path}`, get(path)] as const),
  ...paths.map((path) => [`HEAD ${path}`, `HEAD ${path} HTTP/1.1\r\nHost: a\r\n\r\n`] as const),
  ['all of them in one segment', paths.map((path) => get(path)).join('')],
  [
    'all of them twice, some late',
    [...paths, ...paths.map((path) => `/late${path}`), ...paths].map((path) => get(path)).join(''),
  ],
  ['two, of which the first one is late', get('/late/text') + get('/text')],
  ['a body', `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}${get('/text')}`],
  [
    'a body in chunks',
    `POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${get('/text')}`,
  ],
  ['a body that is announced', `POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`],
  ['a body of a GET', `GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}${get('/text')}`],
  ['a body that is too long', `${get('/text')}POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n`],
  ['keep-alive', get('/text', 'Connection: keep-alive\r\n')],
  ['keep-alive, in other letters', get('/text', 'Connection: Keep-Alive\r\n')],
  ['keep-alive, among others', get('/text', 'Connection: keep-alive, x\r\n')],
  ['a connection that closes', get('/text', 'Connection: close\r\n') + get('/text')],
  ['HTTP/1.0', 'GET /text HTTP/1.0\r\n\r\n'],
  ['HTTP/1.0 that keeps alive', `GET /text HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${get('/text')}`],
  ['no HTTP', `${get('/text')}no HTTP\r\n\r\n`],
  ['another method', `${get('/text')}BREW / HTTP/1.1\r\n\r\n`],
]

describe.each([false, true])('an answer that is written as a whole, literal: %s', (literal) => {
  let quick: Listener
  let plain: Listener
  beforeAll(async () => {
    ;[quick, plain] = await Promise.all([start('in-place', literal), start('duplex', literal)])
  })
  afterAll(() => Promise.all([quick.close(), plain.close()]))

  test.concurrent.each(requests)('equals the one that Node writes: %s', async (_, text) => {
    const [own, wanted] = await Promise.all([quick, plain].map((one) => received(one, text + last)))
    expect(own?.join('')).toMatch(/^HTTP\/1\.1 \d/)
    expect(own?.join('')).toBe(wanted?.join(''))
  })

  // Node ends a connection whose client has ended it, even before a late answer.
  const atOnce = requests.filter(([, text]) => !text.includes('/late'))
  test.concurrent.each(atOnce)('reaches a client that has closed its own side: %s', async (_, text) => {
    const [own, wanted] = await Promise.all([quick, plain].map((one) => received(one, text, undefined, true)))
    expect(own?.join('')).toBe(wanted?.join(''))
  })
})

describe('answers to requests that arrive together', () => {
  let listener: Listener
  beforeAll(async () => {
    listener = await start('in-place', false)
  })
  afterAll(() => listener.close())

  test('are sent together', async () => {
    const count = 20
    const text = Array.from({ length: count }, (_, index) => get(`/${index}`)).join('')
    const pieces = await received(listener, text, new RegExp(`</${count - 1} `))
    expect(pieces).toHaveLength(1)
    const seen = pieces[0]?.match(/<\/\d+/g)
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => `</${index}`))
  })

  test('arrive completely and in order at a client that reads late', async () => {
    const count = 1000
    const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1' })
    socket.pause()
    for (let index = 0; index < count; index++) socket.write(get(`/large?${index}`) + get(`/${index}`))
    await new Promise((resolve) => setImmediate(resolve))
    const bytes: Buffer[] = []
    socket.on('data', (piece) => bytes.push(piece))
    socket.resume()
    socket.write(last)
    await new Promise((resolve) => socket.once('close', resolve))
    const text = Buffer.concat(bytes).toString('latin1')
    expect(text.match(/<\/\d+/g)).toEqual(Array.from({ length: count }, (_, index) => `</${index}`))
    expect(text.split(large)).toHaveLength(count + 1)
  })
})
