/** Compares the time to judge a suite with the time that its requests take on the wire. Requests cannot be replayed,
 * because tokens, serial numbers and key shares are new each time. So they are timed in a run with `--timings`, one
 * check at a time. Undo requests, and requests that let clusters settle, are included, because the run only waits
 * for a server there, too. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Area, exitCodes, type ResultDocument } from '../../vocabulary/index.ts'
import { cli, type Peer, reference, startPeer } from './process.ts'
import type { Row } from './table.ts'

/** What `assay serve --json` prints, for one or several clusters. */
interface Announced {
  readonly url: string
  readonly token?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Measured {
  readonly judging: number
  /** Milliseconds of all requests from the first check to the last. */
  readonly wire: number
  readonly requests: number
  /** Milliseconds of the check that took longest. */
  readonly longest: number
}

function sentWhileJudging({ run: { timings = [] } }: ResultDocument): Pick<Measured, 'wire' | 'requests'> {
  const checks = timings.filter(({ name }) => name.startsWith('check '))
  const [first, last] = [checks[0]?.startMs ?? 0, Math.max(...checks.map((check) => check.startMs + check.durationMs))]
  const sent = timings.filter(({ name, startMs }) => /(^| )request$/.test(name) && startMs >= first && startMs <= last)
  return { requests: sent.length, wire: sent.reduce((sum, { durationMs }) => sum + durationMs, 0) }
}

async function judged(area: Area, jobs: number, folder: string, { url, token, env }: Announced): Promise<Measured> {
  const health = (await (await fetch(`${url}/v1/sys/health`)).json()) as { cluster_id: string }
  const to = join(folder, 'out')
  const safety = ['--safety', 'disruptive', '--allow-disruptive', health.cluster_id]
  const flags = ['--profile', join(folder, 'profile.json'), '--area', area, '--jobs', String(jobs), '--timings']
  const child = spawn(process.execPath, [cli, 'run', ...flags, ...safety, '--out', to, '--format', 'json'], {
    stdio: 'ignore',
    env: { ...process.env, ...(token === undefined ? {} : { ASSAY_TOKEN: token }), ...env },
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  // Without a clock, what would have to be waited for too long is not verified.
  if (code !== exitCodes.conformant && code !== exitCodes.incomplete)
    throw new Error(`assay run --area ${area} ended with ${code}`)
  const document = JSON.parse(readFileSync(join(to, 'result.json'), 'utf8')) as ResultDocument
  const longest = Math.max(...document.checks.map(({ durationMs }) => durationMs))
  return { judging: document.run.judgingMs, longest, ...sentWhileJudging(document) }
}

/** Judges on new servers, so that each run starts from the same state. */
async function onFresh(
  area: Area,
  jobs: number,
  { flags = [], hasClock = true }: { readonly flags?: readonly string[]; readonly hasClock?: boolean } = {},
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  let announced: Announced | undefined
  let peer: Peer | undefined
  try {
    peer = await startPeer({
      ...reference,
      args: [...reference.args, ...flags, '--write-profile', join(folder, 'profile.json')],
      ready(output) {
        const line = output.split('\n').find((text) => text.startsWith('{') && text.endsWith('}'))
        if (!line) return undefined
        announced = JSON.parse(line) as Announced
        return { url: `${announced.url}/v1/sys/health` }
      },
    })
    if (!announced) throw new Error('the server did not print its URL')
    if (!hasClock) withoutControl(join(folder, 'profile.json'))
    return await judged(area, jobs, folder, announced)
  } finally {
    await peer?.stop()
    rmSync(folder, { recursive: true })
  }
}

function withoutControl(profile: string): void {
  const { control: _, ...rest } = JSON.parse(readFileSync(profile, 'utf8')) as { readonly control?: string }
  writeFileSync(profile, JSON.stringify(rest))
}

const ms = (value: number): string => `${Math.round(value)} ms`

/** The time on the wire is that of the run with one job. With several jobs, each request would also wait for others. */
export async function suiteRows(area: Area, say: (text: string) => void): Promise<readonly Row[]> {
  say(`${area}: 1 job`)
  const one = await onFresh(area, 1)
  say(`${area}: 8 jobs`)
  const eight = await onFresh(area, 8)
  const row = (words: string, { judging }: Measured, bound: number): Row => ({
    what: `${area} suite, judging with ${words}`,
    ours: ms(judging),
    peer: `its ${one.requests} requests on the wire ${ms(one.wire)}`,
    ratio: judging / one.wire,
    bound: { kind: 'at-most', value: bound },
  })
  return [row('1 job', one, 1.5), row('8 jobs', eight, 1.5)]
}

export async function clusterRows(area: Area, say: (text: string) => void): Promise<readonly Row[]> {
  say(`${area}: three clusters`)
  const { judging, wire, requests } = await onFresh(area, 8, { flags: ['--clusters', '3'] })
  return [
    {
      what: `${area} suite on three clusters`,
      ours: ms(judging),
      peer: `its ${requests} requests on the wire ${ms(wire)}`,
      ratio: judging / wire,
      bound: { kind: 'at-most', value: 1.5 },
    },
  ]
}

/** Judges an area on a server whose clock cannot be moved, so that its checks wait as they do on a real one. */
export async function waitingRows(say: (text: string) => void): Promise<readonly Row[]> {
  const what = 'mfa-identity suite without a clock'
  say(what)
  const { judging, longest } = await onFresh('mfa-identity', 8, { hasClock: false })
  return [
    {
      what,
      ours: ms(judging),
      peer: `its longest check ${ms(longest)}`,
      ratio: judging / longest,
      bound: { kind: 'at-most', value: 1.3 },
    },
  ]
}
