import { GroundPool } from '../ground/ground-pool.ts'
import { createRedactor, type Redactor } from '../redaction/redaction.ts'
import type { Reach } from '../safety/clean-up.ts'
import { digestOf, guarded, type Journal, noJournal, openJournal } from '../safety/journal.ts'
import { findKey } from '../safety/journal-key.ts'
import type { JournalHead } from '../safety/journal-lines.ts'
import { createLocks, type Locks } from '../safety/locks.ts'
import { Spellings } from '../spelling/spellings.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import {
  type Check,
  type ClusterAccess,
  type Dialect,
  type Facts,
  mayLag,
  type Requirement,
  type Topic,
} from '../vocabulary/index.ts'
import type { CircuitBreaker } from '../way/circuit-breaker.ts'
import { EndedRoles } from '../way/ended-roles.ts'
import { CircuitOpen, whyStopped } from '../way/interruptions.ts'
import { ListForms } from '../way/list-forms.ts'
import { NodeSettling } from '../way/node-settling.ts'
import { measuredStalls, type StallSince } from '../way/own-side.ts'
import { WaysBack } from '../way/ways-back.ts'
import type { Ask } from '../wire/ask.ts'
import { boundMs } from '../wire/bounds.ts'
import type { WireClient, WireOutcome } from '../wire/client.ts'
import { type Environment, proxyPasswords } from '../wire/dispatcher.ts'
import { type Graces, gracesOfRun, neverStopping, type Stopping, stoppingAfter } from '../wire/stop-signals.ts'
import { realTimer, type Timer, type Waiting } from '../wire/timer.ts'
import { ClusterClients, clustersOf, mainCluster } from './clusters.ts'
import { OperatorTokens } from './operator-tokens.ts'
import { KeptBudget, RecordBudget } from './recorded-exchange.ts'
import type { SessionPlan } from './session-plan.ts'
import { type Settle, settleBy, settlingTimer } from './settling.ts'

export interface SessionParts {
  readonly dialect?: Dialect
  /** Once aborted, no further check starts and no further request is sent, except undos. */
  readonly signal?: AbortSignal
  /** How long undos may go on after the abort; by default as long as the clean-up of a run. */
  readonly graces?: Graces
  /** Called once a second while an exchange waits for its reply. */
  readonly waiting?: Waiting
  readonly timer?: Timer
  /** Lets time pass for clusters in this process. By default, the control listener of the target does so. */
  readonly settle?: Settle | undefined
  readonly environment?: Environment
  /** True if the target runs in this thread. */
  readonly isInThread?: true
  /** Measures the stalls of this machine. */
  readonly stallSince?: StallSince
  /** Locks that are shared with other sessions on the same target. */
  readonly locks?: Locks
  /** Shared by several sessions of one run: the journal, the numbers of checks, and the restorations. Whoever created
   * the journal closes it. */
  readonly shared?: { readonly journal: Journal; next(): number; readonly waysBack: WaysBack }
  /** The forms of lists that the target is already known to accept. */
  readonly lists?: ListForms
  /** An interceptor between the checks and a cluster. */
  readonly between?: (client: WireClient, cluster: string) => WireClient
  /** Runs a wait for real time, and may let other checks run meanwhile. */
  readonly aside?: Session['aside']
}

