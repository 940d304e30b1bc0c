/** Plays public bugs of such servers between the checks and the reference server, and finds the check that notices
 * each. */
import { type Candidate, eachAlone, type Judge } from '../faults/ground.ts'
import { isAlone, openGround, type Proving, partiesOf } from '../faults/proof.ts'
import { candidatesOf } from '../mutation/judged-server.ts'
import { type Setting, settings } from '../mutation/settings.ts'
import { inLanes } from '../run/lanes.ts'
import { type ExitCode, exitCodes, type PastBug, type Topic } from '../vocabulary/index.ts'
import { type Baseline, baselinesOf } from './matrix.ts'
import { onlooker, wouldChange } from './player.ts'

export interface PastBugOptions extends Proving {
  readonly bugs: readonly PastBug[]
  readonly topics: readonly Topic[]
  readonly onProgress?: (text: string) => void
  readonly signal: AbortSignal
}

/** A bug, and the check that noticed it. */
export interface BugRow {
  readonly bug: PastBug
  readonly noticedBy?: string
  readonly noticedAs?: 'fail' | 'warn'
  /** The number of checks whose exchanges the bug changes. */
  readonly met: number
}

export interface PastBugProof {
  readonly rows: readonly BugRow[]
  /** Checks that do not pass on the unchanged server, and so prove nothing. */
  readonly idle: readonly string[]
  readonly interrupted: boolean
  readonly seconds: number
}

/** The part of the bugs without an excuse that the checks must notice. */
const least = 0.95
const lanes = 6
const grounds = 4

async function judgedUntilFail(
  { bug, met, ...before }: BugRow,
  judge: Judge,
  width: number,
  touched: readonly Baseline[],
  signal: AbortSignal,
): Promise<BugRow> {
  let row: BugRow = { bug, ...before, met: met + touched.length }
  const enough = new AbortController()
  await inLanes(touched, width, AbortSignal.any([signal, enough.signal]), async ({ candidate }) => {
    const { result } = await judge.legally(bug.open ?? onlooker(() => {}), candidate, { waits: 'jumping' })
    const { verdict } = result
    if ((verdict !== 'fail' && verdict !== 'warn') || row.noticedAs === 'fail' || row.noticedAs === verdict) return
    row = { ...row, noticedBy: candidate.address, noticedAs: verdict }
    if (verdict === 'fail') enough.abort()
  })
  return row
}

/** Returns the checks that the bug can change. Which of them a mutant changes is stated by the checks. */
async function touchedBy({ open, mutant }: PastBug, baselines: readonly Baseline[]): Promise<readonly Baseline[]> {
  if (open === undefined) return baselines.filter(({ candidate }) => candidate.check.mutants.includes(mutant ?? ''))
  const touched: Baseline[] = []
  for (const baseline of baselines) if (await wouldChange(open, baseline.passed)) touched.push(baseline)
  return touched
}

