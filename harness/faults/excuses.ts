/** Applies excuses, which name faults that no check has to notice. An excuse that is not needed is an error, too. */
import { matchesGlob } from 'node:path'
import type { FaultOperator } from '../vocabulary/index.ts'
import type { FaultOutcome } from './matrix.ts'

export interface Excuse {
  /** The id of a fault, or a glob. */
  readonly fault: string
  /** Why a correct server may behave like this, or why no client can see it. */
  readonly reason: string
}

export interface Row extends FaultOutcome {
  readonly state: 'noticed' | 'not-noticed' | 'excused'
  readonly reason?: string
}

const isFor = ({ fault }: Excuse, id: string): boolean => id === fault || matchesGlob(id, fault)

export function judgedBy(
  excuses: readonly Excuse[],
  outcomes: readonly FaultOutcome[],
): { readonly rows: readonly Row[]; readonly stale: readonly string[] } {
  const used = new Set<Excuse>()
  const noticed = new Set<Excuse>()
  const rows = outcomes.map((outcome): Row => {
    const excuse = excuses.find((one) => isFor(one, outcome.fault.id))
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
      ({ fault }) => `the excuse for ${fault} excuses nothing: its faults are all noticed, or do not exist; delete it`,
    )
  return { rows, stale }
}

/** Groups rows by operator, in the order in which the operators first occur. */
export function rowsOf(rows: readonly Row[]): readonly (readonly [FaultOperator, readonly Row[]])[] {
  const byOperator = Map.groupBy(rows, ({ fault }) => fault.operator)
  return [...byOperator]
}