export interface Session {
  readonly plan: SessionPlan
  readonly dialect: Dialect
  readonly requirements: ReadonlyMap<string, Requirement>
  readonly redactor: Redactor
  readonly journal: Journal
  readonly locks: Locks
  readonly lists: ListForms
  readonly spellings: Spellings
  /** The reads that were sent so far, if something in front of the target stores replies. */
  readonly readBefore: Set<string>
  readonly breaker: CircuitBreaker
  readonly record: RecordBudget
  readonly kept: KeptBudget
  readonly waysBack: WaysBack
  readonly endedRoles: EndedRoles
  /** What checks share. Close it before the target is asked what is left. */
  readonly grounds: GroundPool
  readonly timer: Timer
  /** The timer of checks that have the clusters to themselves; reference servers can let time pass faster. */
  readonly settling: Timer
  readonly signal: AbortSignal
  /** Counts how often checks have moved the clock of the target, which all of them share. */
  readonly clockMoves: { count: number }
  readonly stallSince: StallSince
  /** Waits, and lets another check run meanwhile if there is one. */
  aside(wait: () => Promise<void>): Promise<void>
  /** Waits while the circuit breaker of a cluster is open. Throws if a check must not send anything more to it, because
   * the run is over or the cluster stays away. */
  assertGoing(cluster: string): Promise<void>
  /** Learns the id of the target. If the id changes, nothing more is sent. */
  knowCluster(id: string): void
  /** Asks whether the target is still the same cluster, and returns why it is not. Undefined as long as its id is not
   * known. */
  whyOther(): Promise<string | undefined>
  /** Returns the version that the target showed when it was last asked that, or whether it is up. */
  versionSeen(): string | undefined
  knows(cluster: string): boolean
  /** Returns the client of a cluster; throws if the profile does not name it. */
  client(cluster: string): WireClient
  ask(cluster: string): Ask
  /** Returns the operator's token on a cluster: the one that was found last, else the profile's. */
  operatorToken(cluster: string): string | undefined
  /** Sets the operator's token on a cluster and learns it as a secret. */
  setOperatorToken(cluster: string, token: string): void
  /** Returns what the code of a dialect can use on a cluster. */
  accessTo(cluster: string): ClusterAccess
  /** Sends a request to the control listener of a reference server; throws if the profile names none. */
  control(method: string, path: string, body?: string): Promise<WireOutcome>
  /** The shapes of the operator's requests that were served. */
  readonly accepted: Set<string>
  /** Learns what stands behind the address. If nodes may lag, each write waits for them from now on. */
  knowNodes(facts: Pick<Facts, 'topology'>): void
  /** Waits for the nodes. Undefined unless they may lag. */
  readonly nodes: NodeSettling | undefined
  /** Returns a number that is unique within the session. */
  next(): number
  close(): Promise<void>
}

/** A check that is judged in a session. */
export interface Task {
  readonly topic: Topic
  readonly check: Check
  readonly session: Session
}

export const listFormsOf = ({ lists = [] }: SessionPlan, dialect: Dialect): ListForms =>
  new ListForms([...lists, ...(dialect.lists ?? [])])

/** Caches the map of each register, because many sessions use the same one. */
const registers = new WeakMap<readonly Requirement[], ReadonlyMap<string, Requirement>>()

function byId(requirements: readonly Requirement[]): ReadonlyMap<string, Requirement> {
  const known = registers.get(requirements)
  if (known) return known
  const register = new Map(requirements.map((requirement) => [requirement.id, requirement]))
  registers.set(requirements, register)
  return register
}

/** Opens a session. Connections are opened lazily; it rejects only if the dialect is unknown. */
export async function openSession(plan: SessionPlan, parts: SessionParts = {}): Promise<Session> {
  const { signal, graces = gracesOfRun(), waiting, timer = realTimer, environment, between, shared } = parts
  const { target } = plan
  const dialect = parts.dialect ?? loadDialect(target.dialect)
  const stopping = signal ? stoppingAfter(signal, timer, graces) : neverStopping()
  const redactor = redactorOf(plan, environment)
  const guard = (text: string) => !redactor.holdsSecret(text)
  const journal = shared ? guarded(shared.journal, guard) : journalOf(plan, guard)
  const clients = new ClusterClients(plan, { dialect, timer, stopping, waiting, environment, between })
  // A timer from the caller is used for everything.
  const settle = parts.settle ?? settleBy((...asked) => clients.control(...asked), target)
  const settling = parts.timer ?? settlingTimer(timer, settle)
  const tokens = new OperatorTokens({ target, dialect, clients, redactor, timer: settling, stopping })
  const { breaker } = clients
  let count = 0
  const knowNodes = ({ topology }: Pick<Facts, 'topology'>) =>
    waitForNodes(topology, { clients, tokens, plan, dialect, journal, timer, stopping })
  knowNodes(plan.facts)
  return {
    ...{ plan, dialect, redactor, journal, breaker, timer, settling, signal: stopping.stop },
    requirements: byId(plan.requirements),
    locks: parts.locks ?? createLocks(),
    lists: parts.lists ?? listFormsOf(plan, dialect),
    spellings: new Spellings(plan.spread),
    readBefore: new Set(),
    record: new RecordBudget(),
    kept: new KeptBudget(),
    accepted: new Set(),
    ...{ waysBack: shared?.waysBack ?? new WaysBack(), endedRoles: endedRolesOf(plan) },
    grounds: new GroundPool(parts),
    // On a server of a proof, a stall of this process is a stall of the server, too.
    clockMoves: { count: 0 },
    stallSince: parts.stallSince ?? (plan.isThrownAway ? () => 0 : measuredStalls()),
    aside: parts.aside ?? ((wait) => wait()),
    async assertGoing(cluster) {
      const gone = await breaker.whyGone(cluster)
      if (stopping.stop.aborted) throw whyStopped(stopping.stop)
      if (gone !== undefined) throw new CircuitOpen(gone)
    },
    knowCluster(id) {
      clients.clusterId = id
    },
    whyOther: () => clients.whyOther(),
    versionSeen: () => clients.version,
    knows: (cluster) => clients.knows(cluster),
    client: (cluster) => clients.on(cluster),
    ask(cluster) {
      const ask = clustersOf(target).length > 0 ? tokens.askAnew(cluster) : tokens.ask(cluster)
      return (question) => ask({ atActive: 'preferred', ...question })
    },
    operatorToken: (cluster) => tokens.on(cluster),
    setOperatorToken: (cluster, token) => tokens.set(cluster, token),
    accessTo: (cluster) => tokens.accessTo(cluster),
    control: (method, path, body) => clients.control(method, path, body),
    next: shared?.next ?? (() => ++count),
    knowNodes,
    get nodes() {
      return clients.settling
    },
    async close() {
      await clients.settling?.close()
      if (!shared) journal.close()
      await tokens.revokeMade()
      await clients.close()
      stopping.close()
    },
  }
}

