/** Each regular expression of the code that reads what a target sends is tried on texts that make some of them slow. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test, vi } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const files = globSync('{harness,suites,reports,fixtures}/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.|test-bed|harness\/tools\//.test(file),
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
const sizes = { short: 2_000, long: 20_000 }
const shortOnes = sizes.long / sizes.short
const mostGrowth = 3
/** Below this time for the long text, growth is not measured. A quadratic expression takes several times as long. */
const leastMs = 4
/** The clock of the processor moves in steps of a few milliseconds, so it is read over this many. */
const measuredMs = 80

interface Pair {
  readonly short: string
  readonly long: string
}
const textsOf = (part: string, size: number): readonly string[] => {
  const text = part.repeat(Math.ceil(size / part.length))
  return [text, `x${text}\u0001`, `${text}/`]
}
const pairsOf = (part: string): readonly Pair[] => {
  const long = textsOf(part, sizes.long)
  return textsOf(part, sizes.short).map((short, index) => ({ short, long: long[index] ?? '' }))
}
const pairs = parts.flatMap(pairsOf)

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

function isQuadratic(pattern: RegExp, { short, long }: Pair): boolean {
  const once = () => replaceAll(pattern, long)
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

/** These modules make expressions when a function is called; all others do so when they are loaded. */
const makers: Readonly<Record<string, () => Promise<unknown>>> = {
  'fixtures/policies/book.ts': () => import('../fixtures/policies/book.ts').then((book) => book.endpointsBelow()),
  'fixtures/servers/provider/action.ts': () =>
    import('../fixtures/servers/provider/action.ts').then(({ members }) =>
      members({ 'Tags.member.1.Key': 'x' }, 'Tags'),
    ),
  'fixtures/servers/provider/bends.ts': () =>
    import('../fixtures/servers/provider/bends.ts').then(({ bendCall }) =>
      bendCall({ id: '1', bends: [{ action: 'TagUser', shorten: 'Tags' }] }, 'TagUser', { 'Tags.member.1.Key': 'x' }),
    ),
  'fixtures/replication/book.ts': () =>
    import('../fixtures/replication/book.ts').then((book) => book.replicationEndpointsBelow()),
  'harness/commands/output/one-line.ts': () =>
    import('./commands/output/one-line.ts').then(({ oneLineWith }) => oneLineWith(/\u001b\[\d*m/, 'x')),
  'harness/faults/site.ts': () =>
    import('./faults/site.ts').then(({ isAt, readerBeside }) => {
      const site = { method: 'GET', path: '{pki}/roles/:name' }
      isAt({ method: 'GET', path: '/v1/x' }, site)
      readerBeside(site, { method: 'GET', path: '/v1/x' })
    }),
  'harness/safety/names.ts': () =>
    import('./safety/names.ts').then(({ isNameOf, withoutNumbers }) => [
      isNameOf('r1', 'x'),
      withoutNumbers('r1', 'x'),
    ]),
  'harness/safety/undo-shapes.ts': () =>
    import('./safety/undo-shapes.ts').then(({ acceptFor }) =>
      acceptFor(
        [
          {
            undo: { kind: 'exchange', method: 'DELETE', path: '{pki}/roles/{role}' },
            isThrowAway: (name) => name === 'pki',
          },
        ],
        'r1',
      ),
    ),
}

/** A gap before a part of a key is searched for in 40 characters. */
const ofFewCharacters = (pattern: RegExp): boolean => pattern.source.endsWith('&#1[03];)+$')

/** The pattern of addresses is what the user has typed, and meets the addresses of this suite only. */
const ofTheUser = 'harness/select/glob.ts'

/** Returns the expressions that modules of the project make from texts while `run` runs, by file. */
async function madeWhile(run: () => Promise<unknown>): Promise<ReadonlyMap<string, readonly RegExp[]>> {
  const made = new Map<string, RegExp[]>()
  const Plain = RegExp
  const record = (pattern: RegExp): RegExp => {
    const line = new Error('made here').stack?.split('\n').find((each) => files.some((file) => each.includes(file)))
    const file = files.find((each) => line?.includes(`/${each}:`))
    if (file !== undefined) made.set(file, [...(made.get(file) ?? []), pattern])
    return pattern
  }
  vi.stubGlobal(
    'RegExp',
    new Proxy(Plain, { construct: (_, [source, flags]: [string, string?]) => record(new Plain(source, flags)) }),
  )
  await run().finally(() => vi.unstubAllGlobals())
  return made
}

test('nor is one that is made of a text', async () => {
  const making = files.filter(
    (file) => file !== ofTheUser && readFileSync(join(root, file), 'utf8').includes('RegExp('),
  )
  // Tests before may have imported a module whose expressions would then not be made again.
  vi.resetModules()
  const made = await madeWhile(async () => {
    for (const file of making) await (makers[file]?.() ?? import(join(root, file)))
  })
  expect(making.filter((file) => !made.has(file))).toEqual([])
  const slow = [...made].flatMap(([file, patterns]) =>
    patterns.flatMap((pattern) => {
      const text = ofFewCharacters(pattern) ? undefined : firstQuadratic(pattern)
      return text === undefined ? [] : [`${file}: ${pattern} on ${JSON.stringify(text)}`]
    }),
  )
  expect(slow).toEqual([])
})
