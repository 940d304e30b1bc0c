import type { EngineInstance, StatePart } from '../engine.ts'
import type { Plugin } from '../extension-points.ts'
import { Refusal } from '../http/refusal.ts'

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

export interface SavedMount {
  readonly mount: Mount
  /** Absent for a mount without a room. */
  readonly room?: { readonly state: unknown }
}

export interface Mounts extends StatePart {
  /** Refuses a path that is taken, lies below a mount or above one. */
  add(mount: Mount): void
  /** A built-in mount without a room: another part of the server answers at its path. */
  announce(mount: Mount): void
  remove(mount: Mount): void
  find(kind: MountKind, path: string): Mount | undefined
  /** The mount that a request path falls in. */
  at(path: string): Mount | undefined
  all(kind: MountKind): readonly Mount[]
  roomOf(mount: Mount): EngineInstance | undefined
  /** One mount and what is in it, as JSON. */
  keep(mount: Mount): SavedMount
  /** Puts one back, in the place of whatever is at its path. */
  adopt(kept: SavedMount): void
}

interface Doors {
  open(mount: Mount): EngineInstance
  /** A room begins or ends at a prefix. */
  set(prefix: string, room: EngineInstance): void
  delete(prefix: string): void
}

export function createMounts(doors: Doors): Mounts {
  const byPrefix = new Map<string, Mount>()
  const rooms = new Map<Mount, EngineInstance>()

  function admit(mount: Mount, state?: unknown): void {
    const room = doors.open(mount)
    if (state !== undefined) room.state?.restore(state)
    byPrefix.set(prefixOf(mount), mount)
    rooms.set(mount, room)
    doors.set(prefixOf(mount), room)
  }

  function remove(mount: Mount): void {
    byPrefix.delete(prefixOf(mount))
    const room = rooms.get(mount)
    if (!room) return
    room.state?.reset()
    rooms.delete(mount)
    doors.delete(prefixOf(mount))
  }

  function keep(mount: Mount): SavedMount {
    const room = rooms.get(mount)
    return { mount, ...(room ? { room: { state: room.state?.snapshot() } } : {}) }
  }

  function reset(): void {
    for (const mount of [...byPrefix.values()]) remove(mount)
  }

  return {
    add(mount) {
      const prefix = `${prefixOf(mount)}/`
      for (const taken of byPrefix.values()) {
        const other = `${prefixOf(taken)}/`
        if (prefix.startsWith(other) || other.startsWith(prefix))
          throw new Refusal('bad-request', { message: `path is already in use at ${taken.path}` })
      }
      admit(mount)
    },
    announce: (mount) => void byPrefix.set(prefixOf(mount), mount),
    remove,
    find: (kind, path) => byPrefix.get(prefixOf({ kind, path: `${path.replace(/\/+$/, '')}/` })),
    at(path) {
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        const mount = byPrefix.get(path.slice(0, end))
        if (mount) return mount
      }
      return undefined
    },
    all: (kind) => [...byPrefix.values()].filter((mount) => mount.kind === kind),
    roomOf: (mount) => rooms.get(mount),
    keep,
    adopt({ mount, room }) {
      const present = byPrefix.get(prefixOf(mount))
      const open = present?.uuid === mount.uuid ? rooms.get(present) : undefined
      if (present && open) {
        Object.assign(present.config, mount.config)
        Object.assign(present, { description: mount.description, options: mount.options })
        open.state?.restore(room?.state)
        return
      }
      if (present) remove(present)
      admit(mount, room?.state)
    },
    snapshot: () => [...byPrefix.values()].map(keep),
    restore(state) {
      reset()
      for (const { mount, room } of state as SavedMount[]) {
        if (room) admit(mount, room.state)
        else byPrefix.set(prefixOf(mount), mount)
      }
    },
    reset,
  }
}