interface NodeParts {
  readonly clients: ClusterClients
  readonly tokens: OperatorTokens
  readonly plan: SessionPlan
  readonly dialect: Dialect
  readonly journal: Journal
  readonly timer: Timer
  readonly stopping: Stopping
}

/** Lets each write wait for the nodes from now on, if they may lag. */
function waitForNodes(topology: Facts['topology'], parts: NodeParts): void {
  const { clients, tokens, plan, dialect, journal, timer, stopping } = parts
  if (topology === undefined || !mayLag({ topology }) || clients.settling || !dialect.nodes) return
  clients.settling = new NodeSettling({
    ...{ client: clients.plain(), dialect, runId: plan.runId, topology, journal, timer },
    patienceMs: plan.target.patienceSeconds * 1000,
    signal: stopping.end,
    token: () => tokens.on(mainCluster),
    clientAt: (url) => clients.at(url),
  })
}

const endedRolesOf = ({ hasClustersAlone, ground }: SessionPlan): EndedRoles =>
  new EndedRoles(hasClustersAlone === true && ground !== 'own')

function redactorOf({ target }: SessionPlan, environment: Environment = process.env): Redactor {
  const redactor = createRedactor()
  for (const secret of target.secrets) redactor.learn(secret, secret === target.token ? 'token' : 'secret')
  for (const password of proxyPasswords(environment)) redactor.learn(password, 'secret')
  return redactor
}

const headOf = ({ target: { url }, runId, clusterId }: SessionPlan): JournalHead => ({
  ...{ url, runId },
  ...(clusterId ? { cluster: digestOf(clusterId) } : {}),
})

function keyOf({ stateFolder }: SessionPlan) {
  const found = stateFolder === undefined ? undefined : findKey(stateFolder)
  return found && 'key' in found ? found.key : undefined
}

/** Opens the journal of a plan, and creates its file if necessary. Without a file in the plan, nothing is journaled. */
export const journalOf = (plan: SessionPlan, guard?: (text: string) => boolean): Journal =>
  plan.journalFile === undefined
    ? noJournal
    : openJournal(plan.journalFile, headOf(plan), { key: keyOf(plan), ...(guard ? { guard } : {}) })

/** Returns how the clean-up reaches a cluster; undefined if the profile does not name it. */
export const reachOf =
  (session: Session) =>
  (cluster: string): Reach | undefined =>
    session.knows(cluster)
      ? {
          url: session.client(cluster).endpoint.url,
          ask: session.ask(cluster),
          access: session.accessTo(cluster),
          isBack: () => isBack(session),
        }
      : undefined

/** Waits at the end of a run for clusters that went away, and returns whether they are back. */
export const isBack = async ({ breaker }: Pick<Session, 'breaker'>): Promise<boolean> =>
  (await breaker.whyLost(boundMs('outageInCleanUp'))) === undefined
