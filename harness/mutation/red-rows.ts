/** Counts the rows of the documents that a fault makes red. One flaw contradicts one sentence, or a few; a fault that
 * makes many rows red is reported under sentences which that server keeps. Pure. */
import { matchesGlob } from 'node:path'
import { toldOnce } from '../verdict/told-once.ts'
import { brokenBy, type CheckResult, type Requirement, refusalOf, requirementsOf } from '../vocabulary/index.ts'
import type { Candidate } from './judged-server.ts'

/** The most rows that a fault may make red without an excuse. */
export const mostRows = 6
/** The most rows that 95 % of the faults of an area may make red, excused or not. */
const mostRowsUsually = 3
/** Of fewer faults, the 95th percentile is the widest one. */
const fewestForPercentile = 21

export interface RedRows {
  readonly fault: string
  readonly rows: readonly string[]
}

export interface WideFault {
  /** The id of a fault, or a glob. */
  readonly fault: string
  /** Why it contradicts more than `mostRows` rows. */
  readonly reason: string
  /** True for a kind of fault that is wide on some endpoints only. */
  readonly isKind?: true
}

/** Returns the rows that a run contradicts in which these are the results of some checks, while the others pass. */
export function redRowsIn(
  results: readonly CheckResult[],
  requirements: readonly Requirement[],
  all: readonly Candidate[] = [],
): readonly string[] {
  const judged = new Set(results.map(({ id }) => id))
  const { own: _, rests: __, blocker: ___, refusal: ____, ...like } = results[0] ?? {}
  const passing = all
    .filter(({ address }) => !judged.has(address))
    .map(({ address: id, check }): CheckResult => {
      const passed = { id, requirements: requirementsOf(check), verdict: 'pass', mismatches: [] } as const
      const refusal = refusalOf(check)
      return { ...(like as CheckResult), ...passed, ...(refusal ? { refusal } : {}) }
    })
  return [...new Set(toldOnce([...results, ...passing], requirements).flatMap(brokenBy))]
}

interface Spread {
  readonly faults: number
  readonly median: number
  readonly p95: number
}

export interface Widths extends Spread {
  readonly areas: readonly (Spread & { readonly area: string; readonly most: number })[]
  readonly worst: readonly RedRows[]
  /** Messages about faults without an excuse, and about excuses that excuse nothing. */
  readonly problems: readonly string[]
}

const shownAsWorst = 10

const isFor = ({ fault }: WideFault, id: string): boolean => id === fault || matchesGlob(id, fault)

/** `red` begins with the fault that makes the most rows red. */
function spreadOf(red: readonly RedRows[]): Spread {
  const at = (percentile: number): number =>
    red.at(Math.max(0, Math.ceil((red.length * (100 - percentile)) / 100) - 1))?.rows.length ?? 0
  return { faults: red.length, median: at(50), p95: at(95) }
}

/** Returns the rows of the area in which the fault makes the most rows red: each area states a rule that all of them
 * share in rows of its own. */
const rowsOfOneArea = (rows: readonly string[]): readonly string[] =>
  [...Map.groupBy(rows, (row) => row.slice(0, row.indexOf('.'))).values()].reduce((widest, one) =>
    one.length > widest.length ? one : widest,
  )

export function widthsOf(all: readonly RedRows[], excuses: readonly WideFault[] = []): Widths {
  // A fault that no check noticed is a problem of its own.
  const red = all
    .filter(({ rows }) => rows.length > 0)
    .map(({ fault, rows }) => ({ fault, rows: rowsOfOneArea(rows) }))
    .toSorted((one, other) => other.rows.length - one.rows.length)
  const byArea = Map.groupBy(red, ({ fault }) => fault.slice(0, fault.indexOf('/')))
  const wide = red.filter(({ rows }) => rows.length > mostRows)
  const unexcused = wide.filter(({ fault }) => !excuses.some((one) => isFor(one, fault)))
  const judged = excuses.filter((excuse) => !excuse.isKind && all.some(({ fault }) => isFor(excuse, fault)))
  const idle = judged.filter((excuse) => !wide.some(({ fault }) => isFor(excuse, fault)))
  const areas = [...byArea].map(([area, own]) => ({ area, ...spreadOf(own), most: own[0]?.rows.length ?? 0 }))
  const broad = areas.filter(({ faults, p95 }) => faults >= fewestForPercentile && p95 > mostRowsUsually)
  return {
    ...spreadOf(red),
    areas,
    worst: red.slice(0, shownAsWorst),
    problems: [
      ...unexcused.map(({ fault, rows }) => `${fault} makes ${rows.length} rows red: ${rows.join(', ')}`),
      ...idle.map(
        ({ fault }) => `the excuse for ${fault} excuses nothing: at most ${mostRows} rows are red; delete it`,
      ),
      ...broad.map(
        ({ area, p95 }) =>
          `${area}: 5 % of the faults make ${p95} rows red or more, and at most ${mostRowsUsually} are wanted: let rows rest on the one that reports the flaw`,
      ),
    ],
  }
}

export const lineOfWidths = ({ faults, median, p95, worst }: Widths): string =>
  `rows red per fault, of ${faults} faults: median ${median}, p95 ${p95}; the most: ${worst.map(({ fault, rows }) => `${fault} ${rows.length}`).join(', ')}`
