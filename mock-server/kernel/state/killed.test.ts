/** Servers that are killed while clients write. `ASSAY_TRIALS` is set by `npm run prove`, and makes many more rounds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patient } from '../../../harness/whole-runs/patience.test-bed.ts'
import { createMockServer } from '../../server.ts'
import { readState, textOf } from './state-file.ts'

const rounds = process.env.ASSAY_TRIALS ? 100 : 3
const clients = 16
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-killed-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves with true when the write was acknowledged, and with false if the connection ended first. */
const write = (url: string, path: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    const headers = { 'x-vault-token': 'root', 'content-type': 'application/json' }
    const sent = request(`${url}/v1/${path}`, { method: 'POST', headers, agent }, (response) => {
      response.resume().on('error', () => resolve(false))
      resolve(response.statusCode === 204)
    })
    sent.on('error', () => resolve(false))
    sent.end(JSON.stringify({ text: 'x'.repeat(500) }))
  })

/** Lets clients write until the server is killed some time after the first acknowledgement, and returns what was acknowledged, with the moments. */
async function killedAfter(ms: number, file: string, mode: 'durable' | 'soon') {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../test-beds/state-writer.test-bed.ts'), file, mode],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  const url = chunk.toString().trim()
  const agent = new Agent({ keepAlive: true })
  const acknowledged = new Map<string, number>()
  const writing = async (client: number) => {
    for (let count = 0; ; count++) {
      const path = `secret/${client}-${count}`
      if (!(await write(url, path, agent))) return
      acknowledged.set(path, performance.now())
    }
  }
  const all = Array.from({ length: clients }, (_, client) => writing(client))
  while (acknowledged.size === 0) await wait(1)
  const stalls = monitorEventLoopDelay({ resolution: 10 })
  stalls.enable()
  await wait(ms)
  const killed = performance.now()
  child.kill('SIGKILL')
  stalls.disable()
  await Promise.all([once(child, 'exit'), ...all])
  agent.destroy()
  return { acknowledged, killed, stalledMs: stalls.max / 1e6 }
}

async function keptIn(file: string): Promise<ReadonlySet<string>> {
  const server = await createMockServer({ stateFile: file })
  const kept = new Set(server.inventory().values)
  await server.close()
  return kept
}

const roundTimes = Array.from({ length: rounds }, (_, round) => [round, 30 + ((round * 137) % 400)] as const)

test.each(roundTimes)(
  'a durable server loses no acknowledged write: round %i, killed after %i ms',
  async (round, ms) => {
    const own = join(folder, `durable-${round}.json`)
    const { acknowledged } = await killedAfter(ms, own, 'durable')
    const kept = await keptIn(own)
    expect(acknowledged.size).toBeGreaterThan(0)
    expect([...acknowledged.keys()].filter((path) => !kept.has(path))).toEqual([])
  },
)

/** On a busy machine, the server's timer and this process wait for their turn. `state-keeper.test.ts` holds the exact bound. */
const mostLost = (stalledMs: number): number => 200 + patient(200) + 2 * stalledMs

test.each(roundTimes.slice(0, 10))(
  'another server loses at most the last moments: round %i, killed after %i ms',
  async (round, ms) => {
    const own = join(folder, `soon-${round}.json`)
    const { acknowledged, killed, stalledMs } = await killedAfter(400 + ms, own, 'soon')
    const kept = await keptIn(own)
    const lost = [...acknowledged].filter(([path]) => !kept.has(path)).map(([, at]) => Math.round(killed - at))
    expect(Math.max(0, ...lost)).toBeLessThan(mostLost(stalledMs))
    expect(kept.size).toBeGreaterThan(0)
  },
)

/** Adds copies of the first secret to the list that holds it. */
function addCopies(value: unknown, count: number): void {
  if (typeof value !== 'object' || value === null) return
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const first = items.find((item) => Array.isArray(item) && item[0] === 'first')
  if (!Array.isArray(value) || !Array.isArray(first)) {
    for (const inner of Object.values(value)) addCopies(inner, count)
    return
  }
  for (let nth = 1; nth < count; nth++) value.push([`copy-${nth}`, ...structuredClone(first.slice(1))])
}

/** Writes a state with so many secrets into a file. */
async function filled(file: string, count: number): Promise<void> {
  const server = await createMockServer({ stateFile: file, rootToken: 'root' })
  await write(server.url, 'secret/first', new Agent())
  await server.close()
  const state = readState(file)?.state
  addCopies(state, count)
  rmSync(file)
  writeFileSync(file, textOf(state ?? {}))
}

const many = process.env.ASSAY_TRIALS ? 100_000 : 20_000

