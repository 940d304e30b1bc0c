import type { Ground } from '../ground/ground-pool.ts'
import { CheckNames } from '../safety/names.ts'
import type { Met } from '../verdict/met.ts'
import { defined } from '../vocabulary/defined.ts'
import {
  type AskedBeside,
  type Circumstance,
  type Conditions,
  type Dialect,
  type Exchange,
  type Facts,
  isSuccess,
  type JsonObject,
  type RecordedExchange,
  type Reply,
  type Step,
  StepFailed,
  type Varied,
} from '../vocabulary/index.ts'
import { isCircumstance } from '../vocabulary/is-circumstance.ts'
import type { EndedRoles } from '../way/ended-roles.ts'
import { troubleIn } from '../way/interruptions.ts'
import { Polls, type Until } from '../way/poll.ts'
import { largeReplies } from '../wire/large-replies.ts'
import { type TargetClock, targetClock } from './clock.ts'
import { mainCluster } from './clusters.ts'
import { OwnRequests } from './denials.ts'
import type { RawExchange } from './recorded-exchange.ts'
import { AtOnce } from './sending/at-once.ts'
import { Callers } from './sending/callers.ts'
import { Companions } from './sending/companions.ts'
import { ExchangeLog } from './sending/exchange-log.ts'
import { isMetIn } from './sending/met-circumstances.ts'
import { NeighboursFirst } from './sending/neighbours-first.ts'
import { isOnlyRefused, notOfTarget } from './sending/not-of-target.ts'
import { performStep } from './sending/performing.ts'
import { type JudgedCheck, RequestWriter } from './sending/request-writer.ts'
import { Sender } from './sending/sender.ts'
import { ServedRequests } from './sending/served-requests.ts'
import { SpelledRequests } from './sending/spelled-requests.ts'
import type { Session } from './session.ts'
import { Makings } from './undo.ts'

/** Statuses that servers return if a client token is missing or invalid. */
const lacksToken: ReadonlySet<number> = new Set([400, 401, 403])

/** In seconds (readings of the documents, 50). */
const defaultImmediateSeconds = 5

/** Everything that one check makes, sends and learns. */
export class CheckScope implements JudgedCheck {
  readonly dialect: Dialect
  readonly facts: Facts
  readonly time: TargetClock
  readonly endedRoles: EndedRoles
  readonly log: ExchangeLog
  readonly makings: Makings
  readonly own: OwnRequests
  readonly polls = new Polls()
  readonly callers: Callers
  readonly spellings: SpelledRequests
  readonly servedRequests = new ServedRequests()
  /** The exchanges that prepared the ground, if it is shared. */
  ofGround: readonly RawExchange[] = []
  /** True if that was for an earlier check. */
  isOnFoundGround = false
  /** Functions that close what the check opened; they are called in reverse order. */
  readonly opened: (() => void | Promise<void>)[] = []
  phase: RecordedExchange['phase'] = 'given'
  control: Exchange | undefined
  /** True if the judged request should be refused. */
  refuses = false
  /** The clusters that get requests which the check is about. */
  judged: ReadonlySet<string> = new Set([mainCluster])
  deciding: readonly string[] = []
  conditions: Conditions | undefined
  isAtActive = false
  readonly circumstances: readonly Circumstance[]
  readonly neighbours: NeighboursFirst
  /** Mismatches with the conditions, and with requirements that other checks decide. */
  readonly broken: Met[] = []
  readonly #session: Session
  readonly #ownsClusters: boolean
  readonly #names: CheckNames
  readonly #writer: RequestWriter
  readonly #sender: Sender
  readonly #atOnce = new AtOnce()
  readonly #companions: Companions

