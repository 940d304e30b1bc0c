/** Judging with everything around it: what was there before, the journal, cleaning up, what is there after. */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { reachOf } from '../../run/clusters.ts'
import { runSuites } from '../../run/run-suites.ts'
import type { Session, SessionPlan } from '../../run/session.ts'
import { cleanUp } from '../../safety/clean-up.ts'
import { intendedIn, leftOver, takeInventory } from '../../safety/inventory.ts'
import { noJournal, openJournal } from '../../safety/journal.ts'
import { findKey, type JournalKey, stateFolderOf } from '../../safety/journal-key.ts'
import type { Change } from '../../safety/journal-lines.ts'
import { type JournalRecord, journalSoFar } from '../../safety/journal-record.ts'
import { acceptFor } from '../../safety/undo-shapes.ts'
import { undoTemplates } from '../../targets/undo-templates.ts'
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
  const { key, stateFolder } = keyFor(plan, terminal)
  const outcome = await runSuites({
    topics: [...files].map(([id, file]) => ({ id, file })),
    selected: chosen.map(({ address }) => address),
    plan: { ...plan, stateFolder },
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
  const record = recordOf(plan, key, outcome.unsaved)
  const left = await cleanedUp({ chosen, plan, session, terminal }, record, key)
  const intended = intendedIn(record)
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

/** The folder is given to the worker, which signs; the key itself travels nowhere. */
function keyFor({ journalFile }: SessionPlan, terminal: Terminal): { key?: JournalKey; stateFolder: string } {
  const stateFolder = stateFolderOf(terminal.env)
  if (journalFile === undefined) return { stateFolder }
  const found = findKey(stateFolder, 'make')
  if ('key' in found) return { key: found.key, stateFolder }
  terminal.say(
    `the journal of this run is not signed, so "assay clean" only lists what is in it unless it is told to trust it: ${found.unavailable}; name another folder with ASSAY_STATE_DIR`,
  )
  return { stateFolder }
}

/** What the journal says, and what could not be written into it any more. */
function recordOf(
  { journalFile, target, runId }: SessionPlan,
  key: JournalKey | undefined,
  unsaved: readonly Change[],
): JournalRecord {
  return journalSoFar(journalFile, { url: target.url, runId }, key, unsaved)
}

/** The journal goes once it names nothing any more; until then `assay clean` can work from it. */
async function cleanedUp(
  { chosen, plan, session, terminal }: Omit<Job, 'shard'>,
  record: JournalRecord,
  key: JournalKey | undefined,
): Promise<readonly string[]> {
  const { journalFile, runId, target } = plan
  if (journalFile === undefined) return []
  const { dialect } = session
  const topics = [...new Set(chosen.map(({ topic }) => topic))]
  const accept = acceptFor(undoTemplates(topics, dialect), runId)
  const isBegun = record.tail.lastNumber > 0
  const notes = isBegun ? openJournal(journalFile, record.head, { key }) : noJournal
  const { left: resisted } = await cleanUp({
    ...{ record, reachOf: reachOf(session), dialect, accept },
    gone: (id) => notes.done(id),
  })
  notes.close()
  const left = [...resisted, ...record.lost.map((words) => `${journalFile}: ${words}`)]
  if (left.length > 0)
    terminal.say(
      `${journalFile} names what was left: "assay clean --target ${target.url} --out ${dirname(journalFile)}" tries to take it back`,
    )
  else removed(journalFile, terminal)
  return left
}

/** What it names is gone, so that a journal that stays does no harm. */
function removed(journalFile: string, terminal: Terminal): void {
  try {
    rmSync(journalFile, { force: true })
  } catch (error) {
    terminal.say(
      `${journalFile} cannot be deleted (${(error as NodeJS.ErrnoException).code}): everything in it is gone`,
    )
  }
}
