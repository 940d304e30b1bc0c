import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folders = ['suites', 'fixtures', 'mock-server', 'harness', 'reports']
const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((file) => !/\.(test|test-bed)\.ts$/.test(file))

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const importPattern =
  /^\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)/gm

const imports: readonly Import[] = files.flatMap((from) =>
  [...readFileSync(join(root, from), 'utf8').matchAll(importPattern)].map((match) => ({
    from,
    to: relative(root, resolve(root, dirname(from), match[2] ?? match[3] ?? '')),
    typeOnly: match[1] !== undefined,
  })),
)

const isIn = (file: string, ...places: readonly string[]): boolean =>
  places.some((place) => file === place || file.startsWith(`${place}/`))

/** For each folder, the folders of the project that it may import. */
const mayReach: Readonly<Record<string, readonly string[]>> = {
  fixtures: ['fixtures'],
  'mock-server': ['mock-server'],
  'harness/vocabulary': ['harness/vocabulary'],
  suites: ['suites', 'harness/vocabulary', 'fixtures'],
  reports: ['reports', 'harness/vocabulary', 'harness/safety/files.ts'],
  'harness/safety/files.ts': ['harness/targets/usage-error.ts'],
  'harness/targets/usage-error.ts': [],
}

/** Returns the imports that are part of a cycle: repeatedly removes imports whose source is never imported or whose
 * target imports nothing. */
function inCycles(all: readonly Import[]): readonly Import[] {
  const [from, to] = [new Set(all.map((one) => one.from)), new Set(all.map((one) => one.to))]
  const left = all.filter((one) => to.has(one.from) && from.has(one.to))
  return left.length === all.length ? left : inCycles(left)
}

/** The composition root may import everything; one file may import the reference server. */
const isComposition = (file: string): boolean => isIn(file, 'harness/cli.ts', 'harness/commands', 'harness/tools')
const bridge = 'harness/targets/mock.ts'

describe('import rules', () => {
  test('finds imports', () => expect(imports.length).toBeGreaterThan(50))

  for (const [place, reachable] of Object.entries(mayReach)) {
    test(`${place} imports only ${reachable.join(', ')}`, () => {
      expect(imports.filter(({ from, to }) => isIn(from, place) && !isIn(to, ...reachable))).toEqual([])
    })
  }

  test('reports import only types of the vocabulary', () => {
    expect(
      imports.filter(({ from, to, typeOnly }) => isIn(from, 'reports') && isIn(to, 'harness/vocabulary') && !typeOnly),
    ).toEqual([])
  })

  test('the harness knows no area: only the command line imports suites, fixtures and reports', () => {
    expect(
      imports.filter(
        ({ from, to }) => isIn(from, 'harness') && !isComposition(from) && isIn(to, 'suites', 'fixtures', 'reports'),
      ),
    ).toEqual([])
  })

  test('there are no import cycles, not even for types', () => {
    expect(inCycles(imports)).toEqual([])
  })

  test('a cycle is found, without imports that only lead to it or from it', () => {
    const between = (from: string, to: string): Import => ({ from, to, typeOnly: false })
    const cycle = [between('one', 'two'), between('two', 'one')]
    expect(inCycles([between('before', 'one'), ...cycle, between('two', 'after')])).toEqual(cycle)
  })

  test('only one file, and what tries clients against it, imports the reference server', () => {
    expect(
      imports.filter(
        ({ from, to }) =>
          isIn(from, 'harness', 'suites', 'reports') &&
          isIn(to, 'mock-server') &&
          from !== bridge &&
          !isIn(from, 'harness/tools/client-table'),
      ),
    ).toEqual([])
  })
})

test('only one folder of the harness imports vitest', () => {
  const users = files.filter((file) => /from 'vitest['/]/.test(readFileSync(join(root, file), 'utf8')))
  expect(users.filter((file) => isIn(file, 'harness') && !isIn(file, 'harness/vitest'))).toEqual([])
})

