import { type ClusterAccess, type Dialect, fieldOf, isSuccess, keysOf } from '../vocabulary/index.ts'
import { type Ask, untilGone } from '../wire/ask.ts'
import type { Undo } from './journal-lines.ts'
import type { JournalEntry, JournalRecord } from './journal-record.ts'
import { aboutToken, tokenKind } from './listed.ts'
import { bears, isNameOf } from './names.ts'
import { proofOf, takeBack } from './take-back.ts'
import type { Accept } from './undo-shapes.ts'

export interface CleanUp {
  /** What was taken back, in words. */
  readonly undone: readonly string[]
  /** What may still be there, in words with the reason. */
  readonly left: readonly string[]
}

/** A cluster is reached with the operator's token, and for what a dialect does there in code. */
export interface Reach {
  readonly url?: string
  readonly ask: Ask
  readonly access?: ClusterAccess
}

/** By cluster name; undefined for a cluster that is not known now. */
export type ReachOf = (cluster: string) => Reach | undefined

export interface CleanUpOrder {
  readonly record: JournalRecord
  readonly reachOf: ReachOf
  readonly dialect: Dialect
  readonly accept: Accept
  /** Where anybody may have written the journal, an id in it says nothing: the target has to show that what it leads to
   * bears the name of the run. A run trusts its own journal while it goes on. */
  readonly needsProof?: boolean
  /** Called for what is gone. */
  gone?(id: number): void
}

/** Takes back what a journal names and is not known to be gone: last made, first taken back, each by its own path. Sends
 * nothing that a run would not have journaled. */
export async function cleanUp(order: CleanUpOrder): Promise<CleanUp> {
  const { record, reachOf, gone } = order
  const undone: string[] = []
  const left: string[] = []
  const names = [...new Set(record.open.map(({ cluster }) => cluster))]
  const reached = new Map(names.map((name) => [name, asking(reachOf(name))]))
  for (const entry of record.open.toReversed()) {
    const reach = reached.get(entry.cluster)
    const reason = reach
      ? (anotherCluster(entry, reach) ?? (await takeBackEntry(entry, reach, order)))
      : `the profile names no cluster ${entry.cluster}: give the profile of the run`
    if (reason === undefined) {
      gone?.(entry.id)
      undone.push(entry.words)
    } else left.push(`${entry.words}: ${reason}`)
  }
  return { undone, left }
}

const asking = (reach: Reach | undefined): Reach | undefined => reach && { ...reach, ask: untilGone(reach.ask) }

const anotherCluster = (entry: JournalEntry, { url }: Reach): string | undefined =>
  'url' in entry && entry.url !== url
    ? `the cluster ${entry.cluster} of the profile is at ${url}, and that of the run is at ${entry.url}: give the profile of the run`
    : undefined

async function takeBackEntry(
  entry: JournalEntry,
  { ask, access }: Reach,
  { dialect, record, accept, needsProof = false }: CleanUpOrder,
): Promise<string | undefined> {
  if (!('path' in entry)) return takeBackNamed(ask, dialect, record.head.runId)
  const accepted = accept(entry)
  if ('refused' in accepted) return refusalOf(entry, accepted.refused)
  // The owner of a cluster that may be wiped lets every role of it be ended.
  const mayBeEnded = entry.restoration !== undefined && access?.mayBeWiped === true
  if (needsProof && !accepted.isNamed && !mayBeEnded) {
    const missing = await proofOf(entry, ask, dialect, record.head.runId)
    if (missing !== undefined) return refusalOf(entry, missing)
  }
  return takeBack(entry, ask, dialect, access)
}

export const refusalOf = ({ method, path }: Undo, why: string): string => `${method} ${path} was not sent: ${why}`

/** What only a reply would have named, and the reply was never seen: whatever of it bears the name of the run. */
const takeBackNamed = async (ask: Ask, dialect: Dialect, runId: string): Promise<string | undefined> =>
  (await revokeNamed(ask, dialect, runId)) ?? (await deleteNamed(ask, dialect, runId))

/** Entities are known by an id of the server's own. */
async function deleteNamed(ask: Ask, dialect: Dialect, runId: string): Promise<string | undefined> {
  const list = dialect.operations.inventory?.({}).exchanges.find(({ words }) => words === 'entities')
  if (!list) return undefined
  const { reply } = await ask({ method: list.method, path: list.path })
  const names = (reply && isSuccess(reply) ? keysOf(reply) : undefined) ?? []
  for (const name of names.filter((one) => isNameOf(runId, one))) {
    const path = `${list.path}/${name}`
    const reason = await takeBack({ cluster: 'main', method: 'DELETE', path, words: path }, ask, dialect)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Tokens whose accessor was never seen: those whose display name bears the name of the run. */
async function revokeNamed(ask: Ask, dialect: Dialect, runId: string): Promise<string | undefined> {
  const found = await accessorsOf(ask, dialect, runId)
  if (typeof found === 'string') return found
  for (const accessor of found) {
    const revocation = aboutToken(dialect, 'revokeAccessor', accessor)
    const reason = revocation
      ? await takeBack({ cluster: 'main', words: 'revokeAccessor', ...revocation }, ask, dialect)
      : 'the dialect cannot revoke a token by its accessor'
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Accessors of live tokens that bear the name of the run; a sentence where they cannot be read. `among` limits the
 * search. */
export async function accessorsOf(
  ask: Ask,
  dialect: Dialect,
  runId: string,
  among?: readonly string[],
): Promise<readonly string[] | string> {
  const listed = among ?? (await accessorKeys(ask, dialect))
  if (typeof listed === 'string') return listed
  const found: string[] = []
  for (const accessor of listed) {
    const question = aboutToken(dialect, 'tokenByAccessor', accessor)
    if (!question) return 'the dialect cannot look up a token by its accessor'
    const { reply } = await ask(question)
    const name = reply && fieldOf(reply, 'display_name')
    if (typeof name === 'string' && bears(runId, name)) found.push(accessor)
  }
  return found
}

async function accessorKeys(ask: Ask, dialect: Dialect): Promise<readonly string[] | string> {
  const exchange = dialect.operations.inventory?.({}).exchanges.find(({ words }) => words === tokenKind)
  if (!exchange) return 'the dialect cannot list tokens'
  const { reply, trouble } = await ask({ method: exchange.method, path: exchange.path })
  const keys = reply && keysOf(reply)
  return keys ?? `tokens cannot be listed (${trouble ?? `status ${reply?.status}`})`
}
