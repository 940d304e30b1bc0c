/** Tests all statements that README.md makes about the language in its examples and tables. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Facts, parseRules } from './parse.ts'
import { properties, type Shape } from './properties.ts'

const page = readFileSync(new URL('README.md', import.meta.url), 'utf8')

const facts: Facts = {
  now: Date.UTC(2024, 1, 29, 13, 5, 9),
  namespace: { id: 'root', path: '' },
  replication: { dr: { mode: 'disabled' }, performance: { mode: 'disabled' } },
  request: { path: 'secret/app', operation: 'update', data: { k: 'v', tags: ['a', 'b'], owners: ['team-red'] } },
  token: { policies: ['default'] },
  identity: {},
}

/** Returns the cells of the table with this heading line. */
function tableBelow(head: string): readonly (readonly string[])[] {
  const lines = page.slice(page.indexOf(`\n${head}\n`) + 1).split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(2, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  )
}

const code = (cell = ''): string => cell.replace(/^`|`$/g, '')

test('the example of a document', () => {
  const [, document = ''] = /```sentinel\n(.*?)```/s.exec(page) ?? []
  const rules = parseRules(document)
  expect(rules.evaluate(facts)).toEqual({ passes: true, printed: [] })
  const green = { ...facts, request: { ...facts.request, data: { owners: ['team-green'] } } }
  expect(rules.evaluate(green).passes).toBe(false)
  expect(rules.evaluate({ ...green, request: { ...green.request, operation: 'read' } }).passes).toBe(true)
  expect(rules.evaluate({ ...green, token: { policies: ['admin'] } }).passes).toBe(true)
})

describe('statements', () => {
  test.each(tableBelow('| statement | example |'))('%s: %s', (_, example) => {
    expect(parseRules(`${code(example)}\nmain = true`).evaluate(facts)).toMatchObject({ passes: true })
  })
})

describe('expressions', () => {
  test.each(tableBelow('| what | example |'))('%s: %s', (_, example) => {
    expect(parseRules(`main = rule { ${code(example)} }`).evaluate(facts)).toMatchObject({ passes: true })
  })
})

describe('imports', () => {
  test.each(tableBelow('| import | what | example |'))('%s: %s: %s', (name, what, example) => {
    const document = parseRules(`import "${code(name)}"\nmain = rule { ${code(example)} }`)
    expect(document.evaluate(facts)).toEqual({ passes: true, printed: [] })
    for (const [, member = ''] of what?.matchAll(/`([a-z_0-9]+)`/g) ?? []) {
      const uses = [`time.now.${member}`, `${code(name)}.${member}`].filter((use) => use.startsWith(code(name)))
      expect(uses.some((use) => isParsed(`import "${code(name)}"\nmain = ${use}`))).toBe(true)
    }
  })
})

function isParsed(text: string): boolean {
  try {
    parseRules(text)
    return true
  } catch {
    return false
  }
}

test('the fields to which a policy can refer', () => {
  const pathsOf = (shape: Shape): string[] =>
    typeof shape === 'string'
      ? ['']
      : Object.entries(shape).flatMap(([field, inner]) =>
          pathsOf(inner).map((rest) => (rest === '' ? field : `${field}.${rest}`)),
        )
  const stated = Object.fromEntries(
    tableBelow('| name | fields |').map(([name, fields = '']) => [
      code(name),
      [...(fields.split(';', 1)[0] ?? '').replace(/\([^)]*\)/g, '').matchAll(/`([^`]+)`/g)]
        .map(([, field = '']) => field)
        .sort(),
    ]),
  )
  expect(stated).toEqual(
    Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, pathsOf(shape).sort()])),
  )
})

describe('refused', () => {
  test.each(tableBelow('| example | why |'))('%s: %s', (example, why = '') => {
    expect(() => parseRules(code(example))).toThrow(why)
  })
})
