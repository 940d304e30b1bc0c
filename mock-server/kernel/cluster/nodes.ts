/** The nodes of a cluster. They share one state; one of them is active, and the others are standby nodes. */
import type { Clock } from '../contracts.ts'

/** What a standby node does with a request that is not about itself: it sends it on to the active node, answers reads by
 * itself, or redirects the client to the active node. */
export const standbyTreatments = ['forward', 'read', 'redirect'] as const
export type StandbyTreatment = (typeof standbyTreatments)[number]

export interface Nodes {
  /** The origins of the API, by node. They are known when the server listens. */
  urls: readonly string[]
  /** The index of the active node. */
  readonly active: number
  /** Milliseconds since the epoch. */
  readonly activeSince: number
  /** If true, standby nodes answer requests that only read, and say so in their health. */
  readonly performanceStandbys: boolean
  readonly standbys: StandbyTreatment
  stepDown(): void
  /** Makes the first node the active one. */
  reset(): void
}

export function createNodes(
  clock: Pick<Clock, 'now'>,
  performanceStandbys = false,
  standbys: StandbyTreatment = performanceStandbys ? 'read' : 'forward',
): Nodes {
  let active = 0
  let activeSince = clock.now()

  function activate(node: number): void {
    active = node
    activeSince = clock.now()
  }

  const nodes: Nodes = {
    urls: [''],
    get active() {
      return active
    },
    get activeSince() {
      return activeSince
    },
    performanceStandbys,
    standbys,
    stepDown: () => activate((active + 1) % nodes.urls.length),
    reset: () => activate(0),
  }
  return nodes
}
