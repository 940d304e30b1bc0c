/** Judges checks under mutants, and finds the cells of the kill matrix in which something fails. */
import { inLanes } from '../run/lanes.ts'
import type { CheckResult } from '../vocabulary/index.ts'
import { judgedOn } from './judge-in-heaps.ts'
import type { Candidate, JudgedServer, JudgedServers } from './judged-server.ts'
import { byCondition, type Cell } from './kill-matrix.ts'
import type { Setting } from './settings.ts'

export interface Fault {
  readonly id: string
  readonly area: string
  readonly shared: boolean
}

/** The mutants that a check meets, each with the cells that it changes: while the unchanged server was judged by the
 * check, it read those cells. Any other mutant would not have changed the server's behaviour. */
export type MetMutants = ReadonlyMap<string, ReadonlySet<string>>

/** Counts the pairs of a check and a mutant by how they were judged. */
export interface Pairs {
  /** Pairs in which the check names the mutant. They are judged one by one. */
  named: number
  /** Pairs in which the check meets the mutant but does not name it. They are judged in groups. */
  met: number
  /** Pairs in which the check neither meets nor names the mutant. It is judged under all such mutants at once. */
  unmet: number
  /** The number of judgements under mutants that this took. */
  judgements: number
}

export interface MatrixRun {
  readonly servers: JudgedServers
  readonly setting: Setting
  readonly signal: AbortSignal
  readonly say: (text: string) => void
  /** Called with the results of the checks that name a mutant. */
  readonly heard: (mutant: string, results: readonly CheckResult[]) => void
}

/** Judges each check on an unchanged server, which is reset before and not used by other checks meanwhile, and
 * records in `met` which mutants the check meets. */
export async function judgedWatched(
  { servers, signal }: Pick<MatrixRun, 'servers' | 'signal'>,
  checks: readonly Candidate[],
  met: Map<string, MetMutants>,
): Promise<readonly CheckResult[]> {
  const judgedAlone = (check: Candidate) => async (judged: JudgedServer) => {
    const cells = new Map<string, Set<string>>()
    met.set(check.address, cells)
    await judged.server.reset()
    judged.server.watchMutants((id, cell) => {
      const own = cells.get(id)
      if (own) own.add(cell)
      else cells.set(id, new Set([cell]))
    })
    try {
      return await judged.judgePlainly([check], signal)
    } finally {
      judged.server.loadMutants([])
    }
  }
  return (await Promise.all(checks.map((check) => judgedOn(servers, judgedAlone(check), signal)))).flat()
}

/** Tells whether a fault can affect a check: a fault of an engine affects only its own area, a fault of the kernel
 * all areas. */
const meets = ({ topic }: Candidate, { area }: Fault): boolean => area === 'kernel' || topic.area === area

/** Groups faults for one check. No two faults of a group change the same cell, so that no fault hides another. */
class Groups {
  readonly #counts = new Map<string, { passed: number; stopped: number }>()

  /** Records whether a check passed under these faults. */
  note(ids: readonly string[], isPassed: boolean): void {
    for (const id of ids) {
      const { passed, stopped } = this.#counts.get(id) ?? { passed: 0, stopped: 0 }
      this.#counts.set(id, isPassed ? { passed: passed + 1, stopped } : { passed, stopped: stopped + 1 })
    }
  }

  /** Tells whether a fault needs a group of its own: it keeps so many checks from passing that a group with it
   * rarely passes. */
  #isAlone(id: string): boolean {
    const { passed, stopped } = this.#counts.get(id) ?? { passed: 0, stopped: 0 }
    return stopped * oftenStops > passed
  }

  of(ids: readonly string[], met: MetMutants): readonly (readonly string[])[] {
    const groups: { readonly ids: string[]; readonly cells: Set<string> }[] = []
    const alone = ids.filter((id) => this.#isAlone(id))
    for (const id of ids.filter((one) => !alone.includes(one))) {
      const cells = [...(met.get(id) ?? [])]
      let group = groups.find((one) => one.ids.length < groupSize && !cells.some((cell) => one.cells.has(cell)))
      if (!group) {
        group = { ids: [], cells: new Set() }
        groups.push(group)
      }
      group.ids.push(id)
      for (const cell of cells) group.cells.add(cell)
    }
    return [...alone.map((id) => [id]), ...groups.map((group) => group.ids)]
  }
}

