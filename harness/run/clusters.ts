/** The clusters of a session, and the connections to them. */
import type { Endpoint, ResolvedTarget } from '../targets/target.ts'
import { removalOfNothing } from '../targets/topology.ts'
import { type ClusterAccess, type Dialect, fieldOf, hasNodes } from '../vocabulary/index.ts'
import { CircuitBreaker } from '../way/circuit-breaker.ts'
import type { NodeSettling } from '../way/node-settling.ts'
import { inTurns, turnsBelow } from '../way/turns.ts'
import { asNobody, asOperator, headersFor, isFailing } from '../wire/ask.ts'
import { boundMs } from '../wire/bounds.ts'
import { createClient, type WireClient, type WireOutcome, type WireRequest } from '../wire/client.ts'
import type { Environment } from '../wire/dispatcher.ts'
import { hostOf } from '../wire/retries.ts'
import type { Stopping } from '../wire/stop-signals.ts'
import type { Timer, Waiting } from '../wire/timer.ts'
import type { SessionPlan } from './session-plan.ts'
import { measureAttempts } from './timings.ts'

export const mainCluster = 'main'
/** The names that suites use for further clusters, in the order of the profile. */
export const furtherClusters = ['second', 'third'] as const

export interface Cluster extends Endpoint {
  readonly name: string
  readonly keyShares?: readonly string[]
  /** `host:port` at which other clusters reach it. */
  readonly clusterAddress?: string
  readonly mayBeWiped: boolean
}

export const clustersOf = (target: ResolvedTarget): readonly Cluster[] =>
  (target.provides.clusters as readonly Cluster[] | undefined) ?? []

interface AccessParts {
  readonly target: ResolvedTarget
  readonly dialect: Dialect
  readonly timer: Timer
  readonly stopping: Stopping
  readonly client: WireClient
  /** Tokens that worked somewhere in this run. The first entry is this cluster's, or undefined. */
  readonly found: readonly (string | undefined)[]
  /** The key shares that last worked on this cluster. */
  readonly fitting: readonly string[] | undefined
  learn(secret: string): void
  made(token: string): void
  fitted(shares: readonly string[]): void
}

/** Returns what the dialect's code can use on a cluster: it offers the tokens and key shares of every cluster, because
 * a cluster that was wiped and joined another one now has that one's. */
