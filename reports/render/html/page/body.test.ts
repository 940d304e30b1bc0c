import { describe, expect, it } from 'vitest'
import { documentIn, formatJson } from './body.ts'

const laidOut = (text: string): string | undefined =>
  formatJson(text)
    ?.map((token) => token.text)
    .join('')

describe('a body', () => {
  it('is laid out as JSON.stringify would', () => {
    const value = { a: [1, { b: null }], c: 'x, {y}: "z" \\', d: {}, e: [], f: true }
    expect(laidOut(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  })

  it('keeps what parsing would lose: large numbers, escapes, double keys, order', () => {
    expect(laidOut('{"2":12345678901234567890,"1":"\\u00e9","2":1.0}')).toBe(
      '{\n  "2": 12345678901234567890,\n  "1": "\\u00e9",\n  "2": 1.0\n}',
    )
  })

  it('distinguishes names from values', () => {
    expect(formatJson('{"a":"b"}')?.map((token) => token.kind)).toEqual(['sign', 'name', 'sign', 'string', 'sign'])
  })

  it('is left alone if it is not JSON, or is nested too deeply to read', () => {
    for (const text of ['', 'pem', '"text"', '{"a":', '[1] [2]', '['.repeat(5000) + ']'.repeat(5000)])
      expect(formatJson(text)).toBeUndefined()
  })
})

describe('a string of a body', () => {
  it.each([
    ['a policy', 'path "secret/*" { capabilities = ["read"] }'],
    ['a text of several lines', 'first\nsecond'],
    ['a governing policy', 'main = rule { true }'],
  ])('is a document if it is %s', (_what, text) => {
    expect(documentIn(JSON.stringify(text))).toBe(text)
  })

  it('is laid out if it is JSON', () => {
    const policy = { Version: '2012-10-17', Statement: [] }
    expect(documentIn(JSON.stringify(JSON.stringify(policy)))).toBe(JSON.stringify(policy, null, 2))
  })

  it('stays a string otherwise', () => {
    for (const text of ['', 'text', 'a line\n', '{"a":1}', 'rules of a team', 'path/of/a/file'])
      expect(documentIn(JSON.stringify(text))).toBeUndefined()
  })
})
