import type { AclPolicy } from '../../kernel/acl/policy.ts'
import { BoundedMap } from '../../kernel/state/bounded-map.ts'
import type { RuleDocument } from '../../policy-language/parse.ts'

export const kinds = ['acl', 'rgp', 'egp'] as const
export type Kind = (typeof kinds)[number]
export const levels = ['advisory', 'soft-mandatory', 'hard-mandatory'] as const
export type Level = (typeof levels)[number]

/** The fields of a policy, exactly as they were written. */
export interface Fields {
  readonly policy: string
  /** Empty for ACL policies. */
  readonly enforcement_level: string
  /** Empty for ACL policies and RGPs. */
  readonly paths: readonly string[]
}

/** One write of a policy. */
export interface Written extends Fields {
  readonly name: string
  /** True if the server itself made the policy. */
  readonly builtIn: boolean
  /** The number of this write, counted from the creation of the policy. */
  readonly nth?: number
  /** The text that reads show instead of the policy's own. Only a mutant sets it. */
  readonly shownPolicy?: string
  /** True for a policy that is in effect although its creation was refused. Only a mutant sets it. */
  readonly unseen?: boolean
  /** The parsed text: `acl` for ACL policies and `rules` for others. Undefined if the text is invalid. */
  readonly acl?: AclPolicy
  readonly rules?: RuleDocument
}

/** `recreated`: a policy with this name had been deleted before. */
export type State = 'created' | 'recreated' | 'updated' | 'deleted'
/** The last two writes of a name, oldest first. If the policy was created again, the first one is the last write before
 * the deletion. */
export type History = readonly [...Written[], Written]
export interface Entry {
  readonly state: State
  readonly history: History
}
export type Source = 'built-in' | 'written' | 'deleted'

/** A view of the policies from some sources. */
export interface View {
  get(name: string): Written | undefined
  histories(): readonly History[]
  /** Returns the policies sorted by name. */
  all(): readonly Written[]
}

/** The number of deleted policies of one kind that are remembered. */
const rememberedDeletions = 1_000

/** Stores the policies of one kind by name, and remembers deleted ones. */
export class Shelf {
  private readonly stored = new Map<string, Entry>()
  private readonly deleted = new BoundedMap<string, Entry>(rememberedDeletions)
  /** The number of changes so far. */
  changes = 0

  /** Finds a stored or deleted policy. */
  entry(name: string): Entry | undefined {
    return this.stored.get(name) ?? this.deleted.get(name)
  }

  find(name: string): Written | undefined {
    return this.stored.get(name)?.history.at(-1)
  }

  put(written: Written): State {
    const history = this.stored.get(written.name)?.history
    const state = history ? 'updated' : this.deleted.has(written.name) ? 'recreated' : 'created'
    const before = history?.at(-1)
    const numbered = { ...written, nth: (before?.nth ?? 0) + 1 }
    const earlier = before ?? this.deleted.get(written.name)?.history.at(-1)
    this.stored.set(written.name, { state, history: earlier ? [earlier, numbered] : [numbered] })
    this.deleted.delete(written.name)
    this.changes++
    return state
  }

  remove(name: string): boolean {
    const entry = this.stored.get(name)
    if (!entry) return false
    this.stored.delete(name)
    this.deleted.set(name, { ...entry, state: 'deleted' })
    this.changes++
    return true
  }

  entries(): readonly Entry[] {
    return [...this.stored.values(), ...this.deleted.values()]
  }

  view(sources: readonly Source[]): View {
    const seen = (entry: Entry | undefined): Written | undefined =>
      entry && sources.includes(sourceOf(entry)) ? entry.history.at(-1) : undefined
    return {
      get: (name) => seen(this.entry(name)),
      histories: () => this.entries().flatMap((entry) => (seen(entry) ? [entry.history] : [])),
      all: () =>
        this.entries()
          .flatMap((entry) => seen(entry) ?? [])
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
    }
  }

  /** True if no policy is stored or remembered. */
  get isEmpty(): boolean {
    return this.stored.size === 0 && this.deleted.size === 0
  }

  clear(): void {
    this.stored.clear()
    this.deleted.clear()
    this.changes++
  }
}

function sourceOf({ state, history }: Entry): Source {
  if (state === 'deleted') return 'deleted'
  return history.at(-1)?.builtIn ? 'built-in' : 'written'
}

export type Store = Readonly<Record<Kind, Shelf>>
export const createStore = (): Store => ({ acl: new Shelf(), rgp: new Shelf(), egp: new Shelf() })
