import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Random } from '../contracts.ts'
import { createRandom } from '../state/random.ts'
import { createListServer, type ListForm, type ListServer } from './list-method.ts'

/** What the handler received in each request, in the order of the answers. A number is the status of a refusal. */
type Seen = readonly (string | number)[]

interface Case {
  readonly name: string
  /** The segments are sent one after the other, and each reaches the server on its own. */
  readonly segments: readonly string[]
  readonly seen: Seen
}

const list = (path: string, more = ''): string => `LIST ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const chunkedHead = (path: string, method = 'POST'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const every = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
const splitAt = (text: string, at: number): string[] => [text.slice(0, at), text.slice(at)]

const evil = '\r\n\r\nLIST /evil HTTP/1.1\r\nHost: a\r\n\r\n'
const evilAtOnce = 'LIST /evil HTTP/1.1\r\nHost: a\r\n\r\n'
const long = 'LIST /evil HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(70_000)

const cases: readonly Case[] = [
  { name: 'LIST alone', segments: [list('/a')], seen: ['LIST /a'] },
  {
    name: 'LIST, GET, LIST on one connection',
    segments: [list('/a'), get('/b'), list('/c')],
    seen: ['LIST /a', 'GET /b', 'LIST /c'],
  },
  {
    name: 'pipelined in one segment',
    segments: [list('/a') + get('/b') + list('/c')],
    seen: ['LIST /a', 'GET /b', 'LIST /c'],
  },
  {
    name: 'pipelined, the first answer slow',
    segments: [list('/slow') + list('/b') + get('/c')],
    seen: ['LIST /slow', 'LIST /b', 'GET /c'],
  },
  ...[1, 2, 3, 4, 5, 10].map((at) => ({
    name: `split at byte ${at}`,
    segments: splitAt(list('/a'), at),
    seen: ['LIST /a'],
  })),
  { name: 'one byte a segment', segments: every(list('/a'), 1), seen: ['LIST /a'] },
  {
    name: 'one byte a segment, twice on one connection',
    segments: every(list('/a') + list('/b'), 1),
    seen: ['LIST /a', 'LIST /b'],
  },
  {
    name: 'split inside a second pipelined LIST',
    segments: splitAt(get('/a') + list('/b'), get('/a').length + 3),
    seen: ['GET /a', 'LIST /b'],
  },
  {
    name: 'a body that holds a LIST, in one segment',
    segments: [post('/a', evil) + list('/b')],
    seen: [`POST /a ${evil}`, 'LIST /b'],
  },
  {
    name: 'a body that begins a segment with LIST',
    segments: [post('/a', evilAtOnce).replace(evilAtOnce, ''), evilAtOnce, list('/b')],
    seen: [`POST /a ${evilAtOnce}`, 'LIST /b'],
  },
  {
    name: 'LIST with a body of its own',
    segments: [`${list('/a', 'Content-Length: 8\r\n')}LIST /x ${list('/b')}`],
    seen: ['LIST /a LIST /x ', 'LIST /b'],
  },
  {
    name: 'chunks that hold LIST',
    segments: [`${chunkedHead('/a') + chunk(evilAtOnce) + chunk('LIST ')}0\r\n\r\n${list('/b')}`],
    seen: [`POST /a ${evilAtOnce}LIST `, 'LIST /b'],
  },
  {
    name: 'chunks that hold LIST, three bytes a segment',
    segments: every(`${chunkedHead('/a') + chunk('LIST /evil ')}0\r\n\r\n${list('/b')}`, 3),
    seen: ['POST /a LIST /evil ', 'LIST /b'],
  },
  {
    name: 'trailers after chunks',
    segments: [`${chunkedHead('/a', 'LIST') + chunk('LIST')}0\r\nLIST: /x\r\nX-T: LIST /evil\r\n\r\n${list('/b')}`],
    seen: ['LIST /a LIST', 'LIST /b'],
  },
  {
    name: 'empty lines before LIST',
    segments: [`\r\n\r\n${list('/a')}\r\n${list('/b')}`],
    seen: ['LIST /a', 'LIST /b'],
  },
  {
    name: 'Expect: 100-continue on LIST',
    segments: [list('/a', 'Expect: 100-continue\r\nContent-Length: 4\r\n'), 'LIST', list('/b')],
    seen: [100, 'LIST /a LIST', 'LIST /b'],
  },
  { name: 'LISTX is refused', segments: ['LISTX /a HTTP/1.1\r\nHost: a\r\n\r\n'], seen: [400] },
  { name: 'LINK is not LIST', segments: ['LINK /a HTTP/1.1\r\nHost: a\r\n\r\n'], seen: ['LOCK /a'] },
  {
    name: 'a long body made of LIST, then LIST',
    segments: [post('/a', long) + list('/b')],
    seen: [`POST /a ${long}`, 'LIST /b'],
  },
]

/** Messages that must not become LIST. */
const spoiled: readonly Case[] = [
  { name: 'LINK split before its N', segments: ['LI', 'NK /a HTTP/1.1\r\nHost: a\r\n\r\n'], seen: [400] },
  { name: 'LINK split after its N', segments: ['LIN', 'K /a HTTP/1.1\r\nHost: a\r\n\r\n'], seen: ['LOCK /a'] },
  { name: 'LISK', segments: ['LISK /a HTTP/1.1\r\nHost: a\r\n\r\n'], seen: [400] },
  { name: 'LISK split before its K', segments: ['LIS', 'K /a HTTP/1.1\r\nHost: a\r\n\r\n'], seen: [400] },
  { name: 'LIST split before one letter more', segments: ['LIST', 'X /a HTTP/1.1\r\nHost: a\r\n\r\n'], seen: [400] },
  { name: 'lower case', segments: ['list /a HTTP/1.1\r\nHost: a\r\n\r\n'], seen: [400] },
  {
    name: 'two lengths',
    segments: [`POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx${list('/b')}`],
    seen: [400],
  },
  {
    name: 'length and chunks',
    segments: [
      `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${list('/b')}`,
    ],
    seen: [400],
  },
  { name: 'bare line feeds', segments: ['LIST /a HTTP/1.1\nHost: a\n\n'], seen: [400] },
]

/** Returns the answers that have arrived completely. */
function answersIn(text: string): Seen {
  const seen: (string | number)[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n\r\n', at)
    if (end === -1) break
    const head = text.slice(at, end)
    const status = Number(head.split(' ')[1])
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (end + 4 + length > text.length) break
    const body = text.slice(end + 4, end + 4 + length)
    seen.push(status === 200 ? body : status)
    at = end + 4 + length
  }
  return seen
}

function randomMessage(random: Random): { readonly sent: string; readonly seen: string } {
  const path = `/${random.token(3)}`
  const body = ['', '', evil, evilAtOnce, 'LIST ', 'LI'][random.integer(6)] ?? ''
  const method = ['LIST', 'GET', 'POST'][random.integer(3)] ?? ''
  const seen = `${method} ${path}${body === '' ? '' : ` ${body}`}`
  if (body === '' && random.integer(2) === 0) return { sent: `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, seen }
  if (random.integer(2) === 0) {
    const chunks = body === '' ? '' : chunk(body)
    return { sent: `${chunkedHead(path, method)}${chunks}0\r\n\r\n`, seen }
  }
  return { sent: `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`, seen }
}

