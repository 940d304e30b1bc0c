/** Starts one reference server: its core, and the listeners in front of it. */
import { type ControlListener, listenForControl } from './control/control.ts'
import { createCore } from './core.ts'
import type { Engines } from './engines/index.ts'
import { type ClusterListener, listenForClusters } from './kernel/cluster/cluster-listener.ts'
import type { Network } from './kernel/cluster/network.ts'
import type { Clock, Edition } from './kernel/contracts.ts'
import type { ListForm, TlsFiles } from './kernel/http/list-method.ts'
import { listen } from './kernel/http/listener.ts'
import type { PluginImages } from './kernel/mounts/plugins.ts'
import { createClock } from './kernel/state/clock.ts'
import type { Inventory } from './kernel/state/inventory.ts'
import { keepState, readState, type StateKeeper } from './kernel/state/state-file.ts'
import type { Choices } from './kernel/variation.ts'
import { editionMarks, newestVersion } from './kernel/versions.ts'

export interface MockServerOptions {
  /** Which version of the API to speak, without an edition's mark: `0.9.0`. The newest unless told otherwise. */
  readonly version?: string
  readonly edition?: Edition
  /** API shapes by subject, where the documents tell an older from a newer one. */
  readonly forms?: Readonly<Record<string, string>>
  /** The same seed and requests give the same ids and tokens, the root token included. Without a seed they are new with
   * each start. Root key and key shares always are. */
  readonly seed?: number
  /** Follows real time, and can be moved forward, unless given. */
  readonly clock?: Clock
  readonly host?: string
  readonly port?: number
  /** Where other clusters connect, on the same host. */
  readonly clusterPort?: number
  /** A state file that has one prevails. */
  readonly rootToken?: string
  /** PEM text. */
  readonly tls?: TlsFiles
  /** Legal differences by seed; 0 is the plain dialect. */
  readonly variation?: number
  /** Serves exactly what the documents state: no other path in their areas, no other field in a reply, refusals without a
   * body, and no header but those of the transport. */
  readonly literal?: boolean
  /** Deliberate faults, by id. */
  readonly mutants?: readonly string[]
  /** Keeps state in this file, with secrets in plain text, readable by its owner only. It is written within moments of
   * a change (later where the state is large), and when the server closes: a crash loses the last moments at most. */
  readonly stateFile?: string
  /** A listener for tests, on a port of its own on 127.0.0.1. */
  readonly control?: boolean | { readonly port: number }
  /** False: nothing works before `sys/init`. */
  readonly initialized?: boolean
  /** Longest request body, in bytes; 32 MiB unless told otherwise. */
  readonly bodyLimit?: number
  /** Where plugins lie whose files are compared with the digests that are registered. Without it none can be registered. */
  readonly pluginDirectory?: string
  /** Images that plugins can run from, by name and tag: `registry.example/plugin:1.2.3`. */
  readonly pluginImages?: PluginImages
  /** How the method LIST is taken from the socket. */
  readonly listForm?: ListForm
}

export interface MockServer {
  /** Origin, without a trailing slash. */
  readonly url: string
  /** `host:port` where other clusters connect. */
  readonly clusterAddress: string
  readonly rootToken: string
  /** In base64; three of five make the root key. */
  readonly keyShares: readonly string[]
  readonly controlUrl: string | undefined
  readonly clock: Clock
  /** What callers made, by kind: policies by kind (`acl`, `rgp`, `egp`), `mounts`, `auth`, `tokens` (accessors), `leases`,
   * `entities`, and what engines add (`users`, `values`). */
  inventory(): Inventory
  /** Puts exactly these faults into effect. Throws a RangeError on an unknown id. */
  loadMutants(ids: readonly string[]): void
  /** Legal differences by seed, and some by name, which stand above those of the seed. Throws a RangeError on an unknown
   * one. */
  vary(seed: number, named?: Choices): void
  /** State as it was after the start. Faults and variation stay as they are. */
  reset(): Promise<void>
  close(): Promise<void>
}

const mebibyte = 2 ** 20

/** What a server in a group of clusters is given besides. */
export interface ClusterGroup {
  readonly network: Network
  /** Of the whole group. */
  readonly controlUrl: () => string | undefined
}

export async function startServer(
  options: MockServerOptions,
  parts: Engines,
  group?: ClusterGroup,
): Promise<MockServer> {
  assertKnown(options)
  const clock = options.clock ?? createClock()
  const { stateFile } = options
  const kept = stateFile === undefined ? undefined : readState(stateFile)
  const addresses = { api: '', cluster: '' }
  let control: ControlListener | undefined
  const controlUrl = (): string | undefined => control?.url ?? group?.controlUrl()
  const core = await createCore(
    {
      version: options.version ?? newestVersion,
      edition: options.edition ?? 'premium',
      forms: options.forms ?? {},
      seed: options.seed,
      clock,
      rootToken: options.rootToken,
      initialized: options.initialized ?? true,
      variation: options.variation ?? 0,
      literal: options.literal ?? false,
      pluginDirectory: options.pluginDirectory,
      pluginImages: options.pluginImages,
      addresses,
      network: group?.network,
    },
    parts,
  )
  core.loadMutants(options.mutants ?? [])
  const host = options.host ?? '127.0.0.1'
  const listener = await listen({
    host,
    port: options.port ?? 0,
    tls: options.tls,
    form: options.listForm ?? 'in-place',
    bodyLimit: options.bodyLimit ?? 32 * mebibyte,
    literal: options.literal ?? false,
    clock,
    serve: core.serve,
    delay: core.delay,
  })
  const clusters: ClusterListener = await listenForClusters(host, options.clusterPort ?? 0, core.clusterTraffic).catch(
    async (error) => {
      await listener.close()
      throw error
    },
  )
  Object.assign(addresses, { api: listener.url, cluster: clusters.address })
  if (kept) core.restore(kept)
  const keeper: StateKeeper | undefined =
    stateFile === undefined
      ? undefined
      : await keepState(stateFile, core.snapshot).catch(async (error) => {
          await Promise.all([listener.close(), clusters.close()])
          core.stop()
          throw error
        })
  if (keeper) core.onChange(keeper.changed)

  const server: MockServer = {
    url: listener.url,
    clusterAddress: clusters.address,
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
    inventory: core.inventory,
    loadMutants: core.loadMutants,
    vary: core.vary,
    async reset() {
      core.reset()
      keeper?.changed()
      await keeper?.flush()
    },
    async close() {
      await Promise.all([listener.close(), clusters.close(), control?.close()])
      try {
        await keeper?.close()
      } finally {
        core.stop()
      }
    },
  }
  if (options.control) {
    const port = typeof options.control === 'object' ? options.control.port : 0
    control = await listenForControl(server, port).catch(async (error) => {
      await Promise.all([listener.close(), clusters.close()])
      throw error
    })
  }
  return server
}

function assertKnown({ version = newestVersion, edition = 'premium' }: MockServerOptions): void {
  if (!/^\d+\.\d+(\.\d+)?$/.test(version))
    throw new RangeError(
      `version ${JSON.stringify(version)} is none: numbers with dots are expected, such as ${newestVersion}`,
    )
  if (!Object.hasOwn(editionMarks, edition))
    throw new RangeError(`edition ${JSON.stringify(edition)} is none of ${Object.keys(editionMarks).join(', ')}`)
}
