/** Proves that the suites notice faults, and that they pass on servers with legal differences. */
import { matchesGlob } from 'node:path'
import { clustersFor, knownMutants, variationChosen } from '../targets/mock.ts'
import { defined } from '../vocabulary/defined.ts'
import {
  type Area,
  type CheckResult,
  type Difference,
  exitCodes,
  type Loss,
  type Requirement,
  type Topic,
  type VariationChoices,
} from '../vocabulary/index.ts'
import { cellsOf, type Fault, judgedWatched, type MetMutants, type Pairs } from './cells.ts'
import { judgedEvenly } from './judge-in-heaps.ts'
import {
  type Candidate,
  candidatesOf,
  type JudgedServers,
  openJudgedServer,
  openJudgedServers,
} from './judged-server.ts'
import { type Cell, killsOf, type Matrix, problemsOf } from './kill-matrix.ts'
import { redRowsIn, type WideFault, widthsOf } from './red-rows.ts'
import { type SelftestReport, type Trouble, textOf } from './selftest-report.ts'
import { type Setting, settings } from './settings.ts'

export interface SelftestOptions {
  readonly mutants?: boolean
  /** The first and the last seed of the variations, both inclusive. */
  readonly vary?: readonly [number, number]
  /** True if another proof judges every check on the unchanged server of every setting. Then this one does so only
   * where the mutants need it. */
  readonly isPlainProven?: boolean
  /** True if `topics` holds only some checks of the areas: then a mutant that none of them names is no problem. */
  readonly isPart?: boolean
  /** Mutants that may make many rows red. */
  readonly wide?: readonly WideFault[]
  /** Holds what single variations leave undecided, or contradict on a level below *must*. */
  readonly differences?: readonly Pick<Difference, 'variation' | 'losses' | 'isProbed'>[]
  /** If absent or empty, every area that has topics. */
  readonly areas?: readonly Area[]
  readonly topics: readonly Topic[]
  readonly requirements: readonly Requirement[]
  /** What checks need beyond a reference server, by need, such as the address of a cloud provider. */
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

/** Faults of the kernel do not belong to an area. If only some areas are judged, a fault of the kernel is included
 * only if a check of these areas names it. */
async function mutantsFor(candidates: readonly Candidate[], areas: readonly Area[]): Promise<readonly Fault[]> {
  const named = new Set(candidates.flatMap(({ check }) => check.mutants))
  const judged = new Set<string>(candidates.map(({ topic }) => topic.area))
  return (await knownMutants()).filter(({ id, area }) =>
    area === 'kernel' ? areas.length === 0 || named.has(id) : judged.has(area),
  )
}

const isAlone = ({ check }: Candidate): boolean => check.lock === 'clusters'

/** Separates checks that need the clusters for themselves, because these cannot share a server with others. There may
 * be more servers than cores: under faults, checks mostly wait for changes that never happen. */
const partiesOf = (candidates: readonly Candidate[]) =>
  [
    { checks: candidates.filter((one) => !isAlone(one)), sideBySide: 6 },
    { checks: candidates.filter(isAlone), sideBySide: 6 },
  ].filter(({ checks }) => checks.length > 0)

/** Collects the judgements of all settings. */
interface Found {
  judged: number
  readonly baseline: Trouble[]
  readonly cells: Cell[]
  /** By the address of a check. */
  readonly met: Map<string, MetMutants>
  readonly pairs: Pairs
  /** By mutant, the results of the checks that name it. */
  readonly heard: Map<string, CheckResult[]>
  readonly varied: { judged: number; readonly troubles: Trouble[] }
}

export async function selftest(options: SelftestOptions): Promise<SelftestReport> {
  const { requirements, areas = [], onProgress: say = () => {}, signal = new AbortController().signal } = options
  const candidates = candidatesOf(options.topics.filter(({ area }) => areas.length === 0 || areas.includes(area)))
  const clusters = clustersFor(candidates.map(({ check }) => check))
  const mutants = await mutantsFor(candidates, areas)
  const found: Found = {
    ...{ judged: 0, baseline: [], cells: [], met: new Map(), varied: { judged: 0, troubles: [] } },
    pairs: { named: 0, met: 0, unmet: 0, judgements: 0 },
    heard: new Map(),
  }
  const heard = (mutant: string, results: readonly CheckResult[]): void => {
    found.heard.set(mutant, [...(found.heard.get(mutant) ?? []), ...results])
  }
  const unjudged = new Set(candidates.map(({ address }) => address))

  const judgeOn = async (servers: JudgedServers, checks: readonly Candidate[], setting: Setting): Promise<void> => {
    const watched = options.mutants ? checks.filter(({ address }) => unjudged.has(address)) : []
    const others = options.isPlainProven ? [] : checks.filter((one) => !watched.includes(one))
    say(`${setting.name}: ${watched.length + others.length} checks on the unchanged reference server`)
    const results = [
      ...(await judgedWatched({ servers, signal }, watched, found.met)),
      ...(await judgedEvenly(servers, others, signal)),
    ]
    const isApplicable = isApplicableBy(results)
    found.judged += results.filter(({ verdict }) => verdict !== 'not-applicable').length
    found.baseline.push(...troublesOf(results, setting))
    const mine = watched.filter(isApplicable)
    for (const { address } of checks.filter(isApplicable)) unjudged.delete(address)
    if (mine.length > 0)
      found.cells.push(
        ...(await cellsOf({ servers, setting, signal, say, heard }, mine, mutants, found.met, found.pairs)),
      )
    if (options.vary)
      await varyOn(servers, checks.filter(isApplicable), setting, options.vary, found.varied, {
        ...{ say, signal },
        differences: options.differences ?? [],
      })
  }
  for (const setting of settings) {
    if (signal.aborted) break
    const due =
      options.isPlainProven && !options.vary ? candidates.filter(({ address }) => unjudged.has(address)) : candidates
    for (const { checks, sideBySide } of partiesOf(due)) {
      const open = (seed: number) => openJudgedServer(setting, requirements, seed, options.provides, clusters)
      const servers = await openJudgedServers(open, sideBySide)
      await judgeOn(servers, checks, setting).finally(servers.close)
    }
  }
  if (!signal.aborted) found.baseline.push(...[...unjudged].map(nowhere))
  return reportOf(found, candidates, mutants, options, signal)
}

const isApplicableBy = (results: readonly CheckResult[]) => {
  const outside = new Set(results.filter(({ verdict }) => verdict === 'not-applicable').map(({ id }) => id))
  return ({ address }: Candidate): boolean => !outside.has(address)
}

const nowhere = (check: string): Trouble => ({
  ...{ setting: 'every', check, verdict: 'not-applicable' },
  why: 'it applies to none of the settings of the reference server',
})

function reportOf(
  { judged, baseline, cells, pairs, heard, varied }: Found,
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
  // A pair that was not judged looks like one in which the check noticed nothing.
  const isWhole = options.mutants && !signal.aborted
  const problems = isWhole ? problemsOf(matrix, options.isPart) : []
  // Without all checks, it is not known which check reports what.
  const widths = options.isPart
    ? undefined
    : widthsOf(
        [...heard].map(([fault, results]) => ({ fault, rows: redRowsIn(results, options.requirements, candidates) })),
        options.wide,
      )
  const wide = isWhole ? (widths?.problems ?? []) : []
  const json = {
    interrupted: signal.aborted,
    judged,
    baseline,
    ...(options.mutants ? { mutants: { matrix, problems, ...killsOf(matrix), pairs, ...defined({ widths }) } } : {}),
    ...(options.vary ? { variations: { seeds: options.vary, judged: varied.judged, troubles: varied.troubles } } : {}),
  }
  const isClean = wide.length + baseline.length + problems.length + varied.troubles.length === 0
  const exitCode = isClean ? exitCodes.conformant : exitCodes.nonConformant
  return { text: textOf(json), json, exitCode: signal.aborted ? exitCodes.interrupted : exitCode }
}

interface VaryParts {
  readonly say: (text: string) => void
  readonly signal: AbortSignal
  readonly differences: NonNullable<SelftestOptions['differences']>
}

async function varyOn(
  servers: JudgedServers,
  candidates: readonly Candidate[],
  setting: Setting,
  [from, to]: readonly [number, number],
  varied: { judged: number; readonly troubles: Trouble[] },
  { say, signal, differences }: VaryParts,
): Promise<void> {
  const usual = await usualOfProbed(differences)
  for (let seed = from; seed <= to && !signal.aborted; seed++) {
    say(`${setting.name}: variation ${seed}`)
    await servers.each(async ({ server }) => {
      await server.reset()
      server.vary(seed, usual)
    })
    const results = await judgedEvenly(servers, candidates, signal)
    varied.judged += results.filter(({ verdict }) => verdict !== 'not-applicable').length
    const losses = lossesUnder({ ...(await variationChosen(seed)), ...usual }, differences)
    const isStated = ({ id, verdict }: CheckResult): boolean =>
      losses.some((loss) => loss.verdict === verdict && matchesGlob(id, loss.check))
    varied.troubles.push(
      ...troublesOf(
        results.filter((result) => !isStated(result)),
        setting,
        seed,
      ),
    )
  }
}

/** Returns what the probe of these servers has found out, which only a new probe would find again: `--legal` plays it. */
async function usualOfProbed(differences: VaryParts['differences']): Promise<VariationChoices> {
  const plain = await variationChosen(0)
  const axes = differences.flatMap(({ isProbed, variation = {} }) => (isProbed ? Object.keys(variation) : []))
  return Object.fromEntries(axes.flatMap((axis) => (plain[axis] === undefined ? [] : [[axis, plain[axis]]])))
}

/** Returns the stated losses of the differences whose variation a seed has chosen. */
const lossesUnder = (
  chosen: Readonly<Record<string, unknown>>,
  differences: NonNullable<SelftestOptions['differences']>,
): readonly Loss[] =>
  differences.flatMap(({ variation, losses = [] }) =>
    variation && Object.entries(variation).every(([axis, choice]) => chosen[axis] === choice) ? losses : [],
  )
