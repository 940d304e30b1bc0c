/** The one bridge to the reference server. */
import type { Facts } from '../vocabulary/index.ts'
import { type Features, featuresOfForms } from './features.ts'
import { makePluginFolder, type PluginFolder } from './plugin-folder.ts'
import { referenceProduct } from './product.ts'
import { regionVariablesIn } from './region-variables.ts'
import type { ResolvedTarget } from './target.ts'

type Module = typeof import('../../mock-server/server.ts')
type MockServer = Awaited<ReturnType<Module['createMockServer']>>
type VirtualClock = import('../../mock-server/kernel/state/clock.ts').VirtualClock

export type ReferenceOptions = NonNullable<Parameters<Module['createMockServer']>[0]> & {
  /** There are this many clusters, the main one among them; one unless told otherwise. */
  readonly clusters?: number
  /** Loads a module at once. With it, large parts of one cluster are loaded when they are first used. */
  readonly load?: ((file: URL) => unknown) | undefined
}

export interface ReferenceServer extends MockServer {
  /** Each API that has more than one shape has this one. */
  readonly forms: Readonly<Record<string, string>>
  /** The same by feature. */
  readonly features: Features
  /** What it does not say of itself, and a profile has to declare. */
  readonly undescribed: Facts
  /** Made for it alone, unless it was given a folder. */
  readonly pluginFolder: PluginFolder | undefined
  /** Clusters beside it. Faults, variation, reset and the clock are the same for all. */
  readonly peers: readonly { readonly name: string; readonly server: MockServer }[]
  /** Lets time pass for the clusters, and tells that it can; undefined where there is only one. */
  readonly settle: ((ms: number) => Promise<boolean>) | undefined
  /** Seconds, negative for a clock that is behind. To be called after a reset: what falls due by the clock is forgotten. */
  setClockAhead(seconds: number): void
}

/** The shapes that a reference server has unless told otherwise. */
const newestForms = { 'plugin-catalog': 'newer', 'mfa-identity': 'served', cloud: 'newer' } as const

/** The older variant of the MFA API came with the editions that are paid for. */
const servesLegacy = ({ edition }: ReferenceOptions): string => (edition === 'community' ? 'absent' : 'served')

/** The health reply of a literal server describes nothing, and its refusals tell no cause. */
const ofLiteral = ({ edition = 'premium' }: ReferenceOptions): Facts => ({ edition, product: referenceProduct })

const ordinals = ['second', 'third', 'fourth', 'fifth']
/** As many as there are names for. */
export const mostClusters = 1 + ordinals.length
/** Of one cluster. */
export const mostNodes = 9

/** Starts a reference server; whoever starts it closes it. */
export async function startReference(options: ReferenceOptions = {}): Promise<ReferenceServer> {
  const { clusters = 1, load, ...shape } = options
  const forms = { ...newestForms, 'mfa-legacy': servesLegacy(options), ...options.forms }
  const folder = options.pluginDirectory === undefined ? makePluginFolder() : undefined
  try {
    const whole = { ...shape, forms, ...(folder ? { pluginDirectory: folder.path } : {}) }
    const { main, peers, settle } =
      load && clusters === 1
        ? { main: await (await import('../../mock-server/serving.ts')).startServing(whole, load), peers: [] }
        : await startClusters(clusters, whole)
    const { close } = main
    // Token and key shares are computed on each access, so it is added to and not copied.
    return Object.assign(main, {
      forms,
      undescribed: options.literal ? ofLiteral(options) : {},
      features: featuresOfForms(forms),
      pluginFolder: folder,
      peers: peers.map((server, index) => ({ name: ordinals[index] ?? `peer-${index}`, server })),
      settle,
      setClockAhead(seconds: number) {
        if ('reset' in main.clock) (main.clock as VirtualClock).reset(seconds * 1000)
      },
      async close() {
        await close()
        folder?.remove()
      },
    })
  } catch (error) {
    folder?.remove()
    throw error
  }
}