export function clusterAccess(
  cluster: string,
  { target, dialect, timer, stopping, client, found, fitting = [], learn, made, fitted }: AccessParts,
): ClusterAccess {
  const clusters = clustersOf(target)
  const mainShares = (target.provides['key-shares'] as readonly string[] | undefined) ?? []
  const isMain = cluster === mainCluster
  const own = isMain ? target : (clusters.find(({ name }) => name === cluster) ?? client.endpoint)
  const tokens = [found[0], own.token, target.token, ...clusters.map(({ token }) => token), ...found.slice(1)]
  const ownShares = isMain ? mainShares : ((own as Partial<Cluster>).keyShares ?? [])
  const shareSets = [fitting, ownShares, mainShares, ...clusters.map(({ keyShares = [] }) => keyShares)]
  return {
    async send({ method, path, body }, token) {
      const { reply } = await client.send({
        ...{ method, path: `${dialect.prefix}/${path}`, asked: `${method} ${path}`, once: true },
        headers: headersFor(client, dialect, { operator: token !== undefined, token }, { body: body !== undefined }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return reply
    },
    tokens: [...new Set(tokens)].filter((token) => token !== undefined),
    keyShares: shareSets.filter((shares, at) => shares.length > 0 && shareSets.indexOf(shares) === at),
    mayBeWiped: (own as Partial<Cluster>).mayBeWiped === true,
    ...{ learn, made, fitted },
    // Pauses that begin after a stop belong to undos, and last until the end.
    pause: (ms) => timer.wait(ms, stopping.stop.aborted ? stopping.end : stopping.stop),
    patienceMs: target.patienceSeconds * 1000,
  }
}

interface Wiring {
  readonly dialect: Dialect
  readonly timer: Timer
  readonly stopping: Stopping
  readonly waiting?: Waiting | undefined
  readonly environment?: Environment | undefined
  /** An interceptor between the checks and a cluster. */
  readonly between?: ((client: WireClient, cluster: string) => WireClient) | undefined
}

/** Keys that no cluster can have, because names have no spaces. */
const controlKey = 'control listener'
const nodePrefix = 'node at '

/** One client for each cluster, opened by the first request. */
export class ClusterClients {
  readonly breaker: CircuitBreaker
  readonly #target: SessionPlan['target']
  readonly #wiring: Wiring
  readonly #endpoints: ReadonlyMap<string, Endpoint>
  readonly #isTimed: boolean
  /** What the probe found out about the way to the target. */
  readonly #way: Pick<SessionPlan, 'listWay' | 'cache' | 'facts'>
  readonly #clients = new Map<string, WireClient>()
  /** The nodes of the target take turns as one. */
  readonly #mainTurns: ReturnType<typeof turnsBelow>
  /** The id of the target, if another one means that it is another cluster: a change of role may change it, too. */
  clusterId: string | undefined
  /** The version in the target's last health reply. */
  version: string | undefined
  /** Waits after each write to the target, if several nodes of it answer. */
  settling: NodeSettling | undefined
  /** The same clients without the circuit breaker. */
  readonly #uncounted = new Map<string, WireClient>()

  constructor({ target, timings = false, ...way }: SessionPlan, wiring: Wiring) {
    this.#target = target
    this.#isTimed = timings
    this.#way = way
    this.clusterId = way.ceiling === 'disruptive' ? undefined : way.clusterId
    this.#wiring = wiring
    this.#mainTurns = turnsBelow(wiring.dialect.takesTurns ?? [])
    this.#endpoints = endpointsOf(target)
    const { timer, stopping } = wiring
    const outageMs = target.outageSeconds === undefined ? boundMs('outage') : target.outageSeconds * 1000
    const isHealthy = (cluster: string) => this.#isHealthy(cluster)
    this.breaker = new CircuitBreaker({ isHealthy, timer, stop: stopping.stop, outageMs })
  }

  knows(cluster: string): boolean {
    return this.#endpoints.has(cluster)
  }

  /** Returns the client of a cluster. Throws if the profile does not name the cluster. */
  on(cluster: string): WireClient {
    const endpoint = this.#endpoints.get(cluster)
    if (!endpoint) throw new Error(`the profile names no cluster "${cluster}": add it under "clusters"`)
    return this.#clients.get(cluster) ?? this.#open(cluster, endpoint, this.#target.maxRps)
  }

  /** Sends a request to the control listener of a reference server. Throws if the profile names no such listener. */
  async control(method: string, path: string, body?: string): Promise<WireOutcome> {
    const { control } = this.#target
    if (control === undefined) throw new Error('the profile names no control listener: set "control"')
    const endpoint = { url: control, headers: {}, tls: { insecure: false }, allowedHosts: [] }
    const client = this.#clients.get(controlKey) ?? this.#open(controlKey, endpoint, 0)
    const sent = body === undefined ? { headers: {} } : { headers: { 'content-type': 'application/json' }, body }
    return client.send({ method, path, ...sent })
  }

  /** Returns the client of the target that does not wait for nodes. */
  plain(): WireClient {
    this.on(mainCluster)
    return this.#uncounted.get(mainCluster) as WireClient
  }

  /** Returns a client for the address of a node, if the operator has named its host: a reply does not choose where the
   * token goes. */
  at(url: string): WireClient | undefined {
    const { allowedHosts } = this.#target
    if (!allowedHosts.includes(hostOf(new URL(url)))) return undefined
    const key = `${nodePrefix}${url}`
    return this.#clients.get(key) ?? this.#open(key, { ...this.#target, url }, this.#target.maxRps)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()))
  }

  #open(key: string, endpoint: Endpoint, maxRps: number): WireClient {
    const { timer, stopping, waiting, environment } = this.#wiring
    const direct = createClient(endpoint, {
      ...{ timeoutMs: this.#target.timeoutMs, maxRps, timer, stopping },
      ...(waiting ? { waiting } : {}),
      ...(environment ? { environment } : {}),
      ...(key === mainCluster ? this.#known() : {}),
    })
    const measured = this.#isTimed ? measuring(key === controlKey ? 'control request' : 'request', direct) : direct
    const isCluster = this.#endpoints.has(key)
    const plain = this.#plainly(key, isCluster, measured)
    const { breaker } = this
    const counted: WireClient = {
      ...plain,
      async send(request: WireRequest) {
        const outcome = await plain.send(request)
        await breaker.saw(key, request, outcome)
        return outcome
      },
    }
    const settled: WireClient = {
      ...counted,
      send: (request) => this.settling?.send(request, counted) ?? counted.send(request),
    }
    // The breaker counts what the address of the target answers, and not what a node does that may have gone.
    const client = key === mainCluster ? settled : isCluster ? counted : plain
    this.#uncounted.set(key, plain)
    this.#clients.set(key, client)
    return client
  }

  #plainly(key: string, isCluster: boolean, client: WireClient): WireClient {
    const { dialect, between } = this.#wiring
    const watched = between && isCluster ? between(client, key) : client
    if (key === mainCluster || key.startsWith(nodePrefix)) return inTurns(this.#takenByNodes(watched), this.#mainTurns)
    return isCluster ? inTurns(watched, turnsBelow(dialect.takesTurns ?? [])) : watched
  }

  #known() {
    const { listWay: lists, cache } = this.#way
    return { ...(lists ? { lists } : {}), ...(cache === undefined ? {} : { cache }) }
  }

  /** Asks whether the target is still the same cluster: a server that keeps nothing becomes another one by a restart.
   * Returns why it is not, and sends nothing more to it then. */
  async whyOther(): Promise<string | undefined> {
    if (this.clusterId === undefined) return undefined
    await this.#isHealthy(mainCluster)
    return this.breaker.whyGivenUp(mainCluster)
  }

  async #isHealthy(cluster: string): Promise<boolean> {
    const { dialect } = this.#wiring
    const [health] = dialect.operations.health?.({}).exchanges ?? []
    const client = this.#uncounted.get(cluster)
    if (!health || !client) return false
    const { method, path } = health
    const outcome = await asNobody(client, dialect)({ method, path, once: true, timeoutMs: boundMs('healthReply') })
    if (cluster === mainCluster && this.#isOfOther(outcome)) return false
    const isUp = (!isFailing(outcome) && outcome.reply !== undefined) || isStandby(outcome)
    return isUp && (cluster !== mainCluster || !this.#hasNodes || (await this.#hasActive(client)))
  }

  #isOfOther({ reply }: WireOutcome): boolean {
    const { clusterId } = this
    const [seen, version] = reply ? [fieldOf(reply, 'cluster_id'), fieldOf(reply, 'version')] : []
    if (typeof version === 'string') this.version = version
    if (clusterId === undefined || typeof seen !== 'string' || seen === clusterId) return false
    this.breaker.giveUp(mainCluster, otherSays)
    return true
  }

  get #hasNodes(): boolean {
    return hasNodes(this.#way.facts) && this.#wiring.dialect.nodes !== undefined
  }

  /** A node that is healthy may know no active node, or still believe that it is the active one, and serves no write
   * until it has learnt which one is. */
  async #hasActive(client: WireClient): Promise<boolean> {
    const { dialect } = this.#wiring
    const removal = dialect.nodes && removalOfNothing(dialect.nodes)
    if (!removal) return true
    const { method, path } = removal
    const outcome = await asOperator(client, dialect)({ method, path, once: true, timeoutMs: boundMs('healthReply') })
    return !isFailing(outcome)
  }

  /** Keeps a reply of a node that has not carried the request out from being judged. */
  #takenByNodes(client: WireClient): WireClient {
    const { nodes } = this.#wiring.dialect
    if (!nodes || !this.#hasNodes) return client
    return {
      ...client,
      async send(request) {
        const outcome = await client.send(request)
        const { reply, ...rest } = outcome
        if (!reply || !nodes.knowsNoActive(reply)) return outcome
        return { ...rest, trouble: 'the node that replied knows no active node', troubleKind: 'not-taken' }
      },
    }
  }
}

const otherSays =
  'the target is another cluster than when the run began, as the cluster_id of its health reply shows: a server that keeps nothing is a new one after each restart'

/** A standby node reports 429, and serves what it is sent. */
const isStandby = ({ reply }: WireOutcome): boolean =>
  reply?.status === 429 && fieldOf(reply, 'standby') === true && fieldOf(reply, 'sealed') === false

const measuring = (name: string, client: WireClient): WireClient => ({
  ...client,
  async send(request) {
    const outcome = await client.send(request)
    measureAttempts(name, outcome.attempts)
    return outcome
  },
})

/** Returns the endpoints by cluster name. Further clusters have two names: the one in the profile, and their ordinal,
 * which suites use. */
function endpointsOf(target: SessionPlan['target']): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>([[mainCluster, target]])
  for (const [index, cluster] of clustersOf(target).entries()) {
    endpoints.set(cluster.name, cluster)
    const ordinal = furtherClusters[index]
    if (ordinal) endpoints.set(ordinal, cluster)
  }
  return endpoints
}
