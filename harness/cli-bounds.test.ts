import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assay, startAssay } from './commands/child.test-bed.ts'
import { type HostileFront, type Hostility, hostileFront, hostilities } from './commands/hostile-front.test-bed.ts'
import { type ReferenceServer, startReference } from './targets/mock.ts'
import { sampled } from './tools/prove/sampled.test-bed.ts'
import type { ResultDocument } from './vocabulary/index.ts'
import { Interrupted } from './way/interruptions.ts'
import { patient } from './whole-runs/patience.test-bed.ts'
import { share, shortenCleanUpHere, shorterCleanUp } from './whole-runs/shorter-bounds.test-bed.ts'
import { bounds } from './wire/bounds.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-bounds-'))
let server: ReferenceServer
const fronts: HostileFront[] = []
let ran = 0
let lengthenAgain = () => {}

beforeAll(async () => {
  lengthenAgain = shortenCleanUpHere()
  server = await startReference({ rootToken: 's.root-token-of-these-tests' })
})
afterAll(async () => {
  lengthenAgain()
  for (const front of fronts) await front.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

/** The number of requests to forward: those of the probe and of the first checks. */
const good = 80
const some = ['--check', 'policies/transitions/*']

const env = () => ({ ASSAY_TOKEN: server.rootToken, NODE_OPTIONS: shorterCleanUp })
/** The clean-up and the report may take this long, in seconds. */
const ending = bounds.takeBack.value * share + 6
/** An interrupt may take this long, in ms, with the end of the process. */
const longest = patient((ending + 2) * 1000)
/** Runs may judge this long, in seconds. It is enough for the probe and the requests that are forwarded. */
const judging = patient(8)

/** Returns a command that runs on a target that turns hostile, and what the run asks and writes. */
async function runOn(act: Hostility, passed: number, ...flags: string[]) {
  const front = await hostileFront(server.url, passed, act)
  fronts.push(front)
  const out = join(folder, `out-${++ran}`)
  const profile = `${out}.yaml`
  writeFileSync(profile, `url: ${front.url}\noutageSeconds: 3\n`)
  const args = ['run', '--profile', profile, ...some, '--format', 'json', '--out', out, ...flags]
  const result = (): ResultDocument => JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'))
  return { args, out, result, profile, url: front.url, asked: front.asked }
}

/** Runs in a process of its own, for tests that send signals to it. */
async function runAgainst(...on: Parameters<typeof runOn>) {
  const run = await runOn(...on)
  return { ...run, child: startAssay(run.args, env()) }
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

test.concurrent('--max-duration ends a run on a target that sends one byte a second', async () => {
  const { child, result, profile, out } = await runAgainst(hostilities.drips, good, '--max-duration', `${judging}s`)
  await child.said(`the run had ${judging} s, and they are over: cleaning up first`)
  const over = performance.now()
  const { code, err } = await child.ended
  expect(performance.now() - over).toBeLessThan(longest)
  const { checks, leftBehind, run } = result()
  expect({ code, interrupted: run.interrupted }).toEqual({ code: 7, interrupted: false })
  expect(leftBehind.length).toBeGreaterThan(0)
  expect(err).toContain(`npx assay clean --profile ${profile} --out ${out}`)
  const late = checks.filter(({ blocker }) => blocker?.kind === 'time')
  expect(late.length).toBeGreaterThan(10)
  expect(late[0]).toMatchObject({
    verdict: 'not-verified',
    blocker: { mend: expect.stringContaining('--max-duration') },
  })
  expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
})

test.concurrent('a target that resets every connection gets no more requests', async () => {
  const { args, result, asked } = await runOn(hostilities.resets, good)
  const { code } = await assay(args, env())
  expect(code).toBe(7)
  const { checks } = result()
  const spared = checks.filter(({ blocker }) => blocker?.kind === 'failing-target')
  expect(spared.length).toBeGreaterThan(10)
  expect(new Set(spared.map(({ blocker }) => blocker?.reason)).size).toBe(1)
  expect(asked.length).toBeLessThan(good + 200)
})

test.concurrent('judging continues on a target that cuts off one request and serves the others', async () => {
  const isServed = (head: string) => !head.startsWith('POST /v1/sys/policies/rgp/')
  const front = await hostileFront(server.url, 0, hostilities.resets, isServed)
  fronts.push(front)
  const out = join(folder, `out-${++ran}`)
  const args = ['run', '--target', front.url, ...some, '--format', 'json', '--out', out]
  const { code } = await assay(args, env())
  const { checks, counts } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as ResultDocument
  expect(code).toBe(1)
  expect(checks.filter(({ blocker }) => blocker?.kind === 'failing-target')).toEqual([])
  expect(counts).toMatchObject({ pass: expect.toSatisfy((passed: number) => passed > 10), error: 0 })
  const failed = checks.filter(({ verdict }) => verdict === 'fail')
  expect(failed.length).toBeGreaterThan(0)
  for (const { mismatches } of failed)
    expect(mismatches?.[0]).toMatchObject({ asked: expect.stringMatching(/^POST sys\/policies\/rgp\//) })
})

test.concurrent('Ctrl-C ends a run on a target that hangs, and then a clean-up, and the journal stays', async () => {
  const { child, out, profile, url, asked } = await runAgainst(hostilities.hangs, good)
  await until(() => asked.length > good)
  const pressed = performance.now()
  child.process.kill('SIGINT')
  const { code, err } = await child.ended
  expect(code).toBe(130)
  expect(performance.now() - pressed).toBeLessThan(longest)
  expect(err).toContain('a second Ctrl-C ends at once, and leaves the rest to:')
  expect(err).toContain(
    `names what was left; this command tries to clean it up:\n  npx assay clean --profile ${profile} --out ${out}`,
  )
  expect(globSync('journal-*', { cwd: out })).toHaveLength(1)
  const before = asked.length
  const cleaning = startAssay(['clean', '--target', url, '--out', out], env())
  await until(() => asked.length > before)
  const pressedAgain = performance.now()
  cleaning.process.kill('SIGINT')
  expect((await cleaning.ended).code).toBe(130)
  expect(performance.now() - pressedAgain).toBeLessThan(patient(10_000))
  expect(globSync('journal-*', { cwd: out })).toHaveLength(1)
})

// Runs in this process are measured one at a time, because they would wait for each other's work.
test.each(sampled(['drips', 'throttles for a day', 'resets'] as const, 3))(
  'an interrupt ends a run on a target that %s',
  async (name) => {
    const { args, asked } = await runOn(hostilities[name], good)
    const stop = new AbortController()
    const ended = assay(args, env(), undefined, stop.signal)
    await until(() => asked.length > good)
    const pressed = performance.now()
    stop.abort(new Interrupted())
    expect((await ended).code).toBe(130)
    expect(performance.now() - pressed).toBeLessThan(longest)
  },
)

test.each(sampled(['throttles for a day', 'closes', 'is busy', 'hangs'] as const, 4))(
  '--max-duration ends a run on a target that %s',
  async (name) => {
    const { args, result } = await runOn(hostilities[name], good, '--max-duration', String(judging))
    const { code } = await assay(args, env())
    const { checks, leftBehind, run } = result()
    expect(code).toBe(leftBehind.length > 0 ? 7 : 3)
    expect(run.durationMs).toBeLessThan((judging + patient(ending)) * 1000)
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(checks.some(({ verdict }) => verdict === 'not-verified')).toBe(true)
  },
)

test.concurrent('--max-duration ends a run behind a proxy that swallows LIST', async () => {
  const front = await hostileFront(server.url, 0, hostilities.hangs, (head) => !head.startsWith('LIST '))
  fronts.push(front)
  const out = join(folder, `out-${++ran}`)
  const args = ['run', '--target', front.url, ...some, '--format', 'json', '--out', out]
  const { code } = await assay([...args, '--max-duration', String(judging)], env())
  expect(code).toBe(3)
})

// `blocked-run.test.ts` sends two signals to a run, of which the second one ends it at once.
test.concurrent('a probe shows what it waits for, and ends with Ctrl-C', async () => {
  const { child } = await runAgainst(hostilities.hangs, 0)
  await child.said('waiting for GET sys/health (')
  const pressed = performance.now()
  child.process.kill('SIGINT')
  expect((await child.ended).code).toBe(130)
  expect(performance.now() - pressed).toBeLessThan(patient(10_000))
})

test.concurrent('a target that never replies cannot be reached', async () => {
  const { args, asked } = await runOn(hostilities.hangs, 0, '--max-duration', '1')
  const { code, err } = await assay(args, env())
  expect({ code, asked }).toEqual({ code: 5, asked: ['GET /v1/sys/health'] })
  expect(err).toContain('cannot be reached: cut off: the run had 1 s, and they are over')
})
