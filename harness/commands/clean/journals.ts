/** Journals of runs that were cut short, and working them off. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reachOf } from '../../run/clusters.ts'
import { openSession, type Session } from '../../run/session.ts'
import { type CleanUp, cleanUp } from '../../safety/clean-up.ts'
import { takeInventory } from '../../safety/inventory.ts'
import { digestOf, type JournalEntry, type JournalHead, type JournalRecord, readJournal } from '../../safety/journal.ts'
import { isThrowAway } from '../../safety/names.ts'
import { loadDialect } from '../../targets/dialects/index.ts'
import { resolveTarget } from '../../targets/resolve.ts'
import type { ResolvedTarget } from '../../targets/target.ts'
import { UsageError } from '../../targets/usage-error.ts'
import { fieldOf } from '../../vocabulary/index.ts'
import { asBare } from '../../wire/ask.ts'
import type { TargetFlags } from '../options.ts'

export const journalFile = (folder: string, runId: string): string => join(folder, `journal-${runId}.jsonl`)

export const journalsIn = (folder: string): string[] =>
  globSync('journal-*.jsonl', { cwd: folder })
    .sort()
    .map((file) => join(folder, file))

/** Takes back what one journal names, with the operator's token. Throws `UsageError` where the target is not the journal's. */
export async function clean(file: string, flags: TargetFlags, env: NodeJS.ProcessEnv): Promise<CleanUp> {
  const { head, open } = readFrom(file)
  if (open.length === 0) return { undone: [], left: [] }
  const named = resolveTarget(flags, env)
  if (named && named.url !== head.url)
    throw new UsageError(
      `${file} is of a run against ${head.url}, not ${named.url}: give that target, or another --out`,
    )
  const target = named ?? resolveTarget({ ...flags, target: head.url }, env)
  if (!target?.token) throw new UsageError(`cleaning ${head.url} needs a token: set ASSAY_TOKEN`)
  const session = await openSession(planFor(target, head.runId))
  try {
    await assertSameCluster(file, head, open, session)
    return await cleanUp(file, reachOf(session), loadDialect(target.dialect))
  } finally {
    await session.close()
  }
}

export interface Strays {
  readonly seen: readonly string[]
  /** Why nothing can be said. */
  readonly unread?: string
}

/** Objects on the target that some run made, by their names. Only where a target is named, and a token for it given. */
export async function strays(flags: TargetFlags, env: NodeJS.ProcessEnv): Promise<Strays> {
  const target = resolveTarget(flags, env)
  if (!target?.token) return { seen: [] }
  const session = await openSession(planFor(target, 'none'))
  try {
    const inventory = await takeInventory(session.ask('main'), session.dialect)
    // What is no such server answers 404 to everything, as an empty list would; such a server always holds something.
    if (Object.values(inventory).flat().length === 0)
      return {
        seen: [],
        unread: `nothing that ${target.url} holds could be listed: see whether it can be reached, and whether it knows the token`,
      }
    const seen = Object.entries(inventory).flatMap(([kind, names]) =>
      names.filter(isThrowAway).map((name) => `${name} (${kind})`),
    )
    return { seen }
  } finally {
    await session.close()
  }
}

/** Asked of a cluster that never had it, everything is gone already, and the journal would be thrown away. A cluster that
 * replicates may have changed its id on the way. */
async function assertSameCluster(
  file: string,
  { url, cluster }: JournalHead,
  open: readonly JournalEntry[],
  session: Session,
): Promise<void> {
  if (cluster === undefined || open.some((entry) => 'restoration' in entry)) return
  const [health] = session.dialect.operations.health?.({}).exchanges ?? []
  if (!health) return
  const { method, path } = health
  const { reply } = await asBare(session.client('main'), session.dialect)({ method, path, once: true })
  const seen = reply && fieldOf(reply, 'cluster_id')
  if (typeof seen === 'string' && digestOf(seen) !== cluster)
    throw new UsageError(
      `${file} is of a run on another cluster than the one that is at ${url} now: clean while that one is there, or delete the journal if it is gone for good`,
    )
}

function readFrom(file: string): Pick<JournalRecord, 'head' | 'open'> {
  try {
    // A run that was killed before its first line had made nothing.
    if (statSync(file).size === 0) return { head: { url: '', runId: '' }, open: [] }
    return readJournal(file)
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}: move it away`)
  }
}

const planFor = (target: ResolvedTarget, runId: string) => ({
  target,
  facts: {},
  runId,
  seed: 1,
  ceiling: 'scoped' as const,
  jobs: 1,
  level: 'must' as const,
  requirements: [],
})
