import type { EngineInstance } from '../engine.ts'
import { badRequest } from '../http/refusal.ts'
import type { StatePart } from '../state/state-part.ts'
import { type Mount, type MountKind, prefixOf } from './mount.ts'

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
  engineOf(mount: Mount): EngineInstance | undefined
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
  const instances = new Map<Mount, EngineInstance>()

  function admit(mount: Mount, state?: unknown): void {
    const room = doors.open(mount)
    if (state !== undefined) room.state?.restore(state)
    byPrefix.set(prefixOf(mount), mount)
    instances.set(mount, room)
    doors.set(prefixOf(mount), room)
  }

  function remove(mount: Mount): void {
    byPrefix.delete(prefixOf(mount))
    const room = instances.get(mount)
    if (!room) return
    room.state?.reset()
    instances.delete(mount)
    doors.delete(prefixOf(mount))
  }

  function keep(mount: Mount): SavedMount {
    const room = instances.get(mount)
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
          throw badRequest(`path is already in use at ${taken.path}`)
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
    engineOf: (mount) => instances.get(mount),
    keep,
    adopt({ mount, room }) {
      const present = byPrefix.get(prefixOf(mount))
      const open = present?.uuid === mount.uuid ? instances.get(present) : undefined
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
