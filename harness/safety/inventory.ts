import type { Dialect } from '../vocabulary/index.ts'
import { type Ask, untilGone } from '../wire/ask.ts'
import { accessorsOf } from './clean-up.ts'
import type { JournalRecord } from './journal-record.ts'
import { namesIn, tokenKind } from './listed.ts'
import { bears } from './names.ts'

/** Names of what a target holds, by kind. A kind that cannot be read (no permission, not this edition) is absent. */
export type Inventory = Readonly<Record<string, readonly string[]>>

/** Asks the dialect's operation `inventory`: one exchange a kind, its `words` the kind's name. */
export async function takeInventory(operator: Ask, dialect: Dialect): Promise<Inventory> {
  const ask = untilGone(operator)
  const exchanges = dialect.operations.inventory?.({}).exchanges ?? []
  const entries: [string, readonly string[]][] = []
  for (const { method, path, query, words = path } of exchanges) {
    const { reply } = await ask({ method, path, ...(query ? { query } : {}) })
    const names = reply && namesIn(reply)
    if (names) entries.push([words, [...names].sort()])
  }
  return Object.fromEntries(entries)
}

export interface Difference {
  readonly kind: string
  readonly name: string
}

/** What is there afterwards and was not before, in the kinds that could be read both times. */
export function additions(before: Inventory, after: Inventory): Difference[] {
  return Object.entries(after).flatMap(([kind, names]) => {
    const known = before[kind]
    if (!known) return []
    const old = new Set(known)
    return names.filter((name) => !old.has(name)).map((name) => ({ kind, name }))
  })
}

/** What a run meant to make, by the paths of its journal: some things bear no name, only an id of the server's own. */
export interface Intended {
  /** What was to be deleted: `identity/mfa/method/totp/<id>`. */
  readonly deleted: ReadonlySet<string>
  /** Where something may have been made under an id that no reply told. */
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

/** The additions that are the run's own, in words. Others may work on the same target, so a name counts only if it bears
 * the run's prefix or stands in the run's journal; a token, which has no name, only if its display name bears it. Where
 * the run has asked for something and has not seen the reply, an id that is new there may be the run's, and is told. */
export async function leftOver(before: Inventory, after: Inventory, run: Run): Promise<string[]> {
  const { deleted, unseen } = run.intended
  const exchanges = run.dialect.operations.inventory?.({}).exchanges ?? []
  const places = new Map(exchanges.map(({ path, words = path }) => [words, path]))
  const added = additions(before, after)
  const named = added.flatMap(({ kind, name }) => {
    const place = places.get(kind) ?? ''
    if (kind === tokenKind) return []
    if (bears(run.runId, name) || deleted.has(`${place}/${name}`)) return [`${name} (${kind})`]
    return unseen.has(place) ? [`${name} (${kind}), perhaps: the reply to a request there was never seen`] : []
  })
  const accessors = added.filter(({ kind }) => kind === tokenKind).map(({ name }) => name)
  const tokens = await accessorsOf(run.ask, run.dialect, run.runId, accessors)
  return [...named, ...(typeof tokens === 'string' ? [] : tokens.map((accessor) => `token with accessor ${accessor}`))]
}
