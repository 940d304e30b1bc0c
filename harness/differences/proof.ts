/** Proves that no check fails a correct server: each legal difference is played between the reference server and all
 * checks that it can affect. */
import { matchesGlob } from 'node:path'
import { type Candidate, eachAlone, type Ground, type Judge } from '../faults/ground.ts'
import { isAlone, openGround, type Proving, partiesOf } from '../faults/proof.ts'
import { type Setting, settings } from '../mutation/settings.ts'
import {
  type Area,
  addressOf,
  type Difference,
  type ExitCode,
  exitCodes,
  type Loss,
  type Topic,
} from '../vocabulary/index.ts'
import { type Baseline, baselinesOf, type Change, groupsOf, type OwnWays, type Played, playTogether } from './matrix.ts'
import { playOnNodes } from './nodes.ts'

export interface LegalOptions extends Proving {
  readonly differences: readonly Difference[]
  readonly topics: readonly Topic[]
  /** Addresses of the checks that are not judged. A stated loss is stale only if its pattern matches none of them. */
  readonly leftOut?: readonly string[]
  readonly onProgress?: (text: string) => void
  readonly signal: AbortSignal
}

/** One difference in one area. */
export interface Cell {
  readonly difference: string
  readonly area: Area
  readonly judged: number
}

export interface LegalProof {
  readonly cells: readonly Cell[]
  /** Checks with another verdict than on the unchanged server. */
  readonly changes: readonly Change[]
  /** Checks that do not pass on the unchanged server, and so prove nothing. */
  readonly idle: readonly Change[]
  /** Objects of the checks that were still on the server after a difference. */
  readonly leftBehind: readonly string[]
  /** Stated losses that no check has. */
  readonly stale: readonly string[]
  /** True if the proof was stopped before its end, so that not every difference was played to every check. */
  readonly interrupted: boolean
  readonly seconds: number
}

const lanes = 8
/** The number of servers for checks that need clusters for themselves. It is large because these checks mostly wait. */
const clusterGroups = 8
/** The number of servers for all other checks. There are several because checks with the same lock wait for each
 * other on one server. */
const serversOfOthers = 4
/** If a difference delays replies in real time, the number of checks that are judged at once is multiplied by this. */
const slowFactor = 4

