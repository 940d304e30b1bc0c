import { type ClusterAccess, type Dialect, type Exchange, fieldOf, isSuccess, keysOf } from '../vocabulary/index.ts'
import { type Ask, untilGone } from '../wire/ask.ts'
import { type Undo, undoKey } from './journal-lines.ts'
import type { JournalEntry, JournalRecord } from './journal-record.ts'
import { type NotUndone, saysLeft } from './left-objects.ts'
import { aboutToken, tokenKind } from './listed.ts'
import { bears, isNameOf } from './names.ts'
import { proofOf, takeBack } from './take-back.ts'
import type { Accept } from './undo-shapes.ts'

export interface CleanUp {
  /** Descriptions of what was taken back. */
  readonly undone: readonly string[]
  /** Descriptions of what may still be there, each with the reason. */
  readonly left: readonly string[]
}

export interface CleanedUp extends CleanUp {
  /** The entries of `left`, each object once. */
  readonly notUndone: readonly NotUndone[]
}

/** How the clean-up reaches a cluster: `ask` sends requests with the operator's token, and `access` serves the
 * dialect's restorations. */
export interface Reach {
  readonly url?: string
  readonly ask: Ask
  readonly access?: ClusterAccess
  /** Waits for a cluster that went away, and returns whether it answers again. */
  isBack?(): Promise<boolean>
}

/** Returns how to reach a cluster, or undefined if the profile does not name it. */
export type ReachOf = (cluster: string) => Reach | undefined

export interface CleanUpOrder {
  readonly record: JournalRecord
  readonly reachOf: ReachOf
  readonly dialect: Dialect
  readonly accept: Accept
  /** If true, anybody may have written the journal, so the target has to show that an object bears the name of the run
   * before it is deleted. A run trusts its own journal while it goes on. */
  readonly needsProof?: boolean
  /** True if several nodes stand behind the main cluster's address, so that another one may take over. */
  readonly isAmongNodes?: boolean
  /** Called with the journal id of each object that is gone. */
  gone?(id: number): void
}

/** What became of the objects that are found by their names, by cluster: they are looked for once, for all entries. */
type ByName = Map<string, Promise<string | undefined>>

/** Takes back every open entry of a journal, last made first. Sends only requests that a run would have journaled. */
export async function cleanUp(order: CleanUpOrder): Promise<CleanedUp> {
  const { record, reachOf, gone, dialect } = order
  const names = [...new Set(record.open.map(({ cluster }) => cluster))]
  const reached = new Map(names.map((name) => [name, asking(reachOf(name))]))
  const whyLeft = async (entry: JournalEntry, byName: ByName): Promise<string | undefined> => {
    const reach = reached.get(entry.cluster)
    return reach
      ? (anotherCluster(entry, reach) ?? (await takeBackEntry(entry, reach, order, byName)))
      : `the profile names no cluster "${entry.cluster}": pass the profile that the run used`
  }
  const undone: string[] = []
  const pass = async (entries: readonly JournalEntry[]) => {
    const left: NotUndone[] = []
    const byName: ByName = new Map()
    for (const entry of entries) {
      const reason = await whyLeft(entry, byName)
      if (reason === undefined) {
        gone?.(entry.id)
        undone.push(entry.words)
      } else left.push({ entry, reason })
    }
    return left
  }
  const first = await pass(record.open.toReversed())
  const main = order.isAmongNodes && first.length > 0 ? reached.get('main') : undefined
  // A node that takes over may show again what the former one deleted, and that may hold what is left.
  if (main) await takeBackNamed(main.ask, dialect, record)
  // What a killed run had taken back is refused once more, and its parent may be gone only now.
  const left = first.length > 0 && (main || undone.length > 0) ? await pass(first.map(({ entry }) => entry)) : first
  const notUndone = onceEach(left)
  return { undone, left: notUndone.map((one) => saysLeft(one, dialect)), notUndone }
}

