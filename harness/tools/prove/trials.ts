/** Tests that play a sample in `npm test`, or use up only a part of the bounds on time, and everything if `ASSAY_TRIALS` is
 * set: hostile and faultless servers, and processes that are killed many times. They belong to no area. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

export const trialFiles: readonly string[] = [
  'harness/api-schemas.test.ts',
  'harness/cli-bounds.test.ts',
  'harness/commands/hostile-documents.test.ts',
  'harness/mutation/constant-servers.test.ts',
  'harness/mutation/one-sentence.test.ts',
  'harness/page-commands.test.ts',
  'harness/patterns.test.ts',
  'harness/spelling/spellings.test.ts',
  'harness/spelling/unsteady.test.ts',
  'harness/whole-runs/blocked-run.test.ts',
  'harness/whole-runs/canary.test.ts',
  'harness/whole-runs/faultless.test.ts',
  'harness/whole-runs/gateways.test.ts',
  'harness/whole-runs/hostile-server.test.ts',
  'harness/whole-runs/hostile-target.test.ts',
  'harness/whole-runs/least-policy.test.ts',
  'harness/whole-runs/literal.test.ts',
  'harness/whole-runs/nodes.test.ts',
  'harness/whole-runs/outages.test.ts',
  'harness/whole-runs/shared-clusters.test.ts',
  'harness/whole-runs/shared-ground.test.ts',
  'harness/whole-runs/size-bombs.test.ts',
  'mock-server/engines/cloud/cut-points.test.ts',
  'mock-server/engines/replication/cut-points.test.ts',
  'mock-server/kernel/state/killed.test.ts',
  'reports/render/html/page.test.ts',
]

/** Runs them in a process of their own, and returns whether all have passed. */
export async function runTrials(signal: AbortSignal): Promise<boolean> {
  const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))
  const child = spawn(process.execPath, [join(vitest, 'vitest.mjs'), 'run', ...trialFiles], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: { ...process.env, ASSAY_TRIALS: 'all' },
    stdio: 'inherit',
    signal,
  })
  const [code] = await once(child, 'close').catch(() => [1])
  return code === 0
}
