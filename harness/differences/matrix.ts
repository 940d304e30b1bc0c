/** Judges checks under legal differences, to find those with another verdict than on the unchanged server. */
import { matchesGlob } from 'node:path'
import type { Candidate, Judge } from '../faults/ground.ts'
import { inLanes } from '../run/lanes.ts'
import type { CheckResult, Difference, Loss, Verdict } from '../vocabulary/index.ts'
import { onlooker, type Passed, wouldChange } from './player.ts'

/** A check that passes on the unchanged server, and its exchanges on the wire. */
export interface Baseline {
  readonly candidate: Candidate
  readonly passed: readonly Passed[]
}

/** A check that has another verdict under a difference. */
export interface Change {
  readonly difference: string
  readonly check: string
  readonly area: string
  readonly verdict: Verdict
  readonly why: string
  /** Why the check cannot do better, if the difference states this loss. */
  readonly stated?: string
}

export interface Played {
  readonly difference: string
  /** The number of checks that were judged, by area. */
  readonly judged: ReadonlyMap<string, number>
  readonly changes: readonly Change[]
  /** The stated losses of the difference that a check had. */
  readonly used: ReadonlySet<Loss>
}

const whyOf = ({ blocker, mismatches }: CheckResult): string => {
  const [first] = mismatches
  return blocker?.reason ?? (first ? `${first.asked}: ${first.at} wanted ${first.wanted}; saw ${first.saw}` : '')
}

/** Judges every check once on the unchanged server. */
export async function baselinesOf(
  judge: Judge,
  candidates: readonly Candidate[],
  lanes: number,
  signal: AbortSignal,
): Promise<{ readonly baselines: readonly Baseline[]; readonly idle: readonly Change[] }> {
  const baselines: Baseline[] = []
  const idle: Change[] = []
  await inLanes(candidates, lanes, signal, async (candidate) => {
    const passed: Passed[] = []
    const { result } = await judge.legally(
      onlooker((one) => passed.push(one)),
      candidate,
    )
    const { verdict } = result
    if (verdict === 'pass') baselines.push({ candidate, passed })
    else if (verdict !== 'not-applicable') idle.push(changeOf('none', candidate, result))
  })
  return { baselines, idle }
}

const changeOf = (difference: string, { topic, address }: Candidate, result: CheckResult): Change => ({
  ...{ difference, check: address, area: topic.area, verdict: result.verdict, why: whyOf(result) },
})

/** Tells whether the difference changes an exchange of the check. A difference of the server itself, or one that is
 * probed, may affect every check. */
async function isTouched({ open, isProbed }: Difference, { passed }: Baseline): Promise<boolean> {
  return open === undefined || isProbed || (await wouldChange(open, passed))
}

const isIn = ({ areas }: Difference, { candidate }: Baseline): boolean =>
  areas === undefined || areas.includes(candidate.topic.area)

/** Judges all checks that the difference can affect. */
export async function play(
  difference: Difference,
  {
    judge,
    baselines,
    lanes,
    signal,
  }: { judge: Judge; baselines: readonly Baseline[]; lanes: number; signal: AbortSignal },
): Promise<Played> {
  const { id, open = onlooker(() => {}), losses = [], isSlow, isProbed } = difference
  const facts = isProbed ? { facts: await judge.factsUnder(open) } : {}
  const judged = new Map<string, number>()
  const changes: Change[] = []
  const used = new Set<Loss>()
  await inLanes(baselines, lanes, signal, async (baseline) => {
    const { candidate } = baseline
    if (!isIn(difference, baseline) || !(await isTouched(difference, baseline))) return
    const { result } = await judge.legally(open, candidate, { waits: isSlow ? 'real' : 'jumping', ...facts })
    judged.set(candidate.topic.area, (judged.get(candidate.topic.area) ?? 0) + 1)
    if (result.verdict === 'pass') return
    const loss = losses.find(
      ({ check, verdict }) => verdict === result.verdict && matchesGlob(candidate.address, check),
    )
    if (loss) used.add(loss)
    changes.push({ ...changeOf(id, candidate, result), ...(loss ? { stated: loss.why } : {}) })
  })
  return { difference: id, judged, changes, used }
}
