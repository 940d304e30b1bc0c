/** This benchmark measures what judging replication costs beside sending. The tokens, nonces and key shares are new
 * each time, so its requests cannot be sent again: they are timed on the wire in the very run that is measured. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Area, ResultDocument } from '../vocabulary/index.ts'
import { cli, type Peer, reference, startPeer } from './process.ts'
import type { Row } from './table.ts'

interface Announced {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
}

interface Measured {
  readonly judging: number
  /** Sum over all exchanges. */
  readonly wire: number
  readonly requests: number
}

async function judged(area: Area, folder: string, { url, env }: Announced): Promise<Measured> {
  const health = (await (await fetch(`${url}/v1/sys/health`)).json()) as { cluster_id: string }
  const to = join(folder, 'out')
  const safety = ['--safety', 'disruptive', '--allow-disruptive', health.cluster_id]
  const flags = ['--profile', join(folder, 'profile.json'), '--area', area, '--out', to, '--format', 'json', ...safety]
  const child = spawn(process.execPath, [cli, 'run', ...flags], { stdio: 'ignore', env: { ...process.env, ...env } })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`assay run --area ${area} ended with ${code}`)
  const { run, checks } = JSON.parse(readFileSync(join(to, 'result.json'), 'utf8')) as ResultDocument
  const attempts = checks.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.attempts))
  return {
    judging: run.judgingMs,
    wire: attempts.reduce((sum, { durationMs }) => sum + durationMs, 0),
    requests: attempts.length,
  }
}

/** On clusters of its own. */
async function onClusters(area: Area): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  let announced: Announced | undefined
  let peer: Peer | undefined
  try {
    peer = await startPeer({
      ...reference,
      args: [...reference.args, '--clusters', '3', '--write-profile', join(folder, 'profile.json')],
      ready(output) {
        const line = output.split('\n').find((text) => text.startsWith('{') && text.endsWith('}'))
        if (!line) return undefined
        announced = JSON.parse(line) as Announced
        return { url: `${announced.url}/v1/sys/health` }
      },
    })
    if (!announced) throw new Error('the clusters did not print where they are')
    return await judged(area, folder, announced)
  } finally {
    await peer?.stop()
    rmSync(folder, { recursive: true })
  }
}

export async function clusterRows(area: Area, say: (text: string) => void): Promise<readonly Row[]> {
  say(`${area}: three clusters`)
  const { judging, wire, requests } = await onClusters(area)
  return [
    {
      what: `${area} suite on three clusters`,
      ours: `${Math.round(judging)} ms`,
      peer: `its ${requests} requests on the wire ${Math.round(wire)} ms, without what clusters take to settle`,
      ratio: judging / wire,
      bound: { kind: 'at-most', value: 1.5 },
    },
  ]
}
