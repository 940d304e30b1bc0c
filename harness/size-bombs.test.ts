import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAssay } from './commands/child.test-bed.ts'
import { startHostileTarget } from './size-bombs.test-bed.ts'

const peakOf = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

test.runIf(process.platform === 'linux')(
  'a target that sends bombs keeps a run below 512 MB',
  async () => {
    const out = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
    const target = await startHostileTarget([
      'a picture of 30 000 by 30 000 pixels',
      '900 secrets in each reply',
      '40 000 bytes of headers',
    ])
    try {
      const checks = ['--check', 'mfa-identity/fields/*']
      const child = startAssay(['run', '--target', target.url, '--out', out, ...checks], {
        ASSAY_TOKEN: 'a-root-token',
      })
      let peak = 0
      const looking = setInterval(() => {
        peak = Math.max(peak, peakOf(child.process.pid ?? 0))
      }, 50)
      const { code, err } = await child.ended
      clearInterval(looking)
      expect([1, 3], err).toContain(code)
      expect(peak).toBeGreaterThan(0)
      expect(peak).toBeLessThan(512)
      expect(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).checks.length).toBeGreaterThan(5)
      expect(statSync(join(out, 'report.html')).size).toBeLessThan(20 * 1024 * 1024)
    } finally {
      await target.close()
      rmSync(out, { recursive: true })
    }
  },
  180_000,
)