async function startClusters(
  clusters: number,
  options: ReferenceOptions,
): Promise<{ main: MockServer; peers: readonly MockServer[]; settle?: (ms: number) => Promise<boolean> }> {
  const { createMockServer, createMockCluster } = await import('../../mock-server/server.ts')
  if (clusters === 1) return { main: await createMockServer(options), peers: [] }
  const { servers, loadMutants, watchMutants, vary, reset, settle, close } = await createMockCluster({
    ...options,
    clusters,
  })
  const [main, ...peers] = servers
  if (!main) throw new RangeError(`there cannot be ${clusters} clusters`)
  // The group asks the server itself for these, so they are put before it, not into it.
  return {
    main: Object.assign(Object.create(main) as MockServer, { loadMutants, watchMutants, vary, reset, close }),
    peers,
    settle: (ms) => settle(ms).then(() => true),
  }
}

export const referenceName = 'reference server'

/** The reference server as a target. It is thrown away afterwards, so everything may be done to it. */
export function referenceTarget(server: ReferenceServer): ResolvedTarget {
  return {
    url: server.url,
    name: referenceName,
    dialect: 'vault',
    token: server.rootToken,
    headers: {},
    tls: { insecure: false },
    allowedHosts: [],
    declared: { ...server.undescribed, features: server.features },
    timeoutMs: 30_000,
    maxRps: 0,
    maxWaitSeconds: 0,
    patienceSeconds: 5,
    ...(server.controlUrl ? { control: server.controlUrl } : {}),
    provides: {
      'key-shares': server.keyShares,
      'cluster-address': server.clusterAddress,
      ...(server.peers.length > 0 ? { clusters: server.peers.map(clusterOf) } : {}),
      ...(server.pluginFolder ? { 'plugin-files': server.pluginFolder.files } : {}),
      // It runs in this process.
      environment: regionVariablesIn(process.env),
    },
    secrets: [
      ...[server, ...server.peers.map((peer) => peer.server)].flatMap(({ rootToken, keyShares }) => [
        rootToken,
        ...keyShares,
      ]),
      ...controlKeysIn(server.controlUrl),
    ],
  }
}

/** The path of a control URL is the key to it. */
export const controlKeysIn = (controlUrl: string | undefined): readonly string[] =>
  (URL.parse(controlUrl ?? '')?.pathname ?? '').split('/').filter((segment) => segment.length >= 16)

const clusterOf = ({ name, server }: ReferenceServer['peers'][number]): object => ({
  ...{ name, url: server.url, token: server.rootToken, keyShares: server.keyShares },
  ...{ headers: {}, tls: { insecure: false }, allowedHosts: [] },
  ...{ clusterAddress: server.clusterAddress, mayBeWiped: true },
})

/** Counts the clusters that checks need, by what they say they need. */
export function clustersFor(checks: readonly { readonly needs?: readonly string[] }[]): number {
  const isNeeded = (need: string) => checks.some(({ needs }) => needs?.includes(need))
  return isNeeded('third-cluster') ? 3 : isNeeded('clusters') ? 2 : 1
}

/** Every fault the reference server can be given. */
export async function knownMutants(): Promise<
  readonly { readonly id: string; readonly area: string; readonly does: string; readonly shared: boolean }[]
> {
  const { mutants } = await import('../../mock-server/mutants.ts')
  return mutants
}

/** The version the reference server speaks unless told otherwise. */
export async function newestReference(): Promise<string> {
  const { newestVersion } = await import('../../mock-server/server.ts')
  return newestVersion
}

type StartAnswering = typeof import('../../mock-server/server.ts').startAnswering

/** A server that answers by a function, with the listener of the reference server. */
export const startAnswering: StartAnswering = async (place, serve) =>
  (await import('../../mock-server/server.ts')).startAnswering(place, serve)
