import { BoundedMap } from '../../kernel/state/bounded-map.ts'
import { compareVersions } from './plugins/semver.ts'

/** The fields of a registration. */
export interface Fields {
  /** The version with a leading `v`; empty for a plugin that was registered without one. */
  readonly version: string
  /** The digest in hexadecimal, in the letter case that the caller used. */
  readonly sha256: string
  readonly command: string
  readonly args: readonly string[]
  /** Each entry is `key=value`. */
  readonly env: readonly string[]
  readonly oci_image: string
  readonly runtime: string
}
export type Field = keyof Fields

export interface Registered extends Fields {
  readonly type: string
  readonly name: string
}

export type State = 'registered' | 'deleted'
export interface Entry {
  readonly state: State
  readonly plugin: Registered
}

/** The number of deleted plugins that are remembered. */
const rememberedDeletions = 1_000

const keyOf = ({ type, name, version }: Pick<Registered, 'type' | 'name' | 'version'>): string =>
  JSON.stringify([type, name, version])

/** Stores registered plugins by type, name and version, and remembers deleted ones. */
export class Catalog {
  private readonly registered = new Map<string, Registered>()
  private readonly deleted = new BoundedMap<string, Registered>(rememberedDeletions)

  put(plugin: Registered): void {
    this.registered.set(keyOf(plugin), plugin)
    this.deleted.delete(keyOf(plugin))
  }

  remove(plugin: Registered): void {
    this.registered.delete(keyOf(plugin))
    this.deleted.set(keyOf(plugin), plugin)
  }

  find(type: string, name: string, version: string): Registered | undefined {
    return this.registered.get(keyOf({ type, name, version }))
  }

  /** Returns the plugins sorted by name and version. */
  all(states: readonly State[]): readonly Registered[] {
    const sources = { registered: this.registered, deleted: this.deleted }
    return states
      .flatMap((state) => [...sources[state].values()])
      .sort((a, b) => (a.name === b.name ? compareVersions(a.version, b.version) : a.name < b.name ? -1 : 1))
  }

  clear(): void {
    this.registered.clear()
    this.deleted.clear()
  }
}
