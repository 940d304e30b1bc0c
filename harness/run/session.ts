import { digestOf, guarded, type Journal, noJournal, openJournal } from '../safety/journal.ts'
import { findKey } from '../safety/journal-key.ts'
import type { JournalHead } from '../safety/journal-lines.ts'
import { createLocks, type Locks } from '../safety/locks.ts'
import { createRedactor, type Redactor } from '../safety/redaction.ts'
import { loadDialect } from '../targets/dialects/index.ts'
import type { Endpoint, ResolvedTarget } from '../targets/target.ts'
import type {
  AbsentArea,
  ClusterPlace,
  Dialect,
  Facts,
  Level,
  ListSite,
  Requirement,
  SafetyClass,
} from '../vocabulary/index.ts'
import { type Ask, asNobody, asOperator, isFailing } from '../wire/ask.ts'
import { boundMs } from '../wire/bounds.ts'
import { createClient, type WireClient, type WireOutcome, type WireRequest } from '../wire/client.ts'
import { type Environment, proxyPasswords } from '../wire/dispatcher.ts'
import { type Graces, gracesOfRun, neverStopping, stoppingAfter } from '../wire/stopping.ts'
import { realTimer, type Timer } from '../wire/timer.ts'
import type { Waiting } from '../wire/waiting.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { clustersOf, placeOn } from './clusters.ts'
import { CircuitOpen, whyStopped } from './interruptions.ts'
import { KeptRoom } from './keep-exchange.ts'
import { ListForms } from './list-forms.ts'
import { RecordBudget } from './record-budget.ts'
import { WaysBack } from './ways-back.ts'

/** Everything a run needs to know before its first check. Plain data: it crosses into the worker. */
export interface SessionPlan {
  readonly target: ResolvedTarget
  /** Declared facts, completed by observed ones. */
  readonly facts: Facts
  /** For each fact, what it was read from: cited where a check does not apply. */
  readonly evidence?: Readonly<Record<string, string>>
  /** Areas that the target does not have: their checks do not apply. */
  readonly absentAreas?: readonly AbsentArea[]
  /** As the target tells it. */
  readonly clusterId?: string
  /** Short; part of every throw-away name. */
  readonly runId: string
  readonly seed: number
  /** The highest safety class that may run. */
  readonly ceiling: SafetyClass
  /** How many checks run at once. */
  readonly jobs: number
  readonly level: Level
  /** Absent: nothing is journaled. */
  readonly journalFile?: string
  /** Where the key lies that signs the journal. Absent, or without a key there: it is not signed. */
  readonly stateFolder?: string
  readonly requirements: readonly Requirement[]
  /** Lists in requests whose form the documents leave to the target, besides those of the dialect. */
  readonly lists?: readonly ListSite[]
  /** Its clusters are thrown away afterwards: nobody needs them back. */
  readonly isThrownAway?: true
  /** `none` leaves exchanges out of the results: for judging by the thousand. */
  readonly record?: 'full' | 'none'
}

export interface SessionParts {
  readonly dialect?: Dialect
  /** Once aborted, no further check and no further exchange starts, except to take things back. */
  readonly signal?: AbortSignal
  /** How long taking things back may go on then; as long as the clean-up of a run unless given. */
  readonly graces?: Graces
  /** Told once a second what an exchange of this session waits for. */
  readonly waiting?: Waiting
  readonly timer?: Timer
  readonly environment?: Environment
  /** Shared with other sessions on the same target. */
  readonly locks?: Locks
  /** The journal, the numbers and the ways back of several sessions that are one run. Whoever made them closes the journal. */
  readonly shared?: { readonly journal: Journal; next(): number; readonly waysBack: WaysBack }
  /** What is known already of the forms in which the target takes lists. */
  readonly lists?: ListForms
  /** What stands between the checks and a cluster. */
  readonly between?: (client: WireClient, cluster: string) => WireClient
}

