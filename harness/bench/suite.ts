/** What judging costs beside sending: an area's suite, and a raw replay of the requests it makes. */
import { spawn } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { candidatesOf } from '../mutation/stand.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import type { Area, Requirement, ResultDocument, Topic } from '../vocabulary/index.ts'
import { cli, type Peer, reference, startPeer } from './process.ts'
import { median, type Row } from './table.ts'

interface Recorded {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body: string | undefined
}

interface UndiciRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body: unknown
}

const rounds = 5
const rootToken = 'bench-test-root-token'
/** Same seed, same order of requests: the server draws the same tokens again, so a replay needs no rewriting. */
const fresh = (): Promise<Peer> => startPeer(reference, { ASSAY_ROOT_TOKEN: rootToken })

async function recorded(
  topics: readonly Topic[],
  requirements: readonly Requirement[],
  peer: Peer,
): Promise<readonly Recorded[]> {
  const requests: Recorded[] = []
  const listen = (message: unknown): void => {
    const { method, path, headers, body } = (message as { readonly request: UndiciRequest }).request
    requests.push({
      method,
      path,
      headers: [...headers],
      body: body === null || body === undefined ? undefined : String(body),
    })
  }
  const created = channel('undici:request:create')
  const session = await openSession({
    target: {
      url: new URL(peer.url).origin,
      name: 'bench',
      dialect: 'vault',
      token: rootToken,
      headers: {},
      tls: { insecure: false },
      allowedHosts: [],
      declared: {},
      timeoutMs: 30_000,
      maxRps: 0,
      maxWaitSeconds: 0,
      patienceSeconds: 1,
      provides: {},
      secrets: [rootToken],
    },
    facts: { edition: 'premium', version: '1.14.0' },
    runId: 'bench',
    seed: 1,
    ceiling: 'disruptive',
    jobs: 1,
    level: 'should',
    requirements,
    record: 'none',
  })
  created.subscribe(listen)
  try {
    for (const { topic, check } of candidatesOf(topics)) {
      const result = await judge(topic, check, session)
      if (result.verdict !== 'pass' && result.verdict !== 'not-applicable')
        throw new Error(`${result.id}: ${result.verdict}`)
    }
  } finally {
    created.unsubscribe(listen)
    await session.close()
  }
  return requests
}

/** Milliseconds for all requests, one after the other on one connection; replies are read to the end. */
async function replayed(requests: readonly Recorded[], peer: Peer): Promise<number> {
  const pool = new Pool(new URL(peer.url).origin, { connections: 1 })
  const startedAt = performance.now()
  for (const { method, path, headers, body } of requests) {
    const reply = await pool.request({
      method: method as 'GET',
      path,
      headers: [...headers],
      ...(body === undefined ? {} : { body }),
    })
    await reply.body.arrayBuffer()
  }
  const taken = performance.now() - startedAt
  await pool.close()
  return taken
}

/** The judging phase of a whole `assay run` against a server of its own, in milliseconds. */
async function judged(area: Area, jobs: number, peer: Peer): Promise<number> {
  const out = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const flags = [
    '--target',
    new URL(peer.url).origin,
    '--area',
    area,
    '--jobs',
    String(jobs),
    '--out',
    out,
    '--format',
    'json',
  ]
  const safety = ['--safety', 'disruptive', '--allow-disruptive', await clusterOf(peer)]
  const child = spawn(process.execPath, [cli, 'run', ...flags, ...safety], {
    stdio: 'ignore',
    env: { ...process.env, ASSAY_TOKEN: rootToken },
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`assay run --area ${area} ended with ${code}`)
  const document = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as ResultDocument
  rmSync(out, { recursive: true })
  return document.run.judgingMs
}

async function clusterOf(peer: Peer): Promise<string> {
  const pool = new Pool(new URL(peer.url).origin)
  const reply = await pool.request({ method: 'GET', path: '/v1/sys/health' })
  const { cluster_id: id } = (await reply.body.json()) as { readonly cluster_id: string }
  await pool.close()
  return id
}

async function onFresh<T>(run: (peer: Peer) => Promise<T>): Promise<T> {
  const peer = await fresh()
  try {
    return await run(peer)
  } finally {
    await peer.stop()
  }
}

/** Each round takes fresh servers, so that each starts from the same state. */
export async function suiteRows(
  area: Area,
  topics: readonly Topic[],
  requirements: readonly Requirement[],
  say: (text: string) => void,
): Promise<readonly Row[]> {
  const mine = topics.filter((topic) => topic.area === area)
  say(`${area}: recording`)
  const requests = await onFresh((peer) => recorded(mine, requirements, peer))
  const times: Record<'raw' | 'one' | 'eight', number[]> = { raw: [], one: [], eight: [] }
  for (let round = 0; round < rounds; round++) {
    say(`${area}: round ${round + 1} of ${rounds}`)
    times.raw.push(await onFresh((peer) => replayed(requests, peer)))
    times.one.push(await onFresh((peer) => judged(area, 1, peer)))
    times.eight.push(await onFresh((peer) => judged(area, 8, peer)))
  }
  const raw = median(times.raw)
  const row = (jobs: number, taken: number): Row => ({
    what: `${area} suite, judging with ${jobs} job${jobs === 1 ? '' : 's'}`,
    ours: `${Math.round(taken)} ms`,
    peer: `raw replay of its ${requests.length} requests ${Math.round(raw)} ms`,
    ratio: taken / raw,
    bound: { kind: 'at-most', value: 2 },
  })
  return [row(1, median(times.one)), row(8, median(times.eight))]
}
