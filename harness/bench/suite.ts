/** This benchmark measures what judging costs beside sending: an area's suite, and a raw replay of the requests it
 * makes. The file is long because one round is told from its servers to its row. */
import { spawn } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool, request } from 'undici'
import { candidatesOf } from '../mutation/judged-server.ts'
import { judge } from '../run/judge.ts'
import { openSession } from '../run/session.ts'
import { type Features, featuresOfForms } from '../targets/features.ts'
import type { Area, Requirement, ResultDocument, Topic } from '../vocabulary/index.ts'
import { cli, type Peer, reference, startPeer } from './process.ts'
import { median, type Row } from './table.ts'

interface Recorded {
  readonly to: Side
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body: string | undefined
  status: number
}

interface UndiciRequest {
  readonly origin: string | URL
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body: unknown
}

/** The stub of a provider, drawing the same accounts each time. */
export interface Stub {
  readonly iam: string
  readonly sts: string
  readonly control: string
  close(): Promise<void>
}

/** Whom a request goes to: the server, its control listener, or that of the provider's stub. */
type Side = 'target' | 'control' | 'provider'
/** A server, and a provider for it, as they are started for one round. */
interface Setup {
  readonly peer: Peer
  readonly origins: Readonly<Record<Side, string>>
  /** Comes before every path at a side: the key of a control listener, which is another one on each start. */
  readonly keys: Readonly<Record<Side, string>>
  readonly provider: Stub | undefined
  readonly features: Features
  readonly pluginFiles: readonly unknown[]
  /** As `assay run --profile` takes it. */
  readonly profile: string
}

type Keyed = Record<Side, string>
type StartStub = () => Promise<Stub>

const rounds = 5
const rootToken = 'bench-test-root-token'
/** Same seeds, same order of requests: server and provider draw the same tokens and keys again, so that of what was
 * recorded only the ports have to be rewritten in a replay. */
async function open(startStub: StartStub | undefined): Promise<Setup> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const file = join(folder, 'profile.json')
    const args = [...reference.args, '--write-profile', file]
    const peer = await startPeer({ ...reference, args }, { ASSAY_ROOT_TOKEN: rootToken })
    const provider = await startStub?.()
    const profile = readFileSync(file, 'utf8')
    const { declared, control, pluginFiles } = JSON.parse(profile) as ProfileOfServer
    const features = featuresOfForms(declared.forms)
    const places = { target: peer.url, control, provider: provider?.control ?? '' }
    const each = (of: (url: URL | null) => string | undefined) =>
      Object.fromEntries(Object.entries(places).map(([side, url]) => [side, of(URL.parse(url)) ?? ''])) as Keyed
    const [origins, keys] = [each((url) => url?.origin), { ...each((url) => url?.pathname), target: '' }]
    return { peer, provider, features, pluginFiles, profile, origins, keys }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** `assay serve --write-profile` writes this. */
interface ProfileOfServer {
  readonly declared: { readonly forms: Readonly<Record<string, string>> }
  readonly control: string
  readonly pluginFiles: readonly unknown[]
}

interface Health {
  readonly cluster_id: string
}

async function healthOf(origin: string): Promise<Health> {
  const reply = await request(`${origin}/v1/sys/health`)
  return (await reply.body.json()) as Health
}

const portsOf = ({ provider }: Setup): readonly string[] => (provider ? [provider.iam, provider.sts] : [])

async function recorded(
  topics: readonly Topic[],
  requirements: readonly Requirement[],
  setup: Setup,
): Promise<readonly Recorded[]> {
  const requests: Recorded[] = []
  const underWay = new WeakMap<UndiciRequest, Recorded>()
  const { origins, provider, features, pluginFiles, keys } = setup
  const sides = new Map((Object.entries(origins) as [Side, string][]).map(([side, origin]) => [origin, side]))
  const listen = (message: unknown): void => {
    const { request } = message as { readonly request: UndiciRequest }
    const { origin, method, path, headers, body } = request
    const to = sides.get(String(origin))
    if (to === undefined) throw new Error(`the suite asked ${String(origin)}, which is none of those that are replayed`)
    const one: Recorded = {
      ...{ to, method, headers: [...headers], status: 0 },
      path: path.slice(keys[to].length),
      body: body === null || body === undefined ? undefined : String(body),
    }
    requests.push(one)
    underWay.set(request, one)
  }
  const note = (message: unknown): void => {
    const { request, response } = message as { request: UndiciRequest; response: { statusCode: number } }
    const one = underWay.get(request)
    if (one) one.status = response.statusCode
  }
  const [created, answered] = [channel('undici:request:create'), channel('undici:request:headers')]
  const session = await openSession({
    target: {
      url: origins.target,
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
      control: origins.control + keys.control,
      provides: {
        'plugin-files': pluginFiles,
        ...(provider ? { provider: { iam: provider.iam, sts: provider.sts, control: provider.control } } : {}),
      },
      secrets: [rootToken],
    },
    facts: { edition: 'premium', version: '1.14.0', features },
    runId: 'bench',
    seed: 1,
    ceiling: 'disruptive',
    jobs: 1,
    level: 'should',
    requirements,
    record: 'none',
    isThrownAway: true,
  })
  created.subscribe(listen)
  answered.subscribe(note)
  try {
    for (const { topic, check } of candidatesOf(topics)) {
      const result = await judge(topic, check, session)
      if (result.verdict !== 'pass' && result.verdict !== 'not-applicable')
        throw new Error(`${result.id}: ${result.verdict}${result.blocker ? `: ${result.blocker.reason}` : ''}`)
    }
  } finally {
    created.unsubscribe(listen)
    answered.unsubscribe(note)
    await session.close()
  }
  return requests
}

