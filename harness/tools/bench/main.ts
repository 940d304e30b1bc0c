/** `npm run bench` prints the measurements of one run as a table. The exit code is 1 if a bound is not met or a part
 * throws. */
import { flagsOf } from './flags.ts'
import { endChildrenWithThis } from './guard.ts'
import { type Part, parts, wholeBench } from './parts.ts'
import { keep, writeTable } from './record.ts'
import { isMet, joined, printed, type Row } from './table.ts'

const bounds = { seconds: 300, quickSeconds: 60 }

const { only, quick, repeat, json, readme } = flagsOf(process.argv.slice(2))
/** The parts that a run without `--only` and `--quick` measures. */
const usual = parts.filter(({ isLong }) => !isLong)
const chosen = only ? parts.filter(({ name }) => only.includes(name)) : usual.filter(({ isQuick }) => !quick || isQuick)
const say = (text: string): void => void process.stderr.write(`${text}\n`)

const unmeasured = ({ rows }: Part, why: string): readonly Row[] =>
  rows.map((what) => ({ what, ours: '', peer: '', ratio: undefined, bound: undefined, note: `not measured: ${why}` }))

let broken = 0

async function rowsOf(part: Part): Promise<readonly Row[]> {
  const startedAt = performance.now()
  try {
    const rows = await part.measure(say)
    const unknown = rows.filter(({ what }) => !part.rows.includes(what))
    if (unknown.length > 0) throw new Error(`parts.ts does not name ${unknown.map(({ what }) => what).join(', ')}`)
    return rows
  } catch (error) {
    broken += 1
    return unmeasured(part, (error as Error).message.split('\n')[0] ?? '')
  } finally {
    say(`${part.name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
}

/** With `--quick`, a part that is not finished by then is not measured. Processes that it has started end with this
 * one. */
const outOfTime = Symbol()
const deadline = new Promise<typeof outOfTime>((resolve) => {
  if (quick) setTimeout(() => resolve(outOfTime), bounds.quickSeconds * 1000 - performance.now() - 1000).unref()
})

async function measured(): Promise<readonly Row[]> {
  const startedAt = performance.now()
  const rows: Row[] = []
  for (const part of chosen) {
    const found = await Promise.race([rowsOf(part), deadline])
    rows.push(...(found === outOfTime ? unmeasured(part, `not finished after ${bounds.quickSeconds} s`) : found))
  }
  const seconds = (performance.now() - startedAt) / 1000
  if (usual.some((part) => !chosen.includes(part))) return rows
  const bound = { kind: 'at-most', value: 1 } as const
  const whole = { what: wholeBench, ours: `${seconds.toFixed(0)} s`, peer: `${bounds.seconds} s` }
  return [...rows, { ...whole, ratio: seconds / bounds.seconds, bound }]
}

endChildrenWithThis()
const runs: (readonly Row[])[] = []
while (runs.length < repeat) runs.push(await measured())
const rows = joined(runs)
process.stdout.write(`${printed(rows)}\n`)
if (json !== undefined) say(`written to ${keep(rows, json)}`)
if (readme) say(`written to ${writeTable(rows)}`)
process.exit(!quick && (broken > 0 || rows.some((row) => isMet(row) === false)) ? 1 : 0)
