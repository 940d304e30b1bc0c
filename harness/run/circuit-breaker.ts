/** Stops sending to a cluster that fails in the middle of a run, because every further check would wait for timeouts
 * and retries. */
import { pathPattern, unnamed } from '../safety/path-pattern.ts'
import { isFailing } from '../wire/ask.ts'
import { bounds } from '../wire/bounds.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'

type Request = Pick<WireRequest, 'method' | 'path' | 'once' | 'asked'>

interface ClusterState {
  failures: number
  /** The different requests among the failures. */
  readonly requests: Set<string>
  readonly kinds: Map<string, number>
  asking: boolean
  open?: string
}

/** Counts per cluster, over all checks, the exchanges in a row without a reply that can be judged: late, broken,
 * garbled, oversized, throttled, or without a connection. The breaker opens for the rest of the run if the cluster does
 * not answer a health request either; a cluster that only cuts off one request answers it. It also opens after many
 * failures of different requests, because a proxy may answer the health request for a dead target. */
export class CircuitBreaker {
  readonly #states = new Map<string, ClusterState>()
  readonly #isHealthy: (cluster: string) => Promise<boolean>

  /** `isHealthy` sends the cheapest request, for a cluster's health. */
  constructor(isHealthy: (cluster: string) => Promise<boolean>) {
    this.#isHealthy = isHealthy
  }

  /** Records the outcome of an exchange. A request with `once` may be one of many that poll until a cluster is ready:
   * its failure is ignored, and its reply resets the count. */
  async saw(cluster: string, request: Request, outcome: WireOutcome): Promise<void> {
    const state = this.#stateOf(cluster)
    if (!isFailing(outcome)) {
      if (outcome.reply) reset(state)
      return
    }
    if (request.once) return
    const kind = outcome.troubleKind ?? 'throttled'
    state.failures += 1
    state.requests.add(shapeOf(request))
    state.kinds.set(kind, (state.kinds.get(kind) ?? 0) + 1)
    if (state.failures < bounds.badInARow.value || state.asking || state.open !== undefined) return
    const isForGood =
      state.failures >= bounds.badInARowForGood.value && state.requests.size >= bounds.differentRequests.value
    if (!isForGood && (state.failures % bounds.badInARow.value !== 0 || (await this.#answers(cluster, state)))) return
    // Another check may have received a reply while this one waited.
    if (state.failures > 0) state.open = wordsOf(state, request, outcome)
  }

  /** Returns whether a cluster answers its health request. */
  answers(cluster: string): Promise<boolean> {
    return this.#isHealthy(cluster)
  }

  /** Returns one sentence, or undefined while the breaker of the cluster is closed. */
  whyOpen(cluster: string): string | undefined {
    return this.#states.get(cluster)?.open
  }

  async #answers(cluster: string, state: ClusterState): Promise<boolean> {
    state.asking = true
    try {
      return await this.#isHealthy(cluster)
    } finally {
      state.asking = false
    }
  }

  #stateOf(cluster: string): ClusterState {
    const known = this.#states.get(cluster)
    if (known) return known
    const state: ClusterState = { failures: 0, requests: new Set(), kinds: new Map(), asking: false }
    this.#states.set(cluster, state)
    return state
  }
}

function reset(state: ClusterState): void {
  state.failures = 0
  state.requests.clear()
  state.kinds.clear()
}

/** Returns a request without the parts that differ from check to check. */
const shapeOf = ({ method, path }: Request): string => `${method} ${unnamed(pathPattern(path))}`

const words: Readonly<Record<string, string>> = {
  unsent: 'without a connection',
  broken: 'broken off',
  'too-large': 'oversized',
  untrusted: 'not trusted',
}

function wordsOf(
  { failures, kinds }: ClusterState,
  { asked, method, path }: Request,
  { trouble, reply }: WireOutcome,
): string {
  const counts = [...kinds].map(([kind, count]) => `${count} ${words[kind] ?? kind}`).join(', ')
  const last = `${asked ?? `${method} ${path}`}: ${trouble ?? `still ${reply?.status} after all retries`}`
  return `nothing more was sent, because ${failures} requests in a row got no reply that could be judged (${counts}), the last being ${last}`
}