/** Sends the segments separately, and then the rest at once. Resolves with the answers when there are `wanted` of
 * them. */
async function exchange(port: number, segments: readonly string[], wanted: number, rest = ''): Promise<Seen> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let text = ''
  const all = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      if (answersIn(text).length >= wanted) resolve()
    })
    socket.on('close', () => resolve())
  })
  for (const segment of segments) {
    await new Promise<void>((resolve) => socket.write(segment, 'latin1', () => resolve()))
    await new Promise((resolve) => setImmediate(resolve))
    if (segments.length < 5) await new Promise((resolve) => setTimeout(resolve, 3))
  }
  if (rest !== '') socket.write(rest, 'latin1')
  await all
  socket.destroy()
  return answersIn(text)
}

describe.each<ListForm>(['in-place', 'duplex'])('the method LIST, %s', (form) => {
  let server: ListServer
  let port = 0

  beforeAll(async () => {
    server = createListServer(
      (request, response) => {
        const method = request.method === 'LINK' ? 'LIST' : request.method
        const chunks: Buffer[] = []
        request.on('data', (bytes: Buffer) => chunks.push(bytes))
        request.on('end', () => {
          const body = Buffer.concat(chunks).toString('latin1')
          const text = `${method} ${request.url}${body === '' ? '' : ` ${body}`}`
          const answer = (): void => {
            response.writeHead(200, { 'Content-Length': text.length }).end(text, 'latin1')
          }
          if (request.url === '/slow') setTimeout(answer, 20)
          else answer()
        })
      },
      { form },
    )
    server.socket.listen(0, '127.0.0.1')
    await once(server.socket, 'listening')
    port = (server.socket.address() as AddressInfo).port
  })
  afterAll(async () => {
    server.http.closeAllConnections()
    server.socket.close()
    await once(server.socket, 'close')
  })

  test.each([...cases, ...spoiled])('$name', async ({ segments, seen }) => {
    expect(await exchange(port, segments, seen.length)).toEqual(seen)
  })

  test('60 random pipelines in random segments', async () => {
    const random = createRandom(11)
    for (let round = 0; round < 60; round++) {
      const messages = Array.from({ length: 1 + random.integer(5) }, () => randomMessage(random))
      const text = messages.map(({ sent }) => sent).join('')
      const segments = every(text, 1 + random.integer(text.length))
      const wanted = messages.map(({ seen }) => seen)
      expect(await exchange(port, segments.slice(0, 200), wanted.length, segments.slice(200).join(''))).toEqual(wanted)
    }
  })
})

test('there are 24 cases', () => expect(cases).toHaveLength(24))
