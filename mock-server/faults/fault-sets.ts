/** The faults of the engines that are open, by namespace. */
import type { EngineInstance, MountableEngine } from '../kernel/engine.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { type Mount, prefixOf } from '../kernel/mounts/mount.ts'
import { kernelsBelow } from '../kernel/namespaces/namespaces.ts'
import type { StatePart } from '../kernel/state/state-part.ts'
import type { Fault } from './fault.ts'
import { type FaultSet, faultSet } from './fault-set.ts'

export interface FaultSets {
  /** The ids of all faults, also of engines that are not mounted. */
  readonly ids: readonly string[]
  of(kernel: Kernel): readonly FaultSet[]
  /** Returns the same engine. Each instance that it opens is passed to `opened`, with its faults. */
  withFaults(engine: MountableEngine, kernel: Kernel): MountableEngine
  /** Unloads the faults of a namespace and of those below it. Engines that serve the same extension point are changed
   * back in the reverse order, so this comes before the next faults are loaded. */
  unload(kernel: Kernel): void
  /** What the faults of a namespace and of those below it remember. */
  memoryOf(kernel: Kernel): StatePart
}

/** The engines of which a type is another name. */
const otherNames: Readonly<Record<string, string>> = { aws: 'cloud' }

/** `all` returns all faults, always in the same list. It is called as late as possible, because loading them takes
 * time. */
export function faultSetsOf(all: () => readonly Fault<never>[], opened: (set: FaultSet) => void): FaultSets {
  const byEngine = new Map<string, readonly Fault<never>[]>()
  const ofFixed = new WeakMap<Kernel, ReadonlyMap<string, FaultSet>>()
  const ofMounts = new WeakMap<EngineInstance, FaultSet>()

  function faultsOf(type: string): readonly Fault<never>[] {
    const engine = otherNames[type] ?? type
    const found = byEngine.get(engine) ?? all().filter((fault) => fault.engine === engine)
    byEngine.set(engine, found)
    return found
  }
  function setsOfFixed(kernel: Kernel): ReadonlyMap<string, FaultSet> {
    const known = ofFixed.get(kernel)
    if (known) return known
    const { extensions, fixed, router } = kernel
    const ownRoutes = { routes: () => [], serve: () => {} }
    const made = new Map([
      ['kernel', faultSet({ context: kernel, extensions, kernel, ...ownRoutes }, () => faultsOf('kernel'))] as const,
      ...fixed.flatMap((engine) => {
        const { context, prefix } = engine
        if (!context) return []
        const parts = { context, extensions, kernel, routes: () => engine.routes }
        const serve = (routes: typeof engine.routes): void => router.set(prefix, { routes })
        return [[prefix, faultSet({ ...parts, serve }, () => faultsOf(prefix))] as const]
      }),
    ])
    ofFixed.set(kernel, made)
    return made
  }
  const setsIn = (kernel: Kernel): ReadonlyMap<string, FaultSet> =>
    new Map([
      ...setsOfFixed(kernel),
      ...kernel.mounts.all('secret').flatMap((mount) => {
        const engine = kernel.mounts.engineOf(mount)
        const set = engine && ofMounts.get(engine)
        return set ? [[prefixOf(mount), set] as const] : []
      }),
    ])
  function open(engine: MountableEngine, mount: Mount, kernel: Kernel): EngineInstance {
    const instance = engine.open(mount)
    const { extensions, router } = kernel
    const { context, routes } = instance
    if (!context) return instance
    const mounted = { ...instance }
    const serve = (served: typeof routes): void => {
      Object.assign(mounted, { routes: served })
      router.set(prefixOf(mount), mounted)
    }
    const set = faultSet({ context, extensions, kernel, routes: () => routes, serve }, () => faultsOf(engine.type))
    ofMounts.set(mounted, set)
    opened(set)
    return mounted
  }
  /** Returns the sets of a namespace and of those below it, by the whole path of their engines. */
  const setsFrom = (kernel: Kernel): readonly (readonly [path: string, memory: StatePart])[] =>
    [kernel, ...kernelsBelow(kernel)].flatMap((within) =>
      // Without a set, no fault was ever loaded. Making one would load engines that nobody has called yet.
      [...(ofFixed.has(within) ? setsIn(within) : [])].map(
        ([prefix, { memory }]) => [within.namespaces.here.path + prefix, memory] as const,
      ),
    )
  return {
    get ids() {
      return all().map(({ id }) => id)
    },
    withFaults: (engine, kernel) =>
      Object.assign(Object.create(engine) as MountableEngine, { open: (mount: Mount) => open(engine, mount, kernel) }),
    of: (kernel) => [...setsIn(kernel).values()],
    unload(kernel) {
      for (const within of [kernel, ...kernelsBelow(kernel)])
        for (const set of [...setsIn(within).values()].reverse()) set.unload()
    },
    memoryOf: (kernel) => ({
      snapshot: () => Object.fromEntries(setsFrom(kernel).map(([path, memory]) => [path, memory.snapshot()])),
      restore(saved) {
        for (const [path, memory] of setsFrom(kernel)) memory.restore((saved as Record<string, unknown>)[path])
      },
      reset() {
        for (const [, memory] of setsFrom(kernel)) memory.reset()
      },
    }),
  }
}
