/** The server without its socket: kernel and engines put together, and the start of its state. */
import type { Engines, PoliciesPart } from './engines/index.ts'
import { createAccess } from './kernel/acl/access.ts'
import { createEntities } from './kernel/auth/entities.ts'
import { createKeys } from './kernel/auth/operator-keys.ts'
import { createSeal } from './kernel/auth/seal.ts'
import { createTokens } from './kernel/auth/tokens.ts'
import { createWrapping } from './kernel/auth/wrapping.ts'
import { type Addresses, type Network, openNetwork } from './kernel/cluster/network.ts'
import type { Clock, Edition, ServerFacts } from './kernel/contracts.ts'
import type { EngineInstance, FixedEngine, MountableEngine, StatePart } from './kernel/engine.ts'
import type { ClusterTraffic, ExtensionPoints } from './kernel/extension-points.ts'
import type { ResponseStyle } from './kernel/http/envelope.ts'
import type { Answer, IncomingRequest, RequestContext } from './kernel/http/request-context.ts'
import { createRouter } from './kernel/http/router.ts'
import { createLeases } from './kernel/mounts/leases.ts'
import { createMounts, type Mount, type MountKind } from './kernel/mounts/mounts.ts'
import { pluginEngine } from './kernel/mounts/plugin-engine.ts'
import type { PluginImages } from './kernel/mounts/plugin-images.ts'
import { type MutantSet, mutantSet } from './kernel/mutant-set.ts'
import type { Services } from './kernel/services.ts'
import { type Inventory, takeInventory } from './kernel/state/inventory.ts'
import { createMint } from './kernel/state/mint.ts'
import { createRandom } from './kernel/state/random.ts'
import { clockState, streamState, together } from './kernel/state/state-part.ts'
import { createStorage, type Storage } from './kernel/state/storage.ts'
import { kernelMutants, kernelTables } from './kernel/tables.ts'
import { type Choices, variationOf } from './kernel/variation.ts'
import { type Kernel, serve } from './pipeline.ts'

export interface CoreOptions {
  readonly version: string
  readonly edition: Edition
  readonly forms: Readonly<Record<string, string>>
  readonly seed: number | undefined
  readonly clock: Clock
  readonly rootToken?: string | undefined
  /** False: `sys/init` makes root key and root token. */
  readonly initialized: boolean
  readonly variation: number
  readonly literal?: boolean
  readonly pluginDirectory?: string | undefined
  readonly pluginImages?: PluginImages | undefined
  readonly addresses?: Addresses | undefined
  readonly network?: Network | undefined
}

export interface Core {
  readonly rootToken: string
  readonly keyShares: readonly string[]
  /** All state as JSON, and back. */
  snapshot(): Readonly<Record<string, unknown>>
  restore(state: Readonly<Record<string, unknown>>): void
  serve(incoming: IncomingRequest): Answer | Promise<Answer>
  inventory(): Inventory
  loadMutants(ids: readonly string[]): void
  vary(seed: number, named?: Choices): void
  reset(): void
  /** Ends every timer. */
  stop(): void
  /** Milliseconds before the next answer goes out. */
  delay(): number
  /** Called after each request that may have changed something. */
  onChange(listener: () => void): void
  readonly clusterTraffic: ClusterTraffic
}

