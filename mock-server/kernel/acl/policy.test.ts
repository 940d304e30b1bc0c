import { describe, expect, test } from 'vitest'
import { PolicySyntaxError } from './cursor.ts'
import { type AclPolicy, parsePolicy } from './policy.ts'

const one = (policy: AclPolicy) => {
  expect(policy.rules).toHaveLength(1)
  return policy.rules[0]
}

describe('forms of the same policy', () => {
  const forms: Readonly<Record<string, string>> = {
    block: 'path "secret/*" { capabilities = ["read", "list"] }',
    'quoted keys': '"path" "secret/*" { "capabilities" = ["read", "list"] }',
    attribute: 'path = { "secret/*" = { capabilities = ["read", "list"] } }',
    'attribute with label': 'path "secret/*" = { capabilities = ["read", "list"] }',
    'block of blocks': 'path { "secret/*" { capabilities = ["read", "list"] } }',
    legacy: 'path "secret/*" { policy = "read" }',
    'leading slash': 'path "/secret/*" { policy = "read" }',
    'trailing commas': 'path "secret/*" { capabilities = ["read", "list",], }',
    comments: '# one\n// two\n/* three\n */ path /* x */ "secret/*" { # y\n capabilities = ["read", // z\n "list"] }',
    'windows line ends': 'path "secret/*" {\r\n  capabilities = [\r\n"read",\r\n"list"]\r\n}\r\n',
    escapes: 'path "\\x73ec\\u0072\\145t/*" { policy = "read" }',
    'json object': '{"path": {"secret/*": {"capabilities": ["read", "list"]}}}',
    'json array of blocks': '{"path": [{"secret/*": [{"capabilities": ["read", "list"]}]}]}',
    'json array': ' [{"path": {"secret/*": {"capabilities": ["read", "list"]}}}]',
    'json escapes': '{"path": {"secret\\/\\u002a": {"policy": "read"}}}',
  }
  for (const [form, text] of Object.entries(forms)) {
    test(form, () => {
      expect(one(parsePolicy(text))).toEqual({ path: 'secret/*', capabilities: ['read', 'list'] })
    })
  }
})

test('a policy can have a name, several paths, or no content', () => {
  expect(parsePolicy('name = "n" path "a" { policy = "deny" } path "b" { policy = "sudo" }')).toEqual({
    name: 'n',
    rules: [
      { path: 'a', capabilities: ['deny'] },
      { path: 'b', capabilities: ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo'] },
    ],
  })
  for (const text of ['', '  \n', '# nothing', '{}', '[]']) expect(parsePolicy(text)).toEqual({ rules: [] })
})

test('rules for parameters and wrapping are parsed', () => {
  const rule = one(
    parsePolicy(`path "a" {
      capabilities = ["create"]
      comment = <<-END
        any text " { here
        END
      allowed_parameters = { "Key" = ["a", 1, true], "*" = [] }
      denied_parameters { other = [<<EOF
line
EOF
      ] }
      required_parameters = ["Key"]
      min_wrapping_ttl = "1m30s"
      max_wrapping_ttl = 120
    }`),
  )
  expect(rule?.allowedParameters).toEqual(
    new Map<string, unknown[]>([
      ['key', ['a', 1, true]],
      ['*', []],
    ]),
  )
  expect(rule?.deniedParameters).toEqual(new Map([['other', ['line\n']]]))
  expect(rule).toMatchObject({ requiredParameters: ['key'], minWrappingTtl: 90, maxWrappingTtl: 120 })
})

describe('errors name line, column and problem', () => {
  const rows: readonly (readonly [text: string, line: number, column: number, words: RegExp])[] = [
    ['\uFEFFpath "secret/*" { policy = "read" }', 1, 1, /found/],
    ['not a policy', 1, 13, /expected "=" or "\{" after "policy", found the end/],
    ['path "a" {\n  capabilities = ["reed"]\n}', 2, 19, /unknown capability "reed"; known are create/],
    ['path "a" {\n  capability = ["read"]\n}', 2, 3, /path "a": unknown key "capability"/],
    ['path "a" { policy = "reed" }', 1, 21, /unknown policy "reed"/],
    ['path "a" { policy = "constructor" }', 1, 21, /unknown policy "constructor"/],
    ['path "a" { constructor = "x" }', 1, 12, /unknown key "constructor"/],
    ['rules "a" {}', 1, 1, /unknown key "rules"/],
    ['path "a" {', 1, 10, /block is not closed/],
    ['path "a" { capabilities = ["read"', 1, 34, /list is not closed/],
    ['path "a" { capabilities = ["read" "list"] }', 1, 35, /expected "," or "\]"/],
    ['path "a" { capabilities = [read] }', 1, 28, /the word "read" must be in double quotes/],
    ['path "a" { capabilities = "read" }', 1, 27, /"capabilities" must be a list, not a string/],
    ['path "a" { capabilities = [1] }', 1, 28, /list of strings; this is a number/],
    ['path "a" { policy = "read', 1, 21, /string is not closed/],
    ['path "a\\q" {}', 1, 8, /unknown escape "\\\\q"/],
    ['/* never', 1, 1, /comment is not closed/],
    ['path "a" { comment = <<EOF\nx', 1, 22, /no line "EOF" ends this text/],
    ['path "a" "b" {}', 1, 10, /unknown key "b"/],
    ['path "a+*" {}', 1, 6, /"\+\*" is not a wildcard/],
    ['path "a" { policy = "read" policy = "read" }', 1, 28, /"policy" is given twice/],
    ['path "a" { min_wrapping_ttl = "2h" max_wrapping_ttl = "1h" }', 1, 6, /less than min_wrapping_ttl/],
    ['path "a" { min_wrapping_ttl = "soon" }', 1, 31, /a duration such as/],
    ['path = 1', 1, 8, /"path" must be a block, not a number/],
    ['path "a" {} }', 1, 13, /expected a block or an attribute, found "}"/],
    ['a = 1x', 1, 5, /not a number/],
    ['{"path": {"a": {"policy": "reed"}}}', 1, 27, /unknown policy "reed"/],
    ['{"path": {}', 1, 12, /expected "," or "}", found the end/],
    ['{"path": {"a": {"capabilities": ["read",]}}}', 1, 41, /expected a JSON value, found "\]"/],
    ['{\n"path": {},\n}', 3, 1, /expected a name in double quotes/],
    ["{'path': {}}", 1, 2, /expected a name in double quotes/],
    ['{"path" {}}', 1, 9, /expected ":"/],
    ['{} x', 1, 4, /expected the end of the document/],
    ['["x"]', 1, 2, /must be a block, not a string/],
    [`path "a" { x = ${'['.repeat(100)}`, 1, 79, /nested more than 64 levels deep/],
    ['a '.repeat(100), 1, 131, /nested more than 64 levels deep/],
  ]
  for (const [text, line, column, words] of rows) {
    test(JSON.stringify(text.slice(0, 60)), () => {
      let thrown: unknown
      try {
        parsePolicy(text)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(PolicySyntaxError)
      if (!(thrown instanceof PolicySyntaxError)) return
      expect(thrown.message).toMatch(words)
      expect([thrown.line, thrown.column]).toEqual([line, column])
      expect(thrown.message).toContain(`line ${line}, column ${column}: `)
    })
  }
})