/** All requests, one after the other on one connection a side; replies are read to the end. Milliseconds, and how many had
 * another status than when they were recorded: of a replay that is another conversation the time would mean nothing. */
async function replayed(
  requests: readonly Recorded[],
  recordedOn: readonly string[],
  setup: Setup,
): Promise<{ readonly taken: number; readonly others: number }> {
  const [ports, pools] = [portsOf(setup), new Map<Side, Pool>()]
  const present = (text: string): string =>
    recordedOn.reduce((done, earlier, at) => done.replaceAll(earlier, ports[at] ?? ''), text)
  const prepared = requests.map(({ to, method, path, headers, body, status }) => {
    const pool = pools.get(to) ?? new Pool(setup.origins[to], { connections: 1 })
    pools.set(to, pool)
    const [sent, size] = [body === undefined ? undefined : present(body), headers.indexOf('content-length')]
    // The length of a port may differ, and with it that of the body.
    const fitting = size === -1 ? headers : headers.toSpliced(size, 2)
    return {
      pool,
      status,
      options: {
        ...{ method: method as 'GET', headers: [...fitting] },
        path: setup.keys[to] + path,
        ...(sent === undefined ? {} : { body: sent }),
      },
    }
  })
  const startedAt = performance.now()
  let others = 0
  for (const { pool, options, status } of prepared) {
    const reply = await pool.request(options)
    await reply.body.arrayBuffer()
    if (reply.statusCode !== status) others++
  }
  const taken = performance.now() - startedAt
  await Promise.all([...pools.values()].map((pool) => pool.close()))
  return { taken, others }
}

interface Judged {
  readonly judging: number
  /** Sum over all exchanges. */
  readonly wire: number
}

/** The judging phase of a whole `assay run` against a server of its own, in milliseconds. */
async function judged(area: Area, jobs: number, { origins: { target }, profile }: Setup): Promise<Judged> {
  const out = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const file = join(out, 'profile.json')
  writeFileSync(file, profile)
  const flags = ['--profile', file, '--area', area, '--jobs', String(jobs), '--out', out, '--format', 'json']
  const safety = ['--safety', 'disruptive', '--allow-disruptive', (await healthOf(target)).cluster_id]
  const child = spawn(process.execPath, [cli, 'run', ...flags, ...safety], {
    stdio: 'ignore',
    env: { ...process.env, ASSAY_TOKEN: rootToken },
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`assay run --area ${area} ended with ${code}`)
  const document = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as ResultDocument
  rmSync(out, { recursive: true })
  const attempts = document.checks.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.attempts))
  return { judging: document.run.judgingMs, wire: attempts.reduce((sum, { durationMs }) => sum + durationMs, 0) }
}

async function onFresh<T>(startStub: StartStub | undefined, run: (setup: Setup) => Promise<T>): Promise<T> {
  const setup = await open(startStub)
  try {
    return await run(setup)
  } finally {
    await setup.peer.stop()
    await setup.provider?.close()
  }
}

/** Other work on the machine comes and goes: each run is set beside the replays before and after it. */
interface Round {
  readonly one: Judged
  readonly eight: Judged
  readonly beside: readonly [one: number, eight: number]
}

/** Each round takes fresh servers, so that each starts from the same state. */
export async function suiteRows(
  area: Area,
  topics: readonly Topic[],
  requirements: readonly Requirement[],
  say: (text: string) => void,
  startStub: StartStub,
): Promise<readonly Row[]> {
  const mine = topics.filter((topic) => topic.area === area)
  const isAtProvider = mine.some(({ checks }) => checks.some(({ needs }) => needs?.includes('provider')))
  const stub = isAtProvider ? startStub : undefined
  say(`${area}: recording`)
  const [requests, ports] = await onFresh(stub, async (setup) => [
    await recorded(mine, requirements, setup),
    portsOf(setup),
  ])
  const all: Round[] = []
  let isReplayed = true
  for (let round = 0; round < rounds; round++) {
    say(`${area}: round ${round + 1} of ${rounds}`)
    const replay = async (): Promise<number> => {
      if (!isReplayed) return 0
      const { taken, others } = await onFresh(stub, (setup) => replayed(requests, ports, setup))
      // Serial numbers of certificates, say, are new each time: whoever asks for the former gets another answer.
      isReplayed &&= others <= requests.length / 100
      return taken
    }
    const before = await replay()
    const one = await onFresh(undefined, (setup) => judged(area, 1, setup))
    const between = await replay()
    const eight = await onFresh(undefined, (setup) => judged(area, 8, setup))
    const after = await replay()
    all.push({ one, eight, beside: [(before + between) / 2, (between + after) / 2] })
  }
  const beside = isReplayed ? 'raw replay of its' : 'on the wire, one after the other, its'
  const row = (jobs: number, index: 0 | 1, of: (round: Round) => Judged): Row => {
    const floorOf = (round: Round): number => (isReplayed ? round.beside[index] : round.one.wire)
    return {
      what: `${area} suite, judging with ${jobs} job${jobs === 1 ? '' : 's'}`,
      ours: `${Math.round(median(all.map((round) => of(round).judging)))} ms`,
      peer: `${beside} ${requests.length} requests ${Math.round(median(all.map(floorOf)))} ms`,
      ratio: median(all.map((round) => of(round).judging / floorOf(round))),
      bound: { kind: 'at-most', value: 2 },
    }
  }
  return [row(1, 0, ({ one }) => one), row(8, 1, ({ eight }) => eight)]
}
