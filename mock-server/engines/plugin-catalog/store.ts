import { compareVersions } from './plugins/semver.ts'

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

/** What identifies a plugin. */
export type Address = Pick<Registered, 'type' | 'name' | 'version'>

const keyOf = ({ type, name, version }: Address): string => JSON.stringify([type, name, version])

/** Stores registered plugins by type, name and version. */
export class Catalog {
  private readonly registered = new Map<string, Registered>()

  put(plugin: Registered): void {
    this.registered.set(keyOf(plugin), plugin)
  }

  remove(plugin: Address): void {
    this.registered.delete(keyOf(plugin))
  }

  find(plugin: Address): Registered | undefined {
    return this.registered.get(keyOf(plugin))
  }

  /** Returns the plugins sorted by name and version. */
  all(): readonly Registered[] {
    return [...this.registered.values()].sort((a, b) =>
      a.name === b.name ? compareVersions(a.version, b.version) : a.name < b.name ? -1 : 1,
    )
  }

  ofType(type: string): readonly Registered[] {
    return this.all().filter((plugin) => plugin.type === type)
  }

  clear(): void {
    this.registered.clear()
  }
}
