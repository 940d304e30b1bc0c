/** Runs `assay clean`, from its flags to its exit code. */
import { existsSync } from 'node:fs'
import { openSession } from '../../run/session.ts'
import { findKey, stateFolderOf } from '../../safety/journal-key.ts'
import { leftObjects, type NotUndone, type Shown } from '../../safety/left-objects.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { resolveTarget } from '../../targets/resolve.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { undoTemplates } from '../../targets/touches.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { exitCodes } from '../../vocabulary/index.ts'
import { loadCatalog } from '../catalog.ts'
import { oneLine } from '../output/one-line.ts'
import { lockIfWritable } from '../output/output-folder.ts'
import type { Terminal } from '../output/terminal.ts'
import { counted } from '../output/wording.ts'
import { cleanRun, strays } from './by-name.ts'
import { cleanCommandFor } from './clean-command.ts'
import { clean, discard, endingWith, planFor } from './cleaning.ts'
import type { CleanFlags } from './flags.ts'
import { described, type FoundJournal, type Journals, journalsIn, journalsOf } from './journals.ts'
import { clusterAt } from './nodes.ts'

/** The outcome of a clean-up, which `--json` prints. */
interface Cleaned {
  readonly undone: string[]
  readonly left: string[]
  /** Objects of runs whose journals were not found. */
  readonly unknown: string[]
  /** What `--dry-run` shows. */
  readonly wouldBeTakenBack: string[]
  /** Journals that were not used, because this user did not sign them. */
  readonly untrusted: string[]
  /** Messages about what could not be read. */
  readonly unread: string[]
}

export async function conductCleaning(flags: CleanFlags, terminal: Terminal): Promise<number> {
  const target = resolveTarget(flags, terminal.env)
  // The journal of a running run names what it still uses, so it is not even read before that run has ended.
  const release = journalsIn(flags.out).length > 0 && !flags.dryRun ? lockIfWritable(flags.out, terminal.say) : () => {}
  try {
    return await conductLocked(target, flags, terminal)
  } finally {
    release()
  }
}

