import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAssay } from '../commands/child.test-bed.ts'
import { peaksOf } from '../tools/bench/process.ts'
import { sampled } from '../tools/prove/sampled.test-bed.ts'
import { patient } from './patience.test-bed.ts'
import { patientInterrupt, shorterCleanUp } from './shorter-bounds.test-bed.ts'
import { startHostileTarget } from './size-bombs.test-bed.ts'

const few = ['--check', 'mfa-identity/fields/*']
/** Large replies make checks wait for each other, so these runs have a maximum duration. */
const shortly = [
  '--check',
  'policies/errors/*',
  '--check',
  'mfa-identity/errors/*',
  '--max-duration',
  String(patient(6)),
]

const bombs = [
  ['a picture of 30 000 by 30 000 pixels, 900 secrets in each reply, 30 000 bytes of headers', few],
  ['lists of 7 MB', shortly],
  ['JSON that is opened eight million times, serial numbers of 1 MB', shortly],
] as const

test.runIf(process.platform === 'linux').each(sampled(bombs, 3))(
  'a target that sends %s keeps a run below 512 MB',
  async (names, checks) => {
    const out = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
    const target = await startHostileTarget(names.split(', '))
    try {
      const child = startAssay(['run', '--target', target.url, '--out', out, ...checks], {
        ASSAY_TOKEN: 'a-root-token',
        NODE_OPTIONS: `${shorterCleanUp} ${patientInterrupt}`,
      })
      let peak = 0
      const looking = setInterval(() => {
        peak = Math.max(peak, ...peaksOf(child.process.pid ?? 0))
      }, 50)
      const { code, err } = await child.ended
      clearInterval(looking)
      expect([1, 3, 7], err).toContain(code)
      expect(peak).toBeGreaterThan(0)
      expect(peak).toBeLessThan(512)
      expect(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).checks.length).toBeGreaterThan(5)
      expect(statSync(join(out, 'report.html')).size).toBeLessThan(20 * 1024 * 1024)
    } finally {
      await target.close()
      rmSync(out, { recursive: true })
    }
  },
)
