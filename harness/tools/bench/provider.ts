/** Measures how many signed calls the provider stub handles, compared with a bare server and with the cost of
 * signing a call. */
import { GetCallerIdentityCommand, GetFederationTokenCommand, STSClient } from '@aws-sdk/client-sts'
import autocannon from 'autocannon'
import { cli, cpuOf, type Peer, type PeerPlan, startPeer } from './process.ts'
import { bare } from './server.ts'
import { median, type Row } from './table.ts'

const rounds = 2
const seconds = 2
/** The number of requests that are signed in advance. They are sent repeatedly. */
const prepared = 200
const goal = 3000

interface Opened {
  readonly sts: string
  readonly accessKey: string
  readonly secretKey: string
}

const plan: PeerPlan = {
  name: 'provider stub',
  command: process.execPath,
  args: [cli, 'provider', '--json'],
  ready: (output) => {
    const line = output.split('\n').find((text) => text.startsWith('{'))
    if (!line) return undefined
    opened = JSON.parse(line) as Opened
    // The control listener answers requests without a signature.
    return { url: `${(JSON.parse(line) as { control: string }).control}/calls` }
  },
}
let opened: Opened | undefined

interface Signed {
  readonly headers: Record<string, string>
  readonly body: string
}

/** Collects the signed requests that the SDK would send, without sending them. */
function signer({ sts, accessKey, secretKey }: Opened) {
  const signed: Signed[] = []
  const client = new STSClient({
    region: 'eu-north-1',
    endpoint: sts,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    maxAttempts: 1,
    requestHandler: {
      async handle({ headers, body }: Signed) {
        // The load generator sets this header itself.
        const { 'content-length': _, ...rest } = headers
        signed.push({ headers: rest, body })
        throw new Error('not sent')
      },
    } as never,
  })
  const sign = (command: GetFederationTokenCommand | GetCallerIdentityCommand): Promise<unknown> =>
    client.send(command as GetCallerIdentityCommand).catch(() => {})
  return { signed, sign }
}

const commandOf = (n: number) =>
  n % 2 === 0 ? new GetCallerIdentityCommand({}) : new GetFederationTokenCommand({ Name: `bench-${n}` })

/** Returns the calls per second that the SDK builds and signs on one thread. */
async function signRate(account: Opened): Promise<number> {
  const { sign } = signer(account)
  for (let n = 0; n < prepared; n++) await sign(commandOf(n))
  const startedAt = performance.now()
  let count = 0
  while (performance.now() - startedAt < 1000 * seconds) await sign(commandOf(count++))
  return (count * 1000) / (performance.now() - startedAt)
}

interface Load {
  readonly rate: number
  readonly cpuUs: number
}

async function load(url: string, pid: number, requests: readonly Signed[]): Promise<Load> {
  const before = cpuOf(pid)
  const result = await autocannon({
    url,
    connections: 16,
    duration: seconds,
    requests: requests.map(({ headers, body }) => ({ method: 'POST', path: '/', headers, body })),
  })
  const after = cpuOf(pid)
  const count = result.requests.total
  if (result.errors > 0 || result.non2xx > 0 || count === 0)
    throw new Error(`${url}: ${result.errors} errors and ${result.non2xx} refusals under load`)
  const cpuUs = before === undefined || after === undefined ? Number.NaN : ((after - before) * 1000) / count
  return { rate: count / result.duration, cpuUs }
}

const middle = (loads: readonly Load[]): Load => ({
  rate: median(loads.map(({ rate }) => rate)),
  cpuUs: median(loads.map(({ cpuUs }) => cpuUs)),
})
const wordsOf = ({ rate, cpuUs }: Load): string => `${Math.round(rate)}/s, ${cpuUs.toFixed(1)} µs cpu`

/** Measures in alternating rounds, so that other load on the machine affects both servers. */
export async function providerRows(say: (text: string) => void): Promise<readonly Row[]> {
  const stub: Peer = await startPeer(plan)
  if (!opened) throw new Error('the stub reported no account')
  const account = opened
  const { signed, sign } = signer(account)
  for (let n = 0; n < prepared; n++) await sign(commandOf(n))
  const answer = await fetch(account.sts, { method: 'POST', headers: hostless(signed[0]), body: signed[0]?.body ?? '' })
  if (!answer.ok) throw new Error(`the stub refuses what the SDK signed: ${await answer.text()}`)
  const floor = await startPeer(bare(await answer.text(), { 'content-type': 'text/xml' }))
  const loads: { readonly own: Load[]; readonly floor: Load[] } = { own: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    say(`provider: round ${round + 1} of ${rounds}`)
    loads.floor.push(await load(floor.url, floor.pid, signed))
    loads.own.push(await load(account.sts, stub.pid, signed))
  }
  await floor.stop()
  await stub.stop()
  say('provider: what the SDK signs')
  const signs = await signRate(account)
  const [own, limit] = [middle(loads.own), middle(loads.floor)]
  // The rate per core is derived from the CPU time, because that does not depend on other load on the machine.
  const perCore = 1_000_000 / own.cpuUs
  return [
    {
      what: 'provider stub, signed calls a core',
      ours: `${Math.round(perCore)}/s`,
      peer: `goal ${goal}/s`,
      ratio: Number.isNaN(perCore) ? undefined : perCore / goal,
      bound: { kind: 'at-least', value: 1 },
    },
    {
      what: 'provider stub, signed calls replayed',
      ours: wordsOf(own),
      peer: `bare node:http ${wordsOf(limit)}`,
      ratio: own.rate / limit.rate,
      bound: undefined,
    },
    {
      what: 'provider stub, calls beside their signing',
      ours: `${Math.round(own.rate)}/s`,
      peer: `the SDK builds and signs ${Math.round(signs)}/s on one thread`,
      ratio: own.rate / signs,
      bound: undefined,
    },
  ]
}

/** Removes the host header: `fetch` sets it itself, to the same value as the signed one. */
const hostless = (signed?: Signed): Record<string, string> =>
  Object.fromEntries(Object.entries(signed?.headers ?? {}).filter(([name]) => name !== 'host'))
