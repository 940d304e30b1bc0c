import type { Kernel } from '../kernel.ts'
import type { MountKind } from '../mounts/mount.ts'

export type Inventory = Record<string, string[]>

/** Lists what callers created, by kind. Names from a mounted engine begin with the path of its mount, and names in a
 * namespace begin with the path of the namespace. */
export function takeInventory(kernel: Kernel): Inventory {
  const { mounts, tokens, leases, entities, fixed, namespaces } = kernel
  const lists: Inventory = {}
  const add = (kind: string, names: readonly string[]): void => {
    lists[kind] = [...(lists[kind] ?? []), ...names].sort()
  }
  const createdMounts = (kind: MountKind) => mounts.all(kind).filter((mount) => !mount.builtIn)

  for (const engine of fixed) for (const [kind, names] of Object.entries(engine.inventory?.() ?? {})) add(kind, names)
  add(
    'mounts',
    createdMounts('secret').map(({ path }) => path),
  )
  add(
    'auth',
    createdMounts('auth').map(({ path }) => path),
  )
  for (const mount of [...createdMounts('secret'), ...createdMounts('auth')]) {
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
  for (const { name } of namespaces.all()) {
    add('namespaces', [`${name}/`])
    const inside = takeInventory(namespaces.servicesOf(name) as Kernel)
    for (const [kind, names] of Object.entries(inside))
      add(
        kind,
        names.map((item) => `${name}/${item}`),
      )
  }
  return lists
}
