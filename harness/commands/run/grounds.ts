/** Gathers what a report shows about checks apart from their verdicts: their file and line, and the faults that they
 * have noticed, which prove that they can fail. */
import type { SelectedCheck } from '../../select/select.ts'
import type { CheckResult } from '../../vocabulary/index.ts'
import { placeOfCall } from '../where/sources.ts'
import { areasOf } from './probing.ts'

export interface Grounds {
  of(check: string): Pick<CheckResult, 'provenBy' | 'definedAt'>
  /** What each fault does, by the fault's id. */
  readonly faults: Readonly<Record<string, string>>
}

export async function groundsOf(reached: readonly SelectedCheck[]): Promise<Grounds> {
  const [{ wireFaults }, { proofs }] = await Promise.all([
    import('../../../suites/faults.ts'),
    import('../../../suites/proofs.ts'),
  ])
  const noticed = Map.groupBy(
    // A check notices faults of its own area only.
    wireFaults(new Set(areasOf(reached))).filter(({ id }) => proofs.noticedBy[id] !== undefined),
    ({ id }) => proofs.noticedBy[id],
  )
  const grounds = new Map(
    reached.map(({ address, check }) => {
      const definedAt = placeOfCall(check.madeBy, check.id)
      return [address, { definedAt, mutants: check.mutants, faults: noticed.get(address) ?? [] }]
    }),
  )
  const says = [...grounds.values()].flatMap(({ mutants, faults }) => [
    ...mutants.map((id) => [id, proofs.mutants[id]] as const),
    ...faults.map((fault) => [fault.id, fault.says] as const),
  ])
  return {
    faults: Object.fromEntries(says.filter((one): one is readonly [string, string] => one[1] !== undefined)),
    of(check) {
      const ground = grounds.get(check)
      if (!ground) return {}
      const { definedAt, mutants, faults } = ground
      return {
        ...(definedAt === undefined ? {} : { definedAt }),
        provenBy: { mutants, faults: faults.map(({ id }) => id) },
      }
    },
  }
}
