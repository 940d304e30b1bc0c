/** Faults of the wire × checks: which fault is noticed, and by whom. */

import { inLanes } from '../run/lanes.ts'
import { requirementsOf, type WireFault } from '../vocabulary/index.ts'
import type { Candidate, Judge } from './ground.ts'
import { plays } from './operators.ts'
import { isMeant } from './player.ts'
import type { Recorded } from './recorder.ts'
import { isAt } from './site.ts'

export interface FaultOutcome {
  readonly fault: WireFault
  /** The first check that gave `fail` or `warn`. */
  readonly noticedBy?: string
  /** This many checks send a request that the fault can bend. */
  readonly met: number
  /** This many of them were judged under it. */
  readonly judged: number
  /** In how many of those it changed a request or a reply: a fault that bends nothing proves nothing. */
  readonly bent: number
  /** A defect of a check, or of the fault, that came up in judging. */
  readonly defect?: string
}

/** The baseline is what the unchanged target did with one check. */
interface Baseline {
  readonly candidate: Candidate
  readonly recorded: readonly Recorded[]
  readonly durationMs: number
}

export interface Tried {
  readonly outcomes: readonly FaultOutcome[]
  /** Checks that pass on the unchanged target. */
  readonly passed: readonly string[]
  /** Checks that do not pass on the unchanged target, and so prove nothing there. */
  readonly idle: readonly { readonly check: string; readonly verdict: string; readonly why: string }[]
}

export interface Trial {
  readonly judge: Judge
  readonly faults: readonly WireFault[]
  readonly candidates: readonly Candidate[]
  /** This many checks are judged at once. */
  readonly lanes: number
  readonly signal: AbortSignal
  /** By fault: the check that is tried first, since it has noticed the fault before. */
  readonly noticedBy?: Readonly<Record<string, string>>
  onProgress?(done: number, of: number, text: string): void
}

/** Judges each check once on the target as it is, and then each fault with the checks that can meet it, until one notices. */
export async function tryFaults({
  judge,
  faults,
  candidates,
  lanes,
  signal,
  noticedBy = {},
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
  const outcomes = new Map<WireFault, FaultOutcome>()
  await inLanes(faults, lanes, signal, async (fault) => {
    outcomes.set(fault, await tryFault(fault, baselines, judge, signal, noticedBy[fault.id]))
    onProgress?.(outcomes.size, faults.length, fault.id)
  })
  return {
    outcomes: faults.flatMap((fault) => outcomes.get(fault) ?? []),
    passed: baselines.map(({ candidate }) => candidate.address),
    idle,
  }
}

/** Judging one check under a fault shows this. */
interface Shown {
  readonly isBent: boolean
  readonly isNoticed: boolean
  readonly defect?: string
}

function shownBy({ address }: Candidate, { result, bent: isBent }: Awaited<ReturnType<Judge['under']>>): Shown {
  const { verdict, blocker } = result
  const isUnmet = verdict === 'fail' || verdict === 'warn'
  const ofSuite = blocker?.kind === 'suite' ? `${address}: ${blocker.reason}` : undefined
  const ofNothing = isUnmet && !isBent ? `${address}: ${verdict} although the fault changed nothing` : undefined
  const defect = ofSuite ?? ofNothing
  return { isBent, isNoticed: isUnmet && isBent, ...(defect === undefined ? {} : { defect }) }
}

/** Judges the checks that can meet a fault, until one notices it. */
async function tryFault(
  fault: WireFault,
  baselines: readonly Baseline[],
  judge: Judge,
  signal: AbortSignal,
  before: string | undefined,
): Promise<FaultOutcome> {
  const able = inOrder(fault, baselines, before)
  const all = baselines
    .filter(({ candidate }) => candidate.topic.area === fault.area)
    .flatMap(({ recorded }) => recorded)
  const shown: Shown[] = []
  let noticedBy: string | undefined
  for (const { candidate, recorded } of able) {
    if (signal.aborted || noticedBy !== undefined) break
    const one = shownBy(candidate, await judge.under(fault, candidate, { check: recorded, all }))
    shown.push(one)
    if (one.isNoticed) noticedBy = candidate.address
  }
  const defect = shown.find((one) => one.defect !== undefined)?.defect
  return {
    ...{ fault, met: able.length, judged: shown.length },
    bent: shown.filter(({ isBent }) => isBent).length,
    ...(noticedBy === undefined ? {} : { noticedBy }),
    ...(defect === undefined ? {} : { defect }),
  }
}

const canMeet = (fault: WireFault, all: readonly Recorded[]): boolean => {
  const sent = all.filter(({ body }) => isMeant(fault, body))
  return sent.some((one, index) => plays[fault.operator].meets(one, fault, sent.slice(0, index)))
}

/** Checks that can meet a fault: the one that noticed it before, those that decide its rows, then the quick ones. */
function inOrder(fault: WireFault, baselines: readonly Baseline[], before?: string): readonly Baseline[] {
  const isBefore = ({ candidate }: Baseline): boolean => candidate.address === before
  const decides = ({ candidate }: Baseline): boolean =>
    requirementsOf(candidate.check).some((id) => fault.rows.includes(id))
  return baselines
    .filter(
      ({ candidate, recorded }) =>
        candidate.topic.area === fault.area &&
        canMeet(
          fault,
          recorded.filter((one) => isAt(one, fault.at)),
        ),
    )
    .toSorted(
      (a, b) =>
        Number(isBefore(b)) - Number(isBefore(a)) ||
        Number(decides(b)) - Number(decides(a)) ||
        a.durationMs - b.durationMs,
    )
}
