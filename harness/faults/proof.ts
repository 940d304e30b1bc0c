/** The proof that the checks can fail, by faults that no author thought of: each is played on reference servers of several
 * settings until a check notices it. */
import { type Setting, settings } from '../mutation/settings.ts'
import { clustersFor, newestReference, referenceTarget, startReference } from '../targets/mock.ts'
import {
  type Area,
  areas,
  type ExitCode,
  exitCodes,
  type Requirement,
  type Topic,
  type WireFault,
} from '../vocabulary/index.ts'
import { type Excuse, judgedBy, type Row, rowsOf } from './excuses.ts'
import { type Candidate, judgeOn } from './ground.ts'
import { type FaultOutcome, tryFaults } from './matrix.ts'

export interface ProofOptions {
  readonly faults: readonly WireFault[]
  readonly excuses: readonly Excuse[]
  readonly topics: readonly Topic[]
  readonly requirements: readonly Requirement[]
  /** What checks need beyond a reference server, by need. */
  readonly provides?: Readonly<Record<string, unknown>>
  readonly onProgress?: (text: string) => void
  readonly signal: AbortSignal
}

export interface Proof {
  readonly rows: readonly Row[]
  /** Checks that pass on no setting, and so prove nothing. */
  readonly idle: readonly { readonly check: string; readonly verdict: string; readonly why: string }[]
  /** Excuses that excuse nothing. */
  readonly stale: readonly string[]
  readonly seconds: number
}

const lanes = 6
/** Under a fault, what a check waits for may never come. */
const patienceSeconds = 1

async function onSetting(
  setting: Setting,
  { requirements, provides = {}, signal, onProgress }: ProofOptions,
  faults: readonly WireFault[],
  candidates: readonly Candidate[],
) {
  const { name, ...shape } = setting
  const clusters = clustersFor(candidates.map(({ check }) => check))
  const server = await startReference({ ...shape, seed: 1, control: true, clusters })
  try {
    const target = referenceTarget(server)
    const judge = judgeOn({
      target: { ...target, patienceSeconds, provides: { ...target.provides, ...provides } },
      facts: { edition: setting.edition, version: setting.version ?? (await newestReference()), forms: server.forms },
      runId: 'f',
      seed: 1,
      ceiling: 'disruptive',
      jobs: 1,
      level: 'should',
      requirements,
      record: 'none',
    })
    return await tryFaults({
      ...{ judge, faults, candidates, lanes, signal },
      onProgress: (done, of, text) => onProgress?.(`${name}: ${done} of ${of}: ${text}`),
    })
  } finally {
    await server.close()
  }
}

/** Judges every fault until it is noticed or no setting is left. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const { faults, excuses, topics, signal } = options
  const started = performance.now()
  const best = new Map<string, FaultOutcome>()
  let unplaced = topics.flatMap((topic) =>
    topic.checks.map((check) => ({ topic, check, address: `${topic.id}/${check.id}` })),
  )
  let idle: Proof['idle'] = []
  for (const setting of settings) {
    const open = faults.filter(({ id }) => best.get(id)?.noticedBy === undefined)
    if (signal.aborted || unplaced.length === 0) break
    const tried = await onSetting(setting, options, open, unplaced)
    for (const outcome of tried.outcomes) {
      const { id } = outcome.fault
      const before = best.get(id)
      best.set(id, {
        ...outcome,
        met: outcome.met + (before?.met ?? 0),
        judged: outcome.judged + (before?.judged ?? 0),
        bent: outcome.bent + (before?.bent ?? 0),
      })
    }
    const placed = new Set([...tried.passed, ...tried.idle.map(({ check }) => check)])
    unplaced = unplaced.filter(({ address }) => !placed.has(address))
    idle = [...idle, ...tried.idle]
  }
  const outcomes = faults.flatMap(({ id }) => best.get(id) ?? [])
  const { rows, stale } = judgedBy(excuses, outcomes)
  return { rows, idle, stale, seconds: (performance.now() - started) / 1000 }
}

/** How far a fault came. */
function reachOf({ met, bent }: Row): string {
  if (met === 0) return 'no check meets it'
  const checks = `${met} check${met === 1 ? '' : 's'} meet${met === 1 ? 's' : ''} it`
  return bent === 0 ? `never bent: ${checks}, and it changes nothing in any` : `${checks}, bent in ${bent}`
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

/** What was proven, area by area, and everything that was not. */
export function linesOf({ rows, idle, stale, seconds }: Proof): readonly string[] {
  const open = rows.filter(({ state }) => state === 'not-noticed')
  const line = (name: string, some: readonly Row[]): string => {
    const count = (state: Row['state']) => some.filter((row) => row.state === state).length
    const due = some.length - count('excused')
    return `  ${name.padEnd(24)} ${String(some.length).padStart(5)} faults ${String(count('noticed')).padStart(5)} noticed (${percent(count('noticed'), due)}) ${String(count('excused')).padStart(4)} excused ${String(count('not-noticed')).padStart(4)} not noticed`
  }
  const of = (area: Area) => rows.filter(({ fault }) => fault.area === area)
  return [
    ...idle.map(({ check, verdict, why }) => `${check} proves nothing: ${verdict} on the unchanged server: ${why}`),
    ...open.map((row) => `not noticed: ${row.fault.id} (${reachOf(row)}): ${row.fault.says}`),
    ...rows.flatMap(({ fault, defect }) => (defect === undefined ? [] : [`defect under ${fault.id}: ${defect}`])),
    ...stale,
    'Faults on the wire, by area:',
    ...areas.filter((area) => of(area).length > 0).map((area) => line(area, of(area))),
    'and by operator:',
    ...rowsOf(rows).map(([operator, some]) => line(operator, some)),
    line('all', rows),
    `${rows.reduce((sum, { judged }) => sum + judged, 0)} judgements in ${Math.round(seconds)} s`,
  ]
}

export const exitCodeOf = ({ rows, idle, stale }: Proof): ExitCode =>
  idle.length + stale.length === 0 && rows.every(({ state, defect }) => state !== 'not-noticed' && defect === undefined)
    ? exitCodes.conformant
    : exitCodes.defect
