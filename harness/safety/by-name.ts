/** Finds and takes back what a run left on a target, by its throw-away names alone: for runs whose journal is lost. */
import { type Dialect, type Exchange, isSuccess } from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import { accessorsOf } from './clean-up.ts'
import type { Inventory } from './inventory.ts'
import type { Undo } from './journal-lines.ts'
import { type Shown, tokenWords } from './left-objects.ts'
import { aboutToken, namesIn, tokenKind } from './listed.ts'
import { isNameOf, runIn } from './names.ts'
import { isOnlyListed, type Listed, versionsOf } from './still-listed.ts'
import { takeBack } from './take-back.ts'
import type { Accept } from './undo-shapes.ts'

export type Named = Listed

/** A list shows a mount with a slash at its end, and shows some plugins below the name of the suite. */
const bare = (name: string): string => name.replace(/\/$/, '')
const lastPart = (name: string): string => bare(name).slice(bare(name).lastIndexOf('/') + 1)

/** Returns the ids of runs, each with the objects that bear its throw-away names. */
export function runsIn(inventory: Inventory): ReadonlyMap<string, readonly Named[]> {
  const runs = new Map<string, Named[]>()
  for (const [kind, names] of Object.entries(inventory))
    for (const name of names) {
      const runId = runIn(lastPart(name))
      if (runId !== undefined) runs.set(runId, [...(runs.get(runId) ?? []), { kind, name: bare(name) }])
    }
  return runs
}

interface Search {
  readonly runId: string
  readonly ask: Ask
  readonly dialect: Dialect
  readonly accept: Accept
}

/** Returns the objects and tokens that bear the run's name, in the order in which they can be taken back. `unread` says
 * why tokens cannot be listed. */
export async function ofRun(
  inventory: Inventory,
  { runId, ask, dialect }: Pick<Search, 'runId' | 'ask' | 'dialect'>,
): Promise<{ readonly found: readonly Named[]; readonly unread?: string }> {
  const kinds = (dialect.removals ?? []).map(({ kind }) => kind)
  const found = kinds.flatMap((kind) =>
    (inventory[kind] ?? [])
      .filter((name) => isNameOf(runId, lastPart(name)))
      .map((name) => ({ kind, name: bare(name) })),
  )
  const accessors = await accessorsOf(ask, dialect, runId)
  if (typeof accessors === 'string') return { found, unread: accessors }
  return { found: [...accessors.map((name) => ({ kind: tokenKind, name })), ...found] }
}

/** Splits what lists name into what exists and what is gone. */
export async function existing(
  named: readonly Named[],
  ask: Ask,
  dialect: Dialect,
): Promise<{ readonly there: readonly Named[]; readonly gone: readonly Named[] }> {
  const [there, gone]: [Named[], Named[]] = [[], []]
  for (const one of named) {
    const isGone = one.kind !== tokenKind && (await isOnlyListed(one, ask, dialect))
    if (isGone) gone.push(one)
    else there.push(one)
  }
  return { there, gone }
}

export const wordsOf = ({ kind, name }: Named): string => (kind === tokenKind ? tokenWords(name) : `${name} (${kind})`)

/** Returns the first request that takes an object back, for display. */
export const wayOf = (named: Named, dialect: Dialect): Exchange | undefined =>
  dialect.removals?.find(({ kind }) => kind === named.kind)?.ways[0]

export interface TakenBack {
  /** Descriptions of what was taken back. */
  readonly undone: readonly string[]
  readonly left: readonly Shown[]
}

/** Takes back what was found. Sends only requests that a journal may ask for. */
export async function takeBackNamed(found: readonly Named[], search: Search): Promise<TakenBack> {
  const undone: string[] = []
  const left: Shown[] = []
  for (const named of found) {
    const reason = await (named.kind === tokenKind ? revoke(named, search) : remove(named, search))
    if (reason === undefined) undone.push(wordsOf(named))
    else left.push({ ...named, words: wordsOf(named), reason })
  }
  return { undone, left }
}

const revoke = async ({ name }: Named, { ask, dialect }: Search): Promise<string | undefined> => {
  const revocation = aboutToken(dialect, 'revokeAccessor', name)
  return revocation
    ? takeBack({ cluster: 'main', words: name, ...revocation }, ask, dialect)
    : 'the dialect cannot revoke a token by its accessor'
}

/** Sends every way of the removal until the object is no longer listed: it may still exist in another version after one
 * deletion. Returns undefined if it is gone, else the reason. */
async function remove(named: Named, search: Search): Promise<string | undefined> {
  const { dialect, ask } = search
  const removal = dialect.removals?.find(({ kind }) => kind === named.kind)
  if (!removal) return 'the dialect does not know how to take it back'
  let reason: string | undefined
  for (const way of removal.ways)
    for (const undo of await undosBy(way, named, removal.versions, ask)) {
      const accepted = search.accept(undo)
      if ('refused' in accepted) return `${undo.method} ${undo.path} was not sent: ${accepted.refused}`
      reason = await takeBack(undo, ask, dialect)
      if (undo.method === 'DELETE' && !(await isListed(named, search))) return undefined
    }
  return reason ?? 'it is still listed'
}

async function undosBy(
  way: Exchange,
  { name }: Named,
  versions: Exchange | undefined,
  ask: Ask,
): Promise<readonly Undo[]> {
  const { method, path, query } = way
  const undo = { cluster: 'main', method, path: path.replace('{name}', name), words: name }
  if (!query) return [undo]
  const known = versions ? await versionsOf(name, versions, ask) : []
  return known.map((version) => ({
    ...undo,
    query: Object.fromEntries(Object.entries(query).map(([key, text]) => [key, text.replace('{version}', version)])),
  }))
}

async function isListed({ kind, name }: Named, { ask, dialect }: Search): Promise<boolean> {
  const exchange = dialect.operations.inventory?.({}).exchanges.find(({ words }) => words === kind)
  if (!exchange) return false
  const { reply } = await ask({ method: exchange.method, path: exchange.path })
  if (!reply || (!isSuccess(reply) && reply.status !== 404)) return true
  const isNamed = namesIn(reply)?.some((one) => bare(one) === name) ?? false
  return isNamed && !(await isOnlyListed({ kind, name }, ask, dialect))
}
