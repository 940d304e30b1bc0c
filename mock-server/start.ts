/** Starts one reference server: its core, and the listeners in front of it. */
import { assertFaults, type Fault } from './client-tests/faults.ts'
import { createFront } from './client-tests/front.ts'
import { assertNames } from './client-tests/options.ts'
import type { LoggedRequest } from './client-tests/request-log.ts'
import { assertSeededState, plant, type SeededState, seededParts, seededStateOf } from './client-tests/seeded-state.ts'
import { type ControlListener, listenForControl } from './control/control.ts'
import { type Core, createCore } from './core.ts'
import type { Engines } from './engines/list.ts'
import type { OnMet } from './faults/rule-set.ts'
import { type ClusterListener, listenForClusters } from './kernel/cluster/cluster-listener.ts'
import type { Network } from './kernel/cluster/network.ts'
import { createNodes } from './kernel/cluster/nodes.ts'
import type { Clock, Edition } from './kernel/contracts.ts'
import type { KernelOptions } from './kernel/create-kernel.ts'
import type { ListForm, TlsFiles } from './kernel/http/list-method.ts'
import type { PluginImages } from './kernel/mounts/plugins.ts'
import { type PolicyLanguage, policyLanguages } from './kernel/policy-language.ts'
import type { Served } from './kernel/served.ts'
import { createClock } from './kernel/state/clock.ts'
import type { Inventory } from './kernel/state/inventory.ts'
import { parseState, readState, textOf } from './kernel/state/state-file.ts'
import { keepState } from './kernel/state/state-keeper.ts'
import type { Choices } from './kernel/variation.ts'
import { assertFacts, newestVersion } from './kernel/versions.ts'
import { withReplica } from './replica.ts'
import { assertNodes, type NodeOptions, serveAsNode, startNodes } from './standby.ts'

/** Every option has a default. The parts of a seeded state are options as well; the state in a state file wins. */
export interface MockServerOptions extends SeededState, NodeOptions {
  /** The version of the API, without the mark of an edition: `0.9.0`. The default is the newest version. */
  readonly version?: string
  /** `community`, `enterprise` or `premium` (the default). Version and edition decide which endpoints exist. */
  readonly edition?: Edition
  /** The form of the API by subject, for subjects with several forms: `{ cloud: 'older' }`. */
  readonly forms?: Readonly<Record<string, string>>
  /** The same seed and requests give the same ids and tokens, including the root token. Without a seed they are new
   * with each start. Root key and key shares are always new. */
  readonly seed?: number
  /** The default clock follows real time and can be moved forward. */
  readonly clock?: Clock
  readonly host?: string
  readonly port?: number
  /** The port for connections from other clusters, on the same host. */
  readonly clusterPort?: number
  /** The root token in a state file wins over this one. */
  readonly rootToken?: string
  /** Certificate and key as PEM text. With it, the server is reached over HTTPS. */
  readonly tls?: TlsFiles
  /** The seed of the legal differences; 0 is the plain dialect. */
  readonly variation?: number
  /** If true, the server serves only what the documents state: no other path or field, and refusals without a body. */
  readonly literal?: boolean
  /** RGPs and EGPs are `evaluated` by default. Otherwise any text is stored and not evaluated: a request that it
   * governs passes with a warning (`opaque`), or the policy counts as failed on it (`opaque-fail`). */
  readonly policyLanguage?: PolicyLanguage
  /** If true, RSA keys are made in a millisecond from primes in this package. They are TEST KEYS and not secret. */
  readonly testKeys?: boolean
  /** The ids of the mutants to load. */
  readonly mutants?: readonly string[]
  /** The faults to play on chosen requests. */
  readonly faults?: readonly Fault[]
  /** A file for the state, with secrets in plain text, readable by its owner only. A crash loses at most the last 200 ms. */
  readonly stateFile?: string
  /** If true, each change is on disk before its request is answered. Requires `stateFile`. */
  readonly durable?: boolean
  /** If set, the server opens the control listener for tests, on a port of its own on 127.0.0.1. */
  readonly control?: boolean | { readonly port: number }
  /** If false, the server has no root key until a client calls `sys/init`. */
  readonly initialized?: boolean
  /** The longest request body, in bytes; the default is 32 MiB. */
  readonly bodyLimit?: number
  /** The folder of the plugin files, whose digests are compared. Without it no plugin can be registered. */
  readonly pluginDirectory?: string
  /** The images that plugins can run from, by name and tag: `registry.example/plugin:1.2.3`. */
  readonly pluginImages?: PluginImages
  /** How the server makes Node's parser accept the method LIST; the default is `in-place`. */
  readonly listForm?: ListForm
}

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

const listeningOf = (options: MockServerOptions) => ({
  host: options.host ?? '127.0.0.1',
  port: options.port ?? 0,
  tls: options.tls,
  form: options.listForm ?? 'in-place',
  bodyLimit: options.bodyLimit ?? 32 * 2 ** 20,
  literal: options.literal ?? false,
})

/** Writes the seeded state of the options and returns a snapshot of it, for resets: writing it again would make other
 * keys. Returns undefined if nothing is seeded. */
async function plantSeeded(options: MockServerOptions, core: Core): Promise<string | undefined> {
  const seeded = seededStateOf(options)
  if (Object.keys(seeded).length === 0) return undefined
  await plant(seeded, core.serve, core.rootToken)
  return textOf(core.snapshot())
}