async function conductLocked(
  target: ResolvedTarget | undefined,
  flags: CleanFlags,
  terminal: Terminal,
): Promise<number> {
  const { signal } = terminal
  const foundKey = findKey(stateFolderOf(terminal.env))
  const key = 'key' in foundKey ? foundKey.key : undefined
  const { found, unreadable, empty } = journalsOf(flags.out, key)
  const ofRun = found.filter(({ record }) => !flags.run || record.head.runId === flags.run)
  const journals = { found: ofRun, unreadable, empty }
  const dialect = loadDialect(target?.dialect ?? 'vault')
  const { topics } = await loadCatalog()
  const templates = undoTemplates(
    topics.map(({ topic }) => topic),
    dialect,
  )
  const open: NotUndone[] = []
  const lost: string[] = []
  const named: Shown[] = []
  const cleaned: Cleaned = {
    undone: [],
    left: [],
    unknown: [],
    wouldBeTakenBack: [],
    untrusted: [],
    unread: [...unreadable],
  }
  if (!target) return withoutTarget(journals, flags, terminal, (one) => described(one, templates))
  const { ours, elsewhere } = await byTarget(journals.found, target, signal)
  if (ours.length === 0 && elsewhere.length > 0 && !flags.run) throw new UsageError(otherTarget(elsewhere, target))
  for (const { file, record } of elsewhere) tell(`${file} belongs to a run against ${record.head.url}, and is not used`)
  for (const journal of ours) await workOff(journal)
  if (flags.run !== undefined) await byName(flags.run)
  discardAll(empty, flags)
  if (journals.found.length === 0 && flags.run === undefined) await lookForStrays()
  cleaned.left.push(...leftObjects(open, named, dialect), ...lost)
  report({ flags, journals, cleaned, terminal })
  return signal.aborted ? exitCodes.interrupted : codeFor(cleaned)

  function tell(words: string): void {
    terminal.say(`assay: ${words}`)
  }

  async function workOff(journal: FoundJournal): Promise<void> {
    const { record, file } = journal
    const lines = hasWork(record) ? described(journal, templates) : []
    if (flags.dryRun) return void cleaned.wouldBeTakenBack.push(...lines)
    if (!isTrusted(journal, lines)) return
    for (const words of record.bad) tell(`${file}: ${words}: this line is not used`)
    const done = await clean(journal, {
      ...{ target: target as ResolvedTarget, templates, key, signal },
      command: command(flags),
    })
    if (done.isTokenUnknown)
      tell(`${target?.url} refuses the token itself: set ASSAY_TOKEN to a valid one, and clean again`)
    cleaned.undone.push(...done.undone)
    open.push(...done.notUndone)
    lost.push(...done.lost)
  }

  /** Shows a journal that somebody else may have written. Nothing is sent for it, unless the user has read it. */
  function isTrusted({ file, record }: FoundJournal, lines: readonly string[]): boolean {
    if (record.isAuthentic || lines.length === 0) return true
    for (const line of lines) terminal.say(line)
    if (flags.trustJournal) return true
    cleaned.untrusted.push(file)
    const reason = 'unavailable' in foundKey ? foundKey.unavailable : 'its lines are not signed with your key'
    tell(
      `${file} is not signed by this user (${reason}), so no request of it was sent. Read the lines above: if they are right, add --trust-journal, or find what the run left by its names: ${command(flags)} --run ${record.head.runId}`,
    )
    return false
  }

  async function byName(runId: string): Promise<void> {
    const { undone, left, unread } = await cleanRun({
      ...{ target: target as ResolvedTarget, runId, templates, dryRun: flags.dryRun === true, signal },
      tell,
      show(names) {
        if (flags.dryRun) cleaned.wouldBeTakenBack.push(...names)
        else for (const name of names) terminal.say(`found an object of the run ${runId}: ${name}`)
      },
    })
    cleaned.undone.push(...undone)
    named.push(...left)
    if (unread !== undefined) cleaned.unread.push(unread)
  }

  async function lookForStrays(): Promise<void> {
    const { runs, unread } = await strays(target as ResolvedTarget, tell, signal)
    for (const [runId, named] of runs) {
      cleaned.unknown.push(...named.map(({ kind, name }) => `${name} (${kind})`))
      tell(
        `the run ${runId} left ${counted(named.length, 'object')}, and its journal is not in this folder; once that run is over: ${command(flags)} --run ${runId}`,
      )
    }
    if (unread !== undefined) cleaned.unread.push(unread)
  }
}

function discardAll(files: readonly string[], { dryRun }: CleanFlags): void {
  if (!dryRun) for (const file of files) discard(file)
}

const hasWork = ({ open, lost }: FoundJournal['record']): boolean => open.length > 0 || lost.length > 0

/** Returns the command with the same target, or with the URL of a journal that this user signed. */
const command = (flags: CleanFlags, url?: string): string =>
  cleanCommandFor(
    flags.profile === undefined && flags.target === undefined ? { ...flags, target: url ?? '<url>' } : flags,
  )

/** Shows the journals without sending anything: a URL that only a file names gets no token. */
function withoutTarget(
  { found, unreadable, empty }: Journals,
  flags: CleanFlags,
  terminal: Terminal,
  describe: (journal: FoundJournal) => readonly string[],
): number {
  if (flags.run !== undefined)
    throw new UsageError(`--run needs a server to search: ${command(flags)} --run ${flags.run}`)
  const open = found.filter(({ record }) => hasWork(record))
  if (open.length === 0 && unreadable.length === 0) {
    discardAll([...empty, ...found.map(({ file }) => file)], flags)
    sayNothingToClean(found.length, flags, terminal)
    return exitCodes.conformant
  }
  const lines = open.flatMap(describe)
  if (flags.json) terminal.json(asJson({ journals: found.length, wouldBeTakenBack: lines, unread: unreadable }), 2)
  else for (const line of lines) terminal.out(line)
  for (const words of unreadable) terminal.say(`assay: ${words}`)
  if (open.length === 0)
    throw new UsageError(`no file in ${flags.out} is a valid journal of a run: move these files away`)
  if (flags.dryRun) return exitCodes.conformant
  throw withoutServer(open, flags)
}

