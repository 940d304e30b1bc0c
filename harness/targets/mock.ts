/** The only module of the harness that imports the reference server. */

import { regionVariablesIn } from '../profile/region-variables.ts'
import type { Facts, VariationChoices } from '../vocabulary/index.ts'
import { type Features, featuresOfForms } from './features.ts'
import { makePluginFolder, type PluginFolder } from './plugin-folder.ts'
import { referenceProduct } from './product.ts'
import type { ResolvedTarget } from './target.ts'

type Module = typeof import('../../mock-server/server.ts')
type MockServer = Awaited<ReturnType<Module['createMockServer']>>
type VirtualClock = import('../../mock-server/kernel/state/clock.ts').VirtualClock

export type ReferenceOptions = NonNullable<Parameters<Module['createMockServer']>[0]> & {
  /** The number of clusters, including the main one. The default is 1. */
  readonly clusters?: number
}

export interface ReferenceServer extends MockServer {
  /** The form of each subject that has several. */
  readonly forms: Readonly<Record<string, string>>
  /** The features that follow from the forms. */
  readonly features: Features
  /** Facts that the server does not report itself, so that a profile has to declare them. */
  readonly undescribed: Facts
  /** The plugin folder that was created for this server. Undefined if the options name a folder. */
  readonly pluginFolder: PluginFolder | undefined
  /** The other clusters. They share the faults, variations, resets and the clock of the main one. */
  readonly peers: readonly { readonly name: string; readonly server: MockServer }[]
  /** Lets time pass for the clusters, and resolves with true. Undefined if there is only one cluster. */
  readonly settle: ((ms: number) => Promise<boolean>) | undefined
  /** Sets how many seconds the clock is ahead; negative if it is behind. Call it after a reset only, because it
   * drops everything that is scheduled by the clock. */
  setClockAhead(seconds: number): void
}

/** Returns what the reference server chooses on each axis of its variations for a seed. */
export async function variationChosen(seed: number): Promise<VariationChoices> {
  const { variationOf } = await import('../../mock-server/kernel/variation.ts')
  return variationOf(seed)
}

/** The default forms of a reference server. */
const newestForms = { 'plugin-catalog': 'newer', 'mfa-identity': 'served', cloud: 'newer' } as const

/** The older variant of the MFA API was part of the paid editions only. */
const servesLegacy = ({ edition }: ReferenceOptions): string => (edition === 'community' ? 'absent' : 'served')

/** A literal server has no description in its health reply and no causes in its refusals, so the probe cannot find
 * out these facts. */
const ofLiteral = ({ edition = 'premium' }: ReferenceOptions): Facts => ({ edition, product: referenceProduct })

const ordinals = ['second', 'third', 'fourth', 'fifth']
/** The most clusters of one server, limited by the number of their names. */
export const mostClusters = 1 + ordinals.length
/** The most nodes of one cluster. */
export const mostNodes = 9

/** Starts a reference server. The caller has to close it. */
export async function startReference(options: ReferenceOptions = {}): Promise<ReferenceServer> {
  const { clusters = 1, ...shape } = options
  const forms = { ...newestForms, 'mfa-legacy': servesLegacy(options), ...options.forms }
  const folder = options.pluginDirectory === undefined ? makePluginFolder() : undefined
  try {
    const whole = { ...shape, forms, ...(folder ? { pluginDirectory: folder.path } : {}) }
    const { main, peers, settle } = await startClusters(clusters, whole)
    const { close } = main
    // The properties are added to `main` instead of to a copy, because its getters compute token and key shares anew.
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
  // The group calls these methods of `main` itself, so they are overridden in a derived object and not in `main`.
  return {
    main: Object.assign(Object.create(main) as MockServer, { loadMutants, watchMutants, vary, reset, close }),
    peers,
    settle: (ms) => settle(ms).then(() => true),
  }
}

export const referenceName = 'reference server'

/** Describes the reference server as a target. It is discarded afterwards, so disruptive checks are allowed. */
export function referenceTarget(server: ReferenceServer): ResolvedTarget {
  return {
    url: server.balancerUrl ?? server.url,
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
      // The reference server runs in this process, so it has the same environment.
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

/** Returns the secret parts of a control URL: whoever knows its path has access. */
export const controlKeysIn = (controlUrl: string | undefined): readonly string[] =>
  (URL.parse(controlUrl ?? '')?.pathname ?? '').split('/').filter((segment) => segment.length >= 16)

const clusterOf = ({ name, server }: ReferenceServer['peers'][number]): object => ({
  ...{ name, url: server.url, token: server.rootToken, keyShares: server.keyShares },
  ...{ headers: {}, tls: { insecure: false }, allowedHosts: [] },
  ...{ clusterAddress: server.clusterAddress, mayBeWiped: true },
})

/** Returns how many clusters these checks need. */
export function clustersFor(checks: readonly { readonly needs?: readonly string[] }[]): number {
  const isNeeded = (need: string) => checks.some(({ needs }) => needs?.includes(need))
  return isNeeded('third-cluster') ? 3 : isNeeded('clusters') ? 2 : 1
}

/** Returns every mutant of the reference server. */
export async function knownMutants(): Promise<
  readonly { readonly id: string; readonly area: string; readonly does: string; readonly shared: boolean }[]
> {
  const { mutants } = await import('../../mock-server/mutants.ts')
  return mutants
}

export async function newestReference(): Promise<string> {
  const { newestVersion } = await import('../../mock-server/server.ts')
  return newestVersion
}

type StartAnswering = typeof import('../../mock-server/server.ts').startAnswering

/** Starts a server that answers by a function, with the listener of the reference server. */
export const startAnswering: StartAnswering = async (address, serve) =>
  (await import('../../mock-server/server.ts')).startAnswering(address, serve)
