import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { KeptName } from '../kept.ts'
import { packageRoot } from '../version.ts'

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 })

/** Without `assay.js`, the loaded files are not known, so nothing is cached or found. */
const withoutNotes = `
  import { main } from ${JSON.stringify(join(packageRoot, 'harness/cli.ts'))}
  await main(process.argv.slice(1))`

test.each<[command: string, ...needs: readonly KeptName[]]>([
  ['list --json', 'outline', 'places'],
  ['list --mutants --check policies/*', 'outline', 'mutants'],
  ['plan --json --safety disruptive', 'outline', 'touches'],
  // A command with an area reads the cache, and writes nothing to it.
  ['list --requirements --area cloud'],
  ['list --area pki --check pki/errors/* --json'],
  ['plan --area policies --policy'],
])('%s shows the same whether data are cached or computed', (command, ...needs) => {
  const words = command.split(' ')
  const computed = run('--input-type=module', '-e', withoutNotes, '--', ...words)
  expect(computed.length).toBeGreaterThan(1000)
  for (const _ of ['computed at most once', 'cached'])
    expect(run(join(packageRoot, 'harness/assay.js'), ...words)).toBe(computed)
  for (const name of needs) expect(existsSync(join(packageRoot, `node_modules/.cache/assay/${name}.json`))).toBe(true)
})