/** Two entries with the same undo are about the same object. */
const onceEach = (left: readonly NotUndone[]): readonly NotUndone[] => [
  ...new Map(left.map((one) => [keyOf(one.entry), one])).values(),
]

const keyOf = (entry: JournalEntry): string | number =>
  'path' in entry ? `${undoKey(entry)} ${entry.restoration ?? ''} ${entry.url ?? ''}` : entry.id

const asking = (reach: Reach | undefined): Reach | undefined =>
  reach && { ...reach, ask: untilGone(reach.ask, reach.isBack) }

const anotherCluster = (entry: JournalEntry, { url }: Reach): string | undefined =>
  'url' in entry && entry.url !== url
    ? `the cluster "${entry.cluster}" is at ${url} in this profile, and was at ${entry.url} in the run: pass the profile that the run used`
    : undefined

async function takeBackEntry(
  entry: JournalEntry,
  { ask, access }: Reach,
  { dialect, record, accept, needsProof = false }: CleanUpOrder,
  byName: ByName,
): Promise<string | undefined> {
  if (!('path' in entry)) {
    const taken = byName.get(entry.cluster) ?? takeBackNamed(ask, dialect, record)
    byName.set(entry.cluster, taken)
    return taken
  }
  const accepted = accept(entry)
  if ('refused' in accepted) return refusalOf(entry, accepted.refused)
  // By `mayBeWiped`, the owner of a cluster allows every role of it to be ended.
  const mayBeEnded = entry.restoration !== undefined && access?.mayBeWiped === true
  if (needsProof && !accepted.isNamed && !mayBeEnded) {
    const missing = await proofOf(entry, ask, dialect, record.head.runId)
    if (missing !== undefined) return refusalOf(entry, missing)
  }
  return takeBack(entry, ask, dialect, access)
}

export const refusalOf = ({ method, path }: Undo, why: string): string => `${method} ${path} was not sent: ${why}`

/** Takes back objects whose id only a lost reply would have shown, by the name of the run that they bear. */
async function takeBackNamed(ask: Ask, dialect: Dialect, record: JournalRecord): Promise<string | undefined> {
  const { runId } = record.head
  const revoked = await revokeNamed(ask, dialect, runId)
  if (revoked !== undefined) return revoked
  for (const path of await pathsOfMarked(ask, dialect, record)) {
    const reason = await takeBack({ cluster: 'main', method: 'DELETE', path, words: path }, ask, dialect)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Returns the paths of objects whose ids the server has chosen, and whose name or marked field bears the name of the
 * run. Those with an undo of their own are left to it. */
async function pathsOfMarked(ask: Ask, dialect: Dialect, { head, open }: JournalRecord): Promise<readonly string[]> {
  const ofUndos = new Set(open.flatMap((entry) => ('path' in entry ? [entry.path] : [])))
  const isMarked = async (path: string, key: string, field?: string): Promise<boolean> => {
    if (field === undefined) return isNameOf(head.runId, key)
    return !ofUndos.has(path) && bears(head.runId, await shownField(ask, path, field))
  }
  const found: string[] = []
  for (const { list, field } of dialect.marked ?? [])
    for (const key of await plainKeysOf(list, ask))
      if (await isMarked(`${list.path}/${key}`, key, field)) found.push(`${list.path}/${key}`)
  return found
}

async function plainKeysOf({ method, path }: Exchange, ask: Ask): Promise<readonly string[]> {
  const { reply } = await ask({ method, path })
  return ((reply && isSuccess(reply) ? keysOf(reply) : undefined) ?? []).filter((key) => /^[\w-]+$/.test(key))
}

async function shownField(ask: Ask, path: string, field: string): Promise<string> {
  const { reply } = await ask({ method: 'GET', path })
  const value = reply && isSuccess(reply) ? fieldOf(reply, field) : undefined
  return typeof value === 'string' ? value : ''
}

/** Revokes tokens whose accessor the run never received: those whose display name bears the name of the run. */
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

/** Returns the accessors of live tokens that bear the name of the run, or a sentence that says why they cannot be read.
 * `among` limits the search. */
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
