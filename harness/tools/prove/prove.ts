/** Runs all parts of the proof for all areas, and summarizes them in one table. */
import { columns, counted } from '../../commands/output/wording.ts'
import { type DrawnTally, isEnough, percent } from '../../faults/drawn.ts'
import type { Area } from '../../vocabulary/index.ts'
import type { PartName } from './part-names.ts'
import type { Outcome, Say } from './parts.ts'

export interface Job {
  readonly area: Area
  readonly part: PartName
}

export type Run = (job: Job, signal: AbortSignal, say: Say) => Promise<Outcome>

export interface Proven extends Outcome, Job {
  readonly seconds: number
}

interface Order {
  readonly areas: readonly Area[]
  readonly parts: readonly PartName[]
  /** Each lane takes the next part as soon as it has finished one. */
  readonly lanes: readonly Run[]
  /** Aborted if the whole proof takes too long or is interrupted. */
  readonly signal: AbortSignal
  readonly onProgress: Say
  readonly onProven: (proven: Proven) => void
}

/** Long parts start first, so that the last lane does not end long after the others. */
const longestParts: readonly PartName[] = [
  'legal',
  'mutants',
  'faults',
  'denials',
  'drawn',
  'kills',
  'variations',
  'plain',
]
const longestAreas: readonly Area[] = ['pki', 'dr-replication', 'performance-replication', 'cloud']

function inOrder({ area, part }: Job): number {
  const at = longestAreas.indexOf(area)
  return longestParts.indexOf(part) * 100 + (at < 0 ? longestAreas.length : at)
}

const cutShort = (counts: string): Outcome => ({ counts, isClean: false, lines: [] })

/** Proves parts in any order, because areas and parts are independent of each other. Returns the outcomes in the
 * order of the areas. */
export async function proveAll({
  areas,
  parts,
  lanes,
  signal,
  onProgress,
  onProven,
}: Order): Promise<readonly Proven[]> {
  const jobs = areas.flatMap((area) => parts.map((part): Job => ({ area, part })))
  const open = jobs.toSorted((one, other) => inOrder(one) - inOrder(other))
  const proven = new Map<Job, Proven>()
  const proveIn = async (run: Run): Promise<void> => {
    for (let job = open.shift(); job; job = open.shift()) {
      const one = await proveOne(job, run, signal, onProgress)
      proven.set(job, one)
      onProven(one)
    }
  }
  await Promise.all(lanes.map(proveIn))
  return jobs.flatMap((job) => proven.get(job) ?? [])
}

async function proveOne(job: Job, run: Run, signal: AbortSignal, onProgress: Say): Promise<Proven> {
  if (signal.aborted) return { ...cutShort('not begun'), ...job, seconds: 0 }
  const started = performance.now()
  const say: Say = (text) => onProgress(`${job.area}, ${job.part}: ${text}`)
  const outcome = await run(job, signal, say).catch((error: unknown) =>
    cutShort(`broke: ${error instanceof Error ? error.message : String(error)}`),
  )
  return {
    ...(signal.aborted ? cutShort(`cut short: ${outcome.counts}`) : outcome),
    ...{ ...job, seconds: (performance.now() - started) / 1000 },
  }
}

const stateOf = ({ isClean }: Proven): string => (isClean ? 'ok' : 'NOT OK')

/** The most seconds that parts should take on two idle cores, summed over all lanes. They are only reported: a busy
 * machine must not fail a proof. */
const bounds = { mutants: 480, whole: 2400 }

function timeLines(proven: readonly Proven[]): readonly string[] {
  const sumOf = (some: readonly Proven[]): string => some.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0)
  const mutants = proven.filter(({ part }) => part === 'mutants')
  return [
    ...(mutants.length === 0 ? [] : [`all mutants: ${sumOf(mutants)} s in lanes; at most ${bounds.mutants} s wanted`]),
    `all parts: ${sumOf(proven)} s in lanes; at most ${bounds.whole} s wanted`,
  ]
}

function tallyOf(proven: readonly Proven[]): DrawnTally {
  const sumOf = (part: keyof DrawnTally): number => proven.reduce((sum, { drawn }) => sum + (drawn?.[part] ?? 0), 0)
  return { due: sumOf('due'), noticed: sumOf('noticed') }
}

function drawnLine(proven: readonly Proven[]): readonly string[] {
  const { due, noticed } = tallyOf(proven)
  if (due === 0) return []
  const state = isEnough({ due, noticed }) ? 'enough' : 'TOO FEW'
  return [`drawn faults: ${noticed} of ${due} noticed, ${percent(noticed, due)}: ${state}`]
}

/** `seconds` is the duration of the whole proof. */
export function summaryOf(proven: readonly Proven[], seconds: number): readonly string[] {
  const bad = proven.filter(({ isClean }) => !isClean)
  const rows = proven.map((one) => [one.area, one.part, stateOf(one), `${one.seconds.toFixed(0)} s`, one.counts])
  return [
    ...columns([['area', 'part', '', 'time', 'counts'], ...rows]),
    '',
    ...drawnLine(proven),
    ...timeLines(proven),
    `${counted(proven.length, 'part')} in ${seconds.toFixed(0)} s; ${bad.length} not ok${bad.length === 0 ? '' : `: ${bad.map(({ area, part }) => `${area} ${part}`).join(', ')}`}`,
  ]
}

/** If no part was proven, the proof has failed. */
export const exitCodeOf = (proven: readonly Proven[]): number =>
  proven.length > 0 && proven.every(({ isClean }) => isClean) && isEnough(tallyOf(proven)) ? 0 : 1
