import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, pageAt, pages, root } from './pages.test-bed.ts'

const home = mkdtempSync(join(tmpdir(), 'assay-package-'))
const modules = join(home, 'node_modules')
const installed = join(modules, 'assay')

const snippets = [...new Set(pages.flatMap((page) => blocksOf(page, 'ts')))]

/** Copies the checkout, because packing changes its pages for a moment, while other tests read them. */
function copyCheckout(): string {
  const copy = join(home, 'checkout')
  const left = new Set(['node_modules', '.git', 'dist', 'assay-report', '.assay'])
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path)) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Returns the targets of links and pictures of a page, relative to the root of the package. */
const linksOf = (page: string): readonly string[] =>
  [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(((?!https?:|#)[^)#\s]+)/g)].map(([, link = '']) =>
    normalize(join(dirname(page), link)).replace(/\/$/, ''),
  )

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 })

const entryPoints = Object.keys(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, unknown> }).exports,
).filter((path) => !path.endsWith('.json'))

/** A program that imports groups of entry points, and prints the packages that each group loads, one line per group. */
const loadedBy = (...groups: readonly (readonly string[])[]): string => `
  import { registerHooks } from 'node:module'
  const seen = new Set()
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\\/(?!.*node_modules)((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? []
      if (name && name !== 'assay') seen.add(name)
      return next(url, context)
    },
  })
  for (const group of ${JSON.stringify(groups)}) {
    for (const entry of group) await import(entry)
    console.log([...seen].sort().join(' '))
    seen.clear()
  }`

/** A program that ends by writing to `loaded.json` the folders of the package from which files were loaded. Text at the end of a long
 * output could get lost in a full pipe. */
