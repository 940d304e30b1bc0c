/** An engine at a path. */
import type { Plugin } from './plugins.ts'

export type MountKind = 'secret' | 'auth'

export interface MountConfig {
  /** Seconds; 0 takes the system's. */
  default_lease_ttl: number
  max_lease_ttl: number
  force_no_cache: boolean
  [setting: string]: unknown
}

export interface Mount {
  readonly kind: MountKind
  /** With a trailing slash, below `auth/` for auth mounts: `team/kv/`. */
  readonly path: string
  readonly type: string
  readonly accessor: string
  readonly uuid: string
  description: string
  readonly config: MountConfig
  options: Readonly<Record<string, string>> | null
  readonly local: boolean
  readonly sealWrap: boolean
  /** Made by the server itself: it stays, and no inventory names it. */
  readonly builtIn: boolean
  /** Of a type that was registered, not built in. */
  readonly plugin?: Plugin
}

/** Where requests reach it, without slashes at its ends: `auth/userpass`. */
export const prefixOf = (mount: Pick<Mount, 'kind' | 'path'>): string =>
  `${mount.kind === 'auth' ? 'auth/' : ''}${mount.path.slice(0, -1)}`
