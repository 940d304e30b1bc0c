/** The values of a `kv` mount of version 2, each with its versions. */
import type { Clock } from '../../kernel/contracts.ts'
import type { StatePart } from '../../kernel/state/state-part.ts'

export type Value = Readonly<Record<string, unknown>>

export interface Version {
  readonly data: Value | null
  /** Milliseconds since the epoch, like all times here. */
  readonly createdAt: number
  /** The time from which the version is deleted; undefined means never. */
  readonly deletedAt: number | undefined
  readonly destroyed: boolean
}

/** The settings of a mount, or of one of its values. */
export interface Settings {
  readonly maxVersions: number
  readonly casRequired: boolean
  /** Seconds after which a new version is deleted; 0 means never. */
  readonly deleteAfter: number
}

export interface Entry {
  readonly settings: Settings
  readonly custom: Readonly<Record<string, string>> | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly current: number
  /** The stored versions with their numbers, oldest first. */
  readonly versions: readonly (readonly [number, Version])[]
}

const plainSettings: Settings = { maxVersions: 0, casRequired: false, deleteAfter: 0 }

/** The number of versions that are stored of a value if neither it nor its mount has a limit. */
const usualVersions = 10

export interface Store extends StatePart {
  settings: Settings
  find(path: string): Entry | undefined
  paths(): readonly string[]
  put(path: string, entry: Entry): void
  remove(path: string): void
  /** Returns the entry at the path, or an empty one that is not stored yet. */
  ensure(path: string): Entry
  /** Adds a version, and drops the oldest ones beyond the limit. */
  write(path: string, data: Value | null): readonly [number, Version]
}

export function createStore(clock: Clock): Store {
  const entries = new Map<string, Entry>()
  let settings = plainSettings

  function ensure(path: string): Entry {
    const now = clock.now()
    return (
      entries.get(path) ?? {
        ...{ settings: plainSettings, custom: null, createdAt: now, updatedAt: now, current: 0, versions: [] },
      }
    )
  }

  function write(path: string, data: Value | null): readonly [number, Version] {
    const entry = ensure(path)
    const now = clock.now()
    const deleteAfter = entry.settings.deleteAfter || settings.deleteAfter
    const version: Version = {
      data,
      createdAt: now,
      deletedAt: deleteAfter > 0 ? now + deleteAfter * 1000 : undefined,
      destroyed: false,
    }
    const current = entry.current + 1
    const limit = entry.settings.maxVersions || settings.maxVersions || usualVersions
    const added = [current, version] as const
    entries.set(path, { ...entry, current, updatedAt: now, versions: [...entry.versions, added].slice(-limit) })
    return added
  }

  return {
    get settings() {
      return settings
    },
    set settings(changed) {
      settings = changed
    },
    find: (path) => entries.get(path),
    paths: () => [...entries.keys()],
    put: (path, entry) => void entries.set(path, entry),
    remove: (path) => void entries.delete(path),
    ensure,
    write,
    snapshot: () => ({ settings, entries: [...entries] }),
    restore(state) {
      entries.clear()
      // An array is the state of a mount of version 1. Each of its values becomes the first version of a value.
      if (Array.isArray(state)) {
        settings = plainSettings
        for (const [path, value] of state as [string, Value][]) write(path, value)
        return
      }
      const kept = state as { settings: Settings; entries: [string, Entry][] }
      settings = kept.settings
      for (const [path, entry] of kept.entries) entries.set(path, entry)
    },
    reset() {
      entries.clear()
      settings = plainSettings
    },
  }
}
