/** The faults of the engines that are open, by namespace. */
import type { Kernel } from '../kernel/kernel.ts'
import { kernelsBelow } from '../kernel/namespaces/namespaces.ts'
import type { StatePart } from '../kernel/state/state-part.ts'
import type { Fault } from './fault.ts'
import { type FaultSet, faultSet } from './fault-set.ts'

export interface FaultSets {
  of(kernel: Kernel): readonly FaultSet[]
  /** Unloads the faults of a namespace and of those below it. Engines that serve the same extension point are changed
   * back in the reverse order, so this comes before the next faults are loaded. */
  unload(kernel: Kernel): void
  /** What the faults of a namespace and of those below it remember. */
  memoryOf(kernel: Kernel): StatePart
}

/** `all` returns all faults, always in the same list. It is called as late as possible, because loading them takes
 * time. */
export function faultSetsOf(all: () => readonly Fault<never>[]): FaultSets {
  const byEngine = new Map<string, readonly Fault<never>[]>()
  const sets = new WeakMap<Kernel, ReadonlyMap<string, FaultSet>>()

  function faultsOf(engine: string): readonly Fault<never>[] {
    const found = byEngine.get(engine) ?? all().filter((fault) => fault.engine === engine)
    byEngine.set(engine, found)
    return found
  }
  function setsIn(kernel: Kernel): ReadonlyMap<string, FaultSet> {
    const known = sets.get(kernel)
    if (known) return known
    const { extensions, fixed, router } = kernel
    const made = new Map(
      fixed.flatMap((engine) => {
        const { context, prefix } = engine
        if (!context) return []
        const parts = { context, extensions, routes: () => engine.routes }
        const serve = (routes: typeof engine.routes): void => router.set(prefix, { routes })
        return [[prefix, faultSet({ ...parts, serve }, () => faultsOf(prefix))] as const]
      }),
    )
    sets.set(kernel, made)
    return made
  }
  /** Returns the sets of a namespace and of those below it, by the whole path of their engines. */
  const setsFrom = (kernel: Kernel): readonly (readonly [path: string, memory: StatePart])[] =>
    [kernel, ...kernelsBelow(kernel)].flatMap((within) =>
      [...setsIn(within)].map(([prefix, { memory }]) => [within.namespaces.here.path + prefix, memory] as const),
    )
  return {
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