const notingLoads = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const seen = new Set()
  registerHooks({
    load(url, context, next) {
      const [, folder] = /assay\\/dist\\/([\\w-]+)\\//.exec(url) ?? []
      if (folder) seen.add(folder)
      return next(url, context)
    },
  })
  process.once('exit', () => writeFileSync('loaded.json', JSON.stringify([...seen])))`

/** Links what an install would put beside the package, without a request to a registry. */
function link(kind: 'dependencies' | 'peerDependencies'): void {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of Object.keys(manifest[kind])) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
}

/** Returns the compiler's errors for a file that imports these entry points. */
function typeErrorsOf(entries: readonly string[]): string {
  const lines = entries.map((path, index) => `import * as entry${index} from '${path.replace('.', 'assay')}'`)
  const names = entries.map((_, index) => `entry${index}`)
  writeFileSync(join(home, 'consumer.ts'), `${lines.join('\n')}\nexport { ${names.join(', ')} }\n`)
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--target', 'es2024']
  const libraries = ['--lib', 'es2024,esnext.disposable', '--types', 'node', '--singleThreaded']
  return run(join(root, 'node_modules/.bin/tsc'), [...options, ...libraries, 'consumer.ts'], home)
}

describe('the packed package, installed elsewhere', () => {
  beforeAll(() => {
    const checkout = copyCheckout()
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', home], checkout)) as [
      { filename: string },
    ]
    expect(readFileSync(join(checkout, 'fixtures/README.md'), 'utf8')).toBe(pageAt('fixtures/README.md').text)
    mkdirSync(installed, { recursive: true })
    run('tar', ['-xzf', join(home, packed.filename), '-C', installed, '--strip-components=1'], home)
    link('dependencies')
    symlinkSync(join(root, 'node_modules/@types'), join(modules, '@types'))
    writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module' }))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  test('contains what is published, and nothing else', () => {
    const files = readdirSync(installed, { recursive: true }).map(String)
    expect(files).toContain('dist/harness/profile/profile.schema.json')
    expect(files).toContain('dist/reports/result.schema.json')
    expect(files).toContain('LICENSE')
    expect(files.filter((file) => /\.test\.|test-bed|^dist\/harness\/(bench|prove)|(?<!\.d)\.ts$/.test(file))).toEqual(
      [],
    )
  })

  test('runs the examples of the pages', () => {
    for (const [at, snippet] of snippets.entries()) writeFileSync(join(home, `snippet-${at}.js`), snippet)
    expect(snippets.length).toBeGreaterThan(3)
    writeFileSync(join(home, 'snippets.js'), snippets.map((_, at) => `await import('./snippet-${at}.js')\n`).join(''))
    expect(run(process.execPath, ['snippets.js'], home)).toBe('')
  })

  test('an entry point loads only what it needs', () => {
    const ofFixtures = entryPoints
      .filter((path) => path.startsWith('./fixtures/'))
      .map((path) => path.replace('.', 'assay'))
    expect(ofFixtures).toHaveLength(10)
    writeFileSync(join(home, 'loaded.js'), loadedBy(ofFixtures, ['assay/mock-server']))
    expect(run(process.execPath, ['loaded.js'], home).split('\n')).toEqual([
      '@faker-js/faker',
      'fastest-levenshtein semver shamir-secret-sharing',
      '',
    ])
  })

  test('has types that compile without skipLibCheck, and without peers unless an entry point needs one', () => {
    expect(typeErrorsOf(entryPoints.filter((path) => path !== './mock-server/vitest'))).toBe('')
  })

  test('contains the files that its pages link to and show', () => {
    const files = new Set(readdirSync(installed, { recursive: true }).map(String))
    const own = [...files].filter((file) => file.endsWith('.md'))
    const broken = own.flatMap((page) => linksOf(page).flatMap((link) => (files.has(link) ? [] : [`${page}: ${link}`])))
    expect(broken).toEqual([])
    expect(own.flatMap(linksOf).length).toBeGreaterThan(200)
    expect(own.filter((page) => /CONTRIBUTING|harness\/(?:bench|vitest)/.test(page))).toEqual([])
  })

  test.each(entryPoints)('has a page with every export of %s', async (entry) => {
    const file = entry === '.' ? 'assay' : entry.slice(2).replaceAll('/', '-')
    const page = readFileSync(join(installed, `dist/api/${file}.md`), 'utf8')
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    const { types } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports[entry]
    const names = Object.keys(await import(join(root, types.replace('./dist/', '').replace('.d.ts', '.ts'))))
    expect(headings).toEqual(expect.arrayContaining(names))
  })

  test('says in one sentence which packages judging needs', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(installed, 'harness/assay.js'), 'run'], {
      cwd: home,
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/^assay: assay run needs packages .*: npm i -D vitest@\d\S* .*\n$/)
    expect(status).toBe(2)
  })

  test.each(['list --json', 'list --mutants', 'plan --json'])(
    '%s shows what the build cached without loading a suite or the reference server, and that equals what the code computes',
    (command) => {
      const noted = join(home, 'noted.js')
      writeFileSync(noted, notingLoads)
      const shown = (...options: readonly string[]) =>
        run(process.execPath, [...options, join(installed, 'harness/assay.js'), ...command.split(' ')], home)
      const [place, aside] = [join(installed, 'dist/kept'), join(installed, 'dist/aside')]
      const kept = shown('--import', noted)
      const loaded = JSON.parse(readFileSync(join(home, 'loaded.json'), 'utf8'))
      expect(loaded).toContain('harness')
      expect(loaded).not.toContain('suites')
      expect(loaded).not.toContain('mock-server')
      renameSync(place, aside)
      const computed = shown()
      renameSync(aside, place)
      expect(kept).toBe(computed)
      expect(kept.length).toBeGreaterThan(100_000)
    },
  )

  test('fails, and does not print a smaller policy, if the cache of the build lacks a check', () => {
    const file = join(installed, 'dist/kept/touches.json')
    const whole = readFileSync(file, 'utf8')
    const [first = '', ...others] = Object.entries(JSON.parse(whole))
    writeFileSync(file, JSON.stringify(Object.fromEntries(others)))
    const plan = () => run(process.execPath, [join(installed, 'harness/assay.js'), 'plan', '--policy'], home)
    try {
      expect(plan).toThrow(`what ${first[0]} sends`)
    } finally {
      writeFileSync(file, whole)
    }
    expect(plan()).toContain('capabilities')
  })

  describe('with the optional peers', () => {
    beforeAll(() => link('peerDependencies'))

    test('has types of the entry point that needs one', () => {
      expect(typeErrorsOf(['./mock-server/vitest'])).toBe('')
    })

    test('runs the suites', () => {
      const out = run(
        process.execPath,
        [join(installed, 'harness/assay.js'), 'run', '--check', 'policies/errors/acl-*', '--out', join(home, 'out')],
        home,
      )
      expect(out).toMatch(/^conformant/)
      const { checks } = JSON.parse(readFileSync(join(home, 'out/result.json'), 'utf8'))
      const places = checks.map(({ definedAt }: { readonly definedAt?: string }) => definedAt?.replace(/:\d+$/, ''))
      // Some checks are made in a module that several areas share.
      expect(places.filter((place?: string) => !place?.startsWith('dist/suites/'))).toEqual([])
    })
  })
})
