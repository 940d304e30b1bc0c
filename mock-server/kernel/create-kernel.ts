/** Creates the kernel. Engines are opened with it, and the pipeline answers requests with it. */
import { createAccess } from './acl/access.ts'
import { createEntities } from './auth/entities.ts'
import { createKeys } from './auth/operator-keys.ts'
import { createSeal } from './auth/seal.ts'
import { createTokens } from './auth/tokens.ts'
import { createWrapping } from './auth/wrapping.ts'
import { createClusterRole } from './cluster/cluster-role.ts'
import { type Network, openNetwork } from './cluster/network.ts'
import { createNodes, type Nodes } from './cluster/nodes.ts'
import type { Clock, ServerFacts } from './contracts.ts'
import type { MountableEngine } from './engine.ts'
import type { ExtensionPoints } from './extension-points.ts'
import { createResponseStyle } from './http/envelope.ts'
import { createRouter } from './http/router.ts'
import type { Kernel } from './kernel.ts'
import { announceBuiltIn } from './mounts/built-in.ts'
import { createLeases } from './mounts/leases.ts'
import { openMounts } from './mounts/open-mounts.ts'
import type { PluginImages } from './mounts/plugins.ts'
import { createNamespaces, rootNamespace } from './namespaces/namespaces.ts'
import type { PolicyLanguage } from './policy-language.ts'
import type { Services } from './services.ts'
import { createMint } from './state/mint.ts'
import { createRandom } from './state/random.ts'
import { createStorage, writingClock } from './state/storage.ts'
import { variationOf } from './variation.ts'

export interface KernelOptions extends ServerFacts {
  readonly seed: number | undefined
  readonly clock: Clock
  readonly rootToken?: string | undefined
  /** If false, there is no root key and no root token until `sys/init` makes them. */
  readonly initialized: boolean
  /** The seed of the legal differences; 0 is the plain dialect. */
  readonly variation: number
  readonly literal?: boolean
  readonly policyLanguage?: PolicyLanguage | undefined
  readonly testKeys?: boolean | undefined
  readonly pluginDirectory?: string | undefined
  readonly pluginImages?: PluginImages | undefined
  readonly nodes?: Nodes | undefined
  readonly network?: Network | undefined
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
  const mounts = openMounts(router, mountable)
  const storing = writingClock(clock, () => storage.written())
  const tokens = createTokens(storing, mint)
  const leases = createLeases(storing, mint)
  tokens.onEnd((token) => leases.revokeOf(token.id))
  const entities = createEntities(clock, mint)
  const seal = createSeal(mint)
  const rootToken = options.rootToken ?? createMint(random.fork('root'), streams.requests, variation).token()
  const keys = await createKeys(seal, tokens, { rootToken, initialized: options.initialized })
  const id = random.fork('cluster').uuid()
  const extensions: ExtensionPoints = {}
  const nodes = options.nodes ?? createNodes(clock)
  const storage = createStorage(
    () => announceBuiltIn(mounts, mint),
    () =>
      leases.revive((lease) => {
        const names = (lease.namespace ?? '').split('/').slice(0, -1)
        const at = names.reduce<Services | undefined>((above, name) => above?.namespaces.servicesOf(name), kernel)
        const mount = at?.mounts.at(lease.id)
        return mount && at?.mounts.engineOf(mount)?.revive?.(lease.kept)
      }),
  )
  const kernel: Kernel = {
    ...{ clock, random, mint, tokens, entities, leases, mounts, seal, keys, variation },
    facts: { version, edition, forms },
    literal: options.literal ?? false,
    policyLanguage: options.policyLanguage ?? 'evaluated',
    testKeys: options.testKeys ?? false,
    wrapping: createWrapping(clock, mint),
    access: createAccess(extensions, entities),
    ...{ mountable, fixed: [], extensions, storage },
    clusterRole: createClusterRole(),
    pluginDirectory: options.pluginDirectory,
    pluginImages: options.pluginImages ?? {},
    cluster: { id, name: `cluster-${id.slice(0, 8)}` },
    nodes,
    addresses: {
      get api() {
        return nodes.urls[nodes.active] ?? ''
      },
      cluster: '',
    },
    network: options.network ?? openNetwork,
    ...{ router, style, streams, tokenStore: tokens, leaseStore: leases },
    stages: {},
    openNamespace: () => ({}),
    namespaces: createNamespaces(rootNamespace, () => kernel),
  }
  return kernel
}
