import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assayProcess } from '../commands/child.test-bed.ts'
import { packageRoot } from '../commands/version.ts'
import { childEnvironment } from './child-environment.ts'

test('only what a program needs is passed on', () => {
  const env = { PATH: '/bin', HOME: '/root', ASSAY_TOKEN: 'secret', HTTPS_PROXY: 'http://me:secret@proxy', CI: 'true' }
  expect(childEnvironment(env)).toEqual({ PATH: '/bin', HOME: '/root' })
})

test.runIf(existsSync('/proc/self/environ') && existsSync(join(packageRoot, '.git')))(
  'the git that a run starts has no token in its environment',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-environ-'))
    try {
      const seen = join(folder, 'seen')
      writeFileSync(join(folder, 'git'), `#!/bin/sh\ncat /proc/$$/environ >> '${seen}'\necho 0123\n`)
      chmodSync(join(folder, 'git'), 0o755)
      const { code } = await assayProcess(
        ['run', '--check', 'policies/errors/acl-create-*', '--out', join(folder, 'out')],
        {
          PATH: `${folder}:${process.env.PATH}`,
          ASSAY_TOKEN: 'hvs.a-token-of-an-operator',
          VAULT_TOKEN: 'hvs.another-token',
          NODE_OPTIONS: '--no-deprecation',
        },
      )
      expect(code).toBe(0)
      const variables = readFileSync(seen, 'utf8').split('\0').filter(Boolean)
      expect(variables.some((one) => one.startsWith('PATH='))).toBe(true)
      expect(variables.filter((one) => /^(?:\w*TOKEN|ASSAY\w*|NODE_OPTIONS)=|hvs\./.test(one))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test('no other module of the package starts programs', () => {
  const starters = globSync('{harness,reports,suites,fixtures,mock-server}/**/*.ts', { cwd: packageRoot })
    .filter((file) => !/\.(test|test-bed)\.ts$/.test(file) && !file.startsWith('harness/tools/'))
    .filter((file) => readFileSync(join(packageRoot, file), 'utf8').includes("from 'node:child_process'"))
  // The supervisor starts this program itself. `assay open` and the tests of pages start a browser.
  expect(starters.toSorted()).toEqual([
    'harness/commands/open.ts',
    'harness/commands/version.ts',
    'harness/supervisor.ts',
    'reports/chromium.ts',
  ])
})
