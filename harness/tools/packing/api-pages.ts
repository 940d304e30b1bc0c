/** Writes a page for each entry point, from its declaration files and from examples that run as tests. It is a step of
 * `npm run build`. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Declared, exportsOf } from './declarations.ts'

const root = resolve(import.meta.dirname, '../../..')
const text = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Example {
  readonly entry: string
  readonly names: readonly string[]
  readonly code: string
}

/** Extracts the examples from a test file. The title of a test lists the exports that it shows; the title of its
 * group is the entry point. */
export const examplesIn = (source: string): readonly Example[] =>
  source
    .split(/^describe\('/m)
    .flatMap((group) =>
      [...group.matchAll(/^ {2}\w+\('([\w, ]+)', (?:async )?\([^)]*\) => \{\n([\s\S]*?)^ {2}\}\)/gm)].map(
        ([, names = '', code = '']) => ({
          entry: /^[^']*/.exec(group)?.[0] ?? '',
          names: names.split(', '),
          code: code.replaceAll(/^ {4}/gm, '').trimEnd(),
        }),
      ),
    )

const areaName = '<area>'

/** The entry points of all areas have the same exports, so they share their examples. */
const isFor = (example: Example, entry: string, areas: readonly string[]): boolean =>
  example.entry === entry ||
  (example.entry.endsWith(areaName) && areas.some((area) => example.entry.replace(areaName, area) === entry))

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\`\n`

function section({ name, says, code }: Declared, examples: readonly Example[]): string {
  const shown = examples.filter(({ names }) => names.includes(name)).map((one) => `Example:\n\n${fenced(one.code)}`)
  return [`### ${name}\n`, ...(says === '' ? [] : [`${says}\n`]), fenced(code), ...shown].join('\n')
}

/** Returns the comments of the members of an interface, by name. */
export const membersIn = (source: string): ReadonlyMap<string, string> =>
  new Map(
    [...source.matchAll(/^ {4}\/\*\* ([^\n]*) \*\/\n {4}(?:readonly )?(\w+)\b/gm)].map(([, says = '', name = '']) => [
      name,
      says,
    ]),
  )

/** Returns the page of an entry point. Its values come in the order of the examples, which begin with what is used most. */
export function apiPage(entry: string, declared: readonly Declared[], examples: readonly Example[]): string {
  const ranks = examples.flatMap(({ names }) => names)
  const rankOf = ({ name }: Declared): number => (ranks.includes(name) ? ranks.indexOf(name) : ranks.length)
  const known = [...new Map(declared.map((one) => [one.name, one])).values()].toSorted(
    (one, two) => rankOf(one) - rankOf(two),
  )
  const group = (title: string, some: readonly Declared[]): readonly string[] =>
    some.length === 0 ? [] : [`## ${title}\n`, ...some.map((one) => section(one, examples))]
  return [
    `# ${entry}\n`,
    ...group(
      'Functions and values',
      known.filter((one) => !one.isType),
    ),
    ...group(
      'Types',
      known.filter((one) => one.isType),
    ),
  ].join('\n')
}

function writePages(): void {
  const { exports } = JSON.parse(text('package.json')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>
  }
  const examples = globSync('fixtures/examples/exports/*.test.ts', { cwd: root }).flatMap((file) =>
    examplesIn(text(file)),
  )
  const areas = globSync('fixtures/areas/*.ts', { cwd: root }).flatMap((file) => /([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
  const ofAreas = membersIn(text('dist/fixtures/from-law/area-fixtures.d.ts'))
  mkdirSync(join(root, 'dist/api'), { recursive: true })
  const lines = Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const entry = path.replace('.', 'assay')
    const page = `${path === '.' ? 'assay' : path.slice(2).replaceAll('/', '-')}.md`
    const declared = exportsOf(target.types.slice(2), text).map((one) =>
      areas.some((area) => entry.endsWith(`/${area}`))
        ? { ...one, says: one.says || (ofAreas.get(one.name) ?? '') }
        : one,
    )
    const own = examples.filter((example) => isFor(example, entry, areas))
    writeFileSync(join(root, 'dist/api', page), apiPage(entry, declared, own))
    return [`- [${entry}](${page})`]
  })
  writeFileSync(join(root, 'dist/api/README.md'), `# Entry points\n\n${lines.join('\n')}\n`)
}

if (import.meta.main) writePages()
