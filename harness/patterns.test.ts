/** Each regular expression of the code that reads what a target sends is tried on texts that make some of them slow;
 * `npm test` tries a third of the texts. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { files, type Made, making, root } from './patterns.test-bed.ts'
import { sampled } from './tools/prove/sampled.test-bed.ts'

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
    '\r\t',
    '\r',
    '-\u0000',
    '0:00:00A',
    '{time ',
    'hms',
  ],
]
/** Each part makes texts of two sizes. A linear expression takes as long for ten short texts as for a long one, and a
 * quadratic one a tenth of it, however busy the machine is. */
const sizes = { tried: 6_000, short: 2_000, long: 20_000 }
const shortOnes = sizes.long / sizes.short
const mostGrowth = 3
/** Below this time for the long text, growth is not measured. A quadratic expression takes several times as long. */
const leastMs = 4
/** Nor is it below this time for a text that takes less time to try. A quadratic expression takes in it the same part of its
 * time for the long text. */
const leastTriedMs = leastMs * (sizes.tried / sizes.long) ** 2
/** The clock of the processor moves in steps of a few milliseconds, so it is read over this many. */
const measuredMs = 80

interface Pair {
  readonly tried: string
  readonly short: string
  readonly long: string
}
const textsOf = (part: string, size: number): readonly string[] => {
  const text = part.repeat(Math.ceil(size / part.length))
  return [text, `x${text}\u0001`, `${text}/`]
}
const pairsOf = (part: string): readonly Pair[] => {
  const [tried, long] = [textsOf(part, sizes.tried), textsOf(part, sizes.long)]
  return textsOf(part, sizes.short).map((short, at) => ({ tried: tried[at] ?? '', short, long: long[at] ?? '' }))
}
const pairs = sampled(parts, 3).flatMap(pairsOf)

function replaceAll(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0
  text.replace(pattern, '')
}

function wallMs(run: () => void): number {
  const before = performance.now()
  run()
  return performance.now() - before
}

function processorMs(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function isQuadratic(pattern: RegExp, { tried, short, long }: Pair): boolean {
  const once = () => replaceAll(pattern, long)
  if (wallMs(() => replaceAll(pattern, tried)) <= leastTriedMs) return false
  if ([1, 2, 3].some(() => wallMs(once) <= leastMs)) return false
  let [ofShort, ofLong] = [0, 0]
  while (ofLong < measuredMs) {
    ofLong += processorMs(once)
    ofShort += processorMs(() => {
      for (let nth = 0; nth < shortOnes; nth += 1) replaceAll(pattern, short)
    })
  }
  return ofLong > mostGrowth * ofShort
}

test('tells a quadratic expression from a linear one that is as slow', () => {
  const isFound = (pattern: RegExp, part: string): boolean => pairsOf(part).some((pair) => isQuadratic(pattern, pair))
  expect(isFound(/-----BEGIN [A-Z0-9 ]+-----[\s\S]+?-----END/g, '-----BEGIN A-----')).toBe(true)
  expect(isFound(/a.{0,400}b/g, 'a')).toBe(false)
})

const firstQuadratic = (pattern: RegExp): string | undefined =>
  pairs.find((pair) => isQuadratic(pattern, pair))?.short.slice(0, 30)

test('none is quadratic on any of the texts', () => {
  const where = new Map<string, { readonly pattern: RegExp; readonly file: string }>()
  for (const file of files) for (const pattern of patternsIn(file)) where.set(String(pattern), { pattern, file })
  expect(where.size).toBeGreaterThan(300)
  const slow = [...where].flatMap(([name, { pattern, file }]) => {
    const text = ofOurs.has(name) ? undefined : firstQuadratic(pattern)
    return text === undefined ? [] : [`${file}: ${name} on ${JSON.stringify(text)}`]
  })
  expect(slow).toEqual([])
})

/** A gap before a part of a key is searched for in 40 characters. */
const ofFewCharacters = (pattern: RegExp): boolean => pattern.source.endsWith('&#1[03];)+$')

test('nor is one that is made of a text', () => {
  const bed = join(import.meta.dirname, 'patterns.test-bed.ts')
  const printed = execFileSync(process.execPath, [bed], { encoding: 'utf8', maxBuffer: 1 << 26 })
  const made = JSON.parse(printed) as Readonly<Record<string, readonly Made[]>>
  expect(making.filter((file) => made[file] === undefined)).toEqual([])
  const slow = Object.entries(made).flatMap(([file, patterns]) =>
    patterns.flatMap(([source, flags]) => {
      const pattern = new RegExp(source, flags)
      const text = ofFewCharacters(pattern) ? undefined : firstQuadratic(pattern)
      return text === undefined ? [] : [`${file}: ${pattern} on ${JSON.stringify(text)}`]
    }),
  )
  expect(slow).toEqual([])
})
