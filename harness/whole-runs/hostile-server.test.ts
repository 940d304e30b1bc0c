/** A run against a server that is hostile in each way that we know. `ASSAY_TRIALS` is set by `npm run prove`, and plays each
 * way alone. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { assay, startAssay } from '../commands/child.test-bed.ts'
import { peaksOf } from '../tools/bench/process.ts'
import { bounds } from '../wire/bounds.ts'
import { plainReply, shapes, startHostileServer } from './hostile-server.test-bed.ts'
import { patient } from './patience.test-bed.ts'
import { shorterCleanUp } from './shorter-bounds.test-bed.ts'

const names = Object.keys(shapes)
const seconds = Math.ceil(patient(10))
/** So that most ways are played, even beside other tests. */
const secondsForAll = 2 * seconds
const checks = ['policies/errors/*', 'mfa-identity/errors/*', 'pki/errors/*'].flatMap((glob) => ['--check', glob])

async function ranAgainst(played: readonly string[], seconds: number) {
  const out = mkdtempSync(join(tmpdir(), 'assay-hostile-server-'))
  const server = await startHostileServer(played)
  try {
    const profile = ['--timeout', '3', '--jobs', '8', '--max-duration', String(seconds)]
    const child = startAssay(['run', '--target', server.url, '--out', out, ...profile, ...checks], {
      ASSAY_TOKEN: 'a-root-token',
      NODE_OPTIONS: shorterCleanUp,
    })
    let peak = 0
    const looking = setInterval(() => {
      peak = Math.max(peak, ...peaksOf(child.process.pid ?? 0))
    }, 50)
    const started = performance.now()
    const ended = await child.ended
    const ms = performance.now() - started
    clearInterval(looking)
    // On a busy machine, a run may have to be ended by force, and then `assay render` writes what was judged.
    if (ended.err.includes('ended by force')) expect((await assay(['render', out])).code).toBe(0)
    expect(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).checks.length).toBeGreaterThan(0)
    return { ...ended, peak, ms, counts: server.counts }
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

async function assertBounded(played: readonly string[], longest = seconds): Promise<ReadonlyMap<string, number>> {
  const { code, err, peak, ms, counts } = await ranAgainst(played, longest)
  const way = played.length === 1 ? played[0] : 'most ways in turn'
  measured.push(`| ${way} | ${Math.round(peak)} | ${(ms / 1000).toFixed(1)} |\n`)
  expect([0, 1, 3, 5, 7], err).toContain(code)
  expect(peak).toBeLessThan(512)
  // The time that the two processes need to start and to end comes on top.
  expect(ms / 1000).toBeLessThan(longest + bounds.interrupt.value + patient(6))
  return counts
}

test('there are at least 60 ways', () => {
  expect(names.length).toBeGreaterThanOrEqual(60)
})

/** These cost the whole timeout of a reply. */
const slow = /hang|drip|end(?:less)?$|throttle|without an end|one byte|cut off|busy|wait|date/

test.runIf(process.platform === 'linux')('most ways in turn, between plain replies', async () => {
  const quick = names.filter((name) => !slow.test(name))
  const counts = await assertBounded(
    quick.flatMap((name) => [name, plainReply, plainReply]),
    Math.round(patient(secondsForAll)),
  )
  expect(quick.length).toBeGreaterThan(50)
  expect(counts.size).toBeGreaterThan(25)
})

/** Most of these runs wait for replies that never come whole. */
test.runIf(process.env.ASSAY_TRIALS).concurrent.each(names)('%s, in each reply', async (name) => {
  expect((await assertBounded([name])).get(name)).toBeGreaterThan(0)
})