  /** `ownsClusters`: the check has the clusters to itself and changes their roles. */
  constructor(
    session: Session,
    names: readonly string[],
    { ownsClusters = false, varied = [] }: { ownsClusters?: boolean; varied?: readonly Varied[] } = {},
  ) {
    const { runId, facts } = session.plan
    this.#session = session
    this.#ownsClusters = ownsClusters
    this.dialect = session.dialect
    this.facts = facts
    this.time = targetClock(session, (isWaited) => this.polls.timePasses(isWaited))
    this.endedRoles = session.endedRoles
    this.makings = new Makings(session.journal, session.endedRoles)
    this.circumstances = varied.filter(isCircumstance)
    this.spellings = new SpelledRequests(varied)
    const capitals = new Set(this.circumstances.flatMap((one) => (one.id === 'capitals' ? one.names : [])))
    this.#companions = new Companions(this.circumstances)
    this.#names = new CheckNames(runId, session.next(), names, capitals)
    this.log = new ExchangeLog(session)
    this.own = new OwnRequests(session, this.#names)
    this.callers = new Callers(session, this.#names)
    this.#writer = new RequestWriter(session, this, this.#names, this.callers)
    this.#sender = new Sender(session, this, this.#writer, this.log, ownsClusters ? session.settling : undefined)
    this.neighbours = new NeighboursFirst(this.circumstances, (some) => this.#sender.sendFirst(some))
  }

  /** The circumstances that some request was sent in. */
  get met(): readonly Circumstance[] {
    return this.circumstances.filter(isMetIn(this, this.#names, this.#companions))
  }

  value(name: string): string {
    return this.#names.value(name)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  names(): readonly (readonly [string, string])[] {
    return this.#names.entries()
  }

  save(name: string, value: string, { secret = false }: { secret?: boolean } = {}): void {
    this.#names.set(name, value)
    if (secret) this.#session.redactor.learn(value, 'token')
  }

  /** Returns what this scope has prepared, for checks that stand on it. */
  standing(): Pick<Ground, 'values' | 'served' | 'exchanges'> {
    return { values: this.names(), served: this.servedRequests.bodies, exchanges: [...this.log.exchanges] }
  }

  /** Stands on what was prepared for several checks, of which this one is the last so far. */
  standOn({ values, served, exchanges, uses }: Ground): void {
    for (const [name, value] of values) this.#names.set(name, value)
    this.#names.set('use', `n${uses}`)
    for (const [path, bodies] of served) this.servedRequests.bodies.set(path, bodies)
    this.ofGround = exchanges
    this.isOnFoundGround = uses > 1
    this.log.countOfGround(exchanges)
  }

  fill(template: string): string {
    return this.#names.fill(template)
  }

  provided<T>(need: string): T | undefined {
    return this.#session.plan.target.provides[need] as T | undefined
  }

  async send(exchange: Exchange): Promise<Reply> {
    const reply = await this.#atOnce.send(() => this.#sendByRight(this.#companions.with(exchange, this)))
    await this.#atOnce.answered()
    if (['given', 'when', 'then'].includes(this.phase) && isSuccess(reply))
      this.broken.push(...((await this.conditions?.flawsIn({ reply, scope: this })) ?? []))
    return reply
  }

  async #sendByRight(exchange: Exchange): Promise<Reply> {
    const denied = this.own.denied.length
    let reply = await this.#sendAs(exchange, exchange.as ?? 'operator')
    while (this.#ownsClusters && (await this.callers.isUnknown(exchange, reply))) {
      this.own.denied.splice(denied)
      reply = await this.#sendAs(exchange, 'operator')
    }
    if (exchange.orAs === undefined) return reply
    // A cluster that replicates the main one may know its tokens.
    const clusters = [exchange.cluster ?? mainCluster, mainCluster]
    for (const token of new Set(clusters.map((cluster) => this.#session.operatorToken(cluster)))) {
      if (!lacksToken.has(reply.status) || token === undefined) continue
      reply = await this.#sendAs(exchange, exchange.orAs, token)
    }
    return reply
  }

  async #sendAs(exchange: Exchange, as: string, token?: string): Promise<Reply> {
    const { phase } = this
    const { method, cluster = mainCluster } = exchange
    this.polls.sent(exchange)
    await this.#session.assertGoing(cluster)
    await this.neighbours.sendBefore(exchange, this.#isRefused)
    const path = this.#names.path(exchange.path)
    const asked = `${method} ${path}`
    const { request, body, spelled } = this.#written(exchange, as, token)
    const undo = this.#writer.undoOf(exchange)
    const made = undo && this.makings.expect(undo)
    const outcome = await this.#sender.sent(exchange, request, body, spelled?.words)
    const { number, reply: received } = outcome
    if (spelled) this.spellings.note(spelled, { asked, exchange: number, status: received?.status }, made)
    const foreign = received && notOfTarget(received, exchange, request, outcome.attempts.length, this.#session)
    if (made && (foreign || !isOnlyRefused(outcome))) made.refused = false
    if (!received) throw troubleIn(outcome, { asked, exchange: number }, cluster, this.#session.signal)
    if (foreign) throw foreign
    const reply = await this.time.dated(received)
    this.#learn(reply, exchange)
    if (isSuccess(reply)) this.servedRequests.remember(path, exchange, this)
    if (made) this.makings.settle(made, exchange, reply, this.#writer.undoOf(exchange))
    const unsettled = outcome.amongNodes?.unsettled
    if (unsettled !== undefined) throw new StepFailed('nodes-differ', { asked, words: unsettled }, reply)
    const { as: sender, isOther = false } = request.about
    if (sender === 'operator') this.own.note(reply, exchange, { path, asked, exchange: number, phase, isOther })
    return reply
  }

  /** Sends what comes before the judged request. What the control of a refusal says holds from then on. */
  async sendAhead(exchange: Exchange): Promise<void> {
    const served = await this.neighbours.sendAhead(this.#companions.with(exchange, this), this)
    if (this.refuses) for (const one of served) this.servedRequests.remember(this.#names.path(one.path), one, this)
  }

  #learn(reply: Reply, exchange: Exchange): void {
    for (const [name, value] of this.#names.learn(reply, exchange))
      this.save(name, value, { secret: exchange.secrets?.includes(name) ?? false })
  }

  /** Returns a request as the check spells it. What should be refused is sent as it is written. */
  #written(exchange: Exchange, as: string, token: string | undefined) {
    const text = this.#writer.body(exchange)
    const isExact = this.#isRefused || exchange.rawBody !== undefined || exchange.isExact === true
    const by = as === 'operator' ? undefined : as
    const site = { ...this.#writer.siteOf(exchange), ...defined({ body: text, as: by }) }
    const spelled = isExact ? undefined : this.spellings.spelled(site, this.served(exchange.path).length === 0)
    const { as: caller = as, ...spelling } = spelled?.request ?? {}
    const body = spelled ? spelled.request.body : text
    const request = { ...this.#writer.request(exchange, caller, body !== undefined, token), ...spelling }
    return { request, body, spelled }
  }

  /** True while the judged request is one that should be refused. */
  get #isRefused(): boolean {
    return this.phase === 'when' && this.refuses
  }

  served(path: string): readonly JsonObject[] {
    return this.servedRequests.of(this.#names.path(path))
  }

  get patience(): number {
    return this.#session.plan.target.patienceSeconds
  }

  get immediate(): number {
    const { immediateSeconds = defaultImmediateSeconds, patienceSeconds } = this.#session.plan.target
    return Math.min(immediateSeconds, patienceSeconds)
  }

  async poll(exchange: Exchange, until: Until, seconds = this.patience): Promise<Reply> {
    const { settling, timer, signal, nodes } = this.#session
    const reply = await this.polls.reply(
      { until, seconds, patience: this.patience, timer: this.#ownsClusters ? settling : timer, signal },
      `${exchange.method} ${exchange.path}`,
      async () => {
        // Only the last of many equal requests is recorded.
        const [from, denied] = [this.log.exchanges.length, this.own.denied.length]
        const forget = (): void => {
          this.log.forgetFrom(from)
          this.own.denied.splice(denied)
        }
        return { reply: await this.send({ ...exchange, once: true }), forget }
      },
    )
    // One node shows it; what follows may reach another one.
    await nodes?.settled()
    return reply
  }

  async admit(cluster: string): Promise<boolean> {
    const { dialect } = this
    // The requests of an admission need the turn for large replies themselves.
    largeReplies.leave(this)
    if (!dialect.admission) throw new StepFailed('dialect-lacks', { dialect: dialect.id, operation: 'admission' })
    const found = await dialect.admission(this.#session.accessTo(cluster))
    if ('blocked' in found) throw new StepFailed('cluster-closed', { cluster, why: found.blocked })
    await this.callers.admitted(cluster, found.token, cluster === mainCluster || this.judged.has(cluster))
    return found.atOnce === true
  }

  atEnd(close: () => void | Promise<void>): void {
    this.opened.push(close)
  }

  perform(step: Step, cluster?: string): Promise<void> {
    return performStep(step, this, cluster)
  }

  note(asked: AskedBeside): number | undefined {
    return this.log.recordBeside(this.phase, asked)
  }
}
