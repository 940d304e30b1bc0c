import { hash } from 'node:crypto'
import type { Dialect } from '../vocabulary/index.ts'
import { type Ask, untilGone } from '../wire/ask.ts'
import { accessorsOf } from './clean-up.ts'
import type { JournalRecord } from './journal-record.ts'
import { type Shown, tokenWords } from './left-objects.ts'
import { namesIn, tokenKind } from './listed.ts'
import { bears } from './names.ts'
import { isOnlyListed } from './still-listed.ts'
import { isAtActive } from './take-back.ts'

/** The names that a target holds, by kind. A kind is absent if it cannot be read (no permission, another edition). */
export type Inventory = Readonly<Record<string, readonly string[]>>

/** Sends the exchanges of the dialect's operation `inventory`, one for each kind, whose `words` name it. Yields one
 * list at a time, because a target may hold 100 000 names of each kind. */
async function* listings(operator: Ask, dialect: Dialect): AsyncGenerator<readonly [string, readonly string[]]> {
  const ask = untilGone(operator)
  const exchanges = dialect.operations.inventory?.({}).exchanges ?? []
  for (const { method, path, query, words = path } of exchanges) {
    const { reply } = await ask({ method, path, ...(query ? { query } : {}) })
    const names = reply && namesIn(reply)
    if (names) yield [words, names]
  }
}

export async function takeInventory(operator: Ask, dialect: Dialect): Promise<Inventory> {
  const entries: [string, readonly string[]][] = []
  for await (const [kind, names] of listings(operator, dialect)) entries.push([kind, names.toSorted()])
  return Object.fromEntries(entries)
}

/** The names that a target held, by kind. A kind is absent if it could not be read. */
export type KnownNames = ReadonlyMap<string, NameSet>

export async function rememberNames(operator: Ask, dialect: Dialect): Promise<KnownNames> {
  const known = new Map<string, NameSet>()
  for await (const [kind, names] of listings(operator, dialect)) known.set(kind, nameSet(names))
  return known
}

/** What a run meant to make, by the paths of its journal. Some objects have only an id that the server assigned. */
export interface Intended {
  /** The paths of its undos with DELETE: `identity/mfa/method/totp/<id>`. */
  readonly deleted: ReadonlySet<string>
  /** Paths below which the run may have made an object under an id that no reply has shown. */
  readonly unseen: ReadonlySet<string>
}

export const nothingIntended: Intended = { deleted: new Set(), unseen: new Set() }

export function intendedIn({ all, open }: Pick<JournalRecord, 'all' | 'open'>): Intended {
  return {
    deleted: new Set(all.flatMap((entry) => ('path' in entry && entry.method === 'DELETE' ? [entry.path] : []))),
    unseen: new Set(open.flatMap((entry) => ('path' in entry ? [] : [entry.words.replace(/^\S+ /, '')]))),
  }
}

interface Run {
  readonly runId: string
  readonly ask: Ask
  readonly dialect: Dialect
  readonly intended: Intended
  /** True if a list may be one of a standby node. */
  readonly isAmongNodes?: boolean
  /** Called for each list that names objects of the run that no longer exist, with their names. */
  untrue?(asked: string, names: readonly string[]): void
}

/** An object that the run left, or perhaps left. */
export interface LeftOver extends Shown {
  /** The path below its list, if the object is certainly the run's. */
  readonly ownPath?: string
}

/** Returns what the run left: names that are new since `before`, in the kinds that could be read both
 * times. Others may work on the same target, so a new name counts only if it bears the run's prefix or is in its
 * journal, and a token only if its display name bears the prefix. If the run lost the reply to a request, every new id
 * at that path is reported, because it may be the run's. */
export async function leftOver(before: KnownNames, run: Run): Promise<readonly LeftOver[]> {
  const { deleted, unseen } = run.intended
  const ifOwn = (name: string, kind: string, path: string): readonly LeftOver[] => {
    const words = `${name} (${kind})`
    const ownPath = `${path}/${name}`
    if (bears(run.runId, name) || deleted.has(ownPath)) return [{ kind, name, words, ownPath }]
    if (!unseen.has(path)) return []
    return [{ kind, name, words: `${words}, perhaps: the run never received the reply to a request there` }]
  }
  const exchanges = run.dialect.operations.inventory?.({}).exchanges ?? []
  const paths = new Map(exchanges.map(({ path, words = path }) => [words, path]))
  const named: LeftOver[] = []
  let accessors: readonly string[] = []
  for await (const [kind, names] of listings(run.ask, run.dialect)) {
    const known = before.get(kind)
    const added = known ? names.filter((name) => !known.has(name)).toSorted() : []
    if (kind === tokenKind) accessors = added
    else
      named.push(
        ...(await remaining(added, kind, paths.get(kind) ?? '', run)).flatMap((name) =>
          ifOwn(name, kind, paths.get(kind) ?? ''),
        ),
      )
  }
  const tokens = await accessorsOf(run.ask, run.dialect, run.runId, accessors)
  if (typeof tokens === 'string') return named
  return [...named, ...tokens.map((name) => ({ kind: tokenKind, name, words: tokenWords(name) }))]
}

/** Leaves out what only a list still names. A list of a standby node may be late; any other one is untrue. */
async function remaining(names: readonly string[], kind: string, path: string, run: Run): Promise<readonly string[]> {
  const { isAmongNodes, runId, ask, dialect, intended } = run
  const left: string[] = []
  const gone: string[] = []
  for (const name of names) {
    const isOwn = bears(runId, name) || intended.deleted.has(`${path}/${name}`)
    const isGone =
      isOwn &&
      (isAmongNodes
        ? (await isAtActive({ path: `${path}/${name}` }, ask)) === false
        : await isOnlyListed({ kind, name }, ask, dialect))
    if (isGone) gone.push(name)
    else left.push(name)
  }
  if (gone.length > 0 && !isAmongNodes) run.untrue?.(`LIST ${path}`, gone)
  return left
}

export interface NameSet {
  has(name: string): boolean
}

const digestOf = (name: string): bigint => BigInt(`0x${hash('sha256', name, 'hex').slice(0, 16)}`)

/** Keeps 64 bits of each name to save memory. Two names collide once in about 10^9 lists of 100 000 names. */
export function nameSet(names: readonly string[]): NameSet {
  const digests = new BigUint64Array(names.length)
  for (const [index, name] of names.entries()) digests[index] = digestOf(name)
  digests.sort()
  return {
    has(name) {
      const wanted = digestOf(name)
      let [low, high] = [0, digests.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((digests[middle] ?? 0n) < wanted) low = middle + 1
        else high = middle
      }
      return digests[low] === wanted
    },
  }
}
