import { describe, expect, test } from 'vitest'
import { PolicySyntaxError } from '../kernel/acl/cursor.ts'
import { type Facts, parseRules } from './parse.ts'

const facts: Facts = {
  now: Date.UTC(2024, 1, 29, 13, 5, 9),
  namespace: { id: 'root', path: '' },
  replication: { dr: { mode: 'disabled' }, performance: { mode: 'primary' } },
  request: { path: 'secret/app', operation: 'update', data: { k: 'v', n: 3, tags: ['a', 'b'], deep: { x: 1 } } },
  token: { display_name: 'ann', policies: ['default', 'p1'] },
  identity: { entity: { id: 'e1', metadata: { team: 'red' } } },
}
const evaluated = (text: string, given: Facts = facts) => parseRules(text).evaluate(given)
const passes = (expression: string): boolean => evaluated(`main = rule { ${expression} }`).passes

describe('expressions that pass, and whose negation fails', () => {
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

describe('an undefined or mistyped expression never passes, and neither does its negation', () => {
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
  const eve = { ...facts, token: { display_name: 'eve' } }
  const results = [facts, eve, { ...eve, request: { operation: 'read' } }].map((given) => rules.evaluate(given).passes)
  expect(results).toEqual([true, false, true])
  expect(evaluated('main = request.path is "secret/app"').passes).toBe(true)
})

describe('a syntax error is reported with line and column', () => {
  const rows: readonly (readonly [text: string, line: number, column: number, words: RegExp])[] = [
    ['', 1, 1, /has no rule "main"/],
    ['other = rule { true }', 1, 22, /has no rule "main"/],
    ['import "crypto"\nmain = rule { true }', 1, 8, /there is no import "crypto" here; there are json, strings/],
    ['import strings\nmain = true', 1, 8, /a text in double quotes/],
    ['main = rule {\n  strings.has_prefix("a", "b")\n}', 2, 3, /unknown name "strings"/],
    ['import "strings"\nmain = rule { strings.starts("a") }', 2, 15, /strings has no field "starts"; it has/],
    ['main = rule { request["pth"] is "a" }', 1, 15, /request has no field "pth"; it has data, operation/],
    ['main = rule { token.policy is "a" }', 1, 15, /token has no field "policy"/],
    ['main = rule { true', 1, 13, /this rule is not closed/],
    ['main = rule { true true }', 1, 20, /expected "}" or an operator, found "t"/],
    ['main = rule true', 1, 13, /expected "\{" after "rule"/],
    ['main rule { true }', 1, 6, /expected "=" after "main"/],
    ['main = rule { not }', 1, 19, /expected a name/],
    ['main = rule { and true }', 1, 15, /"and" cannot stand here/],
    ['main = later\nlater = true', 1, 8, /unknown name "later"/],
    ['main = rule { nowhere }', 1, 15, /unknown name "nowhere"/],
    ['main = func() { return inner }\nf = func() { inner = 1 }', 1, 24, /unknown name "inner"/],
    ['main = true\nmain = false', 2, 1, /"main" has a value already/],
    ['r = rule { true }\nr = 1\nmain = r', 2, 1, /"r" has a value already/],
    ['import "time"\ntime = 1\nmain = true', 2, 1, /"time" has a value already/],
    ['request = true', 1, 1, /"request" has a value already/],
    ['true = true', 1, 1, /"true" has a value already/],
    ['for [1] as request { }\nmain = true', 1, 12, /"request" has a value already/],
    ['f = func(a, a) { return a }\nmain = true', 1, 13, /"a" has a value already/],
    ['main = rule { request. }', 1, 23, /expected a name after "\."/],
    ['main = rule { request["a" }', 1, 27, /expected "\]"/],
    ['main = rule { (true }', 1, 21, /expected "\)" or an operator/],
    ['main = rule { 1 in [1 2] }', 1, 23, /expected "," or "\]"/],
    ['main = rule { request.path matches "(a" }', 1, 36, /the pattern "\(a" is invalid: "\(" without "\)"/],
    ['path "secret/*" { policy = "read" }', 1, 6, /expected "=" after "path"/],
    ['return 1\nmain = true', 1, 1, /"return" belongs in a function/],
    ['break\nmain = true', 1, 1, /"break" belongs in a loop/],
    ['request.path\nmain = true', 1, 1, /this statement does nothing/],
    ['if true { \nmain = true', 1, 9, /this block is not closed/],
    ['param p\nmain = p', 1, 7, /the parameter "p" needs a default/],
    [`main = ${'('.repeat(100)}`, 1, 73, /nested more than 64 levels/],
    [`main = ${'!'.repeat(100)}true`, 1, 73, /nested more than 64 levels/],
    [`main = true #${'x'.repeat(600_000)}`, 1, 1, /longer than 524288 characters/],
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

describe('a policy that fails reports the reason', () => {
  const rows: readonly (readonly [text: string, reason: string])[] = [
    [
      'main = rule {\n  request.data.absent is "x"\n}',
      'line 2, column 3: main is undefined: request.data.absent has no value',
    ],
    ['main = rule { request.data.deep.y.z }', 'line 1, column 15: main is undefined: request.data.deep.y has no value'],
    ['main = "yes"', 'main is string; expected true or false'],
    ['main = 1 < "a"', 'line 1, column 10: "<" cannot be applied to int and string'],
    ['main = request.data.n matches "3"', 'line 1, column 23: "matches" cannot be applied to int and string'],
    ['main = request.path()', 'line 1, column 8: request.path is not a function'],
    ['main = length()', 'line 1, column 8: length takes 1 values, found 0'],
    ['main = not 1', 'line 1, column 8: "not" needs true or false, found int'],
    ['main = request[1]', 'line 1, column 8: main is undefined: request[1] has no value'],
    ['main = rule { main }', 'line 1, column 15: the rule "main" refers to itself'],
    ['a = rule { b }\nb = rule { a }\nmain = a', 'line 2, column 12: the rule "a" refers to itself'],
    [
      'f = func(n) { return f(n) }\nmain = f(1)',
      'line 1, column 22: rules and functions call each other more than 64 levels deep',
    ],
    ['for range(1000000) as n { print(n) }\nmain = true', 'line 1, column 5: the policy takes more than 500000 steps'],
    [
      't = "aaaaaaaaaa"\nfor range(30) as n { t += t }\nmain = true',
      'line 2, column 22: a text is longer than 1000000 characters',
    ],
    [
      'append(request.data.tags, "c")\nmain = true',
      'line 1, column 1: this value comes from the request; a policy can change only lists and maps of its own',
    ],
    [
      'l = []\nappend(l, l)\nmain = string(l) is ""',
      'line 3, column 8: this value contains itself, so it cannot be written as a text',
    ],
    ['l = []\nm = []\nappend(l, l)\nappend(m, m)\nmain = l is m', 'the policy is nested too deeply'],
    ['main = error("no", 1)', 'line 1, column 8: no 1'],
    [
      'import "time"\nmain = time.load("soon").unix > 1',
      'line 2, column 8: time.load needs seconds since the epoch or a time such as 2006-01-02T15:04:05Z, found string soon',
    ],
  ]
  test.each(rows)('%s', (text, reason) => {
    expect(evaluated(text)).toMatchObject({ passes: false, reason })
  })

  test('and its output', () => {
    expect(evaluated('print("n", request.data.n, [1], request.data.absent)\nmain = false')).toEqual({
      passes: false,
      printed: ['n 3 [1] undefined'],
    })
  })
})

test('functions, loops and separate evaluations do not share their variables', () => {
  const rules = parseRules(`
    kept = [0]
    f = func(a) { a += 1; append(kept, a); return a }
    b = f(1) + f(1)
    for [5] as n { sum = n; b += sum }
    main = b is 9 and kept is [0, 2, 2]`)
  expect(rules.evaluate(facts)).toEqual({ passes: true, printed: [] })
  expect(rules.evaluate(facts)).toEqual({ passes: true, printed: [] })
})

test('rules are evaluated once, when they are needed', () => {
  expect(evaluated('bad = rule { error("asked") }\nmain = rule { true or bad }').passes).toBe(true)
  expect(evaluated('r = rule { print("once") }\nmain = rule { r and r }').printed).toEqual(['once'])
})

test('long documents and long texts are evaluated without recursion', () => {
  const long = parseRules(`main = rule { ${'false or '.repeat(20_000)} true }`)
  expect(long.evaluate(facts)).toMatchObject({ passes: true })
  const chain = Array.from({ length: 5_000 }, (_, index) => `a${index + 1} = a${index}`).join('\n')
  expect(evaluated(`a0 = true\n${chain}\nmain = a5000`).passes).toBe(true)
  const path = 'a'.repeat(100_000)
  expect(passesOn('.*a.*a.*a.*a.*b$', path)).toBe(false)
})

const passesOn = (pattern: string, path: string): boolean =>
  evaluated(`main = request.path matches "${pattern}"`, { ...facts, request: { path } }).passes
