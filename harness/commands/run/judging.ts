/** Judges the checks, with everything before and after: inventory, journal, clean-up, and a second inventory. */
import { setMaxListeners } from 'node:events'
import { mainCluster } from '../../run/clusters.ts'
import type { EventStream, LiveEvent } from '../../run/event-stream.ts'
import { activeElsewhere, learnWhetherSteppedDown } from '../../run/learned-nodes.ts'
import { blockedBy } from '../../run/outcome.ts'
import { isBack, reachOf, type Session } from '../../run/session.ts'
import type { SessionPlan } from '../../run/session-plan.ts'
import { type Measured, timed } from '../../run/timings.ts'
import { cleanUp, type Reach } from '../../safety/clean-up.ts'
import { removeFile } from '../../safety/files.ts'
import { intendedIn, type KnownNames, leftOver, rememberNames } from '../../safety/inventory.ts'
import { noJournal, openJournal } from '../../safety/journal.ts'
import { findKey, type JournalKey, stateFolderOf } from '../../safety/journal-key.ts'
import type { Change } from '../../safety/journal-lines.ts'
import { type JournalRecord, journalSoFar } from '../../safety/journal-record.ts'
import { lackedFor, leftObjects, type NotUndone } from '../../safety/left-objects.ts'
import { takeBack } from '../../safety/take-back.ts'
import { acceptFor } from '../../safety/undo-shapes.ts'
import type { SelectedCheck } from '../../select/select.ts'
import { undoTemplates } from '../../targets/touches.ts'
import { runSuites } from '../../vitest/run-suites.ts'
import type { OwnTarget } from '../../vitest/worker-plan.ts'
import { defined } from '../../vocabulary/defined.ts'
import { type CheckResult, type Finding, hasNodes, type ResultDocument, type Verdict } from '../../vocabulary/index.ts'
import { FailedFast, isInterrupted, whyStopped } from '../../way/interruptions.ts'
import { type Ask, untilGone } from '../../wire/ask.ts'
import { bounds } from '../../wire/bounds.ts'
import type { WireOutcome } from '../../wire/client.ts'
import { cleanCommandFor, cleanUpLines, type FlagsOfRun } from '../clean/clean-command.ts'
import type { Terminal } from '../output/terminal.ts'
import { counted } from '../output/wording.ts'
import type { Progress } from '../progress.ts'
import { blockedResults } from './blocked-results.ts'
import type { Shard } from './flags.ts'
import { heldAgainst, type UntrueList } from './untrue-lists.ts'

export interface Judged {
  readonly results: readonly CheckResult[]
  readonly executed: number
  readonly judgingMs: number
  readonly leftBehind: readonly string[]
  /** The capabilities that the token lacked to take the rest back. */
  readonly lacked?: readonly string[]
  /** The address at which the active node says it is, if something was left and the profile does not name that node. */
  readonly activeUrl?: string
  /** Remarks about the target that no check is about. */
  readonly findings: readonly Finding[]
  readonly interrupted: boolean
  /** Errors of the suite outside of any check. */
  readonly defects: readonly string[]
  /** The lowest and the highest number of checks at once, if it was adapted to the target. */
  readonly adapted?: ResultDocument['run']['adapted']
  /** The measurements of the threads, if the plan asks for them. */
  readonly measured: readonly Measured[]
}

/** What the clean-up of a run needs to know. */
export interface Tidying {
  readonly selected: readonly SelectedCheck[]
  readonly plan: SessionPlan
  /** The session of this process, for everything outside of the checks. */
  readonly session: Session
  readonly terminal: Terminal
  readonly flags: FlagsOfRun
}

interface Job extends Tidying {
  readonly progress: Progress
  readonly events: Pick<EventStream, 'judged'>
  /** Present if the thread of the checks judges a target of its own. */
  readonly own: OwnTarget | undefined
  readonly shard: Shard | undefined
  /** Whether the run ends with this result. */
  readonly endsWith?: (judged: { readonly id: string; readonly verdict: Verdict }) => boolean
}

