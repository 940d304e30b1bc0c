/** `assay selftest --drawn n`: small wrong servers that nobody has thought of, drawn by seed. */
import { randomInt } from 'node:crypto'
import { drawFaults } from '../../../fixtures/api/drawn-faults.ts'
import { laws } from '../../../fixtures/api/index.ts'
import { drawnExcuses } from '../../../suites/faults.ts'
import type { Row } from '../../faults/excuses.ts'
import { type Proof, type ProofOptions, prove, reachOf } from '../../faults/proof.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { type Area, areas, exitCodes, type WireFault } from '../../vocabulary/index.ts'
import type { Terminal } from '../output/terminal.ts'
import { showTexts } from '../progress.ts'
import type { SelftestFlags } from './flags.ts'
import { withProviderStub } from './provider-stub.ts'

/** The part of the drawn faults that the checks must notice, of those without an excuse. */
const least = 0.9

interface Drawing {
  readonly count: number
  readonly seed: number
  readonly areas: readonly Area[]
}

function drawn({ count, seed, areas: chosen }: Drawing): readonly WireFault[] {
  try {
    return drawFaults(
      laws.filter(({ area }) => chosen.includes(area)),
      { count, seed },
    )
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`--drawn: ${error.message}`) : error
  }
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

type IsMust = (id: string) => boolean

/** Only what contradicts a must can fail a check, so the others count for `noticed` alone. */
function countsOf(rows: readonly Row[], isMust: IsMust) {
  const due = rows.filter(({ state }) => state !== 'excused')
  const must = due.filter(({ fault }) => fault.rows.some(isMust))
  return {
    due: due.length,
    noticed: due.filter(({ noticedAs }) => noticedAs !== undefined).length,
    must: must.length,
    failed: must.filter(({ noticedAs }) => noticedAs === 'fail').length,
  }
}

/** Returns the rates of some of the faults in one line. */
function rates(name: string, rows: readonly Row[], isMust: IsMust): string {
  const { due, failed, must, noticed } = countsOf(rows, isMust)
  return `${name.padEnd(24)} ${String(due).padStart(5)} faults, ${percent(noticed, due).padStart(7)} noticed; ${String(must).padStart(5)} of a must, ${percent(failed, must).padStart(7)} as fail`
}

function drawnLines({ rows, interrupted, seconds }: Proof, seed: number, isMust: IsMust): readonly string[] {
  const open = interrupted ? [] : rows.filter(({ state }) => state === 'not-noticed')
  const groups = (nameOf: (row: Row) => string) =>
    [...Map.groupBy(rows, nameOf)].map(([name, some]) => rates(`  ${name}`, some, isMust))
  return [
    ...(interrupted ? ['interrupted: a fault that counts as not noticed may not have been played'] : []),
    ...open.map((row) => `not noticed: ${row.fault.id} (${reachOf(row)}): ${row.fault.says}`),
    ...rows.flatMap(({ fault, defect }) => (defect === undefined ? [] : [`defect under ${fault.id}: ${defect}`])),
    ...groups(({ fault }) => fault.area),
    ...groups(({ fault: { only } }) => `${only?.kind}${only && 'everywhere' in only ? ', on all mounts' : ''}`),
    `${rates('all', rows, isMust)}; drawn with --seed ${seed}, ${Math.round(seconds)} s`,
  ]
}

/** Returns whether enough of the drawn faults are noticed, without a defect. */
function areNoticed({ rows, interrupted }: Proof): boolean {
  const { due, noticed } = countsOf(rows, () => true)
  return !interrupted && noticed >= least * due && rows.every(({ defect }) => defect === undefined)
}

export async function selftestDrawn(
  { drawn: count = 0, seed = randomInt(1, 1_000_000), area, json }: SelftestFlags,
  material: Pick<ProofOptions, 'topics' | 'requirements' | 'lists' | 'spellings'>,
  terminal: Terminal,
): Promise<number> {
  const chosen = area ?? areas
  const musts = new Set(material.requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])))
  const faults = drawn({ count, seed, areas: chosen })
  return withProviderStub(async (provides) => {
    const proof = await prove({
      ...material,
      ...{ faults, excuses: drawnExcuses, isUntilFail: true },
      topics: material.topics.filter((topic) => chosen.includes(topic.area)),
      provides,
      onProgress: showTexts(terminal),
      signal: terminal.signal,
    })
    if (json) terminal.json({ seed, ...proof }, 2)
    else for (const line of drawnLines(proof, seed, (id) => musts.has(id))) terminal.out(line)
    if (terminal.signal.aborted) return exitCodes.interrupted
    return areNoticed(proof) ? exitCodes.conformant : exitCodes.defect
  })
}
