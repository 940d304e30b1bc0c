/** A group of clusters, each a reference server of its own, that can replicate to each other. */

import { seededParts } from './client-tests/seeded-state.ts'
import { createLinks, type Links } from './cluster-links.ts'
import { type ControlListener, listenForControl } from './control/control.ts'
import type { OnMet } from './faults/rule-set.ts'
import type { Clock } from './kernel/contracts.ts'
import { createClock } from './kernel/state/clock.ts'
import type { Choices } from './kernel/variation.ts'
import type { MockServerOptions } from './server-options.ts'
import { type MockServer, startServer } from './start.ts'

/** The options of one server, for a group of them. */
export interface MockClusterOptions extends MockServerOptions {
  /** The number of clusters. The other options apply to each cluster, except ports, root token, state file and seeded
   * state, which apply to the first one only. */
  readonly clusters: number
}

/** A running group of clusters. */
export interface MockCluster {
  /** The clusters, in the order of their indexes in `links`. */
  readonly servers: readonly MockServer[]
  /** All clusters share one clock. */
  readonly clock: Clock
  /** Loads the mutants in all clusters. */
  loadMutants(ids: readonly string[]): void
  /** Watches the mutants in all clusters. */
  watchMutants(onMet: OnMet): void
  vary(seed: number, named?: Choices): void
  reset(): Promise<void>
  /** Cuts and slows the connections between the clusters. */
  readonly links: Links
  /** Moves the clock forward by `ms` milliseconds, and waits until everything that the clusters send to each other has
   * arrived, for at most `ms` milliseconds of real time. */
  settle(ms: number): Promise<void>
  close(): Promise<void>
}

/** Returns the seed of one cluster. The seeds are far apart, so that no two clusters draw the same ids. */
const seedOf = (seed: number, index: number): number => (seed + Math.imul(index, 0x9e3779b1)) | 0

/** Starts a group of clusters, each a server of its own. Rejects with a RangeError unless `clusters` is a whole number
 * from 1. If one of the clusters cannot start, the others are closed. */
export async function createMockCluster(options: MockClusterOptions): Promise<MockCluster> {
  const { clusters, control, ...shared } = options
  if (!Number.isInteger(clusters) || clusters < 1)
    throw new RangeError(`clusters must be a whole number from 1; saw ${clusters}`)
  const { engines } = await import('./engines/index.ts')
  const clock = options.clock ?? createClock()
  const servers: MockServer[] = []
  const links = createLinks((address) => {
    const index = servers.findIndex(
      ({ url, clusterAddress }) => url.endsWith(`//${address}`) || clusterAddress === address,
    )
    return index === -1 ? undefined : index
  }, clock)
  let listener: ControlListener | undefined

  const onlyForFirst = ['port', 'clusterPort', 'rootToken', 'stateFile', 'durable', ...seededParts]
  function optionsOf(index: number): MockServerOptions {
    const seed = options.seed === undefined ? {} : { seed: seedOf(options.seed, index) }
    const own: Record<string, unknown> = { ...shared, ...seed, clock }
    if (index > 0) for (const name of onlyForFirst) delete own[name]
    return own
  }

  async function close(): Promise<void> {
    await Promise.all([...servers.map((server) => server.close()), listener?.close()])
  }

  const group: MockCluster = {
    servers,
    clock,
    loadMutants: (ids) => {
      for (const server of servers) server.loadMutants(ids)
    },
    watchMutants: (onMet) => {
      for (const server of servers) server.watchMutants(onMet)
    },
    vary: (seed, named) => {
      for (const server of servers) server.vary(seed, named)
    },
    async reset() {
      links.heal()
      for (const server of servers) await server.reset()
    },
    links,
    async settle(ms) {
      const begun = performance.now()
      const until = clock.now() + ms
      const left = (): number => Math.max(0, ms - (performance.now() - begun))
      await links.settled(left())
      await clock.advance(Math.max(0, until - clock.now()))
      await links.settled(left())
    },
    close,
  }
  try {
    for (let index = 0; index < clusters; index++)
      servers.push(
        await startServer(optionsOf(index), engines, {
          network: links.from(index),
          controlUrl: () => (index === 0 ? listener?.url : undefined),
        }),
      )
    if (control) {
      const inventory = () => servers[0]?.inventory() ?? {}
      listener = await listenForControl({ ...group, inventory }, typeof control === 'object' ? control.port : 0)
    }
  } catch (error) {
    await close()
    throw error
  }
  return group
}
