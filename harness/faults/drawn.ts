/** Small wrong servers that nobody has thought of: faults that show on occasion only, drawn by seed. */
import type { Row } from './excuses.ts'
import { type Proof, reachOf } from './proof.ts'

/** The part of the drawn faults that the checks must notice, of those without an excuse. */
const least = 0.9

/** Counts the faults without an excuse, and those of them that are noticed. */
export interface DrawnTally {
  readonly due: number
  readonly noticed: number
}

export const isEnough = ({ due, noticed }: DrawnTally): boolean => noticed >= least * due

export const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

type IsMust = (id: string) => boolean

/** Only what contradicts a must can fail a check, so the others count for `noticed` alone. */
export function countsOf(rows: readonly Row[], isMust: IsMust) {
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

export function drawnLines({ rows, interrupted, seconds }: Proof, seed: number, isMust: IsMust): readonly string[] {
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

/** Returns whether all faults were played, without a defect of the checks. */
export const arePlayed = ({ rows, interrupted }: Proof): boolean =>
  !interrupted && rows.every(({ defect }) => defect === undefined)