const groupSize = 48
/** Finding the fault of a group that stops a check takes about this many judgements. */
const oftenStops = 8

/** Judges each check alone under every fault that it names, and under groups of the other faults. A check whose own
 * requirements hold under a group notices no fault of it; otherwise it is judged under each half of the group. */
export async function cellsOf(
  { servers, setting, signal, say, heard }: MatrixRun,
  candidates: readonly Candidate[],
  mutants: readonly Fault[],
  met: ReadonlyMap<string, MetMutants>,
  pairs: Pairs,
): Promise<readonly Cell[]> {
  // A check that notices a mutant only in the company of others would miss it in a run of its own.
  const judgedUnder = (ids: readonly string[], check: Candidate, what = ''): Promise<readonly CheckResult[]> => {
    const judge = async (judged: JudgedServer) => {
      if (what !== '') say(`${setting.name}: ${what}`)
      pairs.judgements += 1
      await judged.server.reset()
      judged.server.loadMutants(ids)
      return judged.judgeFaulty([check], signal)
    }
    return judgedOn(servers, judge, signal)
  }
  const cellsFrom = (mutant: string, results: readonly CheckResult[]): readonly Cell[] =>
    results
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ id: check, mismatches }) => ({
        ...{ mutant, check },
        failed: [...new Set(mismatches.map(({ expectation = byCondition }) => expectation))],
        ...(met.get(check)?.has(mutant) ? {} : { isUnmet: true as const }),
      }))

  const groups = new Groups()
  const byName = mutants.map(async ({ id }, index) => {
    const naming = candidates.filter(({ check }) => check.mutants.includes(id))
    pairs.named += naming.length
    const what = `mutant ${index + 1} of ${mutants.length}, ${id}`
    const results = (await Promise.all(naming.map((check) => judgedUnder([id], check, what)))).flat()
    heard(id, results)
    return cellsFrom(id, results)
  })

  const cellsIn = async (ids: readonly string[], candidate: Candidate, what = ''): Promise<readonly Cell[]> => {
    const [first, ...others] = ids
    if (first === undefined) return []
    const results = await judgedUnder(ids, candidate, what)
    const isPassed = results.every(({ verdict, own }) => (own?.verdict ?? verdict) === 'pass')
    if (isPassed || others.length === 0) groups.note(ids, isPassed)
    if (isPassed) return []
    if (others.length === 0) return cellsFrom(first, results)
    const middle = Math.ceil(ids.length / 2)
    const halves = [ids.slice(0, middle), ids.slice(middle)]
    return (await Promise.all(halves.map((half) => cellsIn(half, candidate)))).flat()
  }

  // A shared fault is played only to the checks that name it.
  const byCheck: Cell[] = []
  const judgeOthers = async (candidate: Candidate): Promise<void> => {
    const own = met.get(candidate.address) ?? new Map<string, ReadonlySet<string>>()
    const others = mutants
      .filter((fault) => !fault.shared && meets(candidate, fault) && !candidate.check.mutants.includes(fault.id))
      .map(({ id }) => id)
    const near = others.filter((id) => own.has(id))
    const far = others.filter((id) => !own.has(id))
    pairs.met += near.length
    pairs.unmet += far.length
    const what = `${candidate.address} under faults that it does not name`
    for (const cells of await Promise.all([...groups.of(near, own), far].map((ids) => cellsIn(ids, candidate, what))))
      byCheck.push(...cells)
  }
  const cells = (await Promise.all(byName)).flat()
  await inLanes(candidates, servers.count, signal, judgeOthers)
  await servers.each(({ server }) => server.loadMutants([]))
  return [...cells, ...byCheck]
}
