/** Starts one reference server: its core, and the listeners in front of it. */

import type { Fault } from './client-tests/faults.ts'
import { createFront, type Front } from './client-tests/front.ts'
import type { LoggedRequest } from './client-tests/request-log.ts'
import { plant, seededStateOf } from './client-tests/seeded-state.ts'
import { type ControlListener, listenForControl } from './control/control.ts'
import { type Core, createCore } from './core.ts'
import type { Engines } from './engines/list.ts'
import type { OnMet } from './faults/rule-set.ts'
import { type ClusterListener, listenForClusters } from './kernel/cluster/cluster-listener.ts'
import type { Network } from './kernel/cluster/network.ts'
import { createNodes, type Nodes } from './kernel/cluster/nodes.ts'
import type { Clock } from './kernel/contracts.ts'
import type { Served } from './kernel/served.ts'
import { createClock } from './kernel/state/clock.ts'
import type { Inventory } from './kernel/state/inventory.ts'
import { parseState, readState, textOf } from './kernel/state/state-file.ts'
import { keepState, type StateKeeper } from './kernel/state/state-keeper.ts'
import type { Choices } from './kernel/variation.ts'
import { withReplica } from './replica.ts'
import { assertOptions, kernelOptionsOf, listeningOf, type MockServerOptions } from './server-options.ts'
import { type NodeListeners, serveAsNode, startNodes } from './standby.ts'

