/** Combines the kernel and the engines, and makes the initial state. This is the server without its sockets. */
import { suggestion } from './client-tests/options.ts'
import type { Engines } from './engines/list.ts'
import { type FaultSets, faultSetsOf } from './faults/fault-sets.ts'
import type { MutantSet, OnMet } from './faults/rule-set.ts'
import type { ClusterListening } from './kernel/cluster/cluster-listener.ts'
import { createKernel, type KernelOptions } from './kernel/create-kernel.ts'
import type { FixedEngine } from './kernel/engine.ts'
import type { Answer, IncomingRequest } from './kernel/http/request-context.ts'
import type { Kernel } from './kernel/kernel.ts'
import { announceBuiltIn, mountFirstKv } from './kernel/mounts/built-in.ts'
import { enter } from './kernel/namespaces/enter.ts'
import { kernelsBelow } from './kernel/namespaces/namespaces.ts'
import { type Served, servedBy } from './kernel/served.ts'
import { type Inventory, takeInventory } from './kernel/state/inventory.ts'
import type { StatePart } from './kernel/state/state-part.ts'
import { clockState, streamState, together } from './kernel/state/state-parts.ts'
import { type Choices, variationOf } from './kernel/variation.ts'
import { type Admission, createGate, createPipeline, stages } from './pipeline.ts'

export interface Core {
  readonly rootToken: string
  readonly keyShares: readonly string[]
  readonly isSealed: () => boolean
  /** Returns all state as JSON. */
  snapshot(): Readonly<Record<string, unknown>>
  restore(state: Readonly<Record<string, unknown>>): void
  serve(incoming: IncomingRequest): Answer | Promise<Answer>
  /** Returns what would become of a request, without handling it. */
  admit(incoming: IncomingRequest): Promise<Admission>
  inventory(): Inventory
  /** Returns the type of the mount that a path below `/v1/` belongs to. */
  mountTypeAt(path: string): string | undefined
  accessorOf(token: string): string | undefined
  loadMutants(ids: readonly string[]): void
  watchMutants(onMet: OnMet): void
  vary(seed: number, named?: Choices): void
  reset(): void
  /** Cancels every timer. */
  stop(): void
  /** Returns by how many milliseconds the next answer is delayed. */
  delay(): number
  /** The listener is called after each request that may have changed something. If it returns a promise, the request is
   * answered when that resolves. */
  onChange(listener: () => Promise<void> | undefined | void): void
  /** Tells the engines where other clusters connect. */
  listensAt(clusterAddress: string): void
  readonly clusterTraffic: Pick<ClusterListening, 'certificate' | 'take'>
  readonly serves: Served
}

