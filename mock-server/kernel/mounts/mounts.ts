import type { EngineInstance } from '../engine.ts'
import { badRequest } from '../http/refusal.ts'
import type { StatePart } from '../state/state-part.ts'
import { type Mount, type MountKind, prefixOf } from './mount.ts'

export interface SavedMount {
  readonly mount: Mount
  /** The state of the engine. It is absent for a mount that a fixed engine serves. State files use the key `room`. */
  readonly room?: { readonly state: unknown }
}

export interface Mounts extends StatePart {
  /** Adds a mount and opens its engine. Refuses a path that is taken, or is below or above another mount. */
  add(mount: Mount): void
  /** Adds a built-in mount that a fixed engine serves. */
  announce(mount: Mount): void
  remove(mount: Mount): void
  find(kind: MountKind, path: string): Mount | undefined
  /** Finds the mount that a request path belongs to. */
  at(path: string): Mount | undefined
  all(kind: MountKind): readonly Mount[]
  engineOf(mount: Mount): EngineInstance | undefined
  /** Returns one mount and its state, as JSON. */
  keep(mount: Mount): SavedMount
  /** Reopens the engine of a mount with its state, after a change of its options. */
  reopen(mount: Mount): void
  /** Moves the mount and its state to another path of its kind. Refuses a path as `add` does. */
  move(mount: Mount, path: string): void
  /** Restores a saved mount, and replaces whatever is at its path. */
  adopt(saved: SavedMount): void
}

/** Opens engines, and routes requests to them. */
interface EngineHost {
  open(mount: Mount): EngineInstance
  /** Called when an engine starts to serve a prefix. */
  set(prefix: string, engine: EngineInstance): void
  /** Called when an engine stops serving a prefix. */
  delete(prefix: string): void
}

export function createMounts(host: EngineHost): Mounts {
  const byPrefix = new Map<string, Mount>()
  const instances = new Map<Mount, EngineInstance>()

  function admit(mount: Mount, state?: unknown): void {
    const engine = host.open(mount)
    if (state !== undefined) engine.state?.restore(state)
    byPrefix.set(prefixOf(mount), mount)
    instances.set(mount, engine)
    host.set(prefixOf(mount), engine)
  }

  function remove(mount: Mount): void {
    byPrefix.delete(prefixOf(mount))
    const engine = instances.get(mount)
    if (!engine) return
    engine.state?.reset()
    instances.delete(mount)
    host.delete(prefixOf(mount))
  }

  function keep(mount: Mount): SavedMount {
    const engine = instances.get(mount)
    return { mount, ...(engine ? { room: { state: engine.state?.snapshot() } } : {}) }
  }

  function reset(): void {
    for (const mount of [...byPrefix.values()]) remove(mount)
  }

  function assertFree(mount: Mount, except?: Mount): void {
    const prefix = `${prefixOf(mount)}/`
    for (const taken of byPrefix.values()) {
      const other = `${prefixOf(taken)}/`
      if (taken !== except && (prefix.startsWith(other) || other.startsWith(prefix)))
        throw badRequest(`path is already in use at ${taken.path}`)
    }
  }

  return {
    add(mount) {
      assertFree(mount)
      admit(mount)
    },
    move(mount, path) {
      const moved = { ...mount, path }
      assertFree(moved, mount)
      // The state is copied first, because removing the mount empties it.
      const state = structuredClone(instances.get(mount)?.state?.snapshot())
      remove(mount)
      admit(moved, state)
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
    reopen(mount) {
      const state = instances.get(mount)?.state?.snapshot()
      admit(mount, state)
    },
    adopt({ mount, room: saved }) {
      const present = byPrefix.get(prefixOf(mount))
      const open = present?.uuid === mount.uuid ? instances.get(present) : undefined
      if (present && open) {
        Object.assign(present.config, mount.config)
        Object.assign(present, { description: mount.description, options: mount.options })
        open.state?.restore(saved?.state)
        return
      }
      if (present) remove(present)
      admit(mount, saved?.state)
    },
    snapshot: () => [...byPrefix.values()].map(keep),
    restore(state) {
      reset()
      for (const { mount, room: saved } of state as SavedMount[]) {
        if (saved) admit(mount, saved.state)
        else byPrefix.set(prefixOf(mount), mount)
      }
    },
    reset,
  }
}
