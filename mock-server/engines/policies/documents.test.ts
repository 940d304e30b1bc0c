import { expect, test } from 'vitest'
import { decodeDocument, readDocument, tryDocument } from './documents.ts'

const encode = (text: string): string => Buffer.from(text).toString('base64')

test.each(['path "a" {}', 'main = rule { true }', '# ünï\n', '{"path": {}}', 'xx', 'xxx', 'xxxx'])(
  'base64 of %j is decoded',
  (text) => {
    expect(decodeDocument(encode(text), ['base64'])).toBe(text)
    expect(decodeDocument(encode(text), [])).toBe(encode(text))
  },
)

test.each(['path "a" {}', 'main = true', 'main=true', '{}', '', 'abc', 'ab=c', '/w==', '_-8=', '# abcd'])(
  '%j is not decoded',
  (text) => {
    expect(decodeDocument(text, ['base64'])).toBe(text)
  },
)

test('documents are parsed in the language of their kind', () => {
  expect(readDocument('acl', 'path "a" {}', 'evaluated').acl?.rules).toHaveLength(1)
  expect(readDocument('egp', 'main = rule { true }', 'evaluated').rules).toBeDefined()
  expect(() => readDocument('acl', 'main = rule { true }', 'opaque')).toThrow(/line 1, column 8/)
  expect(() => readDocument('rgp', 'path "a" {}', 'evaluated')).toThrow(/line 1, column 6/)
  expect(tryDocument('rgp', 'path "a" {}', 'evaluated')).toEqual({})
})
