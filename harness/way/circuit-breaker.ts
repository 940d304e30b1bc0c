/** Holds back what is sent to a cluster that fails in the middle of a run, because every further check would wait for
 * timeouts and retries, and lets it go on once the cluster answers again. */
import { pathPattern, unnamed } from '../safety/path-pattern.ts'
import { causeIn } from '../targets/areas-served.ts'
import { isFailing } from '../wire/ask.ts'
import { bounds } from '../wire/bounds.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'
import type { Timer } from '../wire/timer.ts'

type Request = Pick<WireRequest, 'method' | 'path' | 'once' | 'asked'>

interface ClusterState {
  failures: number
  /** The different requests among the failures. */
  readonly requests: Set<string>
  readonly kinds: Map<string, number>
  /** The replies so far that could be judged. */
  replies: number
  last: string
  asking: boolean
  /** True while no node carries requests out: a standby node may answer reads by itself meanwhile. */
  isUntaken: boolean
  open?: string
  outage?: Outage
  /** Why nothing more is sent to the cluster, whatever it replies. */
  givenUp?: string
}

/** The time from the first opening of the breaker to the next reply that can be judged. */
interface Outage {
  readonly startedAt: number
  /** The pauses so far, for timers of tests that do not move. */
  pausedMs: number
  nextPauseMs: number
  isOver: boolean
  waiting?: Promise<void>
}

export interface BreakerParts {
  /** Sends the cheapest request, for a cluster's health. */
  isHealthy(cluster: string): Promise<boolean>
  readonly timer: Timer
  /** Once aborted, nobody waits any longer. */
  readonly stop: AbortSignal
  /** How long a cluster may be away. */
  readonly outageMs: number
}

const shortestPauseMs = 250
const longestPauseMs = 2000

/** Counts per cluster, over all checks, the exchanges in a row without a reply that can be judged: late, broken,
 * garbled, oversized, throttled, or without a connection. The breaker opens if the cluster does not answer a health
 * request either; a cluster that only cuts off one request answers it. It also opens after many failures of different
 * requests, because a proxy may answer the health request for a dead target. While it is open, checks wait, and the
 * health request is repeated: its reply closes the breaker, and only a reply to a check ends the outage. */
export class CircuitBreaker {
  /** How often it was opened. A check during which this changes may have been disturbed. */
  openings = 0
  readonly #states = new Map<string, ClusterState>()
  readonly #parts: BreakerParts

  constructor(parts: BreakerParts) {
    this.#parts = parts
  }