describe('files are opened in one module', () => {
  /** Reads only files of this package, its caches, or folders that it has just made. */
  const ofThePackage: readonly string[] = [
    ...['harness/own-modules.ts', 'harness/commands/kept.ts', 'harness/commands/kept', 'harness/commands/version.ts'],
    ...['harness/commands/output/needed-packages.ts', 'harness/commands/where', 'harness/targets/plugin-folder.ts'],
    'harness/tools',
    ...['reports/render/page-script.ts', 'reports/render/write-page-script.ts'],
    // Tests unpack a browser with it.
    'reports/chromium.ts',
  ]
  const door = 'harness/safety/files.ts'
  /** These look at names and kinds, change who may read, or make folders, and open nothing. */
  const harmless: ReadonlySet<string> = new Set([
    ...['existsSync', 'statSync', 'lstatSync', 'lstat', 'accessSync', 'constants', 'readdirSync', 'readdir'],
    ...['globSync', 'mkdirSync', 'mkdir', 'mkdtempSync', 'linkSync', 'chmod'],
  ])

  /** Returns what a text may do with files. A form of import that hides the names is reported as a whole. */
  function doneWithFiles(text: string): readonly string[] {
    const named = [...text.matchAll(/^import \{([^}]*)\} from '(?:node:)?fs(?:\/promises)?'/gm)]
    const mentions = text.match(/['"`](?:node:)?fs(?:\/promises)?['"`]/g) ?? []
    const hidden = mentions.slice(named.length)
    const names = named.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
    return [...hidden, ...names.filter((name) => name !== '' && !harmless.has(name))]
  }

  test.each([
    ["import { existsSync } from 'node:fs'", []],
    ["import {\n  existsSync,\n  openSync,\n} from 'node:fs'", ['openSync']],
    ["import { readFile } from 'fs/promises'", ['readFile']],
    ["import * as fs from 'node:fs'", ["'node:fs'"]],
    ["const { open } = await import('node:fs/promises')", ["'node:fs/promises'"]],
    ["process.getBuiltinModule('fs')", ["'fs'"]],
  ])('%s', (text, found) => expect(doneWithFiles(text)).toEqual(found))

  test.each(['harness', 'reports', 'fixtures', 'suites'])('of %s', (place) => {
    const opening = files
      .filter((file) => isIn(file, place) && !isIn(file, door, ...ofThePackage))
      .map((file) => ({ file, does: doneWithFiles(readFileSync(join(root, file), 'utf8')) }))
    expect(opening.filter(({ does }) => does.length > 0)).toEqual([])
  })

  test('no exception is left over', () => {
    const opening = files.filter((file) => doneWithFiles(readFileSync(join(root, file), 'utf8')).length > 0)
    expect(ofThePackage.filter((place) => !opening.some((file) => isIn(file, place)))).toEqual([])
  })
})

describe('files', () => {
  const lines = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').length

  test('no file or folder is a catch-all', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|lib)(\/|\.ts$)/.test(file))).toEqual([])
  })

  test('code over 300 lines is in this list, which has at most 15 files', () => {
    /** Folders of tables: checks by topic, rows of the documents, public bugs, faults, operations of clients. */
    const tables = [
      /^suites\/(?!.*\b(given|then)\b)/,
      /^fixtures\/(api|history)\//,
      /^mock-server\/.*\b(faults|mutants|tables)\b/,
    ]
    const exceptions: Readonly<Record<string, string>> = {
      'harness/commands/run/conduct-run.ts': 'one run from its profile to its exit code',
      'harness/faults/operators.ts': 'a table of the faults on the wire',
      'harness/targets/dialects/vault.ts': 'a table of the operations of a dialect',
      'harness/tools/client-table/operations.ts': 'a table of the operations of clients',
      'harness/vocabulary/reasons.ts': 'a table of the sentences about obstacles',
      'suites/cloud/then.ts': 'a list of expectations',
      'suites/plugin-catalog/given.ts': 'a list of steps',
      'suites/replication/given.ts': 'a list of steps',
    }
    const long = files.filter((file) => lines(file) > 301 && !tables.some((table) => table.test(file)))
    expect(long.filter((file) => exceptions[file] === undefined)).toEqual([])
    expect(Object.keys(exceptions).length).toBeLessThanOrEqual(15)
    expect(Object.keys(exceptions).filter((file) => !long.includes(file))).toEqual([])
  })

  test('a folder has at most 40 files, tests included', () => {
    const all = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    const rooms = Map.groupBy(all, (file) => dirname(file))
    expect([...rooms].filter(([, own]) => own.length > 40).map(([folder]) => folder)).toEqual([])
  })

  test('the median file is under 100 lines', () => {
    const sorted = files.map(lines).sort((one, other) => one - other)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(100)
  })
})
