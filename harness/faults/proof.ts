/** Proves that the checks can fail, by faults that are derived from rows and not written by hand. Each is played on
 * reference servers of several settings until a check notices it. */
import { lineOfWidths, type WideFault, type Widths, widthsOf } from '../mutation/red-rows.ts'
import { type Setting, settings } from '../mutation/settings.ts'
import { callerRulesFor } from '../spelling/circumstances.ts'
import { spreadOver } from '../spelling/spread.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import {
  clustersFor,
  newestReference,
  type ReferenceOptions,
  type ReferenceServer,
  referenceTarget,
  startReference,
} from '../targets/mock.ts'
import {
  type Area,
  areas,
  type ExitCode,
  exitCodes,
  type ListSite,
  type ProofRecord,
  type Requirement,
  type SeveralNodes,
  type SpellingSite,
  type Topic,
  type WireFault,
} from '../vocabulary/index.ts'
import { type Excuse, judgedBy, type Row, rowsOf } from './excuses.ts'
import { type Candidate, eachAlone, judgeOn } from './ground.ts'
import { type FaultOutcome, type Tried, tryFaults } from './matrix.ts'
import { staleNotices } from './proof-record.ts'
import { isOfSpelling } from './spelled.ts'

/** The options that all proofs on reference servers have in common. */
export interface Proving {
  readonly requirements: readonly Requirement[]
  /** What checks need beyond a reference server, by need. */
  readonly provides?: Readonly<Record<string, unknown>>
  /** Lists in requests that may be arrays or comma-separated strings. */
  readonly lists?: readonly ListSite[]
  /** Where requests can be spelled otherwise and mean the same. Without them, they are sent as they are written. */
  readonly spellings?: readonly SpellingSite[]
  /** Chooses the spellings of each check. */
  readonly spellingSeed?: number
}

export interface ProofOptions extends Proving {
  readonly faults: readonly WireFault[]
  readonly excuses: readonly Excuse[]
  readonly topics: readonly Topic[]
  /** The record of earlier proofs. Differences from it are reported as stale. */
  readonly record?: ProofRecord
  /** The check that is tried first, by fault. Used only without a record. */
  readonly noticedBy?: ProofRecord['noticedBy']
  /** Tells that a check with `warn` is not enough, so that further ones of the same setting are judged. */
  readonly isUntilFail?: boolean
  /** Of so many faults, one is played to all checks that meet it, to count the rows that it makes red. */
  readonly rowsOfEach?: number
  /** Faults that may make many rows red. */
  readonly wide?: readonly WideFault[]
  readonly onProgress?: (text: string) => void
  readonly signal: AbortSignal
}

export interface Proof {
  /** How many rows the faults make red of which this was counted. */
  readonly widths: Widths
  readonly rows: readonly Row[]
  /** Checks that do not pass on the unchanged server, and so prove nothing. */
  readonly idle: readonly { readonly check: string; readonly verdict: string; readonly why: string }[]
  /** Messages about excuses that excuse nothing, and about differences from the record. */
  readonly stale: readonly string[]
  /** True if the proof was stopped before its end. Then a fault that is not noticed may not have been played. */
  readonly interrupted: boolean
  readonly seconds: number
}

const lanes = 6
/** Checks that need clusters for themselves mostly wait for them, so several groups of clusters run side by side. */
const groups = 4
/** Under a fault, a change that a check waits for may never happen. */
const faulty = { patienceSeconds: 1, immediateSeconds: 0.3 }
/** On the unchanged server the change does happen, but late if the machine is busy. */
const patienceSeconds = 10

/** Checks that change the roles of clusters need a server for themselves, which is reset before each of them: a
 * fault can prevent the restoration of the roles. */
export const isAlone = ({ check }: Candidate): boolean => check.lock === 'clusters'

