/** Makes the parts of the kernel, from which engines are opened and requests are answered. */
import { createAccess } from './acl/access.ts'
import { createEntities } from './auth/entities.ts'
import { createKeys } from './auth/operator-keys.ts'
import { createSeal } from './auth/seal.ts'
import { createTokens } from './auth/tokens.ts'
import { createWrapping } from './auth/wrapping.ts'
import { createClusterRole } from './cluster/cluster-role.ts'
import { type Addresses, type Network, openNetwork } from './cluster/network.ts'
import type { Clock, ServerFacts } from './contracts.ts'
import type { FixedEngine, MountableEngine } from './engine.ts'
import type { ExtensionPoints } from './extension-points.ts'
import { createResponseStyle, type ResponseStyle } from './http/envelope.ts'
import { createRouter, type Router } from './http/router.ts'
import { announceBuiltIn } from './mounts/built-in.ts'
import { createLeases } from './mounts/leases.ts'
import type { Mount } from './mounts/mount.ts'
import { createMounts } from './mounts/mounts.ts'
import { pluginEngine } from './mounts/plugin-engine.ts'
import type { PluginImages } from './mounts/plugins.ts'
import type { PolicyLanguage } from './policy-language.ts'
import type { Services } from './services.ts'
import { createMint } from './state/mint.ts'
import { createRandom, type SeededRandom } from './state/random.ts'
import { createStorage } from './state/storage.ts'
import { type KernelTables, kernelTables } from './tables.ts'
import { variationOf } from './variation.ts'

export interface KernelOptions extends ServerFacts {
  readonly seed: number | undefined
  readonly clock: Clock
  readonly rootToken?: string | undefined
  /** If false, `sys/init` makes the root key and the root token. */
  readonly initialized: boolean
  /** The seed of the legal differences; 0 is the plain dialect. */
  readonly variation: number
  readonly literal?: boolean
  readonly policyLanguage?: PolicyLanguage | undefined
  readonly pluginDirectory?: string | undefined
  readonly pluginImages?: PluginImages | undefined
  readonly addresses?: Addresses | undefined
  readonly network?: Network | undefined
}

/** The pipeline works with the services of the engines, and with what only the server itself may use. */
export interface Kernel extends Services {
  readonly mountable: MountableEngine[]
  readonly fixed: FixedEngine[]
  readonly router: Router
  tables: KernelTables
  readonly style: ResponseStyle
  /** The sources of randomness, in the order in which they are saved. */
  readonly streams: Readonly<Record<'random' | 'requests' | 'noise', SeededRandom>>
}

export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { clock, version, edition, forms } = options
  const random = createRandom(options.seed)
  const streams = { random, requests: random.fork('requests'), noise: random.fork('noise') }
  const style = createResponseStyle(variationOf(options.variation), streams.noise, (variation) =>
    createMint(random, streams.requests, variation),
  )
  const { mint } = style
  const variation = () => style.variation

  const router = createRouter()
  const mountable: MountableEngine[] = []
  const mounts = createMounts({
    open(mount) {
      if (mount.plugin) return pluginEngine(mount.plugin)
      return typeOf(mount, mountable).open(mount)
    },
    set: (prefix, engine) => router.set(prefix, engine.routes),
    delete: (prefix) => router.delete(prefix),
  })
  const tokens = createTokens(clock, mint)
  const leases = createLeases(clock, mint)
  tokens.onEnd((token) => leases.revokeOf(token.id))
  const entities = createEntities(clock, mint)
  const seal = createSeal(mint)
  const rootToken = options.rootToken ?? createMint(random.fork('root'), streams.requests, variation).token()
  const keys = await createKeys(seal, tokens, { rootToken, initialized: options.initialized })
  const id = random.fork('cluster').uuid()
  const extensions: ExtensionPoints = {}
  const rules = { tables: kernelTables }
  const storage = createStorage(
    () => announceBuiltIn(mounts, mint),
    () =>
      leases.revive((lease) => {
        const mount = mounts.at(lease.id)
        return mount && mounts.engineOf(mount)?.revive?.(lease.kept)
      }),
  )
  // The kernel is the same object as `rules`, so that a mutant that replaces its tables reaches the access, too.
  return Object.assign(rules, {
    ...{ clock, random, mint, tokens, entities, leases, mounts, seal, keys, variation },
    facts: { version, edition, forms },
    literal: options.literal ?? false,
    policyLanguage: options.policyLanguage ?? 'evaluated',
    wrapping: createWrapping(clock, mint),
    access: createAccess(extensions, entities, rules),
    ...{ mountable, fixed: [], extensions, storage },
    clusterRole: createClusterRole(),
    pluginDirectory: options.pluginDirectory,
    pluginImages: options.pluginImages ?? {},
    cluster: { id, name: `cluster-${id.slice(0, 8)}` },
    addresses: options.addresses ?? { api: '', cluster: '' },
    network: options.network ?? openNetwork,
    ...{ router, style, streams },
  })
}

function typeOf({ kind, type, path }: Mount, types: readonly MountableEngine[]): MountableEngine {
  const found = types.find((one) => one.kind === kind && one.type === type)
  if (!found) throw new Error(`no engine of type ${type} for ${path}`)
  return found
}
