/** Cleans up by journals, on a target that the operator named. */

import { mainCluster } from '../../run/clusters.ts'
import { isUnknownToken } from '../../run/denials.ts'
import { learnNodes } from '../../run/learned-nodes.ts'
import { openSession, reachOf, type Session, type SessionParts } from '../../run/session.ts'
import { cleanUp, type ReachOf } from '../../safety/clean-up.ts'
import { removeFile } from '../../safety/files.ts'
import { openJournal } from '../../safety/journal.ts'
import type { JournalKey } from '../../safety/journal-key.ts'
import { isDenial, type NotUndone } from '../../safety/left-objects.ts'
import { acceptFor, type UndoTemplate } from '../../safety/undo-shapes.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { hasNodes } from '../../vocabulary/index.ts'
import { gracesOfOthers } from '../../wire/stop-signals.ts'
import { oneLine } from '../output/one-line.ts'
import type { FoundJournal } from './journals.ts'
import { clusterAt } from './nodes.ts'

export interface Cleaning {
  readonly target: ResolvedTarget
  readonly templates: readonly UndoTemplate[]
  readonly key: JournalKey | undefined
  /** A command line that cleans up this target, ready to be copied. */
  readonly command: string
  /** Once aborted, nothing more is undone. */
  readonly signal?: AbortSignal
}

export interface Cleaned {
  /** Descriptions of what was taken back. */
  readonly undone: readonly string[]
  readonly notUndone: readonly NotUndone[]
  /** True if all of that was denied to a token that may not even look itself up. */
  readonly isTokenUnknown?: boolean
  /** Descriptions of missing lines: what they would have named is unknown. */
  readonly lost: readonly string[]
}

/** Undoes what one journal names, with the operator's token, and deletes the journal once everything in it is undone.
 * The journal must belong to this target. Nothing has to be written: on a full or read-only disk the journal just stays
 * as it is. */
export async function clean(
  journal: FoundJournal,
  { target, templates, key, command, signal }: Cleaning,
): Promise<Cleaned> {
  const { file, record } = journal
  const { head, open, lost, isAuthentic } = record
  if (open.length === 0 && lost.length === 0) {
    discard(file)
    return { undone: [], notUndone: [], lost: [] }
  }
  if (!target.token) throw new UsageError(`cleaning ${target.url} needs a token: set ASSAY_TOKEN`)
  const session = await openSession(planFor(target, head.runId), endingWith(signal))
  // What somebody else wrote must not get our signature.
  const notes = openJournal(file, head, { key: isAuthentic ? key : undefined })
  try {
    await assertSameCluster(journal, session, command)
    const isAmongNodes = hasNodes(await learnNodes(session))
    session.nodes?.beginCleanUp(notes)
    const { undone, notUndone } = await cleanUp({
      ...{ record, reachOf: reachAs(head.url, session), dialect: session.dialect, needsProof: !isAuthentic },
      ...{ accept: acceptFor(templates, head.runId), isAmongNodes },
      gone: (id) => notes.done(id),
    })
    await session.nodes?.close()
    if (notUndone.length + lost.length === 0) discard(file)
    const told = lost.map((words) => `${file}: ${words}: see "${command} --run ${head.runId}"`)
    const isDenied = notUndone.length > 0 && notUndone.every(({ reason }) => isDenial.test(reason))
    const isTokenUnknown = isDenied && (await isUnknownToken(session.ask(mainCluster), session))
    return { undone, notUndone, isTokenUnknown, lost: told }
  } finally {
    notes.close()
    await session.close()
  }
}

/** An interrupted clean-up has nothing of its own to clean up, so it ends as soon as the current request has ended. */
export const endingWith = (signal: AbortSignal | undefined): SessionParts =>
  signal ? { signal, graces: gracesOfOthers() } : {}

/** Deletes a journal if possible. A journal that stays does no harm, because everything in it is undone. */
export function discard(file: string): void {
  try {
    removeFile(file)
  } catch {
    // The disk may be read-only.
  }
}

/** Throws `UsageError` if the journal belongs to another cluster: there everything seems undone already, so the journal
 * would be deleted. A journal belongs to a cluster and not to an address, because each node has one of its own. If the
 * run changed roles, the cluster may have changed its id, so then the address has to be that of the run. */
async function assertSameCluster({ file, record }: FoundJournal, session: Session, command: string): Promise<void> {
  const { url, cluster } = record.head
  const target = session.plan.target.url
  const mayHaveChanged = record.open.some((entry) => 'restoration' in entry)
  if (url === target && (cluster === undefined || mayHaveChanged)) return
  const seen = mayHaveChanged ? undefined : await clusterAt(session)
  if (url === target ? seen === undefined || seen === cluster : seen !== undefined && seen === cluster) return
  throw new UsageError(
    url === target
      ? `${file} belongs to a run on another cluster than the one at ${url} now: run "${command}" while that cluster is there, or delete the journal if it is gone for good`
      : `${file} belongs to a run against ${oneLine(url)}, not ${target}, which does not show that it is the same cluster: give the address of the run, or another --out`,
  )
}

/** At another address of the same cluster, the journal's own address stands for it. */
const reachAs = (url: string, session: Session): ReachOf => {
  const reach = reachOf(session)
  return (cluster) => {
    const found = reach(cluster)
    return found && cluster === 'main' ? { ...found, url } : found
  }
}

export const planFor = (target: ResolvedTarget, runId: string) => ({
  target,
  facts: {},
  runId,
  seed: 1,
  ceiling: 'scoped' as const,
  jobs: 1,
  level: 'must' as const,
  requirements: [],
})