const inventoryWords = (inventory: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(inventory).flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`))

/** Returns a judge that uses the servers in rotation. */
function inTurn(judges: readonly Judge[]): Judge {
  let count = 0
  const next = (): Judge => {
    const judge = judges[count++ % judges.length]
    if (!judge) throw new RangeError('no server was opened to judge on')
    return judge
  }
  return {
    plainly: (candidate) => next().plainly(candidate),
    under: (fault, candidate, memory) => next().under(fault, candidate, memory),
    legally: (open, candidate, more) => next().legally(open, candidate, more),
    factsUnder: (open) => next().factsUnder(open),
  }
}

/** Manages the reference servers of one setting. If checks need clusters for themselves, each check gets a reset
 * server. */
function serversOf(setting: Setting, candidates: readonly Candidate[], proving: Proving) {
  const isGrouped = candidates.some(isAlone)
  const grounds: Awaited<ReturnType<typeof openGround>>[] = []
  const leftBehind: string[] = []
  let current: OwnWays | undefined
  let before: ReadonlySet<string> = new Set()
  const prepare = async ({ server }: (typeof grounds)[number]): Promise<void> => {
    await server.reset()
    server.vary(0, current?.variation ?? {})
    server.setClockAhead(current?.clockAheadSeconds ?? 0)
  }
  /** Returns the objects on the servers, or an empty set if each check gets a reset server. */
  const inventory = (): ReadonlySet<string> =>
    new Set(
      isGrouped
        ? []
        : grounds.flatMap(({ server }, index) =>
            inventoryWords(server.inventory()).map((word) => `${word} on server ${index + 1}`),
          ),
    )
  function noteLeft(): void {
    const now = inventory()
    for (const word of now) if (current && !before.has(word)) leftBehind.push(`${current.id}: ${word}`)
    before = now
  }
  return {
    usual: isGrouped ? clusterGroups : lanes,
    /** Returns a judge for `width` checks at once: on as many servers if checks need clusters for themselves, else
     * on a few servers. */
    async inWidth(width: number): Promise<{ readonly judge: Judge; readonly lanes: number }> {
      for (let seed = grounds.length + 1; seed <= (isGrouped ? width : serversOfOthers); seed += 1)
        grounds.push(await openGround(setting, proving, candidates, seed))
      const alone = grounds.map((ground): Ground => ({ judge: ground.judge, reset: () => prepare(ground) }))
      return { judge: isGrouped ? eachAlone(alone) : inTurn(grounds.map(({ judge }) => judge)), lanes: width }
    },
    /** Makes the servers differ in this way from now on. */
    async turnTo(ways: OwnWays): Promise<void> {
      noteLeft()
      current = ways
      if (!isGrouped) for (const ground of grounds) await prepare(ground)
      before = inventory()
    },
    /** Returns the objects that were left on the servers, with the difference under which they were made. */
    leftBehind(): readonly string[] {
      noteLeft()
      return leftBehind
    },
    async close(): Promise<void> {
      for (const ground of grounds) await ground.close()
    },
  }
}

async function onSetting(
  setting: Setting,
  candidates: readonly Candidate[],
  { differences, onProgress, signal, ...proving }: LegalOptions,
) {
  const played: Played[] = []
  const leftBehind: string[] = []
  const servers = serversOf(setting, candidates, proving)
  try {
    const plain = await servers.inWidth(servers.usual)
    onProgress?.(`${setting.name}: ${candidates.length} checks on the unchanged server`)
    const { baselines, idle } = await baselinesOf(plain.judge, candidates, plain.lanes, signal)
    const due = differences.filter(({ isProbed }) => !isProbed || setting.version === undefined)
    const groups = groupsOf(due, proving.spellingSeed ?? 1)
    for (const [index, group] of groups.entries()) {
      const [difference] = group
      if (signal.aborted || baselines.length === 0 || difference === undefined) break
      const ids = group.map(({ id }) => id).join(', ')
      onProgress?.(`${setting.name}: ${index + 1} of ${groups.length}: ${ids}`)
      if (difference.nodes) {
        const { played: some, leftBehind: left } = await playOnNodes(setting, difference, {
          ...proving,
          ...{ baselines, signal },
        })
        played.push(some)
        leftBehind.push(...left.map((word) => `${difference.id}: ${word}`))
        continue
      }
      const width = Math.min(servers.usual * slowFactor, baselines.length)
      const wide = difference.isSlow ? await servers.inWidth(width) : plain
      played.push(...(await playTogether(group, { ...wide, baselines, signal, turnTo: servers.turnTo })))
    }
    if (!signal.aborted) leftBehind.push(...servers.leftBehind())
    return { played, leftBehind, idle, judged: judgedIn(baselines, idle) }
  } finally {
    await servers.close()
  }
}

const judgedIn = (baselines: readonly Baseline[], idle: readonly Change[]): readonly string[] => [
  ...baselines.map(({ candidate }) => candidate.address),
  ...idle.map(({ check }) => check),
]

const isAbout = ({ check }: Loss, addresses: readonly string[]): boolean =>
  addresses.some((address) => matchesGlob(address, check))

const isOf = (area: Area, { areas }: Difference): boolean => areas === undefined || areas.includes(area)

/** Judges each check under all differences, on the first setting that it applies to. */
export async function proveLegal(options: LegalOptions): Promise<LegalProof> {
  const { topics, differences, signal, leftOut = [] } = options
  const started = performance.now()
  let unjudged: readonly Candidate[] = topics.flatMap((topic) =>
    topic.checks.map((check) => ({ topic, check, address: addressOf(topic, check) })),
  )
  const addresses = unjudged.map(({ address }) => address)
  const all: Played[] = []
  const idle: Change[] = []
  const leftBehind: string[] = []
  for (const setting of settings) {
    for (const candidates of partiesOf(unjudged)) {
      if (signal.aborted) break
      const done = await onSetting(setting, candidates, options)
      all.push(...done.played)
      idle.push(...done.idle)
      leftBehind.push(...done.leftBehind)
      const judged = new Set(done.judged)
      unjudged = unjudged.filter(({ address }) => !judged.has(address))
    }
  }
  const areas = [...new Set(topics.map(({ area }) => area))]
  const cells = differences.flatMap((difference) =>
    areas
      .filter((area) => isOf(area, difference))
      .map((area) => ({
        ...{ difference: difference.id, area },
        judged: all
          .filter((one) => one.difference === difference.id)
          .reduce((sum, { judged }) => sum + (judged.get(area) ?? 0), 0),
      })),
  )
  const used = new Set(all.flatMap((one) => [...one.used]))
  return {
    ...{ cells, idle, leftBehind },
    changes: all.flatMap(({ changes }) => changes),
    stale: signal.aborted
      ? []
      : differences.flatMap(({ id, losses = [] }) =>
          losses
            .filter((loss) => !used.has(loss) && isAbout(loss, addresses) && !isAbout(loss, leftOut))
            .map(
              ({ check, verdict }) =>
                `${id}: no check that matches ${check} is ${verdict} under it: delete the stated loss`,
            ),
        ),
    interrupted: signal.aborted,
    seconds: (performance.now() - started) / 1000,
  }
}

const open = ({ changes }: LegalProof): readonly Change[] => changes.filter(({ stated }) => stated === undefined)

export const exitCodeOf = (proof: LegalProof): ExitCode =>
  open(proof).length + proof.idle.length + proof.leftBehind.length + proof.stale.length === 0
    ? exitCodes.conformant
    : exitCodes.defect
