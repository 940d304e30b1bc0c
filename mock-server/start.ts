/** Starts one reference server: its core, and the listeners in front of it. */
import { assertFaults, type Fault } from './client-tests/faults.ts'
import { createFront } from './client-tests/front.ts'
import { assertNames } from './client-tests/options.ts'
import type { LoggedRequest } from './client-tests/request-log.ts'
import { assertSeededState, plant, type SeededState, seededParts, seededStateOf } from './client-tests/seeded-state.ts'
import { type ControlListener, listenForControl } from './control/control.ts'
import { type Core, createCore } from './core.ts'
import type { Engines } from './engines/list.ts'
import { type ClusterListener, listenForClusters } from './kernel/cluster/cluster-listener.ts'
import type { Network } from './kernel/cluster/network.ts'
import { createNodes } from './kernel/cluster/nodes.ts'
import type { Clock, Edition } from './kernel/contracts.ts'
import type { KernelOptions } from './kernel/create-kernel.ts'
import type { ListForm, TlsFiles } from './kernel/http/list-method.ts'
import type { PluginImages } from './kernel/mounts/plugins.ts'
import type { OnMet } from './kernel/mutant-set.ts'
import { type PolicyLanguage, policyLanguages } from './kernel/policy-language.ts'
import type { Served } from './kernel/served.ts'
import { createClock } from './kernel/state/clock.ts'
import type { Inventory } from './kernel/state/inventory.ts'
import { keepState, parseState, readState, type StateKeeper, textOf } from './kernel/state/state-file.ts'
import type { Choices } from './kernel/variation.ts'
import { assertFacts, newestVersion } from './kernel/versions.ts'
import { assertNodes, serveAsNode, startNodes } from './standby.ts'

/** Every option has a default. The parts of a seeded state are options, too; the state in a state file wins over them. */
export interface MockServerOptions extends SeededState {
  /** The version of the API, without the mark of an edition: `0.9.0`. The default is the newest version. */
  readonly version?: string
  /** `community`, `enterprise` or `premium`, which is the default. Versions and editions decide which endpoints exist. */
  readonly edition?: Edition
  /** API forms by subject, if the documents distinguish an older and a newer form. */
  readonly forms?: Readonly<Record<string, string>>
  /** The same seed and requests give the same ids and tokens, including the root token. Without a seed they are new
   * with each start. Root key and key shares are always new. */
  readonly seed?: number
  /** The default clock follows real time and can be moved forward. */
  readonly clock?: Clock
  readonly host?: string
  readonly port?: number
  /** Where other clusters connect, on the same host. */
  readonly clusterPort?: number
  /** All nodes but one are standby nodes, which pass requests on to the active one; they take free ports. */
  readonly nodes?: number
  /** The standby nodes are performance standbys: `sys/health` says so by 473, and they answer reads themselves. */
  readonly performanceStandbys?: boolean
  /** The root token in a state file wins over this one. */
  readonly rootToken?: string
  /** The files are PEM text. */
  readonly tls?: TlsFiles
  /** The seed of the legal differences; 0 is the plain dialect. */
  readonly variation?: number
  /** Serves exactly what the documents state: no other path in their areas, no other field in a reply, refusals without
   * a body, and only the headers of the transport. */
  readonly literal?: boolean
  /** RGPs and EGPs are `evaluated`, which is the default. Otherwise any text is stored as it is and not evaluated: a
   * request that it governs passes with a warning (`opaque`), or the policy counts as failed on it (`opaque-fail`). */
  readonly policyLanguage?: PolicyLanguage
  /** RSA keys are made of primes that are part of this package, in a millisecond. They are TEST KEYS, and no secrets. */
  readonly testKeys?: boolean
  /** The ids of the mutants to load. */
  readonly mutants?: readonly string[]
  /** The faults to play on chosen requests. */
  readonly faults?: readonly Fault[]
  /** Keeps state in this file, with secrets in plain text, readable by its owner only. It is written within moments of
   * a change (later if the state is large), and when the server closes. A crash loses the last moments at most. */
  readonly stateFile?: string
  /** Opens the control listener for tests, on a port of its own on 127.0.0.1. */
  readonly control?: boolean | { readonly port: number }
  /** If false, nothing works before `sys/init`. */
  readonly initialized?: boolean
  /** The longest request body, in bytes; the default is 32 MiB. */
  readonly bodyLimit?: number
  /** The folder of the plugin files, which are compared with the registered digests. Without it no plugin can be
   * registered. */
  readonly pluginDirectory?: string
  /** The images that plugins can run from, by name and tag: `registry.example/plugin:1.2.3`. */
  readonly pluginImages?: PluginImages
  /** The server reads the method LIST from the socket in this form. */
  readonly listForm?: ListForm
}