export async function createCore(options: CoreOptions, parts: Engines): Promise<Core> {
  const { clock, seed } = options
  const facts: ServerFacts = {
    version: options.version,
    edition: options.edition,
    forms: options.forms,
  }
  const random = createRandom(seed)
  const requests = random.fork('requests')
  const noise = random.fork('noise')
  let variation = variationOf(options.variation)
  let tables = kernelTables

  const mint = createMint(random, requests, () => variation)
  const style: ResponseStyle = {
    get variation() {
      return variation
    },
    mint,
    draw: () => noise.integer(1_000_000) / 1_000_000,
  }
  const router = createRouter()
  const tokens = createTokens(clock, mint)
  const entities = createEntities(clock, mint)
  const leases = createLeases(clock, mint)
  const wrapping = createWrapping(clock, mint)
  const seal = createSeal(mint)
  const policies: PoliciesPart = parts.policies({
    ...{ clock, random, facts: () => facts, entities },
    access: { policiesOf: (token) => access.policiesOf(token) },
  })
  const access = createAccess(
    () => policies,
    entities,
    () => tables,
  )
  const mountable: MountableEngine[] = []
  const extensions: ExtensionPoints = {}
  const mounts = createMounts({
    open(mount): EngineInstance {
      if (mount.plugin) return pluginEngine(mount.plugin)
      const engine = mountable.find(({ kind, type }) => kind === mount.kind && type === mount.type)
      if (!engine) throw new Error(`no engine of type ${mount.type} for ${mount.path}`)
      return engine.open(mount)
    },
    set: (prefix, room) => router.set(prefix, room.routes),
    delete: (prefix) => router.delete(prefix),
  })
  tokens.onEnd((token) => leases.revokeOf(token.id))

  const rootToken = options.rootToken ?? createMint(random.fork('root'), requests, () => variation).token()
  const keys = await createKeys(seal, tokens, { rootToken, initialized: options.initialized })
  const id = random.fork('cluster').uuid()

  const services: Services = {
    clock,
    random,
    mint,
    facts: () => facts,
    literal: options.literal ?? false,
    tokens,
    entities,
    leases,
    mounts,
    wrapping,
    seal,
    access,
    authority: () => policies,
    mountable,
    extensions,
    variation: () => variation,
    pluginDirectory: options.pluginDirectory,
    pluginImages: options.pluginImages ?? {},
    cluster: { id, name: `cluster-${id.slice(0, 8)}` },
    keys,
    storage: () => storage,
    addresses: options.addresses ?? { api: '', cluster: '' },
    network: options.network ?? openNetwork,
  }
  mountable.push(...parts.mountable.map((create) => create(services)))
  const fixed: readonly FixedEngine[] = [...policies.engines, ...parts.fixed.flatMap((create) => create(services))]
  for (const { prefix, routes } of fixed) router.set(prefix, routes)

  function builtIn(kind: MountKind, path: string, type: string): Mount {
    return {
      ...{ kind, path, type, accessor: mint.mountAccessor(type), uuid: mint.uuid(), description: '', options: null },
      config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false },
      ...{ local: false, sealWrap: false, builtIn: true },
    }
  }

  function furnish(): void {
    furnishBuiltIn()
    mounts.add({ ...builtIn('secret', 'secret/', 'kv'), builtIn: false })
    keys.issueRoot()
  }

  function furnishBuiltIn(): void {
    mounts.announce(builtIn('secret', 'sys/', 'system'))
    mounts.announce(builtIn('secret', 'identity/', 'identity'))
    mounts.announce(builtIn('auth', 'token/', 'token'))
  }

  const revive = (): void =>
    leases.revive((lease) => {
      const mount = mounts.at(lease.id)
      return mount && mounts.roomOf(mount)?.revive?.(lease.kept)
    })

  const ofRooms = (scope: FixedEngine['scope']): Record<string, StatePart> =>
    Object.fromEntries(fixed.flatMap((room) => (room.state && room.scope === scope ? [[room.prefix, room.state]] : [])))
  const storage: Storage = createStorage({
    parts: { entities, tokens, wrapping, mounts, leases, access, ...ofRooms(undefined) },
    furnish: furnishBuiltIn,
    revive,
  })

  // The clock is first: what is put back after it sets its timers.
  const state = together({
    clock: clockState(clock),
    keys,
    random: streamState(random),
    requests: streamState(requests),
    noise: streamState(noise),
    ...storage.parts,
    ...ofRooms('this-cluster'),
  })
  furnish()

  const mutants: readonly MutantSet[] = [
    mutantSet(kernelTables, kernelMutants, (changed) => {
      tables = changed
    }),
    ...[...fixed, ...mountable].flatMap((part) => part.mutants ?? []),
  ]

  const mayChange = (request: RequestContext): boolean =>
    (request.verb !== 'GET' && request.verb !== 'LIST') ||
    request.route?.changes === true ||
    request.leaseId !== '' ||
    request.wrapInfo !== undefined ||
    request.counted
  const kernel: Kernel = {
    ...services,
    router,
    tables: () => tables,
    style: () => style,
    done(request) {
      if (mayChange(request)) storage.written()
    },
  }

  return {
    get rootToken() {
      return keys.rootToken
    },
    get keyShares() {
      return keys.shares
    },
    snapshot: state.snapshot,
    restore(kept) {
      state.restore(kept)
      revive()
    },
    serve: (incoming) => serve(incoming, kernel),
    inventory: () => takeInventory(services, fixed),
    loadMutants(ids) {
      const known = new Set(mutants.flatMap((part) => part.ids))
      const unknown = ids.filter((one) => !known.has(one))
      if (unknown.length > 0) throw new RangeError(`no such mutant: ${unknown.join(', ')}`)
      for (const part of mutants) part.load(new Set(ids))
      access.reset()
    },
    vary(to, named) {
      variation = variationOf(to, named)
    },
    reset() {
      state.reset()
      furnish()
    },
    stop() {
      for (const room of fixed) room.stop?.()
      tokens.reset()
      leases.reset()
      mounts.reset()
    },
    delay: () => (variation.latency === 0 ? 0 : noise.integer(variation.latency + 1)),
    onChange: (listener) => void storage.onWrite(listener),
    clusterTraffic(request, response) {
      if (extensions.clusterTraffic) extensions.clusterTraffic(request, response)
      else response.destroy()
    },
  }
}
