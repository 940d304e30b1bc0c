/** Faults that no check has to notice, each with a sentence about the documents. Strict both ways. */
import { matchesGlob } from 'node:path'
import type { FaultOperator } from '../vocabulary/index.ts'
import type { FaultOutcome } from './matrix.ts'

export interface Excuse {
  /** The id of a fault, or a glob. */
  readonly fault: string
  /** The reason says why a correct server may behave so, or why nothing can be seen of it. */
  readonly reason: string
}

export interface Row extends FaultOutcome {
  readonly state: 'noticed' | 'not-noticed' | 'excused'
  readonly reason?: string
}

/** Tells whether an excuse means this id. */
const isMeant = (id: string, { fault }: Excuse): boolean => id === fault || matchesGlob(id, fault)

export function judgedBy(
  excuses: readonly Excuse[],
  outcomes: readonly FaultOutcome[],
): { readonly rows: readonly Row[]; readonly stale: readonly string[] } {
  const used = new Set<Excuse>()
  const noticed = new Set<Excuse>()
  const rows = outcomes.map((outcome): Row => {
    const excuse = excuses.find((one) => isMeant(outcome.fault.id, one))
    if (outcome.noticedBy !== undefined) {
      if (excuse?.fault === outcome.fault.id) noticed.add(excuse)
      return { ...outcome, state: 'noticed' }
    }
    if (!excuse) return { ...outcome, state: 'not-noticed' }
    used.add(excuse)
    return { ...outcome, state: 'excused', reason: excuse.reason }
  })
  const areas = new Set(outcomes.map(({ fault }) => fault.area as string))
  const stale = excuses
    .filter((excuse) => areas.has(excuse.fault.split('/')[0] ?? '') && (!used.has(excuse) || noticed.has(excuse)))
    .map(
      ({ fault }) =>
        `the excuse for ${fault} excuses nothing: each fault that it means is noticed, or there is none; delete it`,
    )
  return { rows, stale }
}

/** By operator, in the order in which they were first met. */
export function rowsOf(rows: readonly Row[]): readonly (readonly [FaultOperator, readonly Row[]])[] {
  const byOperator = Map.groupBy(rows, ({ fault }) => fault.operator)
  return [...byOperator]
}