/** A running server. */
export interface MockServer {
  /** The origin, without a trailing slash; of the first node, if there are several. */
  readonly url: string
  /** Where other clusters connect, as `host:port`. */
  readonly clusterAddress: string
  /** The origins of the nodes that are not active now. */
  readonly standbyUrls: readonly string[]
  /** Valid on the API as long as nobody revokes it. */
  readonly rootToken: string
  /** The shares in base64. Three of five make the root key. */
  readonly keyShares: readonly string[]
  /** The URL of the control listener, if it was asked for. Its path is a key, new with each start. */
  readonly controlUrl: string | undefined
  /** What this version and edition of the server has. */
  readonly serves: Served
  /** `advance(ms)` moves the time of the server, and runs what falls due. */
  readonly clock: Clock
  /** Lists what callers made, by kind: policies by kind (`acl`, `rgp`, `egp`), `mounts`, `auth`, `tokens` (accessors),
   * `leases`, `entities`, and what engines add (`users`, `values`). */
  inventory(): Inventory
  /** Puts exactly these mutants into effect. Throws a RangeError on an unknown id. */
  loadMutants(ids: readonly string[]): void
  /** Ends all mutants. Until the next `loadMutants`, tells each cell of the rules of the server that is about to be read,
   * with each mutant that changes it: with mutants of which it tells nothing, the server would have done the same. */
  watchMutants(onMet: OnMet): void
  /** Chooses legal differences by seed. Named choices override those of the seed. Throws a RangeError on an unknown
   * name or choice. */
  vary(seed: number, named?: Choices): void
  /** The latest 1000 requests since the start or the last reset, oldest first, without secrets. */
  readonly requests: readonly LoggedRequest[]
  /** Plays exactly these faults, in place of those before. Throws a RangeError on an unknown fault or field. */
  setFaults(faults: readonly Fault[]): void
  /** Returns all state as the text of a state file, with secrets in it. */
  snapshot(): string
  /** Restores a snapshot of this server or of another of this version. Throws a RangeError if the text is not one. */
  restore(snapshot: string): void
  /** Restores the state after the start, with what was seeded and with the faults of the options, and empties the log of
   * requests. Mutants and variation stay as they are. */
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
  port: options.port ?? 0,
  tls: options.tls,
  form: options.listForm ?? 'in-place',
  bodyLimit: options.bodyLimit ?? 32 * 2 ** 20,
  literal: options.literal ?? false,
})

/** Plants what the options seed, and returns a snapshot of that: what is planted may hold keys that cannot be made again.
 * Returns undefined if nothing is seeded. */
async function plantSeeded(options: MockServerOptions, core: Core): Promise<string | undefined> {
  const seeded = seededStateOf(options)
  if (Object.keys(seeded).length === 0) return undefined
  await plant(seeded, core.serve, core.rootToken)
  return textOf(core.snapshot())
}

/** Starts a server with the given engines; `group` is set for a server in a group of clusters. */
export async function startServer(
  options: MockServerOptions,
  parts: Engines,
  group?: ClusterGroup,
): Promise<MockServer> {
  assertKnown(options)
  const clock = options.clock ?? createClock()
  const { stateFile } = options
  const kept = stateFile === undefined ? undefined : readState(stateFile)
  const nodes = createNodes(clock, options.performanceStandbys)
  let control: ControlListener | undefined
  const controlUrl = (): string | undefined => control?.url ?? group?.controlUrl()
  const core = await createCore({ ...kernelOptionsOf(options), clock, nodes, network: group?.network }, parts)
  core.loadMutants(options.mutants ?? [])
  const front = createFront(core, clock)
  front.setFaults(options.faults ?? [])
  const start = kept ? undefined : await plantSeeded(options, core)
  const restore = (snapshot: string): void =>
    core.restore(
      parseState(snapshot, (reason) => {
        throw new RangeError(`the snapshot ${reason}`)
      }),
    )
  const host = options.host ?? '127.0.0.1'
  const listening = { ...listeningOf(options), host, clock, delay: core.delay }
  const listeners = await startNodes(options.nodes ?? 1, { ...listening, serve: front.serve }, (node) =>
    serveAsNode(node, front.serve, nodes, core.isSealed),
  )
  nodes.urls = listeners.urls
  const clusters: ClusterListener = await listenForClusters({
    ...{ host, port: options.clusterPort ?? 0, ...core.clusterTraffic },
  }).catch(async (error) => {
    await listeners.close()
    throw error
  })
  core.listensAt(clusters.address)
  if (kept) core.restore(kept)
  const keeper: StateKeeper | undefined =
    stateFile === undefined
      ? undefined
      : await keepState(stateFile, core.snapshot).catch(async (error) => {
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
      keeper?.changed()
    },
    async reset() {
      front.reset()
      front.setFaults(options.faults ?? [])
      nodes.reset()
      core.reset()
      if (start !== undefined) restore(start)
      keeper?.changed()
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
  ...{ nodes: true, performanceStandbys: true, policyLanguage: true, testKeys: true },
  ...{ rootToken: true, tls: true, variation: true, literal: true, mutants: true, faults: true, stateFile: true },
  ...{ control: true, initialized: true, bodyLimit: true, pluginDirectory: true, pluginImages: true, listForm: true },
}
const optionNames: readonly string[] = [...seededParts, ...Object.keys(known)]

function assertKnown(options: MockServerOptions): void {
  const { version = newestVersion, edition = 'premium', forms = {}, initialized = true } = options
  assertNames('option', options, optionNames)
  assertFacts({ version, edition, forms })
  const { policyLanguage = 'evaluated' } = options
  if (!policyLanguages.includes(policyLanguage))
    throw new RangeError(`policyLanguage ${JSON.stringify(policyLanguage)} is not one of ${policyLanguages.join(', ')}`)
  assertNodes(options.nodes ?? 1)
  if (options.performanceStandbys && edition === 'community')
    throw new RangeError('performanceStandbys: the community edition has none')
  assertFaults(options.faults ?? [])
  assertSeededState(options)
  const [part] = Object.keys(seededStateOf(options))
  if (!initialized && part !== undefined)
    throw new RangeError(`${part} cannot be seeded in a server that is not initialized`)
}
