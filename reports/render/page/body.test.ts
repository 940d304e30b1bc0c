import { describe, expect, it } from 'vitest'
import { formatJson } from './body.ts'

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

  it('tells names from values', () => {
    expect(formatJson('{"a":"b"}')?.map((token) => token.kind)).toEqual(['sign', 'name', 'sign', 'string', 'sign'])
  })

  it('is left alone if it is no JSON, or too deep to read', () => {
    for (const text of ['', 'pem', '"text"', '{"a":', '[1] [2]', '['.repeat(5000) + ']'.repeat(5000)])
      expect(formatJson(text)).toBeUndefined()
  })
})