export async function judgeAll(given: Job): Promise<Judged> {
  const failed = new AbortController()
  const job = { ...given, terminal: { ...given.terminal, signal: eitherOf(given.terminal.signal, failed.signal) } }
  const { selected, plan, session, own, shard, terminal, progress } = job
  const { dialect } = session
  const ask = session.ask(mainCluster)
  const { timings } = plan
  progress.step('listing what is there')
  const before = await timed(timings, 'list what is there', () => rememberNames(ask, dialect))
  progress.judging(shard ? undefined : selected.length)
  const stopping = () => {
    for (const line of stoppingLines(job)) terminal.say(line)
  }
  terminal.signal.addEventListener('abort', stopping)
  const files = new Map(selected.map(({ topic, file }) => [topic.id, file]))
  const topics = new Map(selected.map(({ topic: { id }, file, suite }) => [id, { id, file, suite }]))
  const { key, stateFolder } = keyFor(plan, terminal)
  const suites = {
    topics: [...topics.values()],
    selected: selected.map(({ address }) => address),
    plan: { ...plan, stateFolder },
    ...defined({ own, shard }),
    onEvent(event: LiveEvent) {
      progress.saw(event)
      if (event.event === 'judged' && given.endsWith?.(event)) failed.abort(new FailedFast())
    },
    onResult: (json: string) => job.events.judged(json),
    redactor: session.redactor,
    signal: terminal.signal,
  }
  const outcome = await timed(timings, 'judge', () => runSuites(suites))
  progress.judged()
  terminal.signal.removeEventListener('abort', stopping)
  if (shard && !terminal.signal.aborted && outcome.results.length + outcome.unhandled.length === 0)
    terminal.say(emptyShardSays(shard, files))
  progress.step('taking back what the checks left')
  const untrue: UntrueList[] = []
  const { left, lacked } = await timed(timings, 'take back', () => takenBack(job, before, key, outcome.unsaved, untrue))
  const leftBehind = [...outcome.leftBehind, ...left]
  const all = [...outcome.results, ...unheardResults(job, new Set(outcome.unheard))]
  const activeUrl = leftBehind.length > 0 ? await activeElsewhere(session) : undefined
  const { results, findings } = heldAgainst(untrue, all, plan.requirements)
  const changes = await changesSince(plan, session)
  const { executed, judgingMs, unhandled, interrupted, adapted, measured } = outcome
  return {
    results,
    executed,
    judgingMs,
    leftBehind,
    lacked,
    ...(activeUrl === undefined ? {} : { activeUrl }),
    findings: [...findings, ...changes],
    interrupted,
    defects: unhandled,
    ...(adapted ? { adapted } : {}),
    measured,
  }
}

/** Returns what the target has become since the run began. */
async function changesSince({ version }: SessionPlan, session: Session): Promise<readonly Finding[]> {
  const other = await session.whyOther()
  if (other !== undefined) return [{ severity: 'warning', code: 'other-cluster', text: other }]
  const now = session.versionSeen()
  if (version === undefined || now === undefined || now === version) return []
  const text = `the target said that its version is ${version} when the run began, and says ${now} now: some verdicts are about the one and some about the other, so judge it again`
  return [{ severity: 'warning', code: 'other-version', text }]
}

/** Vitest divides files among shards, and a file may have several topics. */
function emptyShardSays({ index, of }: Shard, fileOf: ReadonlyMap<string, string>): string {
  const files = new Set(fileOf.values()).size
  const has = `the selection has ${counted(fileOf.size, 'topic')} in ${counted(files, 'file')}`
  const helps = files === 1 ? 'leave --shard out' : `use at most ${files} shards`
  return `shard ${index} of ${of} has no checks: the topics of a file stay in one shard, and ${has}; ${helps}, or select more`
}

function eitherOf(...signals: readonly AbortSignal[]): AbortSignal {
  const either = AbortSignal.any([...signals])
  setMaxListeners(0, either)
  return either
}

/** Undoes what the journal names. Returns what is left, in words, including new objects that were not on the target
 * before the run, and what the token lacked to take it back. Adds to `untrue` each list that names what is gone. */
export async function takenBack(
  job: Tidying,
  before: KnownNames,
  key: JournalKey | undefined,
  unsaved: readonly Change[],
  untrue: UntrueList[] = [],
): Promise<{ readonly left: readonly string[]; readonly lacked: readonly string[] }> {
  const { plan, session } = job
  const { dialect } = session
  const record = recordOf(plan, key, unsaved)
  const other = await session.whyOther()
  // A target that seems to be gone is waited for once, and then not asked again.
  const asking = other === undefined ? untilGone(session.ask(mainCluster), () => isBack(session)) : async () => unasked
  await learnWhetherSteppedDown(session, plan.facts)
  const { notUndone, lost } = await cleanedUp(job, asking, record, key)
  const intended = intendedIn(record)
  const remaining = async () => {
    untrue.length = 0
    return leftOver(before, {
      ...{ runId: plan.runId, ask: asking, dialect, intended, isAmongNodes: session.nodes !== undefined },
      untrue: (asked, names) => void untrue.push({ asked, names }),
    })
  }
  const ownPaths = () => found.flatMap(({ ownPath }) => ownPath ?? [])
  let found = await remaining()
  // A node that takes over may show again what the former one deleted, and some of it holds the rest.
  for (let tries = 0; hasNodes(plan.facts) && ownPaths().length > 0 && tries < mostTries; tries++) {
    await deleteAgain(ownPaths(), job, asking)
    found = await remaining()
  }
  return { left: [...leftObjects(notUndone, found, dialect), ...lost], lacked: lackedFor(notUndone) }
}

