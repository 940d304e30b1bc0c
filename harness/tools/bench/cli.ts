/** Measures how long commands and imports of entry points take: from a checkout, where Node strips the types of the
 * sources, and from the compiled package. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median, type Row } from './table.ts'

const bounds = { commandMs: 250, importMs: 300, serverImportMs: 200, startCpuMs: 30 }
const times = 5

const commands = [
  '--help',
  'list',
  'list --area pki',
  'list --requirements',
  'list --mutants',
  'list --json',
  'plan',
  'plan --area policies',
  'plan --area policies --policy',
] as const

const root = resolve(import.meta.dirname, '../../..')
const places = ['from a checkout', 'from the package'] as const

const entries = [
  ['assay/mock-server', 'serverImportMs'],
  ['assay/fixtures', 'importMs'],
] as const
const slowest = 'import of the slowest assay/fixtures/<area>'
const firstStart = 'createMockServer, first in its process, processor'

export const cliRowNames: readonly string[] = [
  ...places.flatMap((place) => commands.map((command) => `assay ${command}, ${place}`)),
  ...entries.map(([entry]) => `import of ${entry}`),
  slowest,
  firstStart,
]

/** Installs the package into a temporary folder, with the dependencies of the checkout. Returns the folder, which
 * the caller has to remove. */
function installed(): string {
  const home = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const folder = join(home, 'node_modules/assay')
  mkdirSync(join(folder, 'harness'), { recursive: true })
  run(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--outDir',
    join(folder, 'dist'),
  ])
  for (const file of ['package.json', 'harness/assay.js']) cpSync(join(root, file), join(folder, file))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(dependencies)) {
    mkdirSync(join(home, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name))
  }
  run(process.execPath, ['harness/tools/packing/write-kept.ts', join(folder, 'dist')])
  return home
}

function run(command: string, args: readonly string[], cwd = root): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.slice(-300)}`)
  return stdout
}

/** Returns the median duration in milliseconds. The first run is not counted, because it fills the compile cache, as
 * the first command after an installation does. */
function wallOf(args: readonly string[], cwd: string): number {
  const durations = Array.from({ length: times + 1 }, () => {
    const startedAt = performance.now()
    run(process.execPath, args, cwd)
    return performance.now() - startedAt
  })
  return median(durations.slice(1))
}

const row = (what: string, ms: number, bound: number): Row => ({
  what,
  ours: `${ms.toFixed(0)} ms`,
  peer: `${bound} ms`,
  ratio: ms / bound,
  bound: { kind: 'at-most', value: 1 },
})

const startScript = `
import { createMockServer } from 'assay/mock-server'
const before = process.cpuUsage()
const server = await createMockServer()
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000)
await server.close()`

const importing = (entry: string): readonly string[] => ['--input-type=module', '-e', `import '${entry}'`]

export async function cliRows(say: (text: string) => void): Promise<readonly Row[]> {
  const home = installed()
  try {
    const cliIn = {
      [places[0]]: join(root, 'harness/assay.js'),
      [places[1]]: join(home, 'node_modules/assay/harness/assay.js'),
    }
    const ofCommands = places.flatMap((place) =>
      commands.map((command) => {
        say(`assay ${command}, ${place}`)
        return row(`assay ${command}, ${place}`, wallOf([cliIn[place], ...command.split(' ')], home), bounds.commandMs)
      }),
    )
    say('imports of entry points')
    const { exports: all } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly exports: object
    }
    const areas = Object.keys(all).filter((path) => path.startsWith('./fixtures/'))
    const waited = areas.map((path) => wallOf(importing(path.replace('.', 'assay')), home))
    const started = Array.from({ length: times }, () =>
      Number(run(process.execPath, ['--input-type=module', '-e', startScript], home)),
    )
    return [
      ...ofCommands,
      ...entries.map(([entry, bound]) => row(`import of ${entry}`, wallOf(importing(entry), home), bounds[bound])),
      row(slowest, Math.max(...waited), bounds.importMs),
      row(firstStart, median(started), bounds.startCpuMs),
    ]
  } finally {
    rmSync(home, { recursive: true })
  }
}