export interface Session {
  readonly plan: SessionPlan
  readonly dialect: Dialect
  readonly requirements: ReadonlyMap<string, Requirement>
  readonly redactor: Redactor
  readonly journal: Journal
  readonly locks: Locks
  readonly lists: ListForms
  readonly breaker: CircuitBreaker
  readonly record: RecordBudget
  readonly kept: KeptRoom
  readonly waysBack: WaysBack
  readonly timer: Timer
  readonly signal: AbortSignal
  /** Throws where a check must send nothing more to a cluster: the run is over, or the cluster has failed too often. */
  assertGoing(cluster: string): void
  /** Whether the profile names a cluster so. */
  knows(cluster: string): boolean
  /** The client of a cluster; throws where the profile names none of that name. */
  client(cluster: string): WireClient
  ask(cluster: string): Ask
  /** The operator's token on a cluster: the one found last, else the profile's. */
  operatorToken(cluster: string): string | undefined
  /** From now on the operator's token there; learnt as a secret. */
  setOperatorToken(cluster: string, token: string): void
  /** For what the dialect does there in code. */
  place(cluster: string): ClusterPlace
  /** Speaks to the control listener of a reference server; throws where the target names none. */
  control(method: string, path: string, body?: string): Promise<WireOutcome>
  /** A number that no other check of the session has. */
  next(): number
  close(): Promise<void>
}

export const mainCluster = 'main'
/** What suites call further clusters, in the order of the profile. */
export const furtherClusters = ['second', 'third'] as const
/** No cluster can have this name: names have no spaces. */
const controlKey = 'control listener'

const headOf = ({ target: { url }, runId, clusterId }: SessionPlan): JournalHead => ({
  ...{ url, runId },
  ...(clusterId ? { cluster: digestOf(clusterId) } : {}),
})

function keyOf({ stateFolder }: SessionPlan) {
  const found = stateFolder === undefined ? undefined : findKey(stateFolder)
  return found && 'key' in found ? found.key : undefined
}

/** The journal of a run; the file is made where it is missing. */
export const journalOf = (plan: SessionPlan, guard?: (text: string) => boolean): Journal =>
  openJournal(plan.journalFile ?? '', headOf(plan), { key: keyOf(plan), ...(guard ? { guard } : {}) })

export const listFormsOf = ({ lists = [] }: SessionPlan, dialect: Dialect): ListForms =>
  new ListForms([...lists, ...(dialect.lists ?? [])])

