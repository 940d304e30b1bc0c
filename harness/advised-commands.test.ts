/** Runs each command that Assay tells its users to run, exactly as it was printed, in the folder of the user. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commands } from './cli.ts'
import { assay, type Ended, startAssay } from './commands/child.test-bed.ts'
import { type ReferenceOptions, type ReferenceServer, startReference } from './targets/mock.ts'
import { advised, type ResultDocument } from './vocabulary/index.ts'

let home: string
let server: ReferenceServer
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-advised-'))
})
afterEach(async () => {
  await server?.close()
  rmSync(home, { recursive: true })
})

const out = () => join(home, 'out')
const token = () => ({ ASSAY_TOKEN: server.rootToken })

async function ran(args: readonly string[], options: ReferenceOptions = {}): Promise<Ended> {
  server = await startReference(options)
  const url = server.standbyUrls[0] ?? server.url
  return assay(['run', '--target', url, '--format', 'json', '--out', out(), ...args], token())
}
const one = ['--check', 'policies/*/acl-create-*']

/** Nobody types the server. */
async function named(): Promise<Ended> {
  server = await startReference()
  const args = ['run', ...one, '--format', 'json', '--out', out()]
  return assay(args, { VAULT_ADDR: server.url, VAULT_TOKEN: server.rootToken })
}

/** `blocked-run.test.ts` runs the command that a run prints which is ended by force. */
type Printed = Exclude<keyof typeof advised, 'render'>

/** What makes Assay print each command. All of them succeed. */
const printing: Readonly<Record<Printed, () => Promise<Ended>>> = {
  run: () => ran(one, { nodes: 2, standbys: 'read' }),
  plan: named,
  embedded: named,
  async literal() {
    server = await startReference()
    return assay(['run', server.url, '--literal', '--out', out()], token())
  },
  async clean() {
    const faults = [{ fault: 'refuse', status: 500, path: 'sys/policies/acl/*', method: 'DELETE' }] as const
    const ended = await ran(one, { faults })
    server.setFaults([])
    return ended
  },
  accept: () => ran(['--check', 'policies/errors/acl-create-*'], { mutants: ['policies/acl-policy-optional'] }),
  async policy() {
    server = await startReference()
    return assay(['run', '--target', server.url, ...one, '--out', out()], { ASSAY_TOKEN: 'no-token' })
  },
  checks: () => assay(['run', '--check', 'policies/none/none']),
  mutants: () => assay(['serve', '--mutant', 'no/such-thing-at-all']),
}

const beginnings: Readonly<Record<Printed, string>> = {
  ...{ plan: advised.plan(), embedded: advised.embedded(), literal: advised.literal() },
  ...{ run: advised.run('--target'), clean: advised.clean('--target') },
  ...{ accept: 'npx assay accept', policy: advised.policy(), checks: advised.checks(), mutants: advised.mutants() },
}

/** Returns the words of a printed command, which ends where the text goes on. */
function wordsIn(text: string, beginning: string): readonly string[] {
  const [, line = ''] = new RegExp(`(${beginning}[^\`";\\n]*)`).exec(text) ?? []
  expect({ text, line }).toMatchObject({ line: expect.stringContaining(beginning) })
  return line
    .trim()
    .split(' ')
    .map((word) => word.replaceAll("'", ''))
}

/** Keep the run short, and the port free. */
const more: Readonly<Partial<Record<Printed, readonly string[]>>> = { embedded: one, literal: ['--port', '0'] }

/** Runs a command that serves until it gets a signal. */
async function untilServed(...started: Parameters<typeof startAssay>): Promise<Ended> {
  const child = startAssay(...started)
  await child.said('export VAULT_ADDR')
  child.process.kill('SIGTERM')
  return child.ended
}

test.each(Object.keys(printing) as Printed[])('%s is run as it is printed', async (name) => {
  const ended = await printing[name]()
  const [, , ...words] = wordsIn(`${ended.err}${ended.out}`, beginnings[name])
  const follow = name === 'literal' ? untilServed : assay
  const followed = await follow([...words, ...(more[name] ?? [])], server ? token() : {}, home)
  expect({ words, ...followed }).toMatchObject({ code: 0 })
})

test('the command that judges a failed check again, and the one that repeats the run, find the same', async () => {
  const first = await ran(['--check', 'policies/errors/acl-create-*', '--format', 'json,markdown'], {
    mutants: ['policies/acl-policy-optional'],
  })
  expect(first.code).toBe(1)
  const [, , ...again] = wordsIn(readFileSync(join(out(), 'summary.md'), 'utf8'), advised.run('--target'))
  const { run } = JSON.parse(readFileSync(join(out(), 'result.json'), 'utf8')) as ResultDocument
  const [, , ...repeating] = wordsIn(run.conditions?.command ?? '', advised.run('--target'))
  for (const words of [again, repeating]) {
    const { code, out: shown } = await assay(words, token(), home)
    expect({ words, code, shown }).toMatchObject({
      code: 1,
      shown: expect.stringContaining('1 of 1 must checks failed'),
    })
  }
})

/** What is said about a command, and what needs values that only the reader has. */
const mentions = [
  /\b(says|why): |Made by|for this area/,
  /assertInstalled\('|needs Node/,
  /^\s*(\*|\/\/|\/\*\*|#)/,
  /^ {2}(\S+ )?(npx )?assay /,
  /completion\/scripts\.ts|render\/sample\//,
]

const advice = new RegExp(`npx assay \\w|\\b(run|by|with|let)\\b[^a-z]+assay (${Object.keys(commands).join('|')})\\b`)

test('no other text of the sources has a command to be run', () => {
  const root = resolve(import.meta.dirname, '..')
  const files = globSync('{harness,reports}/**/*.ts', { cwd: root }).filter(
    (file) =>
      !/\.test(-bed)?\.ts$|\/(bench|prove)\/|render\/sample\/|vocabulary\/advised\.ts$|render\/repeat\.ts$/.test(file),
  )
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => advice.test(line) && !mentions.some((mention) => mention.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
