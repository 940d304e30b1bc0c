import type { EngineInstance } from '../engine.ts'
import type { MountKind } from '../mounts/mount.ts'
import type { Services } from '../services.ts'

export type Inventory = Record<string, string[]>

/** Lists what callers made, by kind. Names from a mounted engine begin with the path of its mount. */
export function takeInventory(
  { mounts, tokens, leases, entities }: Services,
  fixed: readonly EngineInstance[],
): Inventory {
  const lists: Inventory = {}
  const add = (kind: string, names: readonly string[]): void => {
    lists[kind] = [...(lists[kind] ?? []), ...names].sort()
  }
  const made = (kind: MountKind) => mounts.all(kind).filter((mount) => !mount.builtIn)

  for (const engine of fixed) for (const [kind, names] of Object.entries(engine.inventory?.() ?? {})) add(kind, names)
  add(
    'mounts',
    made('secret').map(({ path }) => path),
  )
  add(
    'auth',
    made('auth').map(({ path }) => path),
  )
  for (const mount of [...made('secret'), ...made('auth')]) {
    const inside = mounts.engineOf(mount)?.inventory?.() ?? {}
    for (const [kind, names] of Object.entries(inside))
      add(
        kind,
        names.map((name) => `${mount.path}${name}`),
      )
  }
  add('tokens', tokens.accessors())
  add('leases', leases.ids())
  add(
    'entities',
    entities.all().map(({ id }) => id),
  )
  return lists
}