/** Opens connections lazily; rejects only where the dialect is not known. */
export async function openSession(plan: SessionPlan, parts: SessionParts = {}): Promise<Session> {
  const { signal, graces = gracesOfRun, waiting, timer = realTimer, environment, between = (client) => client } = parts
  const stopping = signal ? stoppingAfter(signal, timer, graces) : neverStopping()
  const { target } = plan
  const dialect = parts.dialect ?? loadDialect(target.dialect)
  const redactor = createRedactor()
  for (const secret of target.secrets) redactor.learn(secret, secret === target.token ? 'token' : 'secret')
  for (const password of proxyPasswords(environment ?? process.env)) redactor.learn(password, 'secret')
  const guard = (text: string) => !redactor.holdsSecret(text)
  const journal = parts.shared
    ? guarded(parts.shared.journal, guard)
    : plan.journalFile === undefined
      ? noJournal
      : journalOf(plan, guard)
  const endpoints = new Map<string, Endpoint>([[mainCluster, target]])
  for (const [index, cluster] of clustersOf(target).entries()) {
    endpoints.set(cluster.name, cluster)
    const ordinal = furtherClusters[index]
    if (ordinal) endpoints.set(ordinal, cluster)
  }
  const clients = new Map<string, WireClient>()
  /** The same, without being counted by the circuit breaker. */
  const bare = new Map<string, WireClient>()
  const breaker = new CircuitBreaker(async (cluster) => {
    const [health] = dialect.operations.health?.({}).exchanges ?? []
    const plain = bare.get(cluster)
    if (!health || !plain || cluster === controlKey) return false
    const { method, path } = health
    const timeoutMs = boundMs('healthReply')
    const outcome = await asNobody(plain, dialect)({ method, path, once: true, timeoutMs })
    return !isFailing(outcome) && outcome.reply !== undefined
  })
  const operatorTokens = new Map<string, string>()
  /** The cluster of each. */
  const madeTokens = new Map<string, string>()
  let count = 0

  function client(cluster: string): WireClient {
    const open = clients.get(cluster)
    if (open) return open
    const endpoint = endpoints.get(cluster)
    if (!endpoint) throw new Error(`the profile names no cluster "${cluster}": add it under "clusters"`)
    return opened(cluster, endpoint, target.maxRps)
  }

  function opened(key: string, endpoint: Endpoint, maxRps: number): WireClient {
    const direct = createClient(endpoint, {
      ...{ timeoutMs: target.timeoutMs, maxRps, timer, stopping },
      ...(waiting ? { waiting } : {}),
      ...(environment ? { environment } : {}),
    })
    const plain = key === controlKey ? direct : between(direct, key)
    bare.set(key, plain)
    const made = {
      ...plain,
      async send(request: WireRequest) {
        const outcome = await plain.send(request)
        await breaker.saw(key, request, outcome)
        return outcome
      },
    }
    clients.set(key, made)
    return made
  }

  function controlClient(): WireClient {
    if (target.control === undefined) throw new Error('the profile names no control listener: set "control"')
    const bare = { url: target.control, headers: {}, tls: { insecure: false }, allowedHosts: [] }
    return clients.get(controlKey) ?? opened(controlKey, bare, 0)
  }

  const operatorToken = (cluster: string) => operatorTokens.get(cluster) ?? client(cluster).endpoint.token

  const asking = (cluster: string): Ask => asOperator(client(cluster), dialect, () => operatorToken(cluster))

  function setOperatorToken(cluster: string, token: string): void {
    redactor.learn(token, 'token')
    operatorTokens.set(cluster, token)
  }

  const place = (cluster: string): ClusterPlace =>
    placeOn(cluster, {
      ...{ target, dialect, timer, stopping, client: client(cluster) },
      found: [operatorTokens.get(cluster), ...operatorTokens.values()],
      learn: (secret) => redactor.learn(secret, 'token'),
      made: (token) => void madeTokens.set(token, cluster),
    })

  /** Root tokens that key shares made end with the run. A wipe has ended them already. */
  async function revokeMade(): Promise<void> {
    const [revocation] = dialect.operations.revokeSelf?.({}).exchanges ?? []
    if (!revocation) return
    const gone = new Set<string>()
    for (const [token, cluster] of madeTokens)
      if (!gone.has(cluster) && !(await place(cluster).send(revocation, token))) gone.add(cluster)
    madeTokens.clear()
  }

  /** A cluster that was wiped meanwhile knows the operator's token no more. */
  const askAnew =
    (cluster: string): Ask =>
    async (question) => {
      const outcome = await asking(cluster)(question)
      if (outcome.reply?.status !== 403) return outcome
      const found = await dialect.admission?.(place(cluster))
      if (!found || 'blocked' in found || found.token === operatorToken(cluster)) return outcome
      setOperatorToken(cluster, found.token)
      return asking(cluster)(question)
    }

  return {
    plan,
    dialect,
    requirements: new Map(plan.requirements.map((requirement) => [requirement.id, requirement])),
    redactor,
    journal,
    locks: parts.locks ?? createLocks(),
    lists: parts.lists ?? listFormsOf(plan, dialect),
    breaker,
    record: new RecordBudget(),
    kept: new KeptRoom(),
    waysBack: parts.shared?.waysBack ?? new WaysBack(),
    timer,
    signal: stopping.stop,
    assertGoing(cluster) {
      if (stopping.stop.aborted) throw whyStopped(stopping.stop)
      const failing = breaker.whyOpen(cluster)
      if (failing !== undefined) throw new CircuitOpen(failing)
    },
    knows: (cluster) => endpoints.has(cluster),
    client,
    ask: clustersOf(target).length > 0 ? askAnew : asking,
    operatorToken,
    setOperatorToken,
    place,
    control: (method, path, body) =>
      controlClient().send({
        method,
        path,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      }),
    next: parts.shared?.next ?? (() => ++count),
    async close() {
      if (!parts.shared) journal.close()
      await revokeMade()
      await Promise.all([...clients.values()].map((open) => open.close()))
      stopping.close()
    },
  }
}
