import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiPage, examplesIn, membersIn } from './api-pages.ts'

const root = resolve(import.meta.dirname, '../../..')
const source = globSync('fixtures/examples/exports/*.test.ts', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')
const examples = examplesIn(source)

/** The entry points, with their files. */
const entries: readonly (readonly [string, string])[] = [
  ['assay/fixtures', 'fixtures/index.ts'],
  ['assay/fixtures/<area>', 'fixtures/areas/pki.ts'],
  ['assay/fixtures/recording', 'fixtures/recording/recording.ts'],
  ['assay/fixtures/provider', 'fixtures/servers/provider/index.ts'],
  ['assay/mock-server', 'mock-server/server.ts'],
  ['assay/mock-server/vitest', 'mock-server/vitest.ts'],
  ['assay', 'harness/index.ts'],
  ['assay/suites', 'suites/index.ts'],
]

describe('pages of the API', () => {
  test.each(entries)('%s: each export is used in a test of fixtures/examples/exports', async (entry, file) => {
    const names = Object.keys(await import(join(root, file)))
    const shown = examples.filter((example) => example.entry === entry).flatMap((example) => example.names)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !shown.includes(name))).toEqual([])
    expect(shown.filter((name) => !names.includes(name))).toEqual([])
  })

  test('have comment, code and example of each export; types come last', () => {
    const declared = [
      { name: 'Kept', says: '', code: 'interface Kept {}', isType: true },
      { name: 'make', says: 'Makes it.', code: 'const make: () => Kept;', isType: false },
    ]
    const [example] = examplesIn(
      `describe('assay', () => {\n  test('make, other', async () => {\n    await make()\n  })\n})`,
    )
    expect(apiPage('assay', declared, example ? [example] : [])).toBe(
      `# assay\n
## Functions and values\n
### make\n
Makes it.\n
\`\`\`ts\nconst make: () => Kept;\n\`\`\`\n
Example:\n
\`\`\`ts\nawait make()\n\`\`\`\n
## Types\n
### Kept\n
\`\`\`ts\ninterface Kept {}\n\`\`\`\n`,
    )
  })

  test('begin with what the examples show first', () => {
    const value = (name: string) => ({ name, says: '', code: `const ${name}: 1;`, isType: false })
    const shown = examples.filter(({ entry }) => entry === 'assay/mock-server')
    const page = apiPage('assay/mock-server', ['unknown', 'startAnswering', 'createMockServer'].map(value), shown)
    expect([...page.matchAll(/^### (\w+)/gm)].map(([, name]) => name)).toEqual([
      ...['createMockServer', 'startAnswering', 'unknown'],
    ])
  })

  test('have the comments of the members of an interface', () => {
    const members = membersIn(
      'export interface All {\n    /** One of them. */\n    readonly one: string;\n    two(): void;\n}',
    )
    expect([...members]).toEqual([['one', 'One of them.']])
  })
})
