/** Judges checks under faults on the wire, to find out which check notices which fault. */

import { redRowsIn } from '../mutation/red-rows.ts'
import { inLanes } from '../run/lanes.ts'
import { type CheckResult, type Requirement, requirementsOf, type WireFault } from '../vocabulary/index.ts'
import type { Candidate, Judge } from './ground.ts'
import { type Past, pastsBefore, shownAmong } from './occasion.ts'
import { plays } from './operators.ts'
import type { Memory } from './player.ts'
import type { Recorded } from './recorder.ts'
import { isAt } from './site.ts'

/** The verdicts by which a check notices a fault. */
type Notice = 'fail' | 'warn'

export interface FaultOutcome {
  readonly fault: WireFault
  /** The first check that notices it; one with `fail` goes before one with `warn`, if both were judged. */
  readonly noticedBy?: string
  readonly noticedAs?: Notice
  /** The number of checks that send a request that the fault can bend. */
  readonly met: number
  /** The number of those that were judged under the fault. */
  readonly judged: number
  /** The number of judgements in which the fault changed a request or a reply. The others prove nothing. */
  readonly bent: number
  /** The rows that the checks which meet the fault contradict, if they were all judged. */
  readonly redRows?: readonly string[]
  /** A defect of a check or of the fault that was found while judging. */
  readonly defect?: string
}

/** The requests of one check to the unchanged target, with the replies. */
interface Baseline {
  readonly candidate: Candidate
  readonly recorded: readonly Recorded[]
  readonly durationMs: number
}

export interface Tried {
  readonly outcomes: readonly FaultOutcome[]
  readonly passed: readonly string[]
  /** Checks that do not pass on the unchanged target. They cannot show that they notice faults. */
  readonly idle: readonly { readonly check: string; readonly verdict: string; readonly why: string }[]
}

export interface Trial {
  readonly judge: Judge
  readonly faults: readonly WireFault[]
  readonly candidates: readonly Candidate[]
  /** The number of checks that are judged at once. */
  readonly lanes: number
  readonly signal: AbortSignal
  /** The check that noticed a fault before, by the id of the fault. It is tried first. */
  readonly noticedBy?: Readonly<Record<string, string>>
  /** Tells that a check with `warn` is not enough, so that further ones are judged. */
  readonly isUntilFail?: boolean
  /** The register, if the red rows of faults are counted. */
  readonly requirements?: readonly Requirement[]
  /** Tells whether all checks that meet a fault are judged, to count the rows that it makes red. */
  countsRows?(fault: WireFault): boolean
  onProgress?(done: number, of: number, text: string): void
}

/** Judges each check once on the unchanged target. Then plays each fault to the checks that can meet it, until one
 * notices it. */
export async function tryFaults({
  judge,
  faults,
  candidates,
  lanes,
  signal,
  noticedBy = {},
  requirements = [],
  isUntilFail = false,
  countsRows = () => false,
  onProgress,
}: Trial): Promise<Tried> {
  const baselines: Baseline[] = []
  const idle: { check: string; verdict: string; why: string }[] = []
  await inLanes(candidates, lanes, signal, async (candidate) => {
    const { result, recorded } = await judge.plainly(candidate)
    onProgress?.(baselines.length, candidates.length, 'checks on the unchanged target')
    if (result.verdict === 'pass') baselines.push({ candidate, recorded, durationMs: result.durationMs })
    else if (result.verdict !== 'not-applicable') {
      const [first] = result.mismatches
      const why =
        result.blocker?.reason ?? (first ? `${first.asked}: ${first.at} wanted ${first.wanted}; saw ${first.saw}` : '')
      idle.push({ check: candidate.address, verdict: result.verdict, why })
    }
  })
  baselines.sort((one, other) => candidates.indexOf(one.candidate) - candidates.indexOf(other.candidate))
  const outcomes = new Map<WireFault, FaultOutcome>()
  await inLanes(faults, lanes, signal, async (fault) => {
    outcomes.set(
      fault,
      await tryFault(fault, baselines, judge, signal, noticedBy[fault.id], {
        isUntilFail,
        register: countsRows(fault) ? requirements : undefined,
      }),
    )
    onProgress?.(outcomes.size, faults.length, fault.id)
  })
  return {
    outcomes: faults.flatMap((fault) => outcomes.get(fault) ?? []),
    passed: baselines.map(({ candidate }) => candidate.address),
    idle,
  }
}

/** The outcome of one check under a fault. */
interface CheckOutcome {
  readonly isBent: boolean
  readonly noticedAs?: Notice
  readonly defect?: string
}

type Judged = Awaited<ReturnType<Judge['under']>>

const noticeIn = ({ result: { verdict } }: Judged): Notice | undefined =>
  verdict === 'fail' || verdict === 'warn' ? verdict : undefined

const isGroundless = (judged: Judged): boolean => noticeIn(judged) !== undefined && !judged.bent