const stateIn = (file: string | undefined) => (file === undefined ? undefined : readState(file))
const stateOf = (snapshot: string) =>
  parseState(snapshot, (reason) => {
    throw new RangeError(`the snapshot ${reason}`)
  })

/** Starts a server with the given engines; `group` is set for a server in a group of clusters. */
export async function startServer(
  options: MockServerOptions,
  parts: Engines,
  group?: ClusterGroup,
): Promise<MockServer> {
  assertKnown(options)
  const clock = options.clock ?? createClock()
  const { stateFile } = options
  const kept = stateIn(stateFile)
  const nodes = createNodes(clock, options.performanceStandbys, options.standbys)
  let control: ControlListener | undefined
  const controlUrl = (): string | undefined => control?.url ?? group?.controlUrl()
  const kernelOptions = { ...kernelOptionsOf(options), clock, nodes, network: group?.network }
  const core = await withReplica(await createCore(kernelOptions, parts), options.readLagMs, kernelOptions, parts)
  core.loadMutants(options.mutants ?? [])
  const front = createFront(core, clock)
  front.setFaults(options.faults ?? [])
  const start = kept ? undefined : await plantSeeded(options, core)
  const restore = (snapshot: string): void => core.restore(stateOf(snapshot))
  const listening = { ...listeningOf(options), clock, delay: core.delay }
  const serveBy = (node: number) => serveAsNode(node, front.serve, nodes, core.isSealed)
  const listeners = await startNodes(options, { ...listening, serve: front.serve }, serveBy)
  nodes.urls = listeners.urls
  const clusters: ClusterListener = await listenForClusters({
    ...{ host: listening.host, port: options.clusterPort ?? 0, ...core.clusterTraffic },
  }).catch(async (error) => {
    await listeners.close()
    throw error
  })
  core.listensAt(clusters.address)
  if (kept) core.restore(kept.state)
  const keeping = stateFile === undefined ? undefined : keepState(stateFile, core.snapshot, options.durable)
  const keeper = await keeping?.catch(async (error) => {
    await Promise.all([listeners.close(), clusters.close()])
    core.stop()
    throw error
  })
  if (keeper) core.onChange(keeper.changed)

  const server: MockServer = {
    url: listeners.urls[0] ?? '',
    clusterAddress: clusters.address,
    get standbyUrls() {
      return nodes.urls.filter((_url, node) => node !== nodes.active)
    },
    balancerUrl: listeners.balancerUrl,
    stateNote: kept?.note,
    get rootToken() {
      return core.rootToken
    },
    get keyShares() {
      return core.keyShares
    },
    get controlUrl() {
      return controlUrl()
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
      if (start !== undefined) restore(start)
      void keeper?.changed()
      await keeper?.flush()
    },
    async close() {
      await Promise.all([listeners.close(), clusters.close(), control?.close()])
      front.reset()
      try {
        await keeper?.close()
      } finally {
        core.stop()
      }
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
  if (options.control) {
    const port = typeof options.control === 'object' ? options.control.port : 0
    control = await listenForControl(server, port).catch(async (error) => {
      await Promise.all([listeners.close(), clusters.close()])
      throw error
    })
  }
  return server
}

const kernelOptionsOf = (options: MockServerOptions): Omit<KernelOptions, 'clock'> => ({
  version: options.version ?? newestVersion,
  edition: options.edition ?? 'premium',
  forms: options.forms ?? {},
  ...{ seed: options.seed, rootToken: options.rootToken },
  initialized: options.initialized ?? true,
  variation: options.variation ?? 0,
  literal: options.literal ?? false,
  policyLanguage: options.policyLanguage,
  testKeys: options.testKeys,
  ...{ pluginDirectory: options.pluginDirectory, pluginImages: options.pluginImages },
})

const known: Readonly<Record<keyof Omit<MockServerOptions, keyof SeededState>, true>> = {
  ...{ version: true, edition: true, forms: true, seed: true, clock: true, host: true, port: true, clusterPort: true },
  ...{
    nodes: true,
    performanceStandbys: true,
    standbys: true,
    readLagMs: true,
    balance: true,
    hidesNodes: true,
    testKeys: true,
  },
  ...{ rootToken: true, tls: true, variation: true, literal: true, mutants: true, faults: true, stateFile: true },
  ...{ control: true, initialized: true, bodyLimit: true, pluginDirectory: true, pluginImages: true, listForm: true },
  ...{ policyLanguage: true, durable: true },
}

function assertKnown(options: MockServerOptions): void {
  const { version = newestVersion, edition = 'premium', forms = {}, initialized = true, policyLanguage } = options
  assertNames('option', options, [...seededParts, ...Object.keys(known)])
  assertFacts({ version, edition, forms })
  if (policyLanguage !== undefined && !policyLanguages.includes(policyLanguage))
    throw new RangeError(
      `policyLanguage ${JSON.stringify(options.policyLanguage)} is not one of ${policyLanguages.join(', ')}`,
    )
  assertNodes({ ...options, edition })
  assertFaults(options.faults ?? [])
  assertSeededState(options)
  if (options.durable && options.stateFile === undefined) throw new RangeError('durable requires stateFile')
  const [part] = Object.keys(seededStateOf(options))
  if (!initialized && part !== undefined)
    throw new RangeError(`${part} cannot be seeded in a server that is not initialized`)
}
