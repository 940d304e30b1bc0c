/** Each regular expression of the code that reads what a target sends is tried on texts that make some of them slow. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const files = globSync('{harness,suites,reports}/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.|test-bed|harness\/(?:bench|prove|packing)\/|render\/page\//.test(file),
)

/** These read only what this suite has written: a number, and an alternative name of a request. */
const ofOurs: ReadonlySet<string> = new Set([String.raw`/\B(?=(\d{3})+$)/g`, '/;[^:]*:/'])

function patternsIn(file: string): readonly RegExp[] {
  const found: RegExp[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && node.regex) {
      const { pattern, flags } = node.regex as { readonly pattern: string; readonly flags: string }
      found.push(new RegExp(pattern, flags))
    }
    for (const inner of Object.values(node)) visit(inner)
  }
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return found
}

const size = 20_000
/** A quadratic expression takes a hundred milliseconds and more for such a text, and a linear one takes less than one. */
const mostMs = 40

const parts = [
  ...[
    ' ',
    '\t',
    '\n',
    ' \n',
    'a',
    '0',
    '=',
    '-',
    '_',
    '.',
    '/',
    '\\',
    '"',
    ':',
    ';',
    '#',
    '[',
    '{',
    '<',
    '&',
    '%',
    ',',
  ],
  ...[
    'a.',
    'a-',
    'a0',
    'a ',
    '0.',
    '\\n',
    '%0',
    '&#1',
    '# ',
    '"key',
    '"secret',
    'key',
    'encoded',
    'plugin ',
    'name of ',
  ],
  ...[
    '-----BEGIN A-----',
    '-----BEGIN A-----\n',
    '\n-----BEGIN A-----a',
    '[redacted:',
    'assay-a-0-a',
    '${env:',
    '](',
    '<script>',
  ],
  ...[
    'hvs.a',
    's.',
    'otpauth://',
    '=ab',
    '0, ',
    'Mon, a 00:00',
    'error:0:SSL routines:',
    'alert a',
    'token encoded',
    '::',
  ],
]
const texts = parts.flatMap((part) => {
  const text = part.repeat(Math.ceil(size / part.length))
  return [text, `x${text}\u0001`]
})

const cpuMs = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  return process.cpuUsage(before).user / 1000
}

function isSlow(pattern: RegExp, text: string): boolean {
  const run = () => {
    pattern.lastIndex = 0
    text.replace(pattern, '')
  }
  // Further tries, because one may have compiled the expression or collected garbage.
  return [1, 2, 3, 4].every(() => cpuMs(run) > mostMs)
}

test('none is slow on any of the texts', { timeout: 240_000 }, () => {
  const where = new Map<string, { readonly pattern: RegExp; readonly file: string }>()
  for (const file of files) for (const pattern of patternsIn(file)) where.set(String(pattern), { pattern, file })
  expect(where.size).toBeGreaterThan(300)
  const slow = [...where].flatMap(([name, { pattern, file }]) => {
    const text = ofOurs.has(name) ? undefined : texts.find((each) => isSlow(pattern, each))
    return text === undefined ? [] : [`${file}: ${name} on ${JSON.stringify(text.slice(0, 30))}`]
  })
  expect(slow).toEqual([])
})
