import type { Dialect } from '../vocabulary/index.ts'
import { type Ask, untilGone } from '../wire/ask.ts'
import { accessorsOf } from './clean-up.ts'
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

/** The additions that are the run's own, in words. Others may work on the same target, so a name counts only if it bears
 * the run's prefix; a token, which has no name, only if its display name does. */
export async function leftOver(
  before: Inventory,
  after: Inventory,
  run: { runId: string; ask: Ask; dialect: Dialect },
): Promise<string[]> {
  const added = additions(before, after)
  const named = added.filter(({ kind, name }) => kind !== tokenKind && bears(run.runId, name))
  const accessors = added.filter(({ kind }) => kind === tokenKind).map(({ name }) => name)
  const tokens = await accessorsOf(run.ask, run.dialect, run.runId, accessors)
  return [
    ...named.map(({ kind, name }) => `${name} (${kind})`),
    ...(typeof tokens === 'string' ? [] : tokens.map((accessor) => `token with accessor ${accessor}`)),
  ]
}
