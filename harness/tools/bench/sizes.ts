/** Measures the memory and the speed of the reference server with a hundred thousand policies and tokens, and with a
 * million certificates. Also measures how many writes per second it stores in a state file. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { request } from 'undici'
import { memoryOf, type Peer, reference, startPeer } from './process.ts'
import type { Row } from './table.ts'

type Say = (text: string) => void

interface Asked {
  readonly method: 'GET' | 'POST' | 'LIST'
  readonly path: string
  readonly body?: unknown
}

const urlOf = ({ url }: Peer, path: string): string => `${new URL(url).origin}/v1/${path}`
const bodyOf = ({ body }: Asked): string => (body === undefined ? '' : JSON.stringify(body))

async function ask(peer: Peer, asked: Asked): Promise<Record<string, never>> {
  const { method, path } = asked
  const options = { method: method as 'GET', headers: { ...peer.headers }, body: bodyOf(asked) || null }
  const reply = await request(urlOf(peer, path), options)
  const text = await reply.body.text()
  if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${text.slice(0, 200)}`)
  return text === '' ? {} : (JSON.parse(text) as Record<string, never>)
}

/** Sends the request that `asked` returns for each number from `from` to below `to`, and waits for every reply. It
 * does not use pipelining, because the load generator would then close its connections before the last replies. */
async function fill(peer: Peer, from: number, to: number, asked: (index: number) => Asked): Promise<void> {
  let next = from
  const result = await autocannon({
    url: urlOf(peer, ''),
    ...{ connections: 8, amount: to - from },
    requests: [
      {
        setupRequest(plain) {
          const one = asked(next++)
          const headers = { ...peer.headers, 'content-type': 'application/json' }
          return { ...plain, method: one.method as 'GET', path: `/v1/${one.path}`, headers, body: bodyOf(one) }
        },
      },
    ],
  })
  assertAllWell(result)
  if (result['2xx'] !== to - from) throw new Error(`only ${result['2xx']} of ${to - from} requests were answered`)
}