function sayNothingToClean(journals: number, { json, out }: CleanFlags, terminal: Terminal): void {
  const why = existsSync(out) ? `no journal in ${out} names an object` : `there is no folder ${out}`
  if (json) terminal.json(asJson({ journals }), 2)
  else terminal.out(`nothing to clean: ${why}`)
}

function withoutServer(open: readonly FoundJournal[], flags: CleanFlags): UsageError {
  // The URL is suggested only if this user's own run wrote it.
  const urls = new Set(open.flatMap(({ record }) => (record.isAuthentic ? [record.head.url] : [])))
  const commands = urls.size > 0 ? [...urls].map((url) => command(flags, url)) : [command(flags)]
  return new UsageError(
    [
      'cleaning up sends a token: name the server for it with --target or --profile:',
      ...commands.map((one) => `  ASSAY_TOKEN=… ${one}`),
    ].join('\n'),
  )
}

/** A journal of another address belongs to the target if that is the same cluster. */
async function byTarget(found: readonly FoundJournal[], target: ResolvedTarget, signal: AbortSignal) {
  const isAt = ({ record }: FoundJournal) => record.head.url === target.url || !hasWork(record)
  const isElsewhere = found.some((one) => !isAt(one) && one.record.head.cluster !== undefined)
  const cluster = isElsewhere ? await clusterOf(target, signal) : undefined
  const isOurs = (one: FoundJournal) => isAt(one) || (cluster !== undefined && one.record.head.cluster === cluster)
  return { ours: found.filter(isOurs), elsewhere: found.filter((one) => !isOurs(one)) }
}

async function clusterOf(target: ResolvedTarget, signal: AbortSignal): Promise<string | undefined> {
  const session = await openSession(planFor(target, 'none'), endingWith(signal))
  try {
    return await clusterAt(session)
  } finally {
    await session.close()
  }
}

const otherTarget = (elsewhere: readonly FoundJournal[], { url }: ResolvedTarget): string =>
  elsewhere
    .map(
      ({ file, record }) =>
        `${file} belongs to a run against ${oneLine(record.head.url)}, not ${url}, which does not show that it is the same cluster: give that target, or another --out`,
    )
    .join('\n')

const asJson = (cleaned: object) => ({ journals: 0, undone: [], left: [], unknown: [], ...cleaned })

interface Ended {
  readonly flags: CleanFlags
  readonly journals: Journals
  readonly cleaned: Cleaned
  readonly terminal: Terminal
}

function report({ flags, journals: { found }, cleaned, terminal }: Ended): void {
  const { undone, left, unknown, wouldBeTakenBack, unread } = cleaned
  for (const words of unread) terminal.say(`assay: ${words}`)
  if (flags.json) {
    terminal.json(asJson({ journals: found.length, ...cleaned }), 2)
    return
  }
  for (const line of wouldBeTakenBack) terminal.out(line)
  for (const words of left) terminal.out(`left behind: ${words}`)
  for (const words of unknown) terminal.out(`belongs to another run (its journal is not here): ${words}`)
  terminal.out(summary())

  function summary(): string {
    if (flags.dryRun) return wouldBeTakenBack.length === 0 ? 'nothing to clean' : 'nothing was cleaned up'
    if (found.length > 0 || flags.run !== undefined)
      return `${counted(undone.length, 'object')} cleaned up, ${left.length} left, ${counted(found.length, 'journal')}`
    return `nothing to clean: ${existsSync(flags.out) ? 'no journal in' : 'there is no folder'} ${flags.out}`
  }
}

function codeFor({ left, unknown, untrusted, unread }: Cleaned): number {
  if (left.length + unknown.length > 0) return exitCodes.leftBehind
  if (untrusted.length > 0) return exitCodes.usage
  return unread.length > 0 ? exitCodes.incomplete : exitCodes.conformant
}
