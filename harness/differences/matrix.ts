/** Judges checks under legal differences, to find those with another verdict than on the unchanged server. */
import { matchesGlob } from 'node:path'
import type { Candidate, Judge } from '../faults/ground.ts'
import { inLanes } from '../run/lanes.ts'
import type { CheckResult, Difference, DifferentServer, Loss, Verdict } from '../vocabulary/index.ts'
import { type Opening, onlooker, type Passed, wouldChange } from './player.ts'

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

export interface Playing {
  readonly judge: Judge
  readonly baselines: readonly Baseline[]
  readonly lanes: number
  readonly signal: AbortSignal
}

/** Judges all checks that the difference can affect. */
export async function play(difference: Difference, { judge, baselines, lanes, signal }: Playing): Promise<Played> {
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

/** Tells whether a server can have this difference beside others. One of the server itself that costs a check its verdict
 * cannot be kept from that check. */
const isJoinable = ({ variation, nodes, isProbed, isSlow, losses = [] }: Difference): boolean =>
  !(nodes || isProbed || isSlow || (variation && losses.length > 0))

/** The number of groups. It is prime, so that another seed puts other differences together, and no kind has more. */
const groups = 17

/** Divides differences into groups that one server can have at once. Those whose ids begin with the same word are of one
 * kind and in different groups: one would undo the other. */
export function groupsOf(differences: readonly Difference[], seed: number): readonly (readonly Difference[])[] {
  const kinds = Map.groupBy(differences.filter(isJoinable), ({ id }) => id.split('-')[0])
  const places = [...kinds.values()].flatMap((kind, index) =>
    kind.map((one, at) => ({ one, group: (at + index * (1 + (seed % (groups - 1)))) % groups })),
  )
  const together = [...Map.groupBy(places, ({ group }) => group).values()].map((some) => some.map(({ one }) => one))
  return [...together, ...differences.filter((one) => !isJoinable(one)).map((one) => [one])]
}

/** Returns the difference of a server that has all of these, the first of them nearest to the unchanged server. */
function joined(group: readonly Difference[]): OwnWays & { readonly open: Opening } {
  return {
    id: group.map(({ id }) => id).join(' + '),
    variation: Object.assign({}, ...group.map(({ variation }) => variation)),
    clockAheadSeconds: group.reduce((sum, { clockAheadSeconds = 0 }) => sum + clockAheadSeconds, 0),
    open: (parts) =>
      group.reduce<DifferentServer>(
        (inner, { open }) => {
          const outer = open?.(parts)
          return outer ? (sent, pass) => outer(sent, (changed) => inner(changed, pass)) : inner
        },
        (sent, pass) => pass(sent),
      ),
  }
}

/** Returns the differences that affect the check and cannot cost it its verdict. */
async function harmlessTo(baseline: Baseline, group: readonly Difference[]): Promise<readonly Difference[]> {
  const { address } = baseline.candidate
  const own: Difference[] = []
  for (const one of group) {
    const mayLose = one.losses?.some(({ check }) => matchesGlob(address, check)) ?? false
    if (isIn(one, baseline) && !mayLose && (await isTouched(one, baseline))) own.push(one)
  }
  return own
}

/** Describes how the server itself differs, with the id under which that is reported. */
export type OwnWays = Pick<Difference, 'id' | 'variation' | 'clockAheadSeconds'>

export interface Turning extends Playing {
  /** Makes the servers differ in this way. */
  turnTo(ways: OwnWays): Promise<void>
}

/** Judges all checks that a difference of the group can affect: under all of them at once and, if they do not pass so,
 * under each alone. */
export async function playTogether(group: readonly Difference[], playing: Turning): Promise<readonly Played[]> {
  const { judge, baselines, lanes, signal, turnTo } = playing
  const passed = new Map<Difference, Set<Baseline>>(group.map((one) => [one, new Set()]))
  const lost: { readonly change: Change; readonly under: readonly Difference[] }[] = []
  if (group.length > 1) await turnTo(joined(group))
  await inLanes(group.length > 1 ? baselines : [], lanes, signal, async (baseline) => {
    const touching = await harmlessTo(baseline, group)
    if (touching.length < 2) return
    const { id, open } = joined(touching)
    const { result } = await judge.legally(open, baseline.candidate, { waits: 'jumping' })
    if (result.verdict !== 'pass') lost.push({ change: changeOf(id, baseline.candidate, result), under: touching })
    else for (const one of touching) passed.get(one)?.add(baseline)
  })
  const all: Played[] = []
  for (const [difference, own] of passed) {
    await turnTo(difference)
    const alone = await play(difference, { ...playing, baselines: baselines.filter((one) => !own.has(one)) })
    const judged = new Map(alone.judged)
    for (const { candidate } of own) judged.set(candidate.topic.area, (judged.get(candidate.topic.area) ?? 0) + 1)
    all.push({ ...alone, judged })
  }
  const changed = new Set(
    all.flatMap(({ changes }) => changes.map(({ check, difference }) => `${check} ${difference}`)),
  )
  const together = lost.filter(({ change, under }) => !under.some(({ id }) => changed.has(`${change.check} ${id}`)))
  return [...all, ...together.map(({ change }) => ({ difference: change.difference, ...none, changes: [change] }))]
}

const none = { judged: new Map<string, number>(), used: new Set<Loss>() }
