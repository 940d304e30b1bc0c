/** Runs that end with the first failure, and runs of what failed last. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assay } from '../commands/child.test-bed.ts'
import { type ReferenceServer, startReference } from '../targets/mock.ts'
import type { ResultDocument } from '../vocabulary/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-failing-'))
let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ mutants: ['policies/acl-policy-optional'] })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const out = join(folder, 'out')
const run = (...more: readonly string[]) =>
  assay(['run', server.url, '--format', 'json', '--out', out, ...more], { ASSAY_TOKEN: server.rootToken })
const result = (): ResultDocument => JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'))

test('--fail-fast ends the run after a failure, and --last-failed judges that again', async () => {
  const before = server.inventory()
  const { code, err } = await run('--check', 'policies/errors/*', '--jobs', '1', '--fail-fast')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('a check failed, and --fail-fast ends the run'),
  })
  const { checks, leftBehind, run: made } = result()
  const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(failed.length).toBeGreaterThan(0)
  expect(checks.filter(({ blocker }) => blocker?.code === 'failed-fast').length).toBeGreaterThan(5)
  expect([leftBehind, made.interrupted, server.inventory()]).toEqual([[], false, before])

  expect((await run('--last-failed')).code).toBe(1)
  expect(result().checks.map(({ id }) => id)).toEqual(failed)
  expect((await run('--last-failed', '--area', 'pki')).err).toContain('--area and --check select none of the')
})