function assertAllWell({ non2xx, errors }: { readonly non2xx: number; readonly errors: number }): void {
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors`)
}

/** Sends the same request repeatedly for a second, and returns the replies per second. */
async function rateOf(peer: Peer, asked: Asked): Promise<number> {
  const headers = { ...peer.headers, 'content-type': 'application/json' }
  const options = { connections: 8, duration: 1, method: asked.method as 'GET', headers }
  const result = await autocannon({ url: urlOf(peer, asked.path), ...options, body: bodyOf(asked) })
  assertAllWell(result)
  return result['2xx'] / result.duration
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await task()
  return performance.now() - startedAt
}

const bytesEach = (before: number, after: number, count: number): number => ((after - before) * 1024 * 1024) / count

/** Compares the memory per object in the second half with that between a tenth and the half. The first tenth is not
 * used, because the server is still warming up. */
function memoryRow(what: string, before: number, after: number): Row {
  return {
    what,
    ours: `the last ${Math.round(after)} bytes each`,
    peer: `those before ${Math.round(before)} bytes each`,
    ratio: after / before,
    bound: { kind: 'at-most', value: 1.5 },
  }
}

const flatRow = (what: string, few: number, many: number): Row => ({
  what,
  ours: `${Math.round(many)}/s`,
  peer: `among a hundredth ${Math.round(few)}/s`,
  ratio: many / few,
  bound: { kind: 'at-least', value: 0.8 },
})

/** A list that is ten times as long should take ten times as long; a fifth more is allowed. */
const listRow = (what: string, few: number, many: number): Row => ({
  what,
  ours: `${Math.round(many)} ms`,
  peer: `of a tenth ${few.toFixed(1)} ms`,
  ratio: many / few,
  bound: { kind: 'at-most', value: 12 },
})

/** Describes the objects that a server is filled with, and the requests that create, read and list them. */
interface Filling {
  readonly name: string
  readonly count: number
  make(index: number): Asked
  /** Reads an object of the first hundredth. */
  readonly read: Asked
  readonly list: Asked
}

/** Fills the server step by step, and measures in between. */
async function filled(peer: Peer, { name, count, make, read, list }: Filling, say: Say): Promise<readonly Row[]> {
  const memory = (): number => memoryOf(peer.pid) ?? Number.NaN
  const listed = async (): Promise<number> => {
    const times: number[] = []
    while (times.length < 3) times.push(await timed(() => ask(peer, list)))
    return Math.min(...times)
  }
  const [hundredth, tenth, half] = [count / 100, count / 10, count / 2]
  say(`${count} ${name}`)
  await fill(peer, 0, hundredth, make)
  await rateOf(peer, read)
  await rateOf(peer, read)
  const fewReads = await rateOf(peer, read)
  await fill(peer, hundredth, tenth, make)
  const fewListed = await listed()
  const atTenth = memory()
  await fill(peer, tenth, half, make)
  const atHalf = memory()
  await fill(peer, half, count, make)
  const atAll = memory()
  const manyReads = await rateOf(peer, read)
  const all = named(name, count)
  return [
    memoryRow(all.memory, bytesEach(atTenth, atHalf, half - tenth), bytesEach(atHalf, atAll, count - half)),
    flatRow(all.read, fewReads, manyReads),
    listRow(all.list, fewListed, await listed()),
  ]
}

const named = (name: string, count: number) => {
  const many = `${count.toLocaleString('en').replaceAll(',', ' ')} ${name}`
  return { memory: `memory of ${many}`, read: `read one of ${many}`, list: `LIST of ${many}` }
}

const [manyCount, mostCount] = [100_000, 1_000_000]
const mostGib = 3
const rowsOf = (name: string, count: number): readonly string[] => Object.values(named(name, count))

export const sizeRowNames: readonly string[] = [
  ...rowsOf('policies', manyCount),
  ...rowsOf('tokens', manyCount),
  'writes kept by --state',
]
const millionMemory = 'memory of a server with a million certificates'
export const millionRowNames: readonly string[] = [...rowsOf('certificates', mostCount), millionMemory]

const policies: Filling = {
  ...{ name: 'policies', count: manyCount },
  make: (index) => ({
    method: 'POST',
    path: `sys/policies/acl/p${index}`,
    body: { policy: `path "secret/p${index}" {\n  capabilities = ["read"]\n}\n` },
  }),
  read: { method: 'GET', path: 'sys/policies/acl/p7' },
  list: { method: 'LIST', path: 'sys/policies/acl' },
}

/** The first token has a known id, because the server lets the root token choose ids. */
const tokens: Filling = {
  ...{ name: 'tokens', count: manyCount },
  make: (index) => ({
    method: 'POST',
    path: 'auth/token/create',
    body: { ...(index === 0 ? { id: 'bench-first' } : {}), policies: ['default'] },
  }),
  read: { method: 'POST', path: 'auth/token/lookup', body: { token: 'bench-first' } },
  list: { method: 'LIST', path: 'auth/token/accessors' },
}

export async function sizeRows(say: Say): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const filling of [policies, tokens]) {
    const peer = await startPeer(reference)
    try {
      rows.push(...(await filled(peer, filling, say)))
    } finally {
      await peer.stop()
    }
  }
  return [...rows, await stateRow(say)]
}

/** Measures until the state file contains the last write, so that only writes count that would survive a crash. */
async function stateRow(say: Say): Promise<Row> {
  const [writes, goal, longestMs] = [30_000, 5000, 30_000]
  say(`${writes} writes into a state file`)
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const file = join(folder, 'state.json')
  const peer = await startPeer({ ...reference, args: [...reference.args, '--state', file] })
  const write = (index: number): Asked => ({
    method: 'POST',
    path: `secret/w${index % 1000}`,
    body: { text: `v${index}.` },
  })
  try {
    await fill(peer, 0, 5000, write)
    const startedAt = performance.now()
    await fill(peer, 5000, 5000 + writes, write)
    while (!readFileSync(file, 'utf8').includes(`v${5000 + writes - 1}.`)) {
      if (performance.now() - startedAt > longestMs)
        throw new Error(`${file} does not contain the last write after ${longestMs} ms`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const rate = (writes * 1000) / (performance.now() - startedAt)
    const bound = { kind: 'at-least', value: 1 } as const
    return {
      what: 'writes kept by --state',
      ours: `${Math.round(rate)}/s`,
      peer: `${goal}/s`,
      ratio: rate / goal,
      bound,
    }
  } finally {
    await peer.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function millionRows(say: Say): Promise<readonly Row[]> {
  const peer = await startPeer(reference)
  try {
    const post = (path: string, body: unknown) => ask(peer, { method: 'POST', path, body })
    const ec = { key_type: 'ec', key_bits: 256 }
    await post('sys/mounts/pki', { type: 'pki', config: { max_lease_ttl: '87600h' } })
    await post('pki/root/generate/internal', { common_name: 'bench.test', ttl: '80000h', ...ec })
    await post('pki/roles/ec', { allow_any_name: true, ttl: '10000h', ...ec })
    const issue: Asked = { method: 'POST', path: 'pki/issue/ec', body: { common_name: 'leaf.bench.test' } }
    const first = (await ask(peer, issue)) as { readonly data?: { readonly serial_number: string } }
    const read: Asked = { method: 'GET', path: `pki/cert/${first.data?.serial_number}` }
    const list: Asked = { method: 'LIST', path: 'pki/certs' }
    const rows = await filled(peer, { name: 'certificates', count: mostCount, make: () => issue, read, list }, say)
    const used = (memoryOf(peer.pid) ?? Number.NaN) / 1024
    const memory: Row = {
      ...{ what: millionMemory, ours: `${used.toFixed(2)} GiB`, peer: `${mostGib} GiB` },
      ...{ ratio: Number.isNaN(used) ? undefined : used / mostGib, bound: { kind: 'at-most', value: 1 } },
    }
    return [...rows, memory]
  } finally {
    await peer.stop()
  }
}