function outcomeOf({ address }: Candidate, judged: Judged): CheckOutcome {
  const {
    result: { verdict, blocker },
    bent: isBent,
  } = judged
  const notice = noticeIn(judged)
  const suiteDefect = blocker?.kind === 'suite' ? `${address}: ${blocker.reason}` : undefined
  const groundless = isGroundless(judged) ? `${address}: ${verdict} although the fault changed nothing` : undefined
  const defect = suiteDefect ?? groundless
  return {
    isBent,
    ...(notice !== undefined && isBent ? { noticedAs: notice } : {}),
    ...(defect === undefined ? {} : { defect }),
  }
}

/** Judges with little patience. On a busy machine that may end before what the unchanged target does, so a check that notices
 * a fault which changed nothing is judged again with patience. */
async function judgedUnder(fault: WireFault, candidate: Candidate, memory: Memory, judge: Judge): Promise<Judged> {
  const judged = await judge.under(fault, candidate, memory)
  return isGroundless(judged) ? judge.under(fault, candidate, memory, true) : judged
}

/** Judges the checks that can meet a fault, until one notices it. */
async function tryFault(
  fault: WireFault,
  baselines: readonly Baseline[],
  judge: Judge,
  signal: AbortSignal,
  before: string | undefined,
  { isUntilFail, register }: { readonly isUntilFail: boolean; readonly register: readonly Requirement[] | undefined },
): Promise<FaultOutcome> {
  const able = inOrder(fault, remembered(fault, baselines), before)
  const all = baselines
    .filter(({ candidate }) => candidate.topic.area === fault.area)
    .flatMap(({ recorded }) => recorded)
  const checkOutcomes: CheckOutcome[] = []
  const results: CheckResult[] = []
  const rows = () =>
    redRowsIn(
      results,
      register ?? [],
      baselines.map(({ candidate }) => candidate),
    )
  let noticed: Pick<FaultOutcome, 'noticedBy' | 'noticedAs'> = {}
  const isEnough = () => (isUntilFail ? noticed.noticedAs === 'fail' : noticed.noticedBy !== undefined)
  for (const { candidate, recorded, past } of able) {
    // Rows are known only once every check is judged, since one may rest on another.
    if (signal.aborted || (isEnough() && !register)) break
    const judged = await judgedUnder(fault, candidate, { check: recorded, all, past }, judge)
    const outcome = outcomeOf(candidate, judged)
    checkOutcomes.push(outcome)
    results.push(judged.result)
    const { noticedAs } = outcome
    if (noticedAs && (!noticed.noticedAs || (noticedAs === 'fail' && noticed.noticedAs === 'warn')))
      noticed = { noticedBy: candidate.address, noticedAs }
  }
  const defect = checkOutcomes.find((outcome) => outcome.defect !== undefined)?.defect
  return {
    ...{ fault, met: able.length, judged: checkOutcomes.length },
    bent: checkOutcomes.filter(({ isBent }) => isBent).length,
    ...noticed,
    ...(register ? { redRows: rows() } : {}),
    ...(defect === undefined ? {} : { defect }),
  }
}

interface Remembered extends Baseline {
  readonly past: Past
}

/** Returns the checks of the area of a fault with what the server remembers of those that a run judges before. */
function remembered(fault: WireFault, baselines: readonly Baseline[]): readonly Remembered[] {
  const own = baselines.filter(({ candidate }) => candidate.topic.area === fault.area)
  const pasts = pastsBefore(fault, own)
  return own.flatMap((baseline, index) => {
    const past = pasts[index]
    return past ? [{ ...baseline, past }] : []
  })
}

/** A fault that shows on occasion has learned from earlier requests in which it did not. */
function canMeet(fault: WireFault, { recorded: all, past }: Remembered): boolean {
  const shown = new Set(shownAmong(fault, all, past))
  const sent = all.filter((one) => shown.has(one) || (fault.only !== undefined && isAt(one, fault.at)))
  return sent.some((one, index) => shown.has(one) && plays[fault.operator].meets(one, fault, sent.slice(0, index)))
}

/** Returns the checks that can meet a fault, in this order: the one that noticed it before, those that decide its
 * rows, the others; quick ones come first. */
function inOrder(fault: WireFault, baselines: readonly Remembered[], before?: string): readonly Remembered[] {
  const isBefore = ({ candidate }: Baseline): boolean => candidate.address === before
  const decides = ({ candidate }: Baseline): boolean =>
    requirementsOf(candidate.check).some((id) => fault.rows.includes(id))
  return baselines
    .filter((baseline) => canMeet(fault, baseline))
    .toSorted(
      (a, b) =>
        Number(isBefore(b)) - Number(isBefore(a)) ||
        Number(decides(b)) - Number(decides(a)) ||
        a.durationMs - b.durationMs,
    )
}
