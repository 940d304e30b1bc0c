/** Joins what the journal and the lists of the target say about the objects that a run left: each object once. */
import { capabilitiesOf, isListedAt } from '../targets/dialects/vault-policy.ts'
import type { Dialect, Method } from '../vocabulary/index.ts'
import type { Undo } from './journal-lines.ts'
import type { JournalEntry } from './journal-record.ts'
import { tokenKind } from './listed.ts'
import { pathPattern } from './path-pattern.ts'
import type { Listed } from './still-listed.ts'
import { accessorIn } from './take-back.ts'

/** An entry of a journal whose object may still be there. */
export interface NotUndone {
  readonly entry: JournalEntry
  readonly reason: string
}

/** An object that a list shows. */
export interface Shown extends Listed {
  readonly words: string
  /** Why it could not be taken back, if that was tried. */
  readonly reason?: string
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase()

const bare = (name: string): string => lastPart(name.replace(/\/$/, ''))

/** Returns the path of the request that made the object. */
const madeAt = ({ words }: JournalEntry): string => words.slice(words.indexOf(' ') + 1)

/** Describes an entry alone. A token is told apart from others only by its accessor. */
export function saysLeft({ entry, reason }: NotUndone, dialect: Dialect): string {
  const accessor = 'path' in entry ? accessorIn(entry, dialect) : undefined
  return `${accessor === undefined ? entry.words : tokenWords(accessor)}: ${reason}`
}

export const tokenWords = (accessor: string): string => `token with accessor ${accessor}`

/** Returns one description for each object: of every entry, with its name if a list shows it, and of what the lists show
 * besides. */
export function leftObjects(entries: readonly NotUndone[], shown: readonly Shown[], dialect: Dialect): string[] {
  const lists = dialect.operations.inventory?.({}).exchanges ?? []
  const listOf = new Map(lists.map(({ path, words = path }) => [words, path]))
  const rest = shown.map((one) => ({ ...one, list: listOf.get(one.kind) ?? '' }))
  const taken = (entry: JournalEntry, isIt: typeof isNamedBy): Shown | undefined => {
    if (entry.cluster !== mainCluster) return undefined
    const at = rest.findIndex((one) => isListedAt(one.list, madeAt(entry)) && isIt(entry, one, dialect))
    return at < 0 ? undefined : rest.splice(at, 1)[0]
  }
  const named = entries.map(({ entry }) => taken(entry, isNamedBy))
  const described = entries.map((one, index) => {
    const found = named[index] ?? taken(one.entry, mayBe)
    return found ? `${found.words}: ${one.reason}` : saysLeft(one, dialect)
  })
  return [...described, ...rest.map(({ words, reason }) => (reason === undefined ? words : `${words}: ${reason}`))]
}

/** Returns what the token lacked, where a denial is why something is left: `delete on sys/policies/acl/assay-*`. */
export const lackedFor = (entries: readonly NotUndone[]): readonly string[] => [
  ...new Set(entries.flatMap(({ entry, reason }) => ('path' in entry && isDenial.test(reason) ? lackedBy(entry) : []))),
]

/** Matches the reason that a request was denied. */
export const isDenial = / answered 40[13]$/

function lackedBy({ method, path }: Undo): string {
  const needed = capabilitiesOf[method as Method].filter((one) => one !== 'create')
  const rule = pathPattern(path.replace(/\bassay-[^/]*$/, 'assay-*')).replaceAll('{id}', '+')
  return `${needed.join(' and ')} on ${rule}`
}

const mainCluster = 'main'

interface InList extends Shown {
  /** The path of the list. */
  readonly list: string
}

function isNamedBy(entry: JournalEntry, { kind, name }: InList, dialect: Dialect): boolean {
  if (!('path' in entry)) return false
  return kind === tokenKind ? accessorIn(entry, dialect) === name : lastPart(entry.path) === bare(name)
}

/** An entity is listed by its name and deleted by its id, and for some objects no reply has shown the id: such an entry
 * names nothing that a list shows, so any object that no other entry names may be the one. */
function mayBe(entry: JournalEntry, { list }: InList, dialect: Dialect): boolean {
  if (/\d/.test(lastPart(madeAt(entry)))) return false
  return !('path' in entry) || (accessorIn(entry, dialect) === undefined && !entry.path.startsWith(`${list}/`))
}
