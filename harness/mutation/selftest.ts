/** Proof that the suites can fail, and that they fail for nothing that is legal. */
import { clustersFor, knownMutants } from '../targets/mock.ts'
import { type Area, type CheckResult, exitCodes, type Requirement, type Topic } from '../vocabulary/index.ts'
import { judgedOn, plainly } from './judge-in-heaps.ts'
import {
  type Candidate,
  candidatesOf,
  type JudgedServer,
  type JudgedServers,
  openJudgedServer,
  openJudgedServers,
} from './judged-server.ts'
import { type Cell, killsOf, type Matrix, problemsOf } from './kill-matrix.ts'
import { type SelftestReport, type Trouble, textOf } from './selftest-report.ts'
import { type Setting, settings } from './settings.ts'

export interface SelftestOptions {
  readonly mutants?: boolean
  /** Seeds, both inclusive. */
  readonly vary?: readonly [number, number]
  /** Absent or empty: every area that has topics. */
  readonly areas?: readonly Area[]
  readonly topics: readonly Topic[]
  readonly requirements: readonly Requirement[]
  /** What checks need beyond a reference server, by need: the address of a cloud provider, say. */
  readonly provides?: Readonly<Record<string, unknown>>
  readonly onProgress?: (text: string) => void
  readonly signal?: AbortSignal
}

const whyOf = (result: CheckResult): string =>
  result.blocker?.reason ??
  result.mismatches.map(({ asked, at, wanted, saw }) => `${asked}: ${at} wanted ${wanted}; saw ${saw}`).join('; ')

const troublesOf = (results: readonly CheckResult[], setting: Setting, seed?: number): readonly Trouble[] =>
  results
    .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')
    .map((result) => ({
      setting: setting.name,
      ...(seed === undefined ? {} : { seed }),
      check: result.id,
      verdict: result.verdict,
      why: whyOf(result),
    }))

/** Faults of the kernel belong to no area: among some areas only those count that a check there names. */
async function mutantsFor(candidates: readonly Candidate[], areas: readonly Area[]): Promise<readonly Fault[]> {
  const named = new Set(candidates.flatMap(({ check }) => check.mutants))
  const judged = new Set<string>(candidates.map(({ topic }) => topic.area))
  return (await knownMutants()).filter(({ id, area }) =>
    area === 'kernel' ? areas.length === 0 || named.has(id) : judged.has(area),
  )
}

const isAlone = ({ check }: Candidate): boolean => check.lock === 'clusters'

/** Under a fault a check may wait for what never comes, and checks that are alone with clusters mostly wait for them. */
const partiesOf = (candidates: readonly Candidate[]) =>
  [
    { checks: candidates.filter((one) => !isAlone(one)), sideBySide: 3 },
    { checks: candidates.filter(isAlone), sideBySide: 4 },
  ].filter(({ checks }) => checks.length > 0)

/** The judgements of all settings are gathered here. */
interface Found {
  judged: number
  readonly baseline: Trouble[]
  readonly cells: Cell[]
  readonly varied: { judged: number; readonly troubles: Trouble[] }
}

export async function selftest(options: SelftestOptions): Promise<SelftestReport> {
  const { requirements, areas = [], onProgress: say = () => {}, signal = new AbortController().signal } = options
  const candidates = candidatesOf(options.topics.filter(({ area }) => areas.length === 0 || areas.includes(area)))
  const clusters = clustersFor(candidates.map(({ check }) => check))
  const mutants = await mutantsFor(candidates, areas)
  const found: Found = { judged: 0, baseline: [], cells: [], varied: { judged: 0, troubles: [] } }
  const unplaced = new Set(candidates.map(({ address }) => address))

  const judgeOn = async (servers: JudgedServers, checks: readonly Candidate[], setting: Setting): Promise<void> => {
    say(`${setting.name}: ${checks.length} checks on the reference server as it should be`)
    const results = await judgedOn(servers, checks, plainly(signal), signal)
    found.judged += results.filter(({ verdict }) => verdict !== 'not-applicable').length
    found.baseline.push(...troublesOf(results, setting))
    const applicable = checks.filter((_, index) => results[index]?.verdict !== 'not-applicable')
    const mine = applicable.filter(({ address }) => unplaced.delete(address))
    if (options.mutants && mine.length > 0)
      found.cells.push(...(await cellsOf(servers, mine, mutants, setting, say, signal)))
    if (options.vary) await varyOn(servers, applicable, setting, options.vary, found.varied, say, signal)
  }

  for (const setting of settings) {
    for (const { checks, sideBySide } of partiesOf(candidates)) {
      const open = (seed: number) => openJudgedServer(setting, requirements, seed, options.provides, clusters)
      const servers = await openJudgedServers(open, sideBySide)
      await judgeOn(servers, checks, setting).finally(servers.close)
    }
  }
  found.baseline.push(...[...unplaced].map(nowhere))
  return reportOf(found, candidates, mutants, options, signal)
}

const nowhere = (check: string): Trouble => ({
  ...{ setting: 'every', check, verdict: 'not-applicable' },
  why: 'no setting of the reference server admits it',
})

