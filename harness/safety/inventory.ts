import { hash } from 'node:crypto'
import type { Dialect } from '../vocabulary/index.ts'
import { type Ask, untilGone } from '../wire/ask.ts'
import { accessorsOf } from './clean-up.ts'
import type { JournalRecord } from './journal-record.ts'
import { namesIn, tokenKind } from './listed.ts'
import { bears } from './names.ts'

/** Names of what a target holds, by kind. A kind that cannot be read (no permission, not this edition) is absent. */
export type Inventory = Readonly<Record<string, readonly string[]>>

/** Asks the dialect's operation `inventory`: one exchange a kind, its `words` the kind's name. One list at a time is kept,
 * since a target may hold 100 000 names of each kind. */
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

/** A target held these names, by kind. A kind that could not be read is absent. */
export type KnownNames = ReadonlyMap<string, NameSet>

export async function rememberNames(operator: Ask, dialect: Dialect): Promise<KnownNames> {
  const known = new Map<string, NameSet>()
  for await (const [kind, names] of listings(operator, dialect)) known.set(kind, nameSet(names))
  return known
}

/** What a run meant to make, by the paths of its journal: some things bear no name, only an id of the server's own. */
export interface Intended {
  /** These were to be deleted: `identity/mfa/method/totp/<id>`. */
  readonly deleted: ReadonlySet<string>
  /** Something may have been made in these places under an id that no reply has shown. */
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
}

/** What is there now and was not before, in the kinds that could be read both times, if it is the run's own, in words. Others
 * may work on the same target, so a name counts only if it bears the run's prefix or is in the run's journal; a token,
 * which has no name, only if its display name bears it. Where the run has asked for something and has not seen the reply,
 * an id that is new there may be the run's, and is reported. */
export async function leftOver(before: KnownNames, run: Run): Promise<string[]> {
  const { deleted, unseen } = run.intended
  const wordsIfOwn = (name: string, kind: string, path: string): readonly string[] => {
    if (bears(run.runId, name) || deleted.has(`${path}/${name}`)) return [`${name} (${kind})`]
    return unseen.has(path) ? [`${name} (${kind}), perhaps: the reply to a request there was never seen`] : []
  }
  const exchanges = run.dialect.operations.inventory?.({}).exchanges ?? []
  const paths = new Map(exchanges.map(({ path, words = path }) => [words, path]))
  const named: string[] = []
  let accessors: readonly string[] = []
  for await (const [kind, names] of listings(run.ask, run.dialect)) {
    const known = before.get(kind)
    const added = known ? names.filter((name) => !known.has(name)).toSorted() : []
    if (kind === tokenKind) accessors = added
    else named.push(...added.flatMap((name) => wordsIfOwn(name, kind, paths.get(kind) ?? '')))
  }
  const tokens = await accessorsOf(run.ask, run.dialect, run.runId, accessors)
  return [...named, ...(typeof tokens === 'string' ? [] : tokens.map((accessor) => `token with accessor ${accessor}`))]
}

export interface NameSet {
  has(name: string): boolean
}

const digestOf = (name: string): bigint => BigInt(`0x${hash('sha256', name, 'hex').slice(0, 16)}`)

/** Two names have the same 64 bits once in about 10^9 lists of 100 000 names. */
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
