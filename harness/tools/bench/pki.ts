/** Compares the certificate authority engine with the speed of the machine's cryptography. */
import { generateKeyPair, generateKeyPairSync, sign } from 'node:crypto'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { Pool } from 'undici'
import { memoryOf, type Peer, reference, startPeer } from './process.ts'
import { median, type Row } from './table.ts'

const makeKeys = promisify(generateKeyPair)
const seconds = 2
/** The number of rounds is the same as for reads of a policy. In the first ones, V8 is still compiling the server. */
const rounds = 5

/** Returns the P-256 signatures per second on one thread. */
function signRate(): number {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const bytes = Buffer.alloc(300)
  const startedAt = performance.now()
  let count = 0
  while (performance.now() - startedAt < 1000 * seconds) {
    sign('sha256', bytes, privateKey)
    count++
  }
  return count / seconds
}

/** Returns the RSA-2048 keys per second, generated one after the other. */
async function keygenRate(): Promise<number> {
  const startedAt = performance.now()
  let count = 0
  while (performance.now() - startedAt < 1000 * seconds * 3) {
    await makeKeys('rsa', { modulusLength: 2048 })
    count++
  }
  return (count * 1000) / (performance.now() - startedAt)
}

interface Server {
  readonly peer: Peer
  readonly pool: Pool
  ask(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly text: string }>
}

async function open(): Promise<Server> {
  const peer = await startPeer(reference)
  const pool = new Pool(new URL(peer.url).origin, { connections: 8 })
  const ask: Server['ask'] = async (method, path, body) => {
    const options = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await pool.request({
      method: method as 'GET',
      path: `/v1/${path}`,
      headers: peer.headers,
      ...options,
    })
    return { status: reply.statusCode, text: await reply.body.text() }
  }
  const server = { peer, pool, ask }
  await create(server, 'sys/mounts/pki', { type: 'pki', config: { max_lease_ttl: '87600h' } })
  await create(server, 'pki/root/generate/internal', {
    common_name: 'bench.test',
    key_type: 'ec',
    key_bits: 256,
    ttl: '80000h',
  })
  const any = { allow_any_name: true, ttl: '1h' }
  await create(server, 'pki/roles/ec', { ...any, key_type: 'ec', key_bits: 256 })
  await create(server, 'pki/roles/leased', { ...any, key_type: 'ec', key_bits: 256, generate_lease: true })
  await create(server, 'pki/roles/rsa', any)
  return server
}

async function create({ ask }: Server, path: string, body: unknown): Promise<void> {
  const { status, text } = await ask('POST', path, body)
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
}

const leaf = { common_name: 'leaf.bench.test' }

async function rateOf(
  { peer }: Server,
  path: string,
  options: { body?: unknown; connections?: number } = {},
): Promise<number> {
  const { body, connections = 8 } = options
  const result = await autocannon({
    url: `${new URL(peer.url).origin}/v1/${path}`,
    headers: { ...peer.headers, 'content-type': 'application/json' },
    connections,
    duration: seconds,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result['2xx'] / result.duration
}

/** Runs `task` once for each number below `count`, eight at a time. */
async function times<T>(count: number, task: (index: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await task(index)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return results
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await task()
  return performance.now() - startedAt
}

interface Issued {
  readonly lease_id: string
  readonly data: { readonly serial_number: string }
}

async function scaleRows(server: Server, say: (text: string) => void): Promise<readonly Row[]> {
  const { ask, peer } = server
  const [stored, revoked] = [100_000, 20_000]
  say(`pki: ${stored} certificates`)
  const issued = async (): Promise<Issued> => JSON.parse((await ask('POST', 'pki/issue/leased', leaf)).text)
  const lookUp = { body: { lease_id: (await issued()).lease_id } }
  await rateOf(server, 'sys/leases/lookup', lookUp)
  const fewLeases = await rateOf(server, 'sys/leases/lookup', lookUp)
  const serials = await times(stored, async (index) => {
    const { data } = await issued()
    return index < revoked ? data.serial_number : ''
  })
  await rateOf(server, 'sys/leases/lookup', lookUp)
  const manyLeases = await rateOf(server, 'sys/leases/lookup', lookUp)
  const leased = await timed(() => ask('LIST', 'sys/leases/lookup/pki/issue/leased'))
  say(`pki: ${revoked} revocations`)
  await times(revoked - 1, (index) => ask('POST', 'pki/revoke', { serial_number: serials[index] }))
  const row = (what: string, ms: number): Row => ({
    what,
    ours: `${Math.round(ms)} ms`,
    peer: '1000 ms',
    ratio: ms / 1000,
    bound: { kind: 'at-most', value: 1 },
  })
  const listing = await timed(() => ask('LIST', 'pki/certs'))
  const revoking = await timed(async () => {
    await ask('POST', 'pki/revoke', { serial_number: serials[revoked - 1] })
    await ask('GET', 'pki/crl')
  })
  const memory = memoryOf(peer.pid)
  return [
    {
      what: 'read one of 100 000 leases',
      ours: `${Math.round(manyLeases)}/s`,
      peer: `among few ${Math.round(fewLeases)}/s`,
      ratio: manyLeases / fewLeases,
      bound: { kind: 'at-least', value: 0.8 },
    },
    row('LIST of 100 000 leases', leased),
    row('LIST of 100 000 certificates', listing),
    row('revoke one more and read the CRL of 20 000', revoking),
    {
      what: 'memory with them',
      ours: memory === undefined ? 'unknown' : `${Math.round(memory)} MiB`,
      peer: '600 MiB',
      ratio: memory === undefined ? undefined : memory / 600,
      bound: { kind: 'at-most', value: 1 },
    },
  ]
}

export async function pkiRows(say: (text: string) => void): Promise<readonly Row[]> {
  say('pki: rates of the machine')
  const signs = signRate()
  const keygens = await keygenRate()
  const server = await open()
  try {
    say('pki: issuing')
    const rates: number[] = []
    for (let round = 0; round < rounds; round++) rates.push(await rateOf(server, 'pki/issue/ec', { body: leaf }))
    const ec = median(rates)
    const idle = await rateOf(server, 'pki/roles/ec')
    const rsa = await rateOf(server, 'pki/issue/rsa', { body: leaf, connections: 1 })
    const after = await rateOf(server, 'pki/roles/ec')
    const wanted = (5000 * signs) / 60_000
    const rows: Row[] = [
      {
        what: 'EC leaf under an EC CA',
        ours: `${Math.round(ec)}/s`,
        peer: `${Math.round(wanted)}/s (this machine signs ${Math.round(signs)}/s)`,
        ratio: ec / wanted,
        bound: { kind: 'at-least', value: 1 },
      },
      {
        what: 'RSA-2048 leaf',
        ours: `${rsa.toFixed(1)}/s`,
        peer: `async keygen ${keygens.toFixed(1)}/s`,
        ratio: rsa / keygens,
        bound: { kind: 'at-least', value: 0.9 },
      },
      {
        what: 'reads after issuing RSA',
        ours: `${Math.round(after)}/s`,
        peer: `before ${Math.round(idle)}/s`,
        ratio: after / idle,
        bound: { kind: 'at-least', value: 0.8 },
      },
    ]
    return [...rows, ...(await scaleRows(server, say))]
  } finally {
    await server.pool.close()
    await server.peer.stop()
  }
}