/** Starts a reference server of a setting, or a cluster of several nodes. Servers side by side need different seeds. */
export async function openGround(
  setting: Setting,
  { requirements, provides = {}, lists = [], spellings = [], spellingSeed = 1 }: Proving,
  candidates: readonly Candidate[],
  seed: number,
  nodes?: SeveralNodes,
) {
  const { name: _, ...shape } = setting
  const clusters = clustersFor(candidates.map(({ check }) => check))
  const shared = { ...shape, seed, control: true, clusters, testKeys: true }
  const server = await startReference({ ...shared, ...(nodes ? optionsOf(nodes) : {}) })
  const target = { ...referenceTarget(server), ...(nodes ? addressOf(nodes, server) : {}) }
  const dialect = loadDialect(target.dialect)
  const spread = spreadOver(candidates, { sites: spellings, dialect, requirements }, spellingSeed)
  const plan = {
    target: { ...target, patienceSeconds, provides: { ...target.provides, ...provides } },
    facts: {
      edition: setting.edition,
      version: setting.version ?? (await newestReference()),
      features: server.features,
    },
    runId: `f${seed}`,
    seed,
    ceiling: 'disruptive',
    jobs: 1,
    level: 'should',
    requirements,
    lists,
    spread,
    callerRules: callerRulesFor(candidates, spread, dialect),
    record: 'none',
    isThrownAway: true,
  } as const
  const judge = judgeOn(plan, {
    faulty: { ...plan, target: { ...plan.target, ...faulty } },
    settle: nodes ? (ms) => server.clock.advance(ms).then(() => true) : server.settle,
  })
  return { judge, server, reset: () => server.reset(), close: () => server.close() }
}

const optionsOf = ({ standbys, readLagMs = 0, address, hidesNodes = false }: SeveralNodes): ReferenceOptions => ({
  ...{ nodes: 3, standbys, readLagMs, hidesNodes, balance: address === 'balancer' },
})

/** A standby node may redirect to the active one. */
const addressOf = (
  { address }: SeveralNodes,
  { url, standbyUrls: [standby = url], balancerUrl = url }: ReferenceServer,
) => ({ url: address === 'balancer' ? balancerUrl : standby, allowedHosts: [new URL(url).host] })

interface Party {
  readonly faults: readonly WireFault[]
  readonly candidates: readonly Candidate[]
}

/** Plays the faults of spellings, and those that show on occasion, to checks that are sent in other spellings and
 * circumstances, and the others to checks as they are written: those would be judged several times under each fault. */
async function onSetting(setting: Setting, options: ProofOptions, { faults, candidates }: Party): Promise<Tried> {
  const isVaried = (fault: WireFault): boolean => isOfSpelling(fault) || fault.only !== undefined
  const varied = faults.filter(isVaried)
  const others = faults.filter((fault) => !isVaried(fault))
  const tried = [
    ...(others.length > 0
      ? [await onGrounds(setting, { ...options, spellings: [] }, { faults: others, candidates })]
      : []),
    ...(varied.length > 0 ? [await onGrounds(setting, options, { faults: varied, candidates })] : []),
  ]
  return together(tried)
}

const together = (tried: readonly Tried[]): Tried => ({
  outcomes: tried.flatMap(({ outcomes }) => outcomes),
  passed: tried.flatMap(({ passed }) => passed),
  idle: tried.flatMap(({ idle }) => idle),
})

async function onGrounds(setting: Setting, options: ProofOptions, { faults, candidates }: Party): Promise<Tried> {
  const isInGroups = candidates.some(isAlone)
  const grounds: Awaited<ReturnType<typeof openGround>>[] = []
  try {
    for (let seed = 1; seed <= (isInGroups ? groups : 1); seed += 1)
      grounds.push(await openGround(setting, options, candidates, seed))
    const [first] = grounds
    return await tryFaults({
      requirements: options.requirements,
      isUntilFail: options.isUntilFail ?? false,
      countsRows: (fault) => options.faults.indexOf(fault) % (options.rowsOfEach ?? Number.POSITIVE_INFINITY) === 0,
      ...{ faults, candidates, signal: options.signal, noticedBy: (options.record ?? options).noticedBy ?? {} },
      ...(isInGroups || !first ? { judge: eachAlone(grounds), lanes: grounds.length } : { judge: first.judge, lanes }),
      onProgress: (done, of, text) => options.onProgress?.(`${setting.name}: ${done} of ${of}: ${text}`),
    })
  } finally {
    for (const ground of grounds) await ground.close()
  }
}

/** Separates the checks of areas in which some check needs clusters for itself from those of other areas. */
export function partiesOf(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const grouped = new Set(candidates.filter(isAlone).map(({ topic }) => topic.area))
  return [false, true]
    .map((isGrouped) => candidates.filter(({ topic }) => grouped.has(topic.area) === isGrouped))
    .filter((party) => party.length > 0)
}

/** Returns the outcome of a later setting, with the counts of both. */
const counted = (outcome: FaultOutcome, before: Partial<FaultOutcome> = {}): FaultOutcome => ({
  ...outcome,
  met: outcome.met + (before.met ?? 0),
  judged: outcome.judged + (before.judged ?? 0),
  bent: outcome.bent + (before.bent ?? 0),
})

