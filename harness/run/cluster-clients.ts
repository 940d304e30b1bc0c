/** The connections of a session: one client for each cluster, opened when something is first sent there. */
import type { Endpoint } from '../targets/target.ts'
import type { Dialect } from '../vocabulary/index.ts'
import { asNobody, isFailing } from '../wire/ask.ts'
import { boundMs } from '../wire/bounds.ts'
import { createClient, type WireClient, type WireOutcome, type WireRequest } from '../wire/client.ts'
import type { Environment } from '../wire/dispatcher.ts'
import type { Stopping } from '../wire/stop-signals.ts'
import type { Timer } from '../wire/timer.ts'
import type { Waiting } from '../wire/waiting.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { clustersOf, furtherClusters, mainCluster } from './clusters.ts'
import type { SessionPlan } from './session-plan.ts'

interface Wiring {
  readonly dialect: Dialect
  readonly timer: Timer
  readonly stopping: Stopping
  readonly waiting?: Waiting | undefined
  readonly environment?: Environment | undefined
  /** This stands between the checks and a cluster. */
  readonly between?: ((client: WireClient, cluster: string) => WireClient) | undefined
}

/** No cluster can have this name: names have no spaces. */
const controlKey = 'control listener'

export class ClusterClients {
  readonly breaker: CircuitBreaker
  readonly #target: SessionPlan['target']
  readonly #wiring: Wiring
  readonly #endpoints: ReadonlyMap<string, Endpoint>
  readonly #clients = new Map<string, WireClient>()
  /** The same clients, without being counted by the circuit breaker. */
  readonly #uncounted = new Map<string, WireClient>()

  constructor({ target }: SessionPlan, wiring: Wiring) {
    this.#target = target
    this.#wiring = wiring
    this.#endpoints = endpointsOf(target)
    this.breaker = new CircuitBreaker((cluster) => this.#isHealthy(cluster))
  }

  knows(cluster: string): boolean {
    return this.#endpoints.has(cluster)
  }

  /** Throws where the profile names no cluster of that name. */
  on(cluster: string): WireClient {
    const endpoint = this.#endpoints.get(cluster)
    if (!endpoint) throw new Error(`the profile names no cluster "${cluster}": add it under "clusters"`)
    return this.#clients.get(cluster) ?? this.#open(cluster, endpoint, this.#target.maxRps)
  }

  /** Speaks to the control listener of a reference server; throws where the target names none. */
  async control(method: string, path: string, body?: string): Promise<WireOutcome> {
    const { control } = this.#target
    if (control === undefined) throw new Error('the profile names no control listener: set "control"')
    const endpoint = { url: control, headers: {}, tls: { insecure: false }, allowedHosts: [] }
    const client = this.#clients.get(controlKey) ?? this.#open(controlKey, endpoint, 0)
    const sent = body === undefined ? { headers: {} } : { headers: { 'content-type': 'application/json' }, body }
    return client.send({ method, path, ...sent })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()))
  }

  #open(key: string, endpoint: Endpoint, maxRps: number): WireClient {
    const { timer, stopping, waiting, environment, between } = this.#wiring
    const direct = createClient(endpoint, {
      ...{ timeoutMs: this.#target.timeoutMs, maxRps, timer, stopping },
      ...(waiting ? { waiting } : {}),
      ...(environment ? { environment } : {}),
    })
    const plain = between && key !== controlKey ? between(direct, key) : direct
    const { breaker } = this
    const counted: WireClient = {
      ...plain,
      async send(request: WireRequest) {
        const outcome = await plain.send(request)
        await breaker.saw(key, request, outcome)
        return outcome
      },
    }
    this.#uncounted.set(key, plain)
    this.#clients.set(key, counted)
    return counted
  }

  async #isHealthy(cluster: string): Promise<boolean> {
    const { dialect } = this.#wiring
    const [health] = dialect.operations.health?.({}).exchanges ?? []
    const client = this.#uncounted.get(cluster)
    if (!health || !client || cluster === controlKey) return false
    const { method, path } = health
    const outcome = await asNobody(client, dialect)({ method, path, once: true, timeoutMs: boundMs('healthReply') })
    return !isFailing(outcome) && outcome.reply !== undefined
  }
}

/** Clusters besides the main one are known by the name in the profile and by their ordinal, which the suites use. */
function endpointsOf(target: SessionPlan['target']): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>([[mainCluster, target]])
  for (const [index, cluster] of clustersOf(target).entries()) {
    endpoints.set(cluster.name, cluster)
    const ordinal = furtherClusters[index]
    if (ordinal) endpoints.set(ordinal, cluster)
  }
  return endpoints
}
