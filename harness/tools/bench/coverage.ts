/** Measures how much of each engine runs on the correct server, under all checks, the operations of clients and the inputs
 * of the differential record. What never runs is needed by no client. */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cli } from './process.ts'
import type { Row } from './table.ts'

const bound = { kind: 'at-least', value: 0.92 } as const
const engines = ['ceremony', 'cloud', 'mfa', 'pki', 'plugin-catalog', 'policies', 'replication'] as const
const root = resolve(import.meta.dirname, '../../..')
const mostNamed = 5

const rowName = (engine: string): string => `lines of engines/${engine} that run`

export const coverageRowNames: readonly string[] = engines.map(rowName)

/** A part of a text, and how often it ran. */
interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** A file that V8 writes when a process or a thread ends. */
interface Recorded {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly Range[] }[]
  }[]
}

interface Line {
  readonly number: number
  readonly start: number
  readonly end: number
}

/** Returns the lines that hold code: not those of types, of comments, or of brackets only. */
function codeLines(text: string): readonly Line[] {
  const isComment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm
  const code = stripTypeScriptTypes(text).replace(isComment, (comment) => comment.replace(/./g, ' '))
  let offset = 0
  return code.split('\n').flatMap((line, at) => {
    const [start, end] = [offset + line.search(/\S|$/), offset + line.trimEnd().length]
    offset += line.length + 1
    return /\w/.test(line) ? [{ number: at + 1, start, end }] : []
  })
}

/** Node keeps the offsets of a text when it removes the types. */
function isRun({ start, end }: Line, ranges: readonly Range[]): boolean {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= start && endOffset >= end)
  const size = ({ startOffset, endOffset }: Range): number => endOffset - startOffset
  return (around.toSorted((one, other) => size(one) - size(other))[0]?.count ?? 0) > 0
}

export interface Coverage {
  readonly lines: number
  /** The numbers of the lines that ran in none of the processes. */
  readonly missed: readonly number[]
}

/** Returns what the files of a folder show about each of these sources. */
export function coverageIn(folder: string, files: readonly string[]): ReadonlyMap<string, Coverage> {
  const missed = new Map(files.map((file) => [file, codeLines(readFileSync(file, 'utf8'))]))
  const all = new Map([...missed].map(([file, lines]) => [file, lines.length]))
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recorded
    for (const { url, functions } of result) {
      const file = url.startsWith('file:') ? fileURLToPath(url) : url
      const ranges = functions.flatMap((one) => one.ranges)
      const lines = missed.get(file)
      if (lines)
        missed.set(
          file,
          lines.filter((line) => !isRun(line, ranges)),
        )
    }
  }
  const entries = [...missed].map(
    ([file, lines]) => [file, { lines: all.get(file) ?? 0, missed: lines.map(({ number }) => number) }] as const,
  )
  return new Map(entries)
}

const clients = `
const { runLitehex, runNodeVault } = await import('./harness/tools/client-table/run-clients.ts')
const { readGroups } = await import('./harness/tools/differential/inputs.ts')
const { play } = await import('./harness/tools/differential/play.ts')
const { createMockServer } = await import('./mock-server/server.ts')
await runNodeVault()
await runLitehex()
await using server = await createMockServer({ testKeys: true })
await play(readGroups(), server.url, server.rootToken)`

/** Runs Node, and records what of each module ran. The record is not exact for modules from the cache. */
export function record(args: readonly string[], folder: string): Promise<void> {
  const env = { ...process.env, NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => (code === 0 ? done() : failed(new Error(`${args.at(-1)} ended with ${code}`))))
  })
}

/** Returns a row for each engine, and says in which files the most lines never ran. */
export async function coverageRows(say: (text: string) => void): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-coverage-'))
  try {
    const recorded = join(folder, 'recorded')
    await record([cli, 'run', 'embedded', '--quiet', '--out', join(folder, 'out')], recorded)
    await record(['--input-type=module', '-e', clients], recorded)
    return engines.map((engine) => rowOf(engine, recorded, say))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function rowOf(engine: string, recorded: string, say: (text: string) => void): Row {
  const home = join(root, 'mock-server/engines', engine)
  const names = globSync('**/*.ts', { cwd: home, exclude: ['**/*.test.ts'] })
  const found = [
    ...coverageIn(
      recorded,
      names.map((name) => join(home, name)),
    ),
  ]
  const sum = (of: (one: Coverage) => number): number => found.reduce((all, [, one]) => all + of(one), 0)
  const sorted = found.toSorted(([, one], [, other]) => other.missed.length - one.missed.length)
  for (const [file, { missed }] of sorted.slice(0, mostNamed))
    if (missed.length > 0) say(`${file.slice(root.length + 1)}: lines ${missed.join(', ')} never run`)
  const total = sum(({ lines }) => lines)
  const ran = total - sum(({ missed }) => missed.length)
  return { what: rowName(engine), ours: `${ran}`, peer: `${total} lines of code`, ratio: ran / total, bound }
}
