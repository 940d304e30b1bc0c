import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerFrom, type Scripted, scriptedServer } from '../wire/scripted-server.ts'
import { type Order, type Outcome, runExample } from './example/run-example.ts'

/** Runs the example in a process of its own, and returns also what it printed besides its outcome. */
function runInChild(order: Order, env: NodeJS.ProcessEnv = process.env): Promise<Outcome & { printed: string }> {
  const script = fileURLToPath(new URL('./example/run-example.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, JSON.stringify(order)], { env })
    let out = ''
    let printed = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      printed += chunk
    })
    child.on('error', reject)
    child.on('close', () => {
      const at = out.indexOf('{"results"')
      if (at < 0) reject(new Error(`no outcome: ${out}${printed}`))
      else resolve({ ...JSON.parse(out.slice(at)), printed: out.slice(0, at) + printed })
    })
  })
}

let server: Scripted
let stop: AbortController | undefined
let quickIsAsked = () => {}
let quick: Promise<void> | undefined
const things = new Map<string, string>()
beforeAll(async () => {
  server = await scriptedServer((asked, response) => {
    const { path } = asked
    if (path.endsWith('quick')) quickIsAsked()
    const answer = () => answerFrom(things, asked, response)
    if (!path.endsWith('slow')) return answer()
    if (stop) {
      stop.abort()
      return setTimeout(answer, 1000)
    }
    return quick ? quick.then(() => setTimeout(answer, 200)) : answer()
  })
})
afterAll(() => server.close())

const all = ['kept', 'wrong-status', 'defect', 'twin-refused', 'slow']

test.each([
  ['topic by topic', false],
  ['as many at once as the target bears', true],
])('judges the selected checks under vitest, %s, and prints nothing', async (_how, adaptsJobs) => {
  const outcome = await runInChild({ url: server.url, checks: all, adaptsJobs })
  const { results, live, executed, interrupted, leftBehind, unhandled, secrets, printed } = outcome
  const { adapted, measured } = outcome
  expect(adapted).toEqual(adaptsJobs ? { fewest: expect.any(Number), most: expect.any(Number) } : undefined)
  expect(measured).toEqual([])
  expect(results.map(({ id, verdict }) => [id.split('/').at(-1), verdict])).toEqual([
    ['kept', 'pass'],
    ['wrong-status', 'fail'],
    ['defect', 'error'],
    ['twin-refused', 'not-verified'],
    ['slow', 'pass'],
  ])
  expect(live.toSorted()).toEqual(results.map(({ id }) => id).toSorted())
  expect({ executed, interrupted, leftBehind, unhandled, printed }).toEqual({
    ...{ executed: 5, interrupted: false, leftBehind: [], unhandled: [], printed: '' },
  })
  expect(secrets).toContain('planted-token-0003')
  expect(JSON.stringify(results)).not.toContain('planted-token-0003')
  expect(things.size).toBe(0)
})

test('a check is told as soon as it is judged, although vitest reaches its file later', async () => {
  quick = new Promise((resolve) => {
    quickIsAsked = resolve
  })
  const { live } = await runExample({ url: server.url, checks: ['slow'], adaptsJobs: true, isWithQuick: true })
  quick = undefined
  expect(live).toEqual(['cloud/errors-quick/quick', 'policies/errors-example/slow'])
})

test.each([
  [true, ['kept', 'quick']],
  ['first', ['quick', 'kept']],
] as const)('topics are judged in their order, however large their files are', async (isWithQuick, wanted) => {
  const { live } = await runExample({ url: server.url, checks: ['kept'], isWithQuick })
  expect(live.map((id) => id.split('/').at(-1))).toEqual(wanted)
})

test('a worker judges its own target, and reports what is left behind there', async () => {
  const { results, leftBehind, unhandled } = await runExample({
    url: server.url,
    checks: ['kept', 'slow'],
    own: { left: ['a mount was left'] },
  })
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
  expect({ leftBehind, unhandled }).toEqual({ leftBehind: ['a mount was left'], unhandled: [] })
})

test('a target whose inventory cannot be taken counts as not clean', async () => {
  const { results, leftBehind, unhandled } = await runExample({
    url: server.url,
    checks: ['kept'],
    own: { left: null },
  })
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass'])
  expect({ leftBehind, unhandled }).toEqual({
    leftBehind: ['unknown objects, because the inventory of a reference server failed: it does not answer'],
    unhandled: [],
  })
})

test('several workers judge different areas at the same time, each on a target of its own', async () => {
  quick = new Promise((resolve) => {
    quickIsAsked = resolve
  })
  const { results, leftBehind, unhandled } = await runExample({
    ...{ url: server.url, checks: ['slow', 'kept'], isWithQuick: true },
    own: { left: ['a mount was left'], workers: 2 },
  })
  quick = undefined
  // The reply for `slow` comes only once `quick` has asked.
  expect(results.map(({ id, verdict }) => `${id.split('/').at(-1)} ${verdict}`)).toEqual([
    'slow pass',
    'kept pass',
    'quick pass',
  ])
  expect({ leftBehind, unhandled }).toEqual({ leftBehind: ['a mount was left', 'a mount was left'], unhandled: [] })
})

test('a second run adds nothing to the compile cache', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-compiled-'))
  const kept = () => readdirSync(folder, { recursive: true }).length
  const run = () => runInChild({ url: server.url, checks: ['kept'] }, { ...process.env, NODE_COMPILE_CACHE: folder })
  await run()
  const first = kept()
  await run()
  expect(first).toBeGreaterThan(100)
  expect(kept()).toBe(first)
  rmSync(folder, { recursive: true })
})

test('if nothing is selected, nothing is executed', async () => {
  const { results, executed } = await runExample({ url: server.url, checks: [] })
  expect({ results, executed }).toEqual({ results: [], executed: 0 })
})

test('a shard without topics has no results', async () => {
  const { executed } = await runExample({ url: server.url, checks: all, shard: { index: 2, of: 2 } })
  expect(executed).toBe(0)
})

test('after an interrupt, no further check starts', async () => {
  stop = new AbortController()
  const { results, interrupted } = await runExample({ url: server.url, checks: all, jobs: 1 }, stop.signal)
  stop = undefined
  expect(interrupted).toBe(true)
  expect(results).toHaveLength(5)
  expect(results.filter(({ blocker }) => blocker?.kind === 'interrupted').length).toBeGreaterThanOrEqual(4)
  expect(things.size).toBe(0)
})

test('a topic that cannot be imported is reported as an error, and the others are judged', async () => {
  const order = { url: server.url, checks: all, file: 'missing-topic.ts', isWithQuick: true }
  const { unhandled, executed, results } = await runExample(order)
  expect([executed, results.map(({ id }) => id)]).toEqual([1, ['cloud/errors-quick/quick']])
  expect(unhandled).toContainEqual(expect.stringMatching(/errors-example\/kept was selected but not judged/))
})
