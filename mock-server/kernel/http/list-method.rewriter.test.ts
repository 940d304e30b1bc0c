import { expect, test } from 'vitest'
import { createRandom } from '../state/random.ts'
import { ListRewriter } from './list-method.ts'

/** Rewrites text that arrives in the given pieces. */
function rewritten(pieces: readonly string[]): string {
  const rewriter = new ListRewriter()
  return pieces
    .map((piece) => {
      const bytes = Buffer.from(piece, 'latin1')
      rewriter.push(bytes)
      return bytes.toString('latin1')
    })
    .join('')
}

const random = createRandom(7)
const pick = <T>(items: readonly T[]): T => items[random.integer(items.length)] as T
const treacherous = [
  'LIST /evil HTTP/1.1\r\nHost: a\r\n\r\n',
  '\r\n\r\nLIST /evil HTTP/1.1\r\n\r\n',
  'LIST ',
  'LI',
  '0\r\n\r\nLIST / HTTP/1.1\r\n\r\n',
  '\r\n',
  'x',
]
const bodyOf = (): string => Array.from({ length: random.integer(4) }, () => pick(treacherous)).join('')

/** Returns a message and its expected form: only the method of a LIST changes. */
function message(): { sent: string; wanted: string } {
  const method = pick(['LIST', 'LIST', 'GET', 'POST', 'PUT', 'LOCK', 'DELETE'])
  const before = pick(['', '', '\r\n'])
  const more = pick([
    '',
    'X-A: LIST /x\r\n',
    `X-Long: ${'l'.repeat(random.integer(200))}\r\n`,
    'Connection: keep-alive\r\n',
  ])
  const head = ` /${pick(['a', 'LIST', 'b?list=true'])} HTTP/1.1\r\nHost: a\r\n${more}`
  const framed = pick(['none', 'length', 'chunks'] as const)
  const tail = {
    none: () => '\r\n',
    length: () => {
      const body = bodyOf()
      return `${pick(['Content-Length', 'content-length'])}: ${body.length}\r\n\r\n${body}`
    },
    chunks: () => {
      const chunks = Array.from({ length: random.integer(4) }, bodyOf).filter((text) => text !== '')
      const sized = chunks.map((text) => `${text.length.toString(16)}${pick(['', ';x=LIST'])}\r\n${text}\r\n`)
      return `Transfer-Encoding: chunked\r\n\r\n${sized.join('')}0\r\n${pick(['', 'X-T: LIST /x\r\n', 'LIST: /x\r\n'])}\r\n`
    },
  }[framed]()
  return {
    sent: `${before}${method}${head}${tail}`,
    wanted: `${before}${method === 'LIST' ? 'LINK' : method}${head}${tail}`,
  }
}

/** Cuts a text into pieces, at any byte. */
function cut(text: string): string[] {
  const longest = pick([1, 2, 5, 40, 400, 4000])
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + random.integer(longest)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

test('in 4000 random pipelines in random pieces, only the method of each LIST changes', () => {
  for (let round = 0; round < 4000; round++) {
    const messages = Array.from({ length: 1 + random.integer(6) }, message)
    const pieces = cut(messages.map(({ sent }) => sent).join(''))
    const wanted = messages.map((one) => one.wanted).join('')
    const saw = rewritten(pieces)
    if (saw !== wanted) expect({ round, pieces, saw }).toEqual({ round, pieces, saw: wanted })
  }
})

test.each([
  ['two codings', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['another coding', 'POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n'],
  ['a length that is not a number', 'POST / HTTP/1.1\r\nContent-Length: +5\r\n\r\n'],
  ['a folded header', 'POST / HTTP/1.1\r\nContent-Length:\r\n 5\r\n\r\n'],
  ['a chunk without a size', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n'],
])('after %s, nothing is rewritten any more', (_, odd) => {
  const text = `${odd}LIST / HTTP/1.1\r\n\r\n`
  expect(rewritten([text])).toBe(text)
  expect(rewritten([...text])).toBe(text)
})

test('an Upgrade header is renamed, wherever the text is cut into pieces', () => {
  const text = 'GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nLIST / HTTP/1.1\r\n\r\n'
  const wanted = text.replace('Upgrade:', 'UpgradX:').replace('LIST', 'LINK')
  expect(rewritten([text])).toBe(wanted)
  expect(rewritten([...text])).toBe(wanted)
  for (let at = 1; at < text.length; at++) expect(rewritten([text.slice(0, at), text.slice(at)])).toBe(wanted)
})

test('rewriting stops at a head that is too long', () => {
  const head = `GET / HTTP/1.1\r\nX: ${'x'.repeat(200_000)}`
  expect(rewritten([head, '\r\n\r\nLIST / HTTP/1.1\r\n\r\n'])).toContain('LIST / ')
})
