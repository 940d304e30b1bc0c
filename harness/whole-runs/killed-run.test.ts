/** A run is killed at any moment: nothing that it judged is lost, and nothing that it made stays. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { validateResult } from '../../reports/formats.ts'
import { assay, startAssay } from '../commands/child.test-bed.ts'
import { type ReferenceServer, startReference } from '../targets/mock.ts'
import { killedRuns } from '../tools/prove/killed-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-killed-'))
let server: ReferenceServer
beforeAll(async () => {
  server = await startReference({ testKeys: true })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

let count = 0
const token = () => ({ ASSAY_TOKEN: server.rootToken })
const newFolder = (): string => join(folder, `out-${++count}`)
const runInto = (out: string, ...args: readonly string[]): readonly string[] => [
  ...['run', '--target', server.url, '--check', 'policies/errors/*', '--out', out],
  ...args,
]
const slowly = ['--max-rps', '60']
const eventsOf = (out: string): string => {
  const file = join(out, 'events.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
const judgedIn = (out: string): number => eventsOf(out).split('\n{"event":"check"').length - 1
const every = [
  'json',
  'html',
  'junit',
  'markdown',
  'sarif',
  'codequality',
  'github',
  'coverage',
  'badge',
  'openmetrics',
]

test('an ended run is rendered from its result, and a killed one from its events, marked as cut off', async () => {
  const out = newFolder()
  expect((await assay(runInto(out, '--format', 'json'), token())).code).toBe(0)
  expect(eventsOf(out)).toMatch(/^{"event":"started",.*\n(.*\n)+{"event":"ended",.*"exitCode":0,.*}\n$/)
  const whole = readFileSync(join(out, 'result.json'), 'utf8')
  for (const from of [out, join(out, 'events.jsonl')]) {
    const to = join(folder, `rendered-${++count}`)
    expect((await assay(['render', from, '--format', 'json', '--out', to])).code).toBe(0)
    expect(readFileSync(join(to, 'result.json'), 'utf8')).toBe(whole)
  }
  renameSync(join(out, 'result.json'), join(out, 'aside'))
  expect(await assay(['render', out])).toMatchObject({ code: 2, err: expect.stringContaining('run again') })
  renameSync(join(out, 'aside'), join(out, 'result.json'))

  const child = startAssay(runInto(out, ...slowly), token())
  await expect.poll(() => judgedIn(out), { interval: 10 }).toBeLessThan(30)
  await expect.poll(() => judgedIn(out), { interval: 10 }).toBeGreaterThan(5)
  child.process.kill('SIGKILL')
  await child.ended
  const events = join(out, 'events.jsonl')
  expect((statSync(events).mode & 0o777).toString(8)).toBe('600')
  expect(eventsOf(out)).not.toContain(server.rootToken)
  const judged = judgedIn(out)
  writeFileSync(events, `${eventsOf(out)}{"event":"check","result":{"id":"pol`)
  for (const from of [out, events]) {
    const to = join(folder, `rendered-${++count}`)
    const { code, err } = await assay(['render', from, '--format', every.join(','), '--out', to])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(readdirSync(to)).toHaveLength(every.length)
    const document = JSON.parse(readFileSync(join(to, 'result.json'), 'utf8'))
    expect(validateResult(document)).toEqual([])
    expect(document.run.interrupted).toBe(true)
    expect(document.counts.pass).toBe(judged)
    expect(document.findings).toContainEqual({
      severity: 'error',
      code: 'cut-off',
      text: expect.stringContaining(`the run was cut off: ${judged} of 30 checks were judged`),
    })
  }
})

test.each([
  ['', 'is empty'],
  ['garbage\n', 'is not a stream of events'],
  ['{"event":"started","schema":"assay/events/1","document":{"run":7}}\n', 'does not hold the events of a run'],
  ['{"event":"started","schema":"assay/events/2"}\n', 'is not a stream of events of assay/events/1'],
])('%j is no stream of events', async (text, words) => {
  const file = join(folder, 'wrong.jsonl')
  writeFileSync(file, text)
  const { code, err } = await assay(['render', file])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(words) })
})

test('kill -9 at a random moment, and then clean: nothing is left on the server', async () => {
  const killed = await killedRuns({ times: 1, selection: ['--check', 'policies/errors/*'] })
  expect(killed.map(({ left, code }) => ({ left, code }))).toEqual(Array.from(killed, () => ({ left: [], code: 0 })))
  expect(killed).toHaveLength(1)
})
