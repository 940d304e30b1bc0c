/** The thread that judges, or the main thread, is blocked for real: nothing that runs in it can end the process. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assay, startAssay } from '../commands/child.test-bed.ts'
import { type ReferenceServer, startReference } from '../targets/mock.ts'
import { isWhole, sampled } from '../tools/prove/sampled.test-bed.ts'
import { bounds } from '../wire/bounds.ts'
import { patient } from './patience.test-bed.ts'
import { share, shorterCleanUp, shorterInterrupt } from './shorter-bounds.test-bed.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-blocked-'))
const pipe = join(folder, 'pipe')
let server: ReferenceServer
beforeAll(async () => {
  execFileSync('mkfifo', [pipe])
  server = await startReference({ testKeys: true })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const blocks = {
  loop: 'for (;;) ;',
  pipe: `process.getBuiltinModule('node:fs').openSync(${JSON.stringify(pipe)})`,
  regex: `;/^(?:a+)+$/.test('a'.repeat(60) + 'b')`,
}

/** Loaded by each process and thread. Blocks the given thread of the process that judges once the journal of the run has
 * some lines, and tells by a file that it does. */
const blocker = (out: string, code: string, isMain: boolean): string => `
  import { globSync, readFileSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { isMainThread } from 'node:worker_threads'
  const out = ${JSON.stringify(out)}
  if (isMainThread === ${isMain} && (!isMainThread || process.send)) {
    const looking = setInterval(() => {
      const [journal] = globSync('journal-*', { cwd: out })
      if (!journal || readFileSync(join(out, journal), 'utf8').split('\\n').length < 20) return
      clearInterval(looking)
      writeFileSync(join(out, 'blocked'), '')
      ${code}
    }, 5)
    looking.unref()
  }
`

const some = ['--check', 'policies/transitions/*']
let count = 0
async function blockedRun(how: keyof typeof blocks, thread: 'main' | 'checks', ...args: readonly string[]) {
  const out = join(folder, `out-${++count}`)
  const module = join(folder, `block-${count}.mjs`)
  writeFileSync(module, blocker(out, blocks[how], thread === 'main'))
  const named = ['run', '--target', server.url, ...some, '--max-rps', '100', '--out', out]
  const child = startAssay([...named, ...args], {
    ASSAY_TOKEN: server.rootToken,
    NODE_OPTIONS: `${thread === 'main' ? shorterInterrupt : shorterCleanUp} --import ${module}`,
  })
  await expect.poll(() => existsSync(join(out, 'blocked')), { interval: 20 }).toBe(true)
  return { child, out }
}

const slack = patient(4)
/** The bound on an interrupt of a process whose main thread is blocked, in seconds. */
const interrupt = bounds.interrupt.value * share
const secondsSince = (start: number): number => (performance.now() - start) / 1000

test.concurrent.each(sampled(['loop', 'pipe', 'regex'] as const, 3, 1))(
  'a second signal ends a run at once (%s)',
  async (how) => {
    const { child, out } = await blockedRun(how, 'main')
    child.process.kill('SIGTERM')
    child.process.kill('SIGHUP')
    const start = performance.now()
    const { code, err } = await child.ended
    expect({ code, isSoon: secondsSince(start) < slack }).toEqual({ code: 130, isSoon: true })
    expect(err.split('\n').slice(-4)).toEqual([
      'assay: ended by force',
      `assay: what was judged becomes reports by: npx assay render ${out}`,
      `assay: what it left on the target is taken back by: npx assay clean --target ${server.url} --out ${out}`,
      '',
    ])
    for (const [, words = ''] of err.matchAll(/by: npx assay (.*)$/gm))
      expect(await assay(words.split(' '), { ASSAY_TOKEN: server.rootToken })).toMatchObject({ code: 0 })
  },
)

