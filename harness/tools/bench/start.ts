/** Measures what `npm start` takes and sends, and how long a run with many findings writes its reports. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownMutants } from '../../targets/mock.ts'
import { exitCodes, type RecordedExchange, type ResultDocument } from '../../vocabulary/index.ts'
import { cli, cpuOfEnded, peakOf, reference, startPeer } from './process.ts'
import type { Row } from './table.ts'

const bounds = {
  ...{ seconds: 20, processorSeconds: 32, megabytes: 420, firstSeconds: 2, summarySeconds: 1, reportsSeconds: 3 },
  ...{ requests: 14_000, mounts: 150 },
}
const findings = {
  ...{
    reportsSeconds: 6,
    of: 300,
    atLeast: 200,
    areas: 'policies,pki,plugin-catalog,mfa-legacy,mfa-identity,cloud',
    everyNth: 6,
  },
  patienceSeconds: 1,
}
/** Milliseconds between two reads of the memory. */
const stepMs = 50

interface Started {
  readonly seconds: number
  /** Seconds of all processors, of both processes. */
  readonly processorSeconds: number
  readonly megabytes: number
  /** Seconds to the first line of progress. */
  readonly firstSeconds: number
  readonly summarySeconds: number
  /** Seconds from the last check to the end, when all reports are written. */
  readonly reportsSeconds: number
}

/** Runs into `out`. Throws if the exit code is none of these. */
async function started(
  args: readonly string[],
  out: string,
  expected: readonly number[],
  env: NodeJS.ProcessEnv = {},
): Promise<Started> {
  const startedAt = performance.now()
  const since = (): number => (performance.now() - startedAt) / 1000
  const child = spawn(process.execPath, [cli, 'run', ...args, '--verbose', '--out', out], {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  })
  let [firstAt, judgedAt] = [Number.NaN, Number.NaN]
  let summaryAt = Number.NaN
  child.stderr.on('data', (chunk: Buffer) => {
    if (Number.isNaN(firstAt)) firstAt = since()
    if (/^[a-z-]+ {2}[a-z-]+\//m.test(chunk.toString())) judgedAt = since()
  })
  child.stdout.once('data', () => {
    summaryAt = since()
  })
  let megabytes = 0
  const before = cpuOfEnded()
  const polling = setInterval(() => {
    // Once the process that judges has ended, only that of its supervisor can be read.
    megabytes = Math.max(megabytes, peakOf(child.pid ?? 0) ?? 0)
  }, stepMs)
  const code = await new Promise((resolve) => child.once('close', resolve))
  const seconds = since()
  const used = cpuOfEnded() - before
  clearInterval(polling)
  if (!expected.includes(Number(code ?? -1))) throw new Error(`assay run ended with ${code}`)
  const [summarySeconds, reportsSeconds] = [summaryAt - judgedAt, seconds - judgedAt]
  return {
    ...{ seconds, processorSeconds: used, megabytes: megabytes || Number.NaN },
    ...{ firstSeconds: firstAt, summarySeconds, reportsSeconds },
  }
}

/** Returns what the checks of a run sent to the target. What prepared shared ground counts once. */
export const sentIn = ({ checks }: ResultDocument): readonly RecordedExchange[] =>
  checks.flatMap(({ exchanges }) => exchanges.filter(({ isShared }) => !isShared))

export const mountsIn = (sent: readonly RecordedExchange[]): number =>
  sent.filter(({ method, url }) => method === 'POST' && /\/sys\/(mounts|auth)\/[^/]+$/.test(url)).length

async function inFolder<T>(measure: (out: string) => Promise<T>): Promise<T> {
  const out = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    return await measure(out)
  } finally {
    rmSync(out, { recursive: true })
  }
}

/** Judges a server with every so-manieth fault, some of which leave things behind. The run moves the clock of the server,
 * and waits little: under these faults, several checks wait as long as they may. */
export async function findingsRow(say: (text: string) => void): Promise<Row> {
  say('a run with many findings')
  const mutants = (await knownMutants()).map(({ id }) => id)
  const chosen = mutants.filter(
    (id, at) => at % findings.everyNth === 0 && findings.areas.includes(id.split('/')[0] ?? ''),
  )
  return inFolder(async (out) => {
    const profile = join(out, 'profile.json')
    const faults = chosen.flatMap((id) => ['--mutant', id])
    const peer = await startPeer({ ...reference, args: [...reference.args, '--write-profile', profile, ...faults] })
    try {
      const written = JSON.parse(readFileSync(profile, 'utf8'))
      writeFileSync(profile, JSON.stringify({ ...written, patienceSeconds: findings.patienceSeconds }))
      const args = ['--profile', profile, '--area', findings.areas]
      const { reportsSeconds } = await started(args, out, [exitCodes.nonConformant, exitCodes.leftBehind], {
        ASSAY_TOKEN: peer.headers['x-vault-token'],
      })
      const { counts } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as ResultDocument
      const found = counts.fail + counts.warn
      if (found < findings.atLeast) throw new Error(`there were only ${found} findings`)
      // Fewer findings get less time.
      const seconds = findings.reportsSeconds * Math.min(1, found / findings.of)
      return {
        what: 'all reports of about 300 findings after the last check',
        ours: `${reportsSeconds.toFixed(2)} s for ${found}`,
        peer: `${seconds.toFixed(2)} s`,
        ratio: reportsSeconds / seconds,
        bound: { kind: 'at-most', value: 1 },
      }
    } finally {
      await peer.stop()
    }
  })
}

export async function startRows(say: (text: string) => void): Promise<readonly Row[]> {
  say('npm start')
  const usual = await inFolder(async (out) => {
    const found = await started(['embedded'], out, [exitCodes.conformant])
    const sent = sentIn(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as ResultDocument)
    return { ...found, requests: sent.length, mounts: mountsIn(sent) }
  })
  const row = (what: string, name: keyof typeof bounds, unit: string, digits: number): Row => {
    const value = usual[name]
    return {
      what,
      ours: `${value.toFixed(digits)} ${unit}`,
      peer: `${bounds[name]} ${unit}`,
      ratio: Number.isNaN(value) ? undefined : value / bounds[name],
      bound: { kind: 'at-most', value: 1 },
    }
  }
  return [
    row('npm start, all areas', 'seconds', 's', 1),
    row('npm start, processor', 'processorSeconds', 's', 1),
    row('npm start, memory at its peak', 'megabytes', 'MB', 0),
    row('npm start, first line of progress', 'firstSeconds', 's', 2),
    row('npm start, summary after the last check', 'summarySeconds', 's', 2),
    row('npm start, all reports after the last check', 'reportsSeconds', 's', 2),
    row('npm start, requests', 'requests', 'requests', 0),
    row('npm start, mounts', 'mounts', 'mounts', 0),
  ]
}
