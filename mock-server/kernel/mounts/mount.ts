/** A mount is an engine at a path. */
import type { Plugin } from './plugins.ts'

export type MountKind = 'secret' | 'auth'

export interface MountConfig {
  /** In seconds; 0 means the default of the system. */
  default_lease_ttl: number
  /** In seconds; 0 means the maximum of the system. */
  max_lease_ttl: number
  force_no_cache: boolean
  [setting: string]: unknown
}

export interface Mount {
  readonly kind: MountKind
  /** The path with a trailing slash, below `auth/` for auth mounts: `team/kv/`. */
  readonly path: string
  readonly type: string
  readonly accessor: string
  readonly uuid: string
  description: string
  readonly config: MountConfig
  options: Readonly<Record<string, string>> | null
  readonly local: boolean
  readonly sealWrap: boolean
  /** True if the server itself made the mount. Such a mount cannot be removed, and no inventory lists it. */
  readonly builtIn: boolean
  /** The path of the namespace. It is absent for a mount in the root namespace. */
  readonly namespace?: string
  /** The plugin that the mount runs, if its type is a registered plugin and not a built-in engine. */
  readonly plugin?: Plugin
}

/** Returns the path prefix of requests to the mount, without slashes at the start and end: `auth/userpass`. */
export const prefixOf = (mount: Pick<Mount, 'kind' | 'path'>): string =>
  `${mount.kind === 'auth' ? 'auth/' : ''}${mount.path.slice(0, -1)}`
