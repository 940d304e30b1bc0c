/** Runs each command that Assay tells its users to run, exactly as it was printed. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assay, assayProcess, type Ended } from './commands/child.test-bed.ts'
import { type ReferenceOptions, type ReferenceServer, startReference } from './targets/mock.ts'
import { advised } from './vocabulary/index.ts'

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

/** `blocked-run.test.ts` runs the command that a run prints which is ended by force. */
type Printed = Exclude<keyof typeof advised, 'render'>

/** What makes Assay print each command. All of them succeed. */
const printing: Readonly<Record<Printed, () => Promise<Ended>>> = {
  run: () => ran(one, { nodes: 2, standbys: 'read' }),
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

test.each(Object.keys(printing) as Printed[])('%s is run as it is printed', async (name) => {
  const ended = await printing[name]()
  const [, , ...words] = wordsIn(`${ended.err}${ended.out}`, beginnings[name])
  const followed = await assayProcess(words, server ? token() : {}, home)
  expect({ words, ...followed }).toMatchObject({ code: 0 })
})

/** What is said about a command, and what needs values that only the reader has. */
const mentions = [/\bsays: /, /assertInstalled\('/, /^\s*(\*|\/\/|\/\*\*)/, /^ {2}(\S+ )?(npx )?assay /]

test('no other text of the sources has a command to be run', () => {
  const root = resolve(import.meta.dirname, '..')
  const files = globSync('{harness,reports}/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test(-bed)?\.ts$|\/(bench|prove)\/|sample-|vocabulary\/advised\.ts$/.test(file),
  )
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => /npx assay (?!run --check)\w/.test(line) && !mentions.some((mention) => mention.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
