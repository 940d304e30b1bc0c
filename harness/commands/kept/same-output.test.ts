import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assay } from '../child.test-bed.ts'
import type { KeptName } from '../kept.ts'
import { packageRoot } from '../version.ts'

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 })

test.each<[command: string, ...needs: readonly KeptName[]]>([
  ['list --json', 'outline', 'places'],
  ['list --mutants --check policies/*', 'outline', 'mutants'],
  ['plan --json --safety disruptive', 'outline', 'touches'],
  // A command with an area reads the cache, and writes nothing to it.
  ['list --requirements --area cloud'],
  ['list --area pki --check pki/errors/* --json'],
  ['plan --area policies --policy'],
])('%s shows the same whether data are cached or computed', async (command, ...needs) => {
  const words = command.split(' ')
  // Without `assay.js`, the loaded files are not known, so nothing is cached or found.
  const { out: computed } = await assay(words)
  expect(computed.length).toBeGreaterThan(1000)
  for (const _ of needs.length > 0 ? ['computed at most once', 'cached'] : ['cached'])
    expect(run(join(packageRoot, 'harness/assay.js'), ...words)).toBe(computed)
  for (const name of needs) expect(existsSync(join(packageRoot, `node_modules/.cache/assay/${name}.json`))).toBe(true)
})