/** A running server. */
export interface MockServer {
  /** The origin of the API, without a trailing slash. If there are several nodes, it is that of the first one. */
  readonly url: string
  /** The address for connections from other clusters, as `host:port`. */
  readonly clusterAddress: string
  /** The origins of the nodes that are not active now. */
  readonly standbyUrls: readonly string[]
  /** The origin of the load balancer; undefined without the option `balance`. */
  readonly balancerUrl: string | undefined
  /** Says what was left out of the state file. */
  readonly stateNote: string | undefined
  /** The root token. It is valid until a client revokes it. */
  readonly rootToken: string
  /** The shares of the root key in base64. By default there are five, and any three of them make the root key. */
  readonly keyShares: readonly string[]
  /** Undefined without the option `control`. The path of the URL is a key, new with each start. */
  readonly controlUrl: string | undefined
  /** The engines, auth methods and `sys/` endpoints that this version and edition serves. */
  readonly serves: Served
  /** The clock of the server. `advance(ms)` moves it forward, and runs everything that falls due. */
  readonly clock: Clock
  /** Lists what callers created, by kind: policies by kind (`acl`, `rgp`, `egp`), `mounts`, `auth`, `tokens`
   * (accessors), `leases`, `entities`, and what engines add (`users`, `values`). */
  inventory(): Inventory
  /** Loads these mutants, and unloads all others. Throws a RangeError on an unknown id. */
  loadMutants(ids: readonly string[]): void
  /** Unloads all mutants. Until the next `loadMutants`, calls `onMet` with each mutant that changes what the server
   * reads from its tables. Under any other mutant, the server would have done the same. */
  watchMutants(onMet: OnMet): void
  /** Chooses legal differences by seed; 0 is the plain dialect. Named choices override those of the seed. Throws a
   * RangeError on an unknown name or choice. */
  vary(seed: number, named?: Choices): void
  /** The latest requests since the start or the last reset, at most 1000, oldest first, without secrets. */
  readonly requests: readonly LoggedRequest[]
  /** Replaces the faults that are played on chosen requests. Throws a RangeError on an unknown fault or field. */
  setFaults(faults: readonly Fault[]): void
  /** Returns all state as the text of a state file, with secrets in it. */
  snapshot(): string
  /** Restores a snapshot of any server of this version. Throws a RangeError if the text is not a snapshot. */
  restore(snapshot: string): void
  /** Restores the state after the start, with what was seeded and with the faults of the options, and empties the log
   * of requests. Mutants and variation do not change. */
  reset(): Promise<void>
  /** Saves the state, ends every connection and timer, and frees the ports. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A server in a group of clusters receives these values in addition. */
export interface ClusterGroup {
  readonly network: Network
  /** The control URL of the whole group. */
  readonly controlUrl: () => string | undefined
}

/** Writes the seeded state of the options and returns a snapshot of it, for resets: writing it again would make other
 * keys. Returns undefined if nothing is seeded. */
async function plantSeeded(options: MockServerOptions, core: Core): Promise<string | undefined> {
  const seeded = seededStateOf(options)
  if (Object.keys(seeded).length === 0) return undefined
  await plant(seeded, core.serve, core.rootToken)
  return textOf(core.snapshot())
}

const stateIn = (file: string | undefined) => (file === undefined ? undefined : readState(file))
type Kept = ReturnType<typeof stateIn>
const stateOf = (snapshot: string) =>
  parseState(snapshot, (reason) => {
    throw new RangeError(`the snapshot ${reason}`)
  })

/** The parts of a server, without its listeners. */
interface Parts {
  readonly core: Core
  readonly front: Front
  readonly clock: Clock
  readonly nodes: Nodes
}

interface Opened {
  listeners?: NodeListeners
  clusters?: ClusterListener
  keeper?: StateKeeper
  control?: ControlListener
}

/** Closes what is open, also of a server that was not opened whole. */
async function closeAll({ core, front }: Parts, { listeners, clusters, keeper, control }: Opened): Promise<void> {
  await Promise.all([listeners?.close(), clusters?.close(), control?.close()])
  front.reset()
  try {
    await keeper?.close()
  } finally {
    core.stop()
  }
}

/** Opens the ports of the API and the one for other clusters, and the state file. */
async function open(options: MockServerOptions, parts: Parts, opened: Opened, kept: Kept): Promise<void> {
  const { core, front, clock, nodes } = parts
  const listening = { ...listeningOf(options), clock, delay: core.delay }
  const serveBy = (node: number) => serveAsNode(node, front.serve, nodes, core.isSealed)
  opened.listeners = await startNodes(options, { ...listening, serve: front.serve }, serveBy)
  nodes.urls = opened.listeners.urls
  opened.clusters = await listenForClusters({
    ...{ host: listening.host, port: options.clusterPort ?? 0, ...core.clusterTraffic },
  })
  core.listensAt(opened.clusters.address)
  if (kept) core.restore(kept.state)
  if (options.stateFile === undefined) return
  opened.keeper = await keepState(options.stateFile, core.snapshot, options.durable)
  core.onChange(opened.keeper.changed)
}

/** Starts a server with the given engines; `group` is set for a server in a group of clusters. */
export async function startServer(
  options: MockServerOptions,
  engines: Engines,
  group?: ClusterGroup,
): Promise<MockServer> {
  assertOptions(options)
  const clock = options.clock ?? createClock()
  const kept = stateIn(options.stateFile)
  const nodes = createNodes(clock, options.performanceStandbys, options.standbys)
  const kernelOptions = { ...kernelOptionsOf(options), clock, nodes, network: group?.network }
  const core = await withReplica(await createCore(kernelOptions, engines), options.readLagMs, kernelOptions, engines)
  const parts: Parts = { core, clock, nodes, front: createFront(core, clock) }
  const opened: Opened = {}
  try {
    core.loadMutants(options.mutants ?? [])
    parts.front.setFaults(options.faults ?? [])
    const planted = kept ? undefined : await plantSeeded(options, core)
    await open(options, parts, opened, kept)
    const about = { options, planted, note: kept?.note, groupUrl: () => group?.controlUrl() }
    const server = serverOf(parts, opened, about)
    if (options.control)
      opened.control = await listenForControl(server, typeof options.control === 'object' ? options.control.port : 0)
    return server
  } catch (error) {
    await closeAll(parts, opened)
    throw error
  }
}

interface About {
  readonly options: MockServerOptions
  /** The snapshot of the seeded state. */
  readonly planted: string | undefined
  readonly note: string | undefined
  readonly groupUrl: () => string | undefined
}

function serverOf(parts: Parts, opened: Opened, { options, planted, note, groupUrl }: About): MockServer {
  const { core, front, clock, nodes } = parts
  const { listeners, clusters, keeper } = opened
  const restore = (snapshot: string): void => core.restore(stateOf(snapshot))
  const close = (): Promise<void> => closeAll(parts, opened)
  return {
    url: listeners?.urls[0] ?? '',
    clusterAddress: clusters?.address ?? '',
    get standbyUrls() {
      return nodes.urls.filter((_url, node) => node !== nodes.active)
    },
    balancerUrl: listeners?.balancerUrl,
    stateNote: note,
    get rootToken() {
      return core.rootToken
    },
    get keyShares() {
      return core.keyShares
    },
    get controlUrl() {
      return opened.control?.url ?? groupUrl()
    },
    clock,
    get serves() {
      return core.serves
    },
    inventory: core.inventory,
    loadMutants: core.loadMutants,
    watchMutants: core.watchMutants,
    vary: core.vary,
    get requests() {
      return front.requests
    },
    setFaults: front.setFaults,
    snapshot: () => textOf(core.snapshot()),
    restore(snapshot) {
      restore(snapshot)
      void keeper?.changed()
    },
    async reset() {
      front.reset()
      front.setFaults(options.faults ?? [])
      nodes.reset()
      core.reset()
      if (planted !== undefined) restore(planted)
      void keeper?.changed()
      await keeper?.flush()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