  /** The replies of all clusters so far that could be judged. */
  get replies(): number {
    return [...this.#states.values()].reduce((sum, { replies }) => sum + replies, 0)
  }

  /** Records the outcome of an exchange. A request with `once` may be one of many that poll until a cluster is ready:
   * its failure is ignored, and its reply resets the count. */
  async saw(cluster: string, request: Request, outcome: WireOutcome): Promise<void> {
    const state = this.#stateOf(cluster)
    if (isFailing(outcome)) {
      if (request.once) return
      addFailure(state, request, outcome)
      if (await this.#isGone(cluster, state)) this.#open(state)
    } else if (outcome.reply && !(state.isUntaken && isRead(request))) reset(state)
  }

  async #isGone(cluster: string, state: ClusterState): Promise<boolean> {
    const { failures, requests, asking, open } = state
    if (asking || open !== undefined) return false
    if (failures >= bounds.badInARowForGood.value && requests.size >= bounds.differentRequests.value) return true
    return failures % bounds.badInARow.value === 0 && !(await this.#answers(cluster, state))
  }

  /** Returns why nothing is sent to a cluster now, or undefined while its breaker is closed. */
  whyOpen(cluster: string): string | undefined {
    const { open, outage, givenUp } = this.#states.get(cluster) ?? {}
    if (givenUp !== undefined) return givenUp
    if (open === undefined || !outage?.isOver) return open
    const who = cluster === 'main' ? 'the target' : `the cluster ${cluster}`
    return `${who} went away and did not answer again within ${this.#parts.outageMs / 1000} s: ${open}`
  }

  /** Waits while the breaker of a cluster is open. Returns why it stays open, or undefined. */
  async whyGone(cluster: string, longestMs = this.#parts.outageMs): Promise<string | undefined> {
    const state = this.#states.get(cluster)
    const { outage } = state ?? {}
    if (state?.open === undefined || !outage) return state?.givenUp
    if (!outage.isOver) {
      outage.waiting ??= this.#outlast(cluster, state, outage, Math.min(longestMs, this.#parts.outageMs))
      await outage.waiting
    }
    return this.whyOpen(cluster)
  }

  /** Opens the breaker of a cluster for the rest of the run. */
  giveUp(cluster: string, why: string): void {
    this.#stateOf(cluster).givenUp = why
  }

  whyGivenUp(cluster: string): string | undefined {
    return this.#states.get(cluster)?.givenUp
  }

  /** Called after requests were lost: asks each cluster that has not replied since whether it is healthy, and waits if
   * it is not. Returns why one of them stays away, or undefined. */
  async whyLost(longestMs?: number): Promise<string | undefined> {
    for (const [cluster, state] of this.#states) {
      const isDoubtful = state.failures > 0 && state.open === undefined && !this.#parts.stop.aborted
      if (isDoubtful && !(await this.#answers(cluster, state))) this.#open(state)
      const gone = await this.whyGone(cluster, longestMs)
      if (gone !== undefined) return gone
    }
    return undefined
  }

  #open(state: ClusterState): void {
    // Another check may have received a reply while this one waited.
    if (state.failures === 0 || state.open !== undefined) return
    this.openings += 1
    state.open = wordsOf(state)
    const startedAt = this.#parts.timer.now()
    state.outage ??= { startedAt, pausedMs: 0, nextPauseMs: shortestPauseMs, isOver: false }
    // Something may answer the health request for a target that answers nothing else.
    state.outage.isOver = this.#lasted(state.outage, this.#parts.outageMs)
  }

  #lasted({ pausedMs, startedAt }: Outage, longestMs: number): boolean {
    return Math.max(pausedMs, this.#parts.timer.now() - startedAt) >= longestMs
  }

  async #outlast(cluster: string, state: ClusterState, outage: Outage, longestMs: number): Promise<void> {
    const { timer, stop } = this.#parts
    while (state.open !== undefined && !outage.isOver && state.givenUp === undefined && !stop.aborted) {
      const pauseMs = outage.nextPauseMs
      outage.nextPauseMs = Math.min(pauseMs * 2, longestPauseMs)
      outage.pausedMs += pauseMs
      await timer.wait(pauseMs, stop)
      if (stop.aborted) break
      if (await this.#answers(cluster, state)) delete state.open
      else outage.isOver = this.#lasted(outage, longestMs)
    }
    delete outage.waiting
  }

  async #answers(cluster: string, state: ClusterState): Promise<boolean> {
    state.asking = true
    try {
      return await this.#parts.isHealthy(cluster)
    } finally {
      state.asking = false
    }
  }

  #stateOf(cluster: string): ClusterState {
    const known = this.#states.get(cluster)
    if (known) return known
    const state: ClusterState = {
      ...{ failures: 0, requests: new Set<string>(), kinds: new Map(), replies: 0, last: '' },
      ...{ asking: false, isUntaken: false },
    }
    this.#states.set(cluster, state)
    return state
  }
}

function addFailure(state: ClusterState, request: Request, outcome: WireOutcome): void {
  const kind = outcome.troubleKind ?? 'throttled'
  state.isUntaken ||= kind === 'not-taken'
  state.failures += 1
  state.requests.add(shapeOf(request))
  state.kinds.set(kind, (state.kinds.get(kind) ?? 0) + 1)
  state.last = lastOf(request, outcome)
}

/** A reply that can be judged ends an outage. */
function reset(state: ClusterState): void {
  state.failures = 0
  state.isUntaken = false
  state.replies += 1
  delete state.open
  delete state.outage
  state.requests.clear()
  state.kinds.clear()
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'LIST'

/** Returns a request without the parts that differ from check to check. */
const shapeOf = ({ method, path }: Request): string => `${method} ${unnamed(pathPattern(path))}`

const words: Readonly<Record<string, string>> = {
  unsent: 'without a connection',
  broken: 'broken off',
  'too-large': 'oversized',
  untrusted: 'not trusted',
  'not-taken': 'taken by no node',
}

const lastOf = ({ asked, method, path }: Request, { trouble, reply }: WireOutcome): string =>
  `${asked ?? `${method} ${path}`}: ${trouble ?? `still ${reply?.status}${reply ? causeIn(reply) : ''} after all retries`}`

function wordsOf({ failures, kinds, last }: ClusterState): string {
  const counts = [...kinds].map(([kind, count]) => `${count} ${words[kind] ?? kind}`).join(', ')
  const requests = failures === 1 ? '1 request' : `${failures} requests in a row`
  return `${requests} got no reply that could be judged (${counts}), the last being ${last}`
}