export async function createCore(options: KernelOptions, parts: Engines): Promise<Core> {
  const kernel = Object.assign(await createKernel(options), { stages })
  const { access, extensions, keys, leaseStore, mint, mounts, storage, style, tokenStore } = kernel
  /** Undefined until the first call of `loadMutants` or `watchMutants`: engines start without mutants, and some are not
   * loaded yet. */
  let apply: ((set: MutantSet) => void) | undefined
  const faults = faultSetsOf(parts.faults, (set) => apply?.(set))
  const fixed = openEngines(kernel, parts, faults, [...parts.fixed, ...parts.rootOnly])
  kernel.openNamespace = (child) => {
    Object.assign(child, { stages })
    openEngines(child, parts, faults, parts.fixed)
    if (apply) faults.of(child).forEach(apply)
    const { access: own, entities, mounts: held, namespaces } = child
    return { entities, mounts: held, access: own, ...stateOfEngines(child.fixed, undefined), namespaces }
  }
  const state = stateOf(kernel, fixed, faults.memoryOf(kernel))
  const furnish = (): void => {
    announceBuiltIn(mounts, mint)
    mountFirstKv(mounts, mint)
    keys.issueRoot()
  }
  let served: Served | undefined
  /** Asks all engines for their routes, and returns what is served without mutants. */
  const serves = (): Served => {
    served ??= servedBy(kernel)
    return served
  }
  const setsOfAll = () => [kernel, ...kernelsBelow(kernel)].flatMap(faults.of)
  const applyToAll = (change: (set: MutantSet) => void): void => {
    serves()
    apply = change
    faults.unload(kernel)
    for (const set of setsOfAll()) change(set)
    access.reset()
  }
  furnish()
  const serve = createPipeline(kernel)
  return {
    get rootToken() {
      return keys.rootToken
    },
    get keyShares() {
      return keys.shares
    },
    isSealed: () => kernel.seal.sealed,
    snapshot: state.snapshot,
    restore(saved) {
      state.restore(saved)
      storage.revive()
    },
    serve,
    admit: createGate(kernel),
    inventory: () => takeInventory(kernel),
    mountTypeAt(path) {
      const { kernel: within, rest } = enter(path, kernel)
      return within.mounts.at(rest)?.type
    },
    accessorOf: (token) => tokenStore.findAnywhere(token)?.accessor,
    loadMutants(ids) {
      if (ids.length === 0 && !apply) return
      const known = faults.ids
      const unknown = ids.filter((id) => !known.includes(id))
      if (unknown.length > 0) throw new RangeError(`no such mutant: ${unknown.join(', ')}${suggestion(unknown, known)}`)
      const wanted = new Set(ids)
      applyToAll((set) => set.load(wanted))
    },
    watchMutants(onMet) {
      applyToAll((set) => set.watch(onMet))
    },
    vary(seed, named) {
      style.variation = variationOf(seed, named)
    },
    reset() {
      state.reset()
      furnish()
    },
    stop() {
      for (const engine of fixed) engine.stop?.()
      tokenStore.reset()
      leaseStore.reset()
      kernel.namespaces.reset()
      mounts.reset()
    },
    delay: style.delay,
    get serves() {
      return serves()
    },
    onChange: (listener) => void storage.onWrite(listener),
    listensAt(clusterAddress) {
      kernel.addresses.cluster = clusterAddress
    },
    clusterTraffic: {
      certificate: () => extensions.clusterCertificate?.(),
      take(request, response) {
        if (extensions.clusterTraffic) extensions.clusterTraffic(request, response, serve)
        else response.destroy()
      },
    },
  }
}

/** Opens the engines of one namespace. Instances of mountable engines are opened later, by mounts. */
function openEngines(
  kernel: Kernel,
  { mountable }: Engines,
  faults: FaultSets,
  creators: Engines['fixed'],
): readonly FixedEngine[] {
  kernel.mountable.push(...mountable.map((create) => faults.withFaults(create(kernel), kernel)))
  const fixed = creators.flatMap((create) => create(kernel))
  kernel.fixed.push(...fixed)
  for (const engine of fixed) kernel.router.set(engine.prefix, engine)
  return fixed
}

const stateOfEngines = (fixed: readonly FixedEngine[], scope: FixedEngine['scope']): Record<string, StatePart> =>
  Object.fromEntries(
    fixed.flatMap((engine) => (engine.state && engine.scope === scope ? [[engine.prefix, engine.state]] : [])),
  )

function stateOf(kernel: Kernel, fixed: readonly FixedEngine[], faults: StatePart) {
  const { access, clock, entities, keys, leaseStore, mounts, namespaces, storage, streams, tokenStore, wrapping } =
    kernel
  const data = { entities, tokens: tokenStore, wrapping, mounts, leases: leaseStore, access }
  Object.assign(storage.parts, { ...data, ...stateOfEngines(fixed, undefined), namespaces })
  return together({
    // The clock is restored first, because the other parts set timers when they are restored.
    clock: clockState(clock),
    keys,
    random: streamState(streams.random),
    requests: streamState(streams.requests),
    noise: streamState(streams.noise),
    ...storage.parts,
    ...stateOfEngines(fixed, 'this-cluster'),
    faults,
  })
}