/** Opens the reference servers of one setting. If checks need clusters for themselves, each check gets a reset server. */
async function openServers(setting: Setting, candidates: readonly Candidate[], proving: Proving) {
  const isGrouped = candidates.some(isAlone)
  const opened: Awaited<ReturnType<typeof openGround>>[] = []
  let loaded: readonly string[] = []
  const prepare = async ({ server }: (typeof opened)[number]): Promise<void> => {
    await server.reset()
    server.loadMutants(loaded)
  }
  const close = async (): Promise<void> => {
    for (const ground of opened) await ground.close()
  }
  try {
    const first = await openGround(setting, proving, candidates, 1)
    opened.push(first)
    for (let seed = 2; isGrouped && seed <= grounds; seed += 1)
      opened.push(await openGround(setting, proving, candidates, seed))
    const alone = opened.map((ground) => ({ judge: ground.judge, reset: () => prepare(ground) }))
    return {
      judge: isGrouped ? eachAlone(alone) : first.judge,
      lanes: isGrouped ? grounds : lanes,
      /** Gives the servers these mutants from now on. */
      async turnTo(mutants: readonly string[]): Promise<void> {
        loaded = mutants
        if (!isGrouped) await prepare(first)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function onSetting(
  setting: Setting,
  candidates: readonly Candidate[],
  rows: Map<string, BugRow>,
  { onProgress, signal, ...proving }: PastBugOptions,
) {
  const { judge, lanes: width, turnTo, close } = await openServers(setting, candidates, proving)
  try {
    onProgress?.(`${setting.name}: ${candidates.length} checks on the unchanged server`)
    const { baselines, idle } = await baselinesOf(judge, candidates, width, signal)
    const areas = new Set(candidates.map(({ topic }) => topic.area))
    const due = [...rows.values()].filter(({ bug, noticedAs }) => noticedAs !== 'fail' && areas.has(bug.area))
    for (const row of due) {
      const { bug } = row
      if (signal.aborted) break
      onProgress?.(`${setting.name}: ${bug.id}`)
      const own = baselines.filter(({ candidate }) => candidate.topic.area === bug.area)
      const touched = await touchedBy(bug, own)
      if (touched.length === 0) continue
      await turnTo(bug.mutant === undefined ? [] : [bug.mutant])
      rows.set(bug.id, await judgedUntilFail(row, judge, width, touched, signal))
    }
    return { judged: baselines.map(({ candidate }) => candidate.address), idle }
  } finally {
    await close()
  }
}

/** Judges the checks under each bug, on the first setting that they apply to, until one fails. */
export async function provePastBugs(options: PastBugOptions): Promise<PastBugProof> {
  const { bugs, topics, signal } = options
  const started = performance.now()
  const rows = new Map(bugs.map((bug) => [bug.id, { bug, met: 0 } as BugRow]))
  const areas = new Set(bugs.map(({ area }) => area))
  let unjudged = candidatesOf(topics.filter(({ area }) => areas.has(area)))
  const idle: string[] = []
  for (const setting of settings)
    for (const candidates of partiesOf(unjudged)) {
      if (signal.aborted) break
      const done = await onSetting(setting, candidates, rows, options)
      idle.push(...done.idle.map(({ check, verdict, why }) => `${check} proves nothing: ${verdict}: ${why}`))
      const judged = new Set([...done.judged, ...done.idle.map(({ check }) => check)])
      unjudged = unjudged.filter(({ address }) => !judged.has(address))
    }
  return {
    ...{ rows: [...rows.values()], idle, interrupted: signal.aborted },
    seconds: (performance.now() - started) / 1000,
  }
}

const isDue = ({ bug }: BugRow): boolean => bug.excuse === undefined

function countsOf({ rows }: PastBugProof) {
  const due = rows.filter(isDue)
  const as = (...wanted: readonly string[]) => due.filter(({ noticedAs }) => wanted.includes(noticedAs ?? '')).length
  const implied = due.filter(({ bug }) => bug.implied !== undefined).length
  return { due: due.length, implied, failed: as('fail'), noticed: as('fail', 'warn') }
}

/** Returns what bugs say of themselves and the checks show otherwise. */
const stale = ({ rows }: PastBugProof): readonly string[] =>
  rows.flatMap(({ bug, noticedAs, noticedBy }) => {
    if (bug.excuse !== undefined)
      return noticedBy === undefined ? [] : [`${bug.id}: ${noticedBy} notices it: delete its excuse`]
    if (bug.implied !== undefined)
      return noticedAs === 'fail' ? [`${bug.id}: ${noticedBy} fails by it: delete why it is only implied`] : []
    return noticedAs === 'warn'
      ? [`${bug.id}: ${noticedBy} only warns of it: say why the documents only imply that it is wrong`]
      : []
  })

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

const whyOf = ({ excuse, implied }: PastBug): string => {
  const why = excuse ?? implied
  return why === undefined ? '' : `: ${why}`
}

const outcome = ({ bug, met, noticedBy, noticedAs }: BugRow): string =>
  noticedBy === undefined
    ? `${bug.excuse === undefined ? 'not noticed' : 'left open'} (${met === 0 ? 'no check meets it' : `${met} checks meet it`})`
    : `${noticedAs}  ${noticedBy}`

/** Returns the table: each bug, its source, and which check noticed it as what. */
export function linesOfBugs(proof: PastBugProof): readonly string[] {
  const { due, implied, failed, noticed } = countsOf(proof)
  return [
    ...(proof.interrupted ? ['interrupted: a bug that counts as not noticed may not have been played'] : []),
    ...proof.idle,
    ...stale(proof),
    ...proof.rows.flatMap((row) => [
      `${row.bug.id}: ${row.bug.symptom}`,
      `  source: ${row.bug.source}`,
      `  ${outcome(row)}${whyOf(row.bug)}`,
    ]),
    `${proof.rows.length} bugs, ${proof.rows.length - due} left open by the documents; of ${due}, ${percent(noticed, due)} noticed, ${percent(failed, due)} as fail (${implied} can only be warned of); ${Math.round(proof.seconds)} s`,
  ]
}

export function exitCodeOfBugs(proof: PastBugProof): ExitCode {
  const { due, noticed } = countsOf(proof)
  const isProven = !proof.interrupted && proof.idle.length + stale(proof).length === 0
  return isProven && noticed >= least * due ? exitCodes.conformant : exitCodes.defect
}