/** Plays every fault on one setting after the other, until a check notices it. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const { faults, excuses, topics, record, signal } = options
  const started = performance.now()
  const best = new Map<string, FaultOutcome>()
  let unjudged = topics.flatMap((topic) =>
    topic.checks.map((check) => ({ topic, check, address: `${topic.id}/${check.id}` })),
  )
  let idle: Proof['idle'] = []
  for (const setting of settings) {
    const open = faults.filter(({ id }) => best.get(id)?.noticedBy === undefined)
    if (signal.aborted || unjudged.length === 0) break
    const all: Tried[] = []
    for (const candidates of partiesOf(unjudged)) {
      const areas = new Set(candidates.map(({ topic }) => topic.area))
      const party = { candidates, faults: open.filter(({ area }) => areas.has(area)) }
      all.push(await onSetting(setting, options, party))
    }
    const here = together(all)
    for (const outcome of here.outcomes) best.set(outcome.fault.id, counted(outcome, best.get(outcome.fault.id)))
    const judged = new Set([...here.passed, ...here.idle.map(({ check }) => check)])
    unjudged = unjudged.filter(({ address }) => !judged.has(address))
    idle = [...idle, ...here.idle]
  }
  const outcomes = faults.map((fault) => best.get(fault.id) ?? { fault, met: 0, judged: 0, bent: 0 })
  const { rows, ...excused } = judgedBy(excuses, outcomes)
  const reddened = outcomes.flatMap(({ fault, redRows }) => (redRows ? [{ fault: fault.id, rows: redRows }] : []))
  const stale = [...excused.stale, ...(record && !signal.aborted ? staleNotices(record, rows) : [])]
  return {
    rows,
    widths: widthsOf(reddened, options.wide),
    idle,
    stale,
    interrupted: signal.aborted,
    seconds: (performance.now() - started) / 1000,
  }
}

/** Returns how many checks meet a fault, and in how many of them it changes something. */
export function reachOf({ met, bent }: Row): string {
  if (met === 0) return 'no check meets it'
  const checks = `${met} check${met === 1 ? '' : 's'} meet${met === 1 ? 's' : ''} it`
  return bent === 0 ? `${checks}, but it changes nothing in any` : `${checks}, and it changes something in ${bent}`
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

/** Returns the report: everything that is not proven, and the counts by area and operator. */
export function linesOf({ rows, widths, idle, stale, interrupted, seconds }: Proof): readonly string[] {
  const open = interrupted ? [] : rows.filter(({ state }) => state === 'not-noticed')
  const line = (name: string, some: readonly Row[]): string => {
    const count = (state: Row['state']) => some.filter((row) => row.state === state).length
    const due = some.length - count('excused')
    return `  ${name.padEnd(24)} ${String(some.length).padStart(5)} faults ${String(count('noticed')).padStart(5)} noticed (${percent(count('noticed'), due)}) ${String(count('excused')).padStart(4)} excused ${String(count('not-noticed')).padStart(4)} not noticed`
  }
  const of = (area: Area) => rows.filter(({ fault }) => fault.area === area)
  return [
    ...(interrupted
      ? ['interrupted: a fault that counts as not noticed may not have been played; start the selftest again']
      : []),
    ...idle.map(({ check, verdict, why }) => `${check} proves nothing: ${verdict} on the unchanged server: ${why}`),
    ...open.map((row) => `not noticed: ${row.fault.id} (${reachOf(row)}): ${row.fault.says}`),
    ...rows.flatMap(({ fault, defect }) => (defect === undefined ? [] : [`defect under ${fault.id}: ${defect}`])),
    ...stale,
    ...widths.problems,
    ...(widths.faults > 0 ? [lineOfWidths(widths)] : []),
    'Faults on the wire, by area:',
    ...areas.filter((area) => of(area).length > 0).map((area) => line(area, of(area))),
    'and by operator:',
    ...rowsOf(rows).map(([operator, some]) => line(operator, some)),
    line('all', rows),
    `${rows.reduce((sum, { judged }) => sum + judged, 0)} judgements in ${Math.round(seconds)} s`,
  ]
}

export const exitCodeOf = ({ rows, widths, idle, stale }: Proof): ExitCode =>
  idle.length + stale.length + widths.problems.length === 0 &&
  rows.every(({ state, defect }) => state !== 'not-noticed' && defect === undefined)
    ? exitCodes.conformant
    : exitCodes.defect
