import { describe, expect, test } from 'vitest'
import { patient } from '../../whole-runs/patience.test-bed.ts'
import { inOneLine, oneLine } from './one-line.ts'

describe('oneLine', () => {
  test.each([
    ['a line feed', 'a\nb', 'a\\nb'],
    ['a Windows line ending', 'a\r\nb', 'a\\r\\nb'],
    ['line and paragraph separators', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['bidi marks', '\u202eabc\u2066\u200f', '\\u202eabc\\u2066\\u200f'],
    ['characters without a glyph', 'a\u200b\u00ad\ufeff\u3164b', 'a\\u200b\\u00ad\\ufeff\\u3164b'],
    ['tag characters beyond the first plane', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['half of a surrogate pair', 'a\ud800b', 'a\\ud800b'],
    ['terminal escape sequences', '\u001b]0;title\u0007\u009b2J', '\\u001b]0;title\\u0007\\u009b2J'],
    ['a command of GitHub', '  ::error::x ::', '  \\u003a:error::x ::'],
    ['an older command of GitHub', 'a ##[group]x', 'a \\u0023#[group]x'],
    ['commands of other systems', '##vso[task.x] ##team-city[y]', '\\u0023#vso[task.x] \\u0023#team-city[y]'],
  ])('escapes %s', (_name, text, shown) => expect(oneLine(text)).toBe(shown))

  test.each(['Grüße, 世界 😀 e\u0301', 'a::b ## [x] # heading', 'pki/errors/x: status is 404; saw "x"'])(
    'leaves ordinary text as it is: %s',
    (text) => expect(oneLine(text)).toBe(text),
  )

  test('takes time in proportion to the length of a hostile text', () => {
    for (const part of ['##', '\n', ' ', ':', '##a', '\u202e']) {
      const started = performance.now()
      oneLine(part.repeat(200_000))
      expect(performance.now() - started).toBeLessThan(patient(5_000))
    }
  })
})

test('inOneLine escapes every string of a value, and the names of its fields', () => {
  const value = { 'a\nb': ['\r', 1, null, { c: '\u202e' }] }
  expect(inOneLine(value)).toEqual({ 'a\\nb': ['\\r', 1, null, { c: '\\u202e' }] })
})