/** What the run has made is not taken back on another cluster, where it would seem to be gone. */
const unasked: WireOutcome = { url: '', headers: {}, attempts: [], trouble: 'another cluster is at the address now' }

const mostTries = 2

async function deleteAgain(paths: readonly string[], { selected, plan, session }: Tidying, ask: Ask): Promise<void> {
  const accept = acceptOf(selected, plan, session)
  for (const path of paths.map((one) => one.replace(/\/$/, ''))) {
    const undo = { cluster: mainCluster, method: 'DELETE', path, words: path }
    if (!('refused' in accept(undo))) await takeBack(undo, ask, session.dialect)
  }
}

const acceptOf = (selected: Tidying['selected'], { runId }: SessionPlan, { dialect }: Session) =>
  acceptFor(undoTemplates([...new Set(selected.map(({ topic }) => topic))], dialect), runId)

/** Returns the signing key for this process, and its folder for the worker, which also signs; the key itself is not
 * passed on. */
export function keyFor({ journalFile }: SessionPlan, terminal: Terminal): { key?: JournalKey; stateFolder: string } {
  const stateFolder = stateFolderOf(terminal.env)
  if (journalFile === undefined) return { stateFolder }
  const found = findKey(stateFolder, 'make')
  if ('key' in found) return { key: found.key, stateFolder }
  terminal.say(
    `the journal of this run is not signed, so "assay clean" will only list its lines unless --trust-journal is given: ${found.unavailable}; name another folder with ASSAY_STATE_DIR`,
  )
  return { stateFolder }
}

/** Returns the journal so far, including what could no longer be written into its file. */
function recordOf(
  { journalFile, target, runId }: SessionPlan,
  key: JournalKey | undefined,
  unsaved: readonly Change[],
): JournalRecord {
  return journalSoFar(journalFile, { url: target.url, runId }, key, unsaved)
}

/** Undoes what the journal names. The journal is deleted once nothing is left; until then `assay clean` can use it. */
async function cleanedUp(
  { selected, plan, session, terminal, flags }: Tidying,
  ask: Ask,
  record: JournalRecord,
  key: JournalKey | undefined,
): Promise<{ readonly notUndone: readonly NotUndone[]; readonly lost: readonly string[] }> {
  const { journalFile } = plan
  if (journalFile === undefined) return { notUndone: [], lost: [] }
  const { dialect } = session
  const accept = acceptOf(selected, plan, session)
  const isBegun = record.tail.lastNumber > 0
  const notes = isBegun ? openJournal(journalFile, record.head, { key }) : noJournal
  session.nodes?.beginCleanUp(notes)
  const { notUndone } = await cleanUp({
    ...{ record, reachOf: (cluster: string) => reachBy(ask, cluster, session), dialect, accept },
    isAmongNodes: hasNodes(plan.facts),
    gone: (id) => notes.done(id),
  })
  await session.nodes?.close()
  notes.close()
  const lost = record.lost.map((words) => `${journalFile}: ${words}`)
  if (notUndone.length + lost.length > 0) {
    const lacked = lackedFor(notUndone)
    for (const line of cleanUpLines(journalFile, flags, { lacked, activeUrl: await activeElsewhere(session) }))
      terminal.say(line)
  } else removed(journalFile, terminal)
  return { notUndone, lost }
}

function reachBy(ask: Ask, cluster: string, session: Session): Reach | undefined {
  const reach = reachOf(session)(cluster)
  return reach && cluster === mainCluster ? { ...reach, ask } : reach
}

/** Returns results for the checks of a worker that was too busy to notice that the run was stopped. */
function unheardResults({ selected, plan, session, terminal: { signal } }: Job, unheard: ReadonlySet<string>) {
  const { blocker } = signal.aborted ? blockedBy(whyStopped(signal)) : {}
  if (!blocker || unheard.size === 0) return []
  return blockedResults(
    selected.filter(({ address }) => unheard.has(address)),
    blocker,
    { ...session, plan },
  )
}

function stoppingLines({ plan: { journalFile }, terminal: { signal }, flags }: Job): readonly string[] {
  const cleaningUp = `cleaning up first, for at most ${bounds.takeBack.value} s`
  if (!isInterrupted(signal)) return [`${whyStopped(signal).message}: ${cleaningUp}`]
  const again = `stopping: ${cleaningUp}; a second Ctrl-C ends at once`
  return journalFile === undefined ? [again] : [`${again}, and leaves the rest to:`, `  ${cleanCommandFor(flags)}`]
}

/** Deletes the journal if possible. Everything that it names is undone, so a journal that stays does no harm. */
function removed(journalFile: string, terminal: Terminal): void {
  try {
    removeFile(journalFile)
  } catch (error) {
    terminal.say(
      `${journalFile} cannot be deleted (${(error as NodeJS.ErrnoException).code}); everything in it is cleaned up`,
    )
  }
}
