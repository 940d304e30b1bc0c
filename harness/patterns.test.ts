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
/** Each part makes texts of two sizes. A linear expression takes four times as long for the longer one, and a quadratic one
 * sixteen times, however busy the machine is. */
const sizes = { short: 5_000, long: 20_000 }
const mostGrowth = 8
/** Below this time for the longer text, growth is not measured. A quadratic expression takes several times as long. */
const leastMs = 4
const tries = 5

interface Pair {
  readonly short: string
  readonly long: string
}
const textsOf = (part: string, size: number): readonly [string, string] => {
  const text = part.repeat(Math.ceil(size / part.length))
  return [text, `x${text}\u0001`]
}
const pairsOf = (part: string): readonly Pair[] => {
  const long = textsOf(part, sizes.long)
  return textsOf(part, sizes.short).map((short, index) => ({ short, long: long[index] ?? '' }))
}
const pairs = parts.flatMap(pairsOf)

function cpuMs(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0
  const before = process.threadCpuUsage()
  text.replace(pattern, '')
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Compares the fastest of several tries, since others include compiling, collected garbage and waits for the cache. */
function isQuadratic(pattern: RegExp, { short, long }: Pair): boolean {
  if (cpuMs(pattern, long) <= leastMs) return false
  const least = Math.min(...Array.from({ length: tries }, () => cpuMs(pattern, short)))
  const most = Math.max(leastMs, mostGrowth * least)
  return Array.from({ length: tries }).every(() => cpuMs(pattern, long) > most)
}

test('tells a quadratic expression from a linear one that is as slow', () => {
  const isFound = (pattern: RegExp, part: string): boolean => pairsOf(part).some((pair) => isQuadratic(pattern, pair))
  expect(isFound(/-----BEGIN [A-Z0-9 ]+-----[\s\S]+?-----END/g, '-----BEGIN A-----')).toBe(true)
  expect(isFound(/a.{0,400}b/g, 'a')).toBe(false)
})

test('none is quadratic on any of the texts', { timeout: 240_000 }, () => {
  const where = new Map<string, { readonly pattern: RegExp; readonly file: string }>()
  for (const file of files) for (const pattern of patternsIn(file)) where.set(String(pattern), { pattern, file })
  expect(where.size).toBeGreaterThan(300)
  const slow = [...where].flatMap(([name, { pattern, file }]) => {
    const pair = ofOurs.has(name) ? undefined : pairs.find((each) => isQuadratic(pattern, each))
    return pair === undefined ? [] : [`${file}: ${name} on ${JSON.stringify(pair.short.slice(0, 30))}`]
  })
  expect(slow).toEqual([])
})