function reportOf(
  { judged, baseline, cells, varied }: Found,
  candidates: readonly Candidate[],
  mutants: readonly Fault[],
  options: SelftestOptions,
  signal: AbortSignal,
): SelftestReport {
  const matrix: Matrix = {
    mutants: mutants.map(({ id }) => id),
    checks: candidates.map(({ address, check }) => ({
      address,
      expectations: check.then.map(({ words }) => words),
      mutants: check.mutants,
    })),
    cells,
  }
  const problems = options.mutants ? problemsOf(matrix) : []
  const json = {
    judged,
    baseline,
    ...(options.mutants ? { mutants: { matrix, problems, ...killsOf(matrix) } } : {}),
    ...(options.vary ? { variations: { seeds: options.vary, judged: varied.judged, troubles: varied.troubles } } : {}),
  }
  const isClean = baseline.length + problems.length + varied.troubles.length === 0
  const exitCode = signal.aborted ? exitCodes.interrupted : isClean ? exitCodes.conformant : exitCodes.nonConformant
  return { text: textOf(json), json, exitCode }
}

type Fault = { readonly id: string; readonly area: string; readonly shared: boolean }

/** An engine's fault shows in its own area; a fault of the kernel anywhere. */
const meets = ({ topic }: Candidate, { area }: Fault): boolean => area === 'kernel' || topic.area === area

const groupSize = 8

/** Faults far apart in their list hardly change the same cell. A shared one meets only the checks that name it. */
function groupsOf(faults: readonly Fault[]): readonly (readonly Fault[])[] {
  const apart = faults.filter(({ shared }) => !shared)
  const count = Math.ceil(apart.length / groupSize)
  return Array.from({ length: count }, (_, at) => apart.filter((_, index) => index % count === at))
}

/** Each fault meets the checks that name it alone. The others meet faults by the group: whoever passes under a whole group
 * notices none of it, and whoever does not is judged under each of its faults alone. */
async function cellsOf(
  servers: JudgedServers,
  candidates: readonly Candidate[],
  mutants: readonly Fault[],
  setting: Setting,
  say: (text: string) => void,
  signal: AbortSignal,
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
      await judged.server.reset()
      judged.server.loadMutants(ids)
      return judged.judgeFaulty(together, signal)
    }
    return judgedOn(servers, checks, judge, signal)
  }
  const noticed = async (id: string, checks: readonly Candidate[], what?: string): Promise<readonly Cell[]> =>
    (await judgedUnder([id], checks, what))
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ id: check, mismatches }) => ({
        ...{ mutant: id, check },
        failed: [...new Set(mismatches.map(({ expectation }) => expectation))],
      }))
  const noticedOf = async (ids: readonly string[], checks: readonly Candidate[]): Promise<readonly Cell[]> =>
    (await Promise.all(ids.map((id) => noticed(id, checks)))).flat()

  const byName = mutants.map(({ id }, index) =>
    noticed(
      id,
      candidates.filter(({ check }) => check.mutants.includes(id)),
      `mutant ${index + 1} of ${mutants.length}, ${id}`,
    ),
  )

  const areas = [...new Set(mutants.map(({ area }) => area))]
  const byGroup = areas.flatMap((area) =>
    groupsOf(mutants.filter((mutant) => mutant.area === area)).map(async (group, index, { length }) => {
      const ids = group.map(({ id }) => id)
      const others = candidates.filter(
        (candidate) =>
          group.every((fault) => meets(candidate, fault)) && !candidate.check.mutants.some((id) => ids.includes(id)),
      )
      const what = `${area}, checks that name nothing of group ${index + 1} of ${length}`
      const results = await judgedUnder(ids, others, what)
      const suspects = others.filter((_, at) => results[at] && results[at].verdict !== 'pass')
      return noticedOf(ids, suspects)
    }),
  )

  // A check that names one fault of a group has not met the others of that group: it meets them alone.
  const byRest = candidates.flatMap((candidate) =>
    areas.flatMap((area) =>
      groupsOf(mutants.filter((mutant) => mutant.area === area && meets(candidate, mutant))).map(async (group) => {
        const ids = group.map(({ id }) => id)
        const rest = ids.filter((id) => !candidate.check.mutants.includes(id))
        if (rest.length === ids.length || rest.length === 0) return []
        const [result] = await judgedUnder(rest, [candidate])
        return result && result.verdict !== 'pass' ? noticedOf(rest, [candidate]) : []
      }),
    ),
  )
  const cells = (await Promise.all([...byName, ...byGroup, ...byRest])).flat()
  await servers.each(({ server }) => server.loadMutants([]))
  return cells
}

async function varyOn(
  servers: JudgedServers,
  candidates: readonly Candidate[],
  setting: Setting,
  [from, to]: readonly [number, number],
  varied: { judged: number; readonly troubles: Trouble[] },
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let seed = from; seed <= to && !signal.aborted; seed++) {
    say(`${setting.name}: variation ${seed}`)
    await servers.each(async ({ server }) => {
      await server.reset()
      server.vary(seed)
    })
    const results = await judgedOn(servers, candidates, plainly(signal), signal)
    varied.judged += results.length
    varied.troubles.push(...troublesOf(results, setting, seed))
  }
}
