/** Judging with everything around it: what was there before, the journal, cleaning up, what is there after. */
import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { reachOf } from '../../run/clusters.ts'
import { runSuites } from '../../run/run-suites.ts'
import type { Session, SessionPlan } from '../../run/session.ts'
import { cleanUp } from '../../safety/clean-up.ts'
import { type Intended, intendedIn, leftOver, nothingIntended, takeInventory } from '../../safety/inventory.ts'
import type { CheckResult } from '../../vocabulary/index.ts'
import type { Chosen } from '../catalog.ts'
import { showProgress } from '../progress.ts'
import type { Shard } from '../run.ts'
import type { Terminal } from '../terminal.ts'
import { counted } from '../wording.ts'

export interface Judged {
  readonly results: readonly CheckResult[]
  readonly executed: number
  readonly judgingMs: number
  readonly leftBehind: readonly string[]
  readonly interrupted: boolean
  /** Errors of the suite outside any check. */
  readonly defects: readonly string[]
  /** Every secret learnt on the way. */
  readonly secrets: readonly string[]
}

interface Job {
  readonly chosen: readonly Chosen[]
  readonly plan: SessionPlan
  /** Of this process, for everything outside the checks. */
  readonly session: Session
  readonly shard: Shard | undefined
  readonly terminal: Terminal
}

export async function judgeAll({ chosen, plan, session, shard, terminal }: Job): Promise<Judged> {
  const { dialect } = session
  const ask = session.ask('main')
  const before = await takeInventory(ask, dialect)
  const progress = showProgress(terminal, chosen.length)
  const stopping = () =>
    terminal.say('stopping: what was made is taken back first; a second Ctrl-C ends at once and leaves it')
  terminal.signal.addEventListener('abort', stopping)
  const files = new Map(chosen.map(({ topic, file }) => [topic.id, file]))
  const outcome = await runSuites({
    topics: [...files].map(([id, file]) => ({ id, file })),
    selected: chosen.map(({ address }) => address),
    plan,
    ...(shard ? { shard } : {}),
    onResult: progress.saw,
    signal: terminal.signal,
  })
  progress.end()
  terminal.signal.removeEventListener('abort', stopping)
  if (shard && !outcome.interrupted && outcome.results.length + outcome.unhandled.length === 0)
    terminal.say(
      `shard ${shard.index} of ${shard.of} has no checks: a topic is never divided, and the selection has ${counted(files.size, 'topic')}; take no more shards than that`,
    )
  const intended = intendedBy(plan)
  const left = await cleanedUp(plan, session, terminal)
  const over = await leftOver(before, await takeInventory(ask, dialect), { runId: plan.runId, ask, dialect, intended })
  const { results, executed, judgingMs, unhandled, interrupted, secrets } = outcome
  return {
    results,
    executed,
    judgingMs,
    leftBehind: [...new Set([...left, ...over])],
    interrupted,
    defects: unhandled,
    secrets,
  }
}

const intendedBy = ({ journalFile }: SessionPlan): Intended =>
  journalFile !== undefined && existsSync(journalFile) ? intendedIn(journalFile) : nothingIntended

/** The journal goes once it names nothing any more; until then `assay clean` can work from it. */
async function cleanedUp(
  { journalFile }: SessionPlan,
  session: Session,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (journalFile === undefined || !existsSync(journalFile)) return []
  const { left } = await cleanUp(journalFile, reachOf(session), session.dialect)
  if (left.length === 0) rmSync(journalFile)
  else
    terminal.say(
      `${journalFile} names what was left: "assay clean --out ${dirname(journalFile)}" tries to take it back`,
    )
  return left
}
