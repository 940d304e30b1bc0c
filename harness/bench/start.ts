/** Measures the duration and the peak memory of `npm start`. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cli, peakOf } from './process.ts'
import type { Row } from './table.ts'

const bounds = { seconds: 12, megabytes: 400, firstSeconds: 2, summarySeconds: 1, reportsSeconds: 3 }
/** Milliseconds between two reads of the memory. */
const stepMs = 50

interface Started {
  readonly seconds: number
  readonly megabytes: number
  /** Seconds to the first line of progress. */
  readonly firstSeconds: number
  /** Seconds from the last check to the summary. */
  readonly summarySeconds: number
  /** Seconds from the last check to the end, when all reports are written. */
  readonly reportsSeconds: number
}

async function npmStart(): Promise<Started> {
  const out = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const startedAt = performance.now()
  const since = (): number => (performance.now() - startedAt) / 1000
  const child = spawn(process.execPath, [cli, 'run', 'embedded', '--verbose', '--out', out], {
    stdio: ['ignore', 'pipe', 'pipe'],
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
  let megabytes = Number.NaN
  const polling = setInterval(() => {
    // The peak only grows, so the last value counts. It cannot be read after the process has ended.
    megabytes = peakOf(child.pid ?? 0) ?? megabytes
  }, stepMs)
  const code = await new Promise((resolve) => child.once('close', resolve))
  const seconds = since()
  clearInterval(polling)
  rmSync(out, { recursive: true })
  if (code !== 0) throw new Error(`assay run ended with ${code}`)
  const [summarySeconds, reportsSeconds] = [summaryAt - judgedAt, seconds - judgedAt]
  return { seconds, megabytes, firstSeconds: firstAt, summarySeconds, reportsSeconds }
}

export async function startRows(say: (text: string) => void): Promise<readonly Row[]> {
  say('npm start')
  const started = await npmStart()
  const row = (what: string, name: keyof Started, unit: string, digits: number): Row => {
    const value = started[name]
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
    row('npm start, memory at its peak', 'megabytes', 'MB', 0),
    row('npm start, first line of progress', 'firstSeconds', 's', 2),
    row('npm start, summary after the last check', 'summarySeconds', 's', 2),
    row('npm start, all reports after the last check', 'reportsSeconds', 's', 2),
  ]
}
