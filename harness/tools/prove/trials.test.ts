import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { trialFiles } from './trials.ts'

const root = resolve(import.meta.dirname, '../../..')

test('the trials are exactly the tests that play more if they are asked to', () => {
  const files = globSync('{harness,suites,fixtures,mock-server,reports}/**/*.test.ts', { cwd: root })
  const asked = files.filter((file) =>
    /process\.env\.ASSAY_TRIALS|import \{[^}]*\b(?:isWhole|sampled|shorterCleanUp)\b[^}]*\} from/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  expect(asked.toSorted()).toEqual(trialFiles)
})
