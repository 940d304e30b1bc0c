/** A run against a server that is hostile in each way that we know. `ASSAY_TRIALS` is set by `npm run prove`, and plays each
 * way alone. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { peaksOf } from './bench/process.ts'
import { startAssay } from './commands/child.test-bed.ts'
import { plainReply, shapes, startHostileServer } from './hostile-server.test-bed.ts'
import type { ResultDocument } from './vocabulary/index.ts'
import { bounds } from './wire/bounds.ts'

const names = Object.keys(shapes)
const seconds = 10
const checks = ['policies/errors/*', 'mfa-identity/errors/*', 'pki/errors/*'].flatMap((glob) => ['--check', glob])

async function ranAgainst(played: readonly string[]) {
  const out = mkdtempSync(join(tmpdir(), 'assay-hostile-server-'))
  const server = await startHostileServer(played)
  try {
    const profile = ['--timeout', '3', '--jobs', '8', '--max-duration', String(seconds)]
    const child = startAssay(['run', '--target', server.url, '--out', out, ...profile, ...checks], {
      ASSAY_TOKEN: 'a-root-token',
    })
    let peak = 0
    const looking = setInterval(() => {
      peak = Math.max(peak, ...peaksOf(child.process.pid ?? 0))
    }, 50)
    const ended = await child.ended
    clearInterval(looking)
    const result: ResultDocument = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'))
    return { ...ended, peak, result, counts: server.counts }
  } finally {
    await server.close()
    rmSync(out, { recursive: true })
  }
}

const measured: string[] = []
afterAll(() => {
  if (process.env.ASSAY_TRIALS)
    process.stdout.write(`| way | MB at most | seconds |\n|---|---|---|\n${measured.join('')}`)
})

async function assertBounded(played: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { code, err, peak, result, counts } = await ranAgainst(played)
  const way = played.length === 1 ? played[0] : 'most ways in turn'
  measured.push(`| ${way} | ${Math.round(peak)} | ${(result.run.durationMs / 1000).toFixed(1)} |\n`)
  expect([0, 1, 3, 5, 7], err).toContain(code)
  expect(peak).toBeLessThan(512)
  // The machine may be busy, so the bound of the page is not measured to the second.
  expect(result.run.durationMs).toBeLessThan((seconds + bounds.interrupt.value) * 1000)
  return counts
}

test('there are at least 60 ways', () => {
  expect(names.length).toBeGreaterThanOrEqual(60)
})

/** These cost the whole timeout of a reply. */
const slow = /hang|drip|end(?:less)?$|throttle|without an end|one byte|cut off|busy|wait|date/

test.runIf(process.platform === 'linux')('most ways in turn, between plain replies', async () => {
  const quick = names.filter((name) => !slow.test(name))
  const counts = await assertBounded(quick.flatMap((name) => [name, plainReply, plainReply]))
  expect(quick.length).toBeGreaterThan(50)
  expect(counts.size).toBeGreaterThan(25)
})

test.runIf(process.env.ASSAY_TRIALS).each(names)('%s, in each reply', async (name) => {
  expect((await assertBounded([name])).get(name)).toBeGreaterThan(0)
})