// `supervisor.test.ts` sends each of the signals to a process that does not end.
test.runIf(isWhole)('one SIGINT ends a run within its bound', async () => {
  const { child } = await blockedRun('pipe', 'main')
  const start = performance.now()
  child.process.kill('SIGINT')
  expect((await child.ended).code).toBe(130)
  expect(secondsSince(start)).toBeLessThan(interrupt + slack)
})

test.concurrent('--max-duration ends a run within its bound', async () => {
  const start = performance.now()
  // On a busy machine, a run takes longer until it has a journal and is blocked.
  const seconds = patient(8)
  const { child } = await blockedRun('pipe', 'main', '--max-duration', String(seconds))
  expect((await child.ended).code).toBe(3)
  expect(secondsSince(start)).toBeLessThan(seconds + interrupt + slack)
})

test.concurrent('a run whose thread of checks is blocked ends, and reports', async () => {
  const { child, out } = await blockedRun('pipe', 'checks')
  child.process.kill('SIGTERM')
  const start = performance.now()
  expect((await child.ended).code).toBe(130)
  expect(secondsSince(start)).toBeLessThan(bounds.interrupt.value + slack)
  expect(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).run.interrupted).toBe(true)
})

test.runIf(process.platform === 'linux')('a killed supervisor leaves no process behind', async () => {
  const out = join(folder, 'orphan')
  const args = ['run', '--target', server.url, ...some, '--max-rps', '50', '--out', out]
  const child = startAssay(args, { ASSAY_TOKEN: server.rootToken })
  await expect.poll(() => globSync('journal-*', { cwd: out }).length).toBe(1)
  child.process.kill('SIGKILL')
  await child.ended
  const [pid] = readFileSync(join(out, 'assay.lock'), 'utf8').split(' ')
  await expect
    .poll(() => existsSync(`/proc/${pid}`) && / [^ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').slice(-400)))
    .toBe(false)
})

const recording = { schema: 'assay/recording/1', target: 'x', recordedAt: '2026-01-01T00:00:00Z', answers: [] }
writeFileSync(join(folder, 'recording.json'), JSON.stringify(recording))

const others: readonly (readonly [string, ...string[]])[] = [
  ['serve', '--port', '0'],
  ['provider', '--port', '0'],
  ['replay', folder, '--port', '0'],
  ['selftest'],
]
test.concurrent.each(sampled(others, 4))(
  'a second signal ends a blocked `%s` at once, and no process is left',
  async (command, ...args) => {
    const module = join(folder, `block-${command}.mjs`)
    const mark = join(folder, `blocked-${command}`)
    writeFileSync(
      module,
      `if (process.send && process.getBuiltinModule('node:worker_threads').isMainThread) setTimeout(() => {
        process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(mark)}, String(process.pid))
        for (;;) ;
      }, 1500)`,
    )
    const child = startAssay([command, ...args], { NODE_OPTIONS: `--import ${module}` })
    const blocked = () => (existsSync(mark) ? Number(readFileSync(mark, 'utf8')) : 0)
    await expect.poll(blocked, { interval: 20 }).toBeGreaterThan(0)
    child.process.kill('SIGINT')
    child.process.kill('SIGTERM')
    const start = performance.now()
    expect((await child.ended).code).toBe(130)
    expect(secondsSince(start)).toBeLessThan(slack)
    expect(() => process.kill(blocked(), 0)).toThrow('ESRCH')
  },
)

test('a signal ends a command that is busy with a document', async () => {
  const module = join(folder, 'block-render.mjs')
  const mark = join(folder, 'blocked-render')
  writeFileSync(
    module,
    `setTimeout(() => {
      process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(mark)}, '')
      for (;;) ;
    })`,
  )
  const child = startAssay(['render', join(folder, 'none.json')], { NODE_OPTIONS: `--import ${module}` })
  await expect.poll(() => existsSync(mark), { interval: 20 }).toBe(true)
  child.process.kill('SIGINT')
  expect((await child.ended).code).toBeNull()
})
