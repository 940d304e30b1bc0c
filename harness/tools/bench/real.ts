/** Measures beside a real server: the program that the environment variable ASSAY_REAL_SERVER names is started in its
 * development mode. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, type ResultDocument } from '../../vocabulary/index.ts'
import { cli, type Peer, type PeerPlan, startPeer } from './process.ts'
import { load, policyOn } from './server.ts'
import { mountsIn, sentIn } from './start.ts'
import type { Row } from './table.ts'

const bounds = { timesAsFast: 8, repliesSeconds: 130, seconds: 45 }
const rootToken = 'bench-test-root-token'
const program = 'ASSAY_REAL_SERVER'

const [read, replies, clock, sent] = [
  'policy read, requests beside a real server',
  'PKI on a real server, waits for replies',
  'PKI on a real server, by the clock',
  'PKI on a real server, mounts among its requests',
] as const

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function realServer(): Promise<PeerPlan> {
  const command = process.env[program]
  if (!command) throw new Error(`${program} names no program of a real server`)
  const listen = `127.0.0.1:${await freePort()}`
  return {
    ...{ name: 'a real server', command },
    args: ['server', '-dev', `-dev-root-token-id=${rootToken}`, `-dev-listen-address=${listen}`],
    ready: () => ({ url: `http://${listen}/v1/sys/health`, headers: { 'x-vault-token': rootToken } }),
  }
}

async function judgedPki(peer: Peer): Promise<ResultDocument> {
  const out = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const args = [new URL(peer.url).origin, '--area', 'pki', '--timings', '--out', out, '--format', 'json']
    const child = spawn(process.execPath, [cli, 'run', ...args], {
      ...{ stdio: 'ignore', env: { ...process.env, ASSAY_TOKEN: rootToken } },
    })
    const [code] = await once(child, 'exit')
    const usual: readonly unknown[] = [exitCodes.conformant, exitCodes.nonConformant, exitCodes.incomplete]
    if (!usual.includes(code)) throw new Error(`assay run --area pki ended with ${String(code)}`)
    return JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as ResultDocument
  } finally {
    rmSync(out, { recursive: true })
  }
}

const atMost = (what: string, seconds: number, most: number): Row => ({
  ...{ what, ours: `${seconds.toFixed(1)} s`, peer: `${most} s`, ratio: seconds / most },
  bound: { kind: 'at-most', value: 1 },
})

export async function realRows(say: (text: string) => void): Promise<readonly Row[]> {
  const plan = await realServer()
  say('policy read beside a real server')
  const own = await policyOn()
  const ours = await load(own.peer, own.url)
  await own.peer.stop()
  const peer = await startPeer(plan)
  try {
    const real = await policyOn(peer)
    const theirs = await load(real.peer, real.url)
    say('PKI on a real server')
    const document = await judgedPki(peer)
    const { timings = [], judgingMs } = document.run
    const waited = timings.filter(({ name }) => name === 'request').reduce((sum, { durationMs }) => sum + durationMs, 0)
    const requests = sentIn(document)
    return [
      {
        ...{ what: read, ours: `${Math.round(ours.rate)}/s`, peer: `${Math.round(theirs.rate)}/s` },
        ...{ ratio: ours.rate / theirs.rate, bound: { kind: 'at-least', value: bounds.timesAsFast } },
      },
      atMost(replies, waited / 1000, bounds.repliesSeconds),
      atMost(clock, judgingMs / 1000, bounds.seconds),
      {
        ...{ what: sent, ours: `${mountsIn(requests)} mounts`, peer: `${requests.length} requests` },
        ...{ ratio: mountsIn(requests) / requests.length, bound: undefined },
      },
    ]
  } finally {
    await peer.stop()
  }
}
