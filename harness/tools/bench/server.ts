/** Compares the reference server with a bare node:http server that returns the same bytes, and with prism. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { request } from 'undici'
import { cpuOf, memoryOf, type Peer, type PeerPlan, reference, startPeer } from './process.ts'
import { median, type Row } from './table.ts'

const rounds = 5

const bareSource = (body: string, headers: Readonly<Record<string, string>>): string => `
import { createServer } from 'node:http'
const body = ${JSON.stringify(body)}
const server = createServer((_, response) => { response.writeHead(200, ${JSON.stringify(headers)}); response.end(body) })
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/'))
`

const listening = (output: string): { readonly url: string } | undefined => {
  const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(output)?.[0]
  return url ? { url } : undefined
}

export const bare = (body: string, headers: Readonly<Record<string, string>>): PeerPlan => ({
  name: 'bare node:http',
  command: process.execPath,
  args: ['--input-type=module', '-e', bareSource(body, headers)],
  ready: listening,
})

function prism(body: unknown): PeerPlan {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-bench-')), 'openapi.json')
  const responses = { 200: { description: 'a policy', content: { 'application/json': { example: body } } } }
  const paths = { '/v1/sys/policies/acl/bench': { get: { responses } } }
  writeFileSync(file, JSON.stringify({ openapi: '3.0.3', info: { title: 'bench', version: '1' }, paths }))
  const port = 20_000 + (process.pid % 20_000)
  return {
    name: 'prism',
    command: 'npx',
    args: ['--yes', '@stoplight/prism-cli@5.16.0', 'mock', '-h', '127.0.0.1', '-p', String(port), file],
    ready: (output) =>
      output.includes('Prism is listening') ? { url: `http://127.0.0.1:${port}/v1/sys/policies/acl/bench` } : undefined,
    timeoutMs: 240_000,
  }
}

interface Load {
  readonly rate: number
  readonly cpuUs: number | undefined
}

export async function load(peer: Peer, url: string): Promise<Load> {
  const before = cpuOf(peer.pid)
  const result = await autocannon({ url, headers: { ...peer.headers }, connections: 16, pipelining: 4, duration: 2 })
  const after = cpuOf(peer.pid)
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${peer.name}: ${result.non2xx} refusals, ${result.errors} errors under load`)
  const requests = result['2xx']
  return {
    rate: requests / result.duration,
    cpuUs: before === undefined || after === undefined ? undefined : ((after - before) * 1000) / requests,
  }
}

const middle = (loads: readonly Load[]): Load => ({
  rate: median(loads.map((one) => one.rate)),
  cpuUs: median(loads.flatMap((one) => one.cpuUs ?? [])),
})

const wordsOf = ({ rate, cpuUs }: Load): string =>
  `${Math.round(rate)}/s${cpuUs === undefined || Number.isNaN(cpuUs) ? '' : `, ${cpuUs.toFixed(1)} µs cpu`}`

interface Prepared {
  readonly peer: Peer
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

async function asked(url: string, token: string, body?: unknown): Promise<string> {
  const options = body === undefined ? {} : ({ method: 'POST', body: JSON.stringify(body) } as const)
  const reply = await request(url, { ...options, headers: { 'x-vault-token': token } })
  return reply.body.text()
}

/** Creates a policy on a server, by default a new reference server, and a token that may read this policy because of it. */
export async function policyOn(server?: Peer): Promise<Prepared> {
  const started = server ?? (await startPeer(reference))
  const root = started.headers['x-vault-token'] ?? ''
  const url = started.url.replace('sys/health', 'sys/policies/acl/bench')
  await asked(url, root, { policy: 'path "sys/policies/acl/*" {\n  capabilities = ["read"]\n}\n' })
  const reply = await asked(started.url.replace('sys/health', 'auth/token/create'), root, { policies: ['bench'] })
  const token = (JSON.parse(reply) as { auth: { client_token: string } }).auth.client_token
  const body = await asked(url, token)
  const peer = { ...started, headers: { 'x-vault-token': token } }
  return { peer, url, body, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } }
}

async function starts(plan: PeerPlan): Promise<{ readonly startMs: number; readonly memory: number }> {
  const startMs: number[] = []
  const memory: number[] = []
  for (let round = 0; round < rounds; round++) {
    const peer = await startPeer(plan)
    await new Promise((resolve) => setTimeout(resolve, 200))
    startMs.push(peer.startMs)
    memory.push(memoryOf(peer.pid) ?? Number.NaN)
    await peer.stop()
  }
  return { startMs: median(startMs), memory: median(memory) }
}

async function besidePrism(own: Load, body: unknown): Promise<Row> {
  const row = { what: 'policy read, requests', ours: wordsOf(own), bound: { kind: 'at-least', value: 2 } } as const
  try {
    const peer = await startPeer(prism(body))
    try {
      const loads = [await load(peer, peer.url), await load(peer, peer.url)]
      const rate = median(loads.map((one) => one.rate))
      return { ...row, peer: `prism ${Math.round(rate)}/s`, ratio: own.rate / rate }
    } finally {
      await peer.stop()
    }
  } catch (error) {
    return { ...row, peer: 'prism', ratio: undefined, note: `not measured: ${(error as Error).message.slice(0, 80)}` }
  }
}

/** Measures in rounds that alternate between the two servers, so that other load on the machine affects both. */
export async function serverRows(say: (text: string) => void): Promise<readonly Row[]> {
  const own = await policyOn()
  const limit = await startPeer(bare(own.body, own.headers))
  const loads: { readonly own: Load[]; readonly limit: Load[] } = { own: [], limit: [] }
  for (let round = 0; round < rounds; round++) {
    say(`policy read, round ${round + 1} of ${rounds}`)
    loads.limit.push(await load(limit, limit.url))
    loads.own.push(await load(own.peer, own.url))
  }
  await limit.stop()
  await own.peer.stop()
  say('comparison with prism')
  const rows: Row[] = [
    {
      what: 'policy read with token and ACL',
      ours: wordsOf(middle(loads.own)),
      peer: `bare node:http ${wordsOf(middle(loads.limit))}`,
      ratio: middle(loads.own).rate / middle(loads.limit).rate,
      bound: { kind: 'at-least', value: 0.6 },
    },
    await besidePrism(middle(loads.own), JSON.parse(own.body)),
  ]
  say('start and idle memory')
  const [referenceStart, bareStart] = [await starts(reference), await starts(bare(own.body, own.headers))]
  const peer = 'bare node:http'
  rows.push({
    what: 'start to first 200',
    ours: `${Math.round(referenceStart.startMs)} ms`,
    peer: `${peer} ${Math.round(bareStart.startMs)} ms`,
    ratio: referenceStart.startMs / bareStart.startMs,
    bound: { kind: 'at-most', value: 2 },
  })
  rows.push({
    what: 'idle memory',
    ours: `${Math.round(referenceStart.memory)} MiB`,
    peer: `${peer} ${Math.round(bareStart.memory)} MiB`,
    ratio: referenceStart.memory / bareStart.memory,
    bound: { kind: 'at-most', value: 1.6 },
  })
  return rows
}
