/** Gathers the faults that the checks of a run have noticed: they show that a check can fail. */
import type { SelectedCheck } from '../../select/select.ts'
import type { CheckResult } from '../../vocabulary/index.ts'

interface Grounds {
  provenBy(check: string): Pick<CheckResult, 'provenBy'>
  /** The record says what each fault does, by its id. */
  readonly faults: Readonly<Record<string, string>>
}

export async function groundsOf(reached: readonly SelectedCheck[]): Promise<Grounds> {
  const [{ wireFaults }, { proofs }] = await Promise.all([
    import('../../../suites/faults.ts'),
    import('../../../suites/proofs.ts'),
  ])
  const noticed = Map.groupBy(
    wireFaults().filter(({ id }) => proofs.noticedBy[id] !== undefined),
    ({ id }) => proofs.noticedBy[id],
  )
  const grounds = new Map(
    reached.map(({ address, check }) => [address, { mutants: check.mutants, faults: noticed.get(address) ?? [] }]),
  )
  const says = [...grounds.values()].flatMap(({ mutants, faults }) => [
    ...mutants.map((id) => [id, proofs.mutants[id]] as const),
    ...faults.map((fault) => [fault.id, fault.says] as const),
  ])
  return {
    faults: Object.fromEntries(says.filter((one): one is readonly [string, string] => one[1] !== undefined)),
    provenBy(check) {
      const of = grounds.get(check)
      return of ? { provenBy: { mutants: of.mutants, faults: of.faults.map(({ id }) => id) } } : {}
    },
  }
}
