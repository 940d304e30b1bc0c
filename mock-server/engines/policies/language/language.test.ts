import { describe, expect, test } from 'vitest'
import { PolicySyntaxError } from '../../../kernel/acl/cursor.ts'
import { type Facts, parseRules } from './parse.ts'

const facts: Facts = {
  request: { path: 'secret/app', operation: 'update', data: { k: 'v', n: 3, tags: ['a', 'b'], deep: { x: 1 } } },
  token: { display_name: 'ann', policies: ['default', 'p1'] },
  identity: { entity: { id: 'e1', metadata: { team: 'red' } } },
}
const passes = (expression: string): boolean => parseRules(`main = rule { ${expression} }`).passes(facts)

describe('expressions that pass, and whose contrary fails', () => {
  const rows: readonly string[] = [
    'true',
    'request.path is "secret/app"',
    'request.path == "secret/app"',
    'request.path is not "secret/other"',
    'request.path != "secret/other"',
    'request.operation in ["create", "update"]',
    '"k" in request.data',
    '"crop" not in ["a"]',
    '"app" in request.path',
    'request.data.tags contains "b"',
    'request.data.tags not contains "c"',
    'request.data.tags is ["a", "b"]',
    'request.data.deep.x < 2 and request.data.n >= 3',
    'request.data["k"] is "v"',
    '"a" < "b"',
    '-1.5 <= -1.5',
    'token.policies contains "p1"',
    'identity.entity.id is "e1" and identity.entity.metadata.team is "red"',
    'request.path matches "^secret/.*"',
    'request.path matches "^sec.*app$"',
    'request.path matches "cret"',
    'request.path matches "^secret\\\\/app$"',
    'request.path not matches "^cret"',
    'request.path not matches "^secret/ap$"',
    'request.path not matches "^secret/.*t/app$"',
    'false or true',
    'true xor false',
    'false and false or true',
    '(request.data.absent else "none") is "none"',
    'request.data.absent is "x" or true',
    '!(request.path is "x") && (1 is 1 || 1 is 2)',
  ]
  for (const expression of rows) {
    test(expression, () => {
      expect(passes(expression)).toBe(true)
      expect(passes(`not (${expression})`)).toBe(false)
    })
  }
})

describe('what is undefined never passes, nor does its contrary', () => {
  for (const expression of [
    'request.data.absent',
    'request.data.absent is "x"',
    'request.data.absent.more is not "x"',
    'request.data.constructor is "x"',
    'request.data.absent matches "x"',
    'request.data.n matches "3"',
    '1 < "a"',
    '"x" in 1',
    'request.data.absent is "x" and true',
    'request.data.absent xor true',
    '"text"',
    'null',
  ]) {
    test(expression, () => {
      expect(passes(expression)).toBe(false)
      expect(passes(`not (${expression})`)).toBe(false)
    })
  }
})

test('a document of several rules, with comments, conditions and names', () => {
  const rules = parseRules(`
    # who may write
    writers = ["ann", "bob",] // two
    is_write = rule { request.operation in ["create", "update"] };
    main = rule when is_write {
      token.display_name in writers /* the list above */
    }`)
  expect(rules.passes(facts)).toBe(true)
  expect(rules.passes({ ...facts, token: { display_name: 'eve' } })).toBe(false)
  expect(rules.passes({ ...facts, token: { display_name: 'eve' }, request: { operation: 'read' } })).toBe(true)
  expect(parseRules('main = request.path is "secret/app"').passes(facts)).toBe(true)
})

describe('refused with line and column', () => {
  const rows: readonly (readonly [text: string, line: number, column: number, words: RegExp])[] = [
    ['', 1, 1, /has no rule "main"/],
    ['other = rule { true }', 1, 22, /has no rule "main"/],
    ['import "strings"\nmain = rule { true }', 1, 1, /"import" is not part of the language/],
    ['main = rule {\n  strings.has_prefix("a", "b")\n}', 2, 3, /unknown name "strings"/],
    ['main = rule { request.path("a") }', 1, 15, /functions are not part/],
    ['main = rule { true', 1, 13, /this rule is not closed/],
    ['main = rule { true true }', 1, 20, /expected "}" or an operator, found "t"/],
    ['main = rule { 1 + 1 }', 1, 17, /expected "}" or an operator, found "\+"/],
    ['main = rule true', 1, 13, /expected "\{" after "rule"/],
    ['main rule { true }', 1, 6, /expected "=" after "main"/],
    ['main = rule { not }', 1, 19, /expected a name/],
    ['main = rule { and true }', 1, 15, /"and" cannot stand here/],
    ['main = rule { later }\nlater = true', 1, 15, /unknown name "later"/],
    ['main = rule { main }', 1, 15, /unknown name "main"/],
    ['main = true\nmain = false', 2, 1, /"main" has a value already/],
    ['request = true', 1, 1, /"request" has a value already/],
    ['true = true', 1, 1, /"true" has a value already/],
    ['main = rule { request. }', 1, 23, /expected a name after "\."/],
    ['main = rule { request[1] }', 1, 23, /expected a text in double quotes/],
    ['main = rule { request["a" }', 1, 27, /expected "\]"/],
    ['main = rule { (true }', 1, 21, /expected "\)" or an operator/],
    ['main = rule { 1 in [1 2] }', 1, 23, /expected "," or "\]"/],
    ['main = rule { request.path matches token.path }', 1, 36, /a text in double quotes/],
    ['main = rule { request.path matches "(a+)+$" }', 1, 36, /"\(" in a pattern/],
    ['main = rule { request.path matches "a.b" }', 1, 36, /"\." in a pattern/],
    ['path "secret/*" { policy = "read" }', 1, 6, /expected "=" after "path"/],
    [`main = ${'('.repeat(100)}`, 1, 73, /nested more than 64 levels/],
    [`main = ${'!'.repeat(100)}true`, 1, 73, /nested more than 64 levels/],
  ]
  for (const [text, line, column, words] of rows) {
    test(JSON.stringify(text.slice(0, 60)), () => {
      let thrown: unknown
      try {
        parseRules(text)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(PolicySyntaxError)
      if (!(thrown instanceof PolicySyntaxError)) return
      expect(thrown.message).toMatch(words)
      expect([thrown.line, thrown.column]).toEqual([line, column])
    })
  }
})

test('long documents and long texts are judged without recursion', () => {
  const long = parseRules(`main = rule { ${'false or '.repeat(20_000)} true }`)
  expect(long.passes(facts)).toBe(true)
  const chain = Array.from({ length: 5_000 }, (_, index) => `a${index + 1} = a${index}`).join('\n')
  expect(parseRules(`a0 = true\n${chain}\nmain = a5000`).passes(facts)).toBe(true)
  const path = 'a'.repeat(100_000)
  expect(passesOn('.*a.*a.*a.*a.*b$', path)).toBe(false)
})

const passesOn = (pattern: string, path: string): boolean =>
  parseRules(`main = request.path matches "${pattern}"`).passes({ ...facts, request: { path } })
