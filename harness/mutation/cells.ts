/** Judges checks under mutants, and finds the cells of the kill matrix in which something fails. */
import { inLanes } from '../run/lanes.ts'
import type { CheckResult } from '../vocabulary/index.ts'
import { judgedOn, plainly } from './judge-in-heaps.ts'
import type { Candidate, JudgedServer, JudgedServers } from './judged-server.ts'
import type { Cell } from './kill-matrix.ts'
import type { Setting } from './settings.ts'

export interface Fault {
  readonly id: string
  readonly area: string
  readonly shared: boolean
}

/** The mutants that a check met on the unchanged server, because the server read a cell that they change, each with those
 * cells. With any other mutant the server would have done the same. */
export type MetMutants = ReadonlyMap<string, ReadonlySet<string>>

/** How many pairs of a check and a mutant were judged in which way. */
export interface Pairs {
  /** The check names the mutant: judged alone. */
  named: number
  /** The check meets the mutant and does not name it: judged in groups. */
  met: number
  /** The check does not meet the mutant: judged under all such mutants at once. */
  unmet: number
  /** All judgements that this took. */
  judgements: number
}

export interface MatrixRun {
  readonly servers: JudgedServers
  readonly setting: Setting
  readonly signal: AbortSignal
  readonly say: (text: string) => void
}

/** Judges each check on the unchanged server, which is new for it and used by nobody else, and notes which mutants it meets. */
export async function judgedWatched(
  { servers, signal }: Pick<MatrixRun, 'servers' | 'signal'>,
  checks: readonly Candidate[],
  met: Map<string, MetMutants>,
): Promise<readonly CheckResult[]> {
  const judge = async (judged: JudgedServer, together: readonly Candidate[]) => {
    const cells = new Map<string, Set<string>>()
    for (const { address } of together) met.set(address, cells)
    await judged.server.reset()
    judged.server.watchMutants((id, cell) => {
      const own = cells.get(id)
      if (own) own.add(cell)
      else cells.set(id, new Set([cell]))
    })
    try {
      return await plainly(signal)(judged, together)
    } finally {
      judged.server.loadMutants([])
    }
  }
  return (await Promise.all(checks.map((one) => judgedOn(servers, [one], judge, signal)))).flat()
}

/** An engine's fault shows in its own area; a fault of the kernel anywhere. */
const meets = ({ topic }: Candidate, { area }: Fault): boolean => area === 'kernel' || topic.area === area

/** Groups faults for one check. No two of a group change the same cell, so that none hides another. */
class Groups {
  readonly #tried = new Map<string, { passed: number; stopped: number }>()

  /** Notes whether a check passed under these faults. */
  note(ids: readonly string[], isPassed: boolean): void {
    for (const id of ids) {
      const { passed, stopped } = this.#tried.get(id) ?? { passed: 0, stopped: 0 }
      this.#tried.set(id, isPassed ? { passed: passed + 1, stopped } : { passed, stopped: stopped + 1 })
    }
  }

  /** Under such a fault many checks that do not name it cannot be judged, so that no group with it passes. */
  #isAlone(id: string): boolean {
    const { passed, stopped } = this.#tried.get(id) ?? { passed: 0, stopped: 0 }
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
/** To find one that stops a check takes about as many judgements. */
const oftenStops = 8

/** Each fault meets the checks that name it alone. The others meet faults by the group: whoever passes under a whole group
 * notices none of it, and whoever does not is judged under each half of it. */
export async function cellsOf(
  { servers, setting, signal, say }: MatrixRun,
  candidates: readonly Candidate[],
  mutants: readonly Fault[],
  met: ReadonlyMap<string, MetMutants>,
  pairs: Pairs,
): Promise<readonly Cell[]> {
  const judgedUnder = (
    ids: readonly string[],
    checks: readonly Candidate[],
    what = '',
  ): Promise<readonly CheckResult[]> => {
    let isTold = what === ''
    const judge = async (judged: JudgedServer, together: readonly Candidate[]) => {
      if (!isTold) say(`${setting.name}: ${what}`)
      isTold = true
      pairs.judgements += together.length
      await judged.server.reset()
      judged.server.loadMutants(ids)
      return judged.judgeFaulty(together, signal)
    }
    return judgedOn(servers, checks, judge, signal)
  }
  const cellsFrom = (mutant: string, results: readonly CheckResult[]): readonly Cell[] =>
    results
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ id: check, mismatches }) => ({
        ...{ mutant, check },
        failed: [...new Set(mismatches.map(({ expectation }) => expectation))],
        ...(met.get(check)?.has(mutant) ? {} : { isUnmet: true as const }),
      }))

  const groups = new Groups()
  const byName = mutants.map(async ({ id }, index) => {
    const naming = candidates.filter(({ check }) => check.mutants.includes(id))
    pairs.named += naming.length
    return cellsFrom(id, await judgedUnder([id], naming, `mutant ${index + 1} of ${mutants.length}, ${id}`))
  })

  const cellsIn = async (ids: readonly string[], candidate: Candidate, what = ''): Promise<readonly Cell[]> => {
    const [first, ...others] = ids
    if (first === undefined) return []
    const results = await judgedUnder(ids, [candidate], what)
    const isPassed = results.every(({ verdict }) => verdict === 'pass')
    if (isPassed || others.length === 0) groups.note(ids, isPassed)
    if (isPassed) return []
    if (others.length === 0) return cellsFrom(first, results)
    const middle = Math.ceil(ids.length / 2)
    const halves = [ids.slice(0, middle), ids.slice(middle)]
    return (await Promise.all(halves.map((half) => cellsIn(half, candidate)))).flat()
  }

  // A shared fault meets only the checks that name it.
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
