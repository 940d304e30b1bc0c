/** Waits until every node behind the address of a target knows what was written. */
import { randomInt } from 'node:crypto'
import type { Journal } from '../safety/journal.ts'
import { throwAwayName } from '../safety/names.ts'
import { addressIn } from '../targets/topology.ts'
import { type Dialect, type Exchange, fieldOf, isSuccess, type Topology } from '../vocabulary/index.ts'
import { asBare, asOperator, isFailing, type Who } from '../wire/ask.ts'
import { boundMs } from '../wire/bounds.ts'
import type { WireClient, WireOutcome, WireRequest } from '../wire/client.ts'
import type { Timer } from '../wire/timer.ts'

export interface SettlingParts {
  readonly client: WireClient
  readonly dialect: Dialect
  readonly runId: string
  readonly topology: Topology
  readonly patienceMs: number
  readonly timer: Timer
  readonly signal: AbortSignal
  readonly journal: Journal
  token(): Who['token']
  /** Returns a client for the address of a node, if the operator has named its host. */
  clientAt(url: string): Pick<WireClient, 'send'> | undefined
}

/** How many reads have to agree behind a load balancer. They are sent together, so that they reach several nodes. */
const agreeing = 6
const shortestPauseMs = 5
const longestPauseMs = 250
const growth = 1.5
const stuckPatienceMs = 500
/** The address of the active node is believed for so long. */
const addressKeptMs = 1000

const reads: ReadonlySet<string> = new Set(['GET', 'LIST', 'HEAD'])

/** Nodes take over writes in the order in which they were made, so a node that shows a mark knows every earlier write.
 * One mark serves all writes that were made before it, of all checks. */
export class NodeSettling {
  readonly #parts: SettlingParts
  readonly #name: string
  #journal: Journal
  #entry: number | undefined
  #marks = 0
  #isSettling = true
  #patienceMs: number
  /** How much longer writes may wait in vain. */
  #budgetMs = Number.POSITIVE_INFINITY
  #current: Promise<string | undefined> = Promise.resolve(undefined)
  /** The mark that is written after the current one. */
  #next: Promise<string | undefined> | undefined
  #address: { readonly askedAt: number; readonly url: Promise<string | undefined> } | undefined
  /** Addresses of nodes to which no connection was made. */
  readonly #unreached = new Set<string>()

  constructor(parts: SettlingParts) {
    this.#parts = parts
    this.#journal = parts.journal
    this.#patienceMs = parts.patienceMs
    this.#name = throwAwayName(parts.runId, randomInt(1e9), 'mark')
  }

  /** False after the nodes did not agree within the patience. */
  get isSettling(): boolean {
    return this.#isSettling
  }

  /** Names the journal for what is written from now on. Writes of a clean-up wait for a bounded time in vain, all
   * together. */
  beginCleanUp(journal: Journal): void {
    this.#journal = journal
    this.#budgetMs = boundMs('nodesBehind')
    this.#patienceMs = Math.min(this.#patienceMs, this.#budgetMs)
  }

  /** Sends a request, and waits after a write until all nodes show it. */
  async send(request: WireRequest, client: Pick<WireClient, 'send'>): Promise<WireOutcome> {
    const atActive = request.atActive && (await this.#sentToActive(request))
    if (atActive) return { ...atActive, amongNodes: {} }
    const extra = request.atActive === 'required' ? this.#parts.dialect.nodes?.atActive : {}
    const headers = { ...request.headers, ...extra }
    const outcome = await client.send({ ...request, headers })
    if ((reads.has(request.method) && !request.changes) || isNothingDone(outcome)) return { ...outcome, amongNodes: {} }
    const unsettled = await this.settled()
    return { ...outcome, amongNodes: unsettled === undefined ? {} : { unsettled } }
  }

  /** Returns the address of the active node, if the operator has named its host. */
  async activeUrl(): Promise<string | undefined> {
    const { timer, clientAt } = this.#parts
    if (!this.#address || timer.now() - this.#address.askedAt >= addressKeptMs)
      this.#address = { askedAt: timer.now(), url: this.#namedByLeader() }
    const url = await this.#address.url
    return url !== undefined && !this.#unreached.has(url) && clientAt(url) ? url : undefined
  }

  async #namedByLeader(): Promise<string | undefined> {
    const { client, dialect } = this.#parts
    if (!dialect.nodes) return undefined
    const { method, path, once = false } = dialect.nodes.leader
    return addressIn((await asBare(client, dialect)({ method, path, once })).reply).activeUrl
  }

  /** Sends a request to the address of the active node: a standby node that reads by itself may answer a write that
   * changes nothing there, and never send it on. Returns undefined if that address is not known, or does not reply. */
  async #sentToActive(request: WireRequest): Promise<WireOutcome | undefined> {
    const url = await this.activeUrl()
    const outcome = url === undefined ? undefined : await this.#parts.clientAt(url)?.send(request)
    if (url === undefined || !outcome) return undefined
    if (outcome.troubleKind === 'unsent') this.#unreached.add(url)
    return isFailing(outcome) && (isNothingDone(outcome) || request.repeatable) ? undefined : outcome
  }

