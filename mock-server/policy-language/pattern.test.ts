import { describe, expect, test } from 'vitest'
import { compilePattern } from './pattern.ts'

const isMatch = (pattern: string, text: string): boolean => {
  const compiled = compilePattern(pattern)
  if ('problem' in compiled) throw new Error(compiled.problem)
  return compiled.matches(text)
}

/** Patterns that have the same meaning as regular expressions of JavaScript. */
const patterns = [
  ...[
    '',
    'a',
    '^a',
    'a$',
    '^$',
    'a.c',
    'a|b|^c$',
    '(a|b)c',
    '(?:ab)+c',
    'a*b',
    'a+b',
    'a?b',
    'a{2}',
    '^a{1,2}$',
    '^a{2,}b',
  ],
  ...[
    '[abc]',
    '[^abc]',
    '[a-c]x',
    '[]a]',
    '[a\\-]',
    '[\\d-]',
    '\\d+',
    '\\w\\s\\W',
    '\\bab\\b',
    'a\\Bb',
    '\\.',
    'a\\/b',
    '^(a|ab)(c|bcd)$',
  ],
  ...[
    '(a*)*b',
    '(a|a)*c',
    '((a)(b)?)+$',
    'x*',
    '^(?:a?){3}a{3}$',
    '.*a.*b',
    'a+?b',
    '[.]',
    '^secret/(data|metadata)/[^/]+$',
  ],
]
const texts = [
  ...[
    '',
    'a',
    'b',
    'c',
    'ab',
    'aab',
    'aaa',
    'abc',
    'ac',
    'abcd',
    'aaab',
    'bx',
    '-',
    ']',
    '1',
    '12-',
    'ab c',
    'x ab',
    'a.c',
    'a/b',
    'a\nc',
  ],
  ...['.', 'secret/data/x', 'secret/data/x/y', 'secret/metadata/é', '_ !', 'cc', 'ababa'],
]

test.each(patterns.filter((pattern) => pattern !== '[]a]'))('%s', (pattern) => {
  for (const text of texts) expect([text, isMatch(pattern, text)]).toEqual([text, new RegExp(pattern, 'u').test(text)])
})

test('case can be ignored, and a closing bracket may come first in a set', () => {
  expect([isMatch('(?i)^aB[c-d]$', 'AbD'), isMatch('aB', 'ab'), isMatch('^[]a]+$', ']a')]).toEqual([true, false, true])
})

describe('invalid or unsupported patterns are refused', () => {
  test.each([
    ['(a', '"(" without ")"'],
    ['a)', '")" without "("'],
    ['[a', '"[" without "]"'],
    ['*a', 'nothing to repeat before "*"'],
    ['a**', 'a repetition cannot be repeated'],
    ['a{3,2}', 'the repetition {3,2} is invalid'],
    ['a{1001}', 'at most 1000'],
    ['(a{1000}){1000}', 'more than 2000 steps'],
    [`${'('.repeat(30)}a${')*'.repeat(30)}`, 'more than 2000 steps'],
    [`${'('.repeat(40)}`, 'nested more than 32'],
    ['[z-a]', 'the range from "z" is invalid'],
    ['[[:alpha:]]', 'named sets'],
    ['(?=a)', 'groups that begin with'],
    ['\\pL', 'the escape "\\p" is not served'],
    ['a\\', 'the escape'],
  ])('%s', (pattern, words) => {
    const compiled = compilePattern(pattern)
    expect('problem' in compiled && compiled.problem).toContain(words)
  })
})