test(`another server with ${many} objects loses no more`, async () => {
  const own = join(folder, 'many.json')
  await filled(own, many)
  const { acknowledged, killed, stalledMs } = await killedAfter(1500, own, 'soon')
  const kept = await keptIn(own)
  expect(kept.size).toBeGreaterThan(many)
  const lost = [...acknowledged].filter(([path]) => !kept.has(path)).map(([, at]) => Math.round(killed - at))
  expect(Math.max(0, ...lost)).toBeLessThan(mostLost(stalledMs))
})

/** Returns a file with a first line and some lines with changes, and their offsets. */
async function written(name: string) {
  const file = join(folder, name)
  const server = await createMockServer({ stateFile: file, durable: true, rootToken: 'root' })
  const agent = new Agent()
  for (const path of ['secret/a', 'secret/b', 'secret/c']) expect(await write(server.url, path, agent)).toBe(true)
  const copy = join(folder, `copy-${name}`)
  writeFileSync(copy, readFileSync(file))
  await server.close()
  const offsets = [...readFileSync(copy, 'latin1').matchAll(/\n/g)].map(({ index }) => index + 1)
  return { copy, offsets: [0, ...offsets.slice(0, -1)], size: offsets.at(-1) ?? 0 }
}

test('a last change that was not written completely is cut off, and said', async () => {
  const { copy, offsets, size } = await written('torn.json')
  const last = offsets.at(-1) ?? 0
  truncateSync(copy, last + 100)
  const server = await createMockServer({ stateFile: copy })
  expect(server.stateNote).toBe(
    `state file ${copy}: the last change was not written completely, and was cut off (100 bytes at offset ${last})`,
  )
  expect(server.inventory().values).toEqual(['secret/a', 'secret/b'])
  await server.close()
  expect(size).toBeGreaterThan(last + 100)
  const next = await createMockServer({ stateFile: copy })
  expect({ note: next.stateNote, values: next.inventory().values }).toEqual({
    note: undefined,
    values: ['secret/a', 'secret/b'],
  })
  await next.close()
})

test('zeros at the end, as a lost power supply leaves them, are cut off', async () => {
  const { copy } = await written('zeros.json')
  appendFileSync(copy, Buffer.alloc(4096))
  const server = await createMockServer({ stateFile: copy })
  expect(server.stateNote).toContain('4096 bytes at offset')
  expect(server.inventory().values).toHaveLength(3)
  await server.close()
})

test.each([1, 2, 3])('a file that is corrupt in line %i is refused with the offset, and not changed', async (line) => {
  const { copy, offsets } = await written(`corrupt-${line}.json`)
  const offset = offsets[line] ?? 0
  const bytes = readFileSync(copy)
  bytes[offset + 70] = (bytes[offset + 70] ?? 0) ^ 1
  writeFileSync(copy, bytes)
  await expect(createMockServer({ stateFile: copy })).rejects.toThrow(
    `state file ${copy} is corrupt at offset ${offset}: the checksum does not match`,
  )
  expect(readFileSync(copy).equals(bytes)).toBe(true)
})

test('a file without one of its lines is refused', async () => {
  const { copy, offsets } = await written('removed.json')
  const bytes = readFileSync(copy)
  writeFileSync(copy, Buffer.concat([bytes.subarray(0, offsets[2]), bytes.subarray(offsets[3])]))
  await expect(createMockServer({ stateFile: copy })).rejects.toThrow(`is corrupt at offset ${offsets[2]}`)
})

test('`durable` without a file is refused', async () => {
  await expect(createMockServer({ durable: true })).rejects.toThrow('durable requires stateFile')
})

test('the file is written anew once it has many changes, and none is lost meanwhile', async () => {
  const file = join(folder, 'anew.json')
  const server = await createMockServer({ stateFile: file, durable: true, rootToken: 'root' })
  const agent = new Agent({ keepAlive: true })
  // Each change of this field is some 200 kB, so the bound is exceeded after 20 of them.
  const large = (count: number) =>
    fetch(`${server.url}/v1/secret/large`, {
      method: 'POST',
      headers: { 'x-vault-token': 'root' },
      body: JSON.stringify({ text: String(count).repeat(200_000) }),
    })
  for (let count = 0; count < 60; count++)
    await Promise.all([large(count % 10), write(server.url, `secret/${count}`, agent)])
  const copy = join(folder, 'copy-anew.json')
  writeFileSync(copy, readFileSync(file))
  expect(readFileSync(file).length).toBeLessThan(9_000_000)
  expect(await keptIn(copy)).toEqual(new Set(server.inventory().values))
  await server.close()
  agent.destroy()
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