  /** Resolves to undefined when every node shows what was written before the call, or to the reason why not. */
  settled(): Promise<string | undefined> {
    this.#next ??= this.#current.then(async () => {
      this.#current = this.#mark()
      this.#next = undefined
      const unsettled = await this.#current
      this.#isSettling = unsettled === undefined
      return unsettled
    })
    return this.#next
  }

  /** Removes the mark. */
  async close(): Promise<void> {
    if (this.#marks === 0) return
    const { reply } = await this.#ask(this.#exchanges('').remove, true)
    if (this.#entry !== undefined && reply && (isSuccess(reply) || reply.status === 404))
      this.#journal.done(this.#entry)
    this.#marks = 0
    this.#entry = undefined
  }

  async #mark(): Promise<string | undefined> {
    const { timer, signal } = this.#parts
    // Nodes that have once used up the patience would otherwise do so after every further write.
    const usualMs = this.#isSettling ? this.#patienceMs : Math.min(this.#patienceMs, stuckPatienceMs)
    const patienceMs = Math.min(usualMs, this.#budgetMs)
    const { write, read, remove } = this.#exchanges(String(++this.#marks))
    this.#entry ??= this.#journal.intend({ ...remove, cluster: 'main', words: `${write.method} ${write.path}` })
    const startedAt = timer.now()
    let unwritten: string | undefined = 'nothing'
    for (let pause = shortestPauseMs; ; pause = Math.min(pause * growth, longestPauseMs)) {
      unwritten &&= await this.#unwritten(write)
      const seen = unwritten ?? (await this.#behind(read))
      if (seen === undefined) return undefined
      const waitedMs = timer.now() - startedAt
      if (waitedMs >= patienceMs || signal.aborted) {
        this.#budgetMs = Math.max(0, this.#budgetMs - waitedMs)
        return `the nodes behind the address did not agree within ${this.#patienceMs / 1000} s (${seen})`
      }
      await timer.wait(pause, signal)
    }
  }

  /** Returns why the mark is not written, or undefined once it is. */
  async #unwritten(write: Exchange): Promise<string | undefined> {
    const outcome = await this.#ask(write)
    return outcome.reply && isSuccess(outcome.reply) ? undefined : seenAt(write, outcome)
  }

  /** Returns what a node shows instead of the mark, or undefined if all show it. */
  async #behind(read: Exchange): Promise<string | undefined> {
    const times = this.#parts.topology === 'mixed' ? agreeing : 1
    const outcomes = await Promise.all(Array.from({ length: times }, () => this.#ask(read)))
    const late = outcomes.find(({ reply }) => !(reply && Number(fieldOf(reply, '/data/value')) >= this.#marks))
    return late && seenAt(read, late)
  }

  #exchanges(value: string) {
    const mark = this.#parts.dialect.nodes?.mark(value)
    if (!mark) throw new TypeError(`dialect ${this.#parts.dialect.id} has no mark for nodes`)
    const named = (exchange: Exchange): Exchange => ({ ...exchange, path: exchange.path.replace('{mark}', this.#name) })
    return { write: named(mark.write), read: named(mark.read), remove: named(mark.remove) }
  }

  #ask({ method, path, body }: Exchange, repeatable = false): Promise<WireOutcome> {
    const { client, dialect, token } = this.#parts
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return asOperator(client, dialect, token)({ method, path, ...sent, ...(repeatable ? { repeatable } : {}) })
  }
}

const seenAt = ({ method, path }: Exchange, { trouble, reply }: WireOutcome): string =>
  `${method} ${path}: ${trouble ?? reply?.status}`

/** Returns whether the request has certainly changed nothing, because it never left or was sent elsewhere. */
const isNothingDone = ({ troubleKind, reply, attempts }: WireOutcome): boolean =>
  !reply && (['unsent', 'not-taken', 'unsendable', 'cut'].includes(troubleKind ?? '') || attempts.length === 0)
