/** The scope of a check. */

import type { Ground } from '../ground/ground-pool.ts'
import type { Undo } from '../safety/journal-lines.ts'
import { CheckNames, fillTemplate, withCapitals } from '../safety/names.ts'
import { pathPattern } from '../safety/path-pattern.ts'
import { type Respelled, respelled } from '../spelling/spellings.ts'
import { namePrefix } from '../targets/dialects/vault-areas.ts'
import { ruleOf, sudoFor } from '../targets/dialects/vault-policy.ts'
import { defined } from '../vocabulary/defined.ts'
import {
  type AskedBeside,
  type AskedRequest,
  askedBy,
  type Circumstance,
  type Conditions,
  type Dialect,
  DoesNotApply,
  type Exchange,
  type Facts,
  type FoundMismatch,
  filled,
  gatewayOf,
  isDenied,
  isObject,
  isOfTheWay,
  isRefusal,
  isSuccess,
  isUnserved,
  type JsonObject,
  type Neighbours,
  type Operation,
  performanceOf,
  type RecordedExchange,
  type Reply,
  type Scope,
  type SpellingSite,
  type Step,
  StepFailed,
  stepRefused,
  type Varied,
} from '../vocabulary/index.ts'
import { isCircumstance } from '../vocabulary/is-circumstance.ts'
import { GatewayAnswered, OfTheWay, troubleIn } from '../way/interruptions.ts'
import { mayBeForm } from '../way/list-forms.ts'
import { pollUntil } from '../way/poll.ts'
import { type Ask, headersFor, listCaller } from '../wire/ask.ts'
import type { WireOutcome, WireRequest } from '../wire/client.ts'
import { largeReplies } from '../wire/large-replies.ts'
import { sendListing } from '../wire/list-method.ts'
import { jsonOf } from '../wire/reply.ts'
import { isRedirect, mayRepeatAfter } from '../wire/retries.ts'
import type { Timer } from '../wire/timer.ts'
import { type TargetClock, targetClock } from './clock.ts'
import { mainCluster } from './clusters.ts'
import { type OwnRequest, shapeOf } from './denials.ts'
import { isForeseen } from './outcome.ts'
import { keepExchange, type RawExchange, type Sent } from './recorded-exchange.ts'
import type { Session } from './session.ts'
import { type Twin, twinOf } from './twin.ts'
import { type Made, Makings, undoOf } from './undo.ts'

type Phase = RecordedExchange['phase']

/** An outcome with the number of its exchange, if it is recorded. */
type NumberedOutcome = WireOutcome & { readonly number: number | undefined }

type Request = WireRequest & { readonly about: NonNullable<WireRequest['about']> }

/** A request as a check spells it. */
type Spelled = Respelled<Pick<WireRequest, 'method' | 'path' | 'query' | 'body'>> & {
  readonly sites: readonly (Pick<Respelled, 'words'> & { readonly site: SpellingSite })[]
}

/** The tokens of a caller other than the operator. */
interface TokensOfOther {
  tokenOn(cluster: string): Promise<string | undefined>
  isUnknownTo(cluster: string): void
}

/** Returns whether a request can be sent before with the same effect. */
const isRepeatable = ({ as = 'operator', undo, orUndo, once, isTrigger, isExact, rawBody }: Exchange): boolean =>
  as === 'operator' && !(undo || orUndo || once || isTrigger || isExact) && rawBody === undefined

/** Returns a path without the version that it begins with. */
const withoutPrefix = (path: string): string => path.replace(/^\/[^/]+\//, '')

/** Statuses that servers return if a client token is missing or invalid. */
const lacksToken: ReadonlySet<number> = new Set([400, 401, 403])

/** The pauses between two tries to send to a cluster that changes its role. */
const [shortestPauseMs, longestPauseMs] = [250, 2000]

/** Returns whether the target has not acted on a request, or may act on it again. */
const isPutOff = ({ method }: Exchange, outcome: WireOutcome): boolean =>
  outcome.troubleKind === 'unsent' ||
  outcome.troubleKind === 'not-taken' ||
  (outcome.reply !== undefined && isOfTheWay(outcome.reply) && mayRepeatAfter(outcome.reply.status, method))

/** Returns whether the target itself refused a request, and did nothing of it. */
const isOnlyRefused = (reply: Reply | undefined, foreign: unknown, { wasDone }: WireOutcome): boolean =>
  reply !== undefined && !foreign && isRefusal(reply) && !wasDone

/** In seconds (readings of the documents, 50). */
const defaultImmediateSeconds = 5

/** Everything that one check makes, sends and learns. */
export class CheckScope implements Scope {
  readonly dialect: Dialect
  readonly facts: Facts
  readonly time: TargetClock
  readonly exchanges: RawExchange[] = []
  readonly makings: Makings
  readonly denials: OwnRequest[] = []
  /** The operator's requests, by their replies. */
  readonly #own = new WeakMap<object, OwnRequest>()
  /** The exchanges that prepared the ground, if it is shared. */
  ofGround: readonly RawExchange[] = []
  /** True if that was for an earlier check. */
  isOnFoundGround = false
  /** Functions that close what the check opened; they are called in reverse order. */
  readonly opened: (() => void | Promise<void>)[] = []
  /** True once the check has polled for an effect. */
  hasPolled = false
  phase: Phase = 'given'
  control: Exchange | undefined
  /** True if the judged request should be refused. */
  refuses = false
  /** The cluster that gets the judged request. */
  judged = mainCluster
  /** The requirements that the check decides. */
  deciding: readonly string[] = []
  conditions: Conditions | undefined
  /** True if the active node of several is asked at its own address. */
  isAtActive = false
  /** The sites at which this check spells its requests otherwise than they are written. */
  readonly spelledAt: readonly SpellingSite[]
  readonly circumstances: readonly Circumstance[]
  /** Sends the requests of the operator, if it is set. */
  otherCaller: TokensOfOther | undefined
  /** Its tokens by cluster. */
  readonly #otherTokens = new Map<string, string | undefined>()
  /** The requests that were spelled otherwise, in the order in which they were sent. */
  readonly respelled: (AskedRequest & { readonly site: SpellingSite; readonly words: string })[] = []
  /** The undos of what a target made under another name if it does not decode paths. */
  readonly #misnamed: Undo[] = []
  /** Mismatches with the conditions, and with requirements that other checks decide. */
  readonly broken: FoundMismatch[] = []
  readonly #session: Session
  readonly #ownsClusters: boolean
  readonly #timer: Timer
  readonly #names: CheckNames
  readonly #capitals: ReadonlySet<string>
  /** The neighbours whose requests were not sent so far. */
  #neighbours: readonly Neighbours[]
  #hasUsedMount = false
  readonly #isRecorded: boolean
  #sent = 0
  /** Bodies by path, of requests that were served. */
  readonly #served = new Map<string, readonly JsonObject[]>()

  /** `ownsClusters`: the check has the clusters to itself and changes their roles. */
  constructor(
    session: Session,
    names: readonly string[],
    { ownsClusters = false, varied = [] }: { ownsClusters?: boolean; varied?: readonly Varied[] } = {},
  ) {
    const { runId, facts, record } = session.plan
    this.#session = session
    this.#ownsClusters = ownsClusters
    this.#timer = ownsClusters ? session.settling : session.timer
    this.dialect = session.dialect
    this.facts = facts
    this.time = targetClock(session)
    this.makings = new Makings(session.journal)
    this.#isRecorded = record !== 'none'
    this.circumstances = varied.filter(isCircumstance)
    this.spelledAt = varied.filter((one): one is SpellingSite => !isCircumstance(one))
    this.#capitals = new Set(this.circumstances.flatMap((one) => (one.id === 'capitals' ? one.names : [])))
    this.#neighbours = this.circumstances.flatMap((one) => (one.id === 'neighbours' ? one.neighbours : []))
    this.#names = new CheckNames(runId, session.next(), names, this.#capitals)
  }

  value(name: string): string {
    return this.#names.value(name)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Returns all names with their values. */
  names(): readonly (readonly [string, string])[] {
    return this.#names.entries()
  }

  save(name: string, value: string, { secret = false }: { secret?: boolean } = {}): void {
    this.#names.set(name, value)
    if (secret) this.#session.redactor.learn(value, 'token')
  }

  /** Returns what this scope has prepared, for checks that stand on it. */
  standing(): Pick<Ground, 'values' | 'served' | 'exchanges'> {
    return { values: this.names(), served: this.#served, exchanges: [...this.exchanges] }
  }

  /** Stands on what was prepared for several checks, of which this one is the last so far. */
  standOn({ values, served, exchanges, uses }: Ground): void {
    for (const [name, value] of values) this.#names.set(name, value)
    this.#names.set('use', `n${uses}`)
    for (const [path, bodies] of served) this.#served.set(path, bodies)
    this.ofGround = exchanges
    this.isOnFoundGround = uses > 1
    this.#sent = exchanges.length
  }

  fill(template: string): string {
    return this.#names.fill(template)
  }

  #pathOf(template: string): string {
    return withCapitals(this.fill(template), this.#capitals, this.#names.get('use'))
  }

  provided<T>(need: string): T | undefined {
    return this.#session.plan.target.provides[need] as T | undefined
  }

  async send(exchange: Exchange): Promise<Reply> {
    const reply = await this.#sendByRight(exchange)
    if ((this.phase === 'when' || this.phase === 'then') && isSuccess(reply))
      this.broken.push(...(this.conditions?.flawsIn({ reply, scope: this }) ?? []))
    return reply
  }

  async #sendByRight(exchange: Exchange): Promise<Reply> {
    const denied = this.denials.length
    let reply = await this.#sendAs(exchange, exchange.as ?? 'operator')
    if (await this.#isUnknownCaller(exchange, reply)) {
      this.denials.splice(denied)
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

  /** Returns whether a cluster refused a request because it does not know the other caller, after a change of roles or for
   * its age. From then on, the operator sends. Servers may deny with any status (readings of the documents, 55). */
  async #isUnknownCaller({ as = 'operator', cluster = mainCluster }: Exchange, reply: Reply): Promise<boolean> {
    const other = as === 'operator' && this.#ownsClusters ? this.#otherTokens.get(cluster) : undefined
    if (other === undefined || !isRefusal(reply)) return false
    if (!isDenied(reply) && (await this.#isKnown(other, cluster))) return false
    this.#otherTokens.set(cluster, undefined)
    this.otherCaller?.isUnknownTo(cluster)
    return true
  }

  async #isKnown(token: string, cluster: string): Promise<boolean> {
    const [lookup] = this.dialect.operations.lookupSelf?.({}).exchanges ?? []
    if (!lookup) return true
    const headers = { [this.dialect.tokenHeader]: token }
    const { reply } = await this.#session.ask(cluster)({ method: lookup.method, path: lookup.path, headers })
    return reply === undefined || !isRefusal(reply)
  }

  async #sendAs(exchange: Exchange, as: string, token?: string): Promise<Reply> {
    const { phase } = this
    const { method, cluster = mainCluster } = exchange
    await this.#session.assertGoing(cluster)
    await this.#sendNeighbours(exchange)
    const path = this.#pathOf(exchange.path)
    const asked = `${method} ${path}`
    const { spelled, body } = this.#spelled(exchange, this.#bodyOf(exchange))
    const request = { ...this.#requestOf(exchange, as, token, body !== undefined), ...spelled?.request }
    const made = this.#expectMaking(exchange)
    const outcome = await this.#sentPatiently(exchange, () =>
      this.#sentInForm(exchange, body, (text) => this.#sendOnce(exchange, request, phase, text, spelled?.words)),
    )
    const { number, reply: answer } = outcome
    if (spelled) this.#noteSpelled(spelled, { asked, exchange: number }, made)
    const received = answer && numbered(answer, outcome)
    const foreign =
      received && (this.#stored(received, request) ?? notOfTarget(received, exchange, outcome.attempts.length))
    if (made && !isOnlyRefused(received, foreign, outcome)) made.refused = false
    if (!received) throw troubleIn(outcome, { asked, exchange: number }, cluster, this.#session.signal)
    if (foreign) throw foreign
    const reply = await this.time.dated(received)
    this.#learn(reply, exchange)
    if (isSuccess(reply)) this.#remember(path, exchange)
    if (made) this.#nameMaking(made, exchange, reply)
    const unsettled = outcome.amongNodes?.unsettled
    if (unsettled !== undefined) throw new StepFailed('nodes-differ', { asked, words: unsettled }, reply)
    if (as === 'operator') this.#noteOwn(reply, exchange, { path, asked, exchange: number, phase })
    return reply
  }

  /** Sends what comes before a request of the check. */
  async #sendNeighbours(exchange: Exchange): Promise<void> {
    const { path, cluster = mainCluster } = exchange
    if (!path.startsWith('{mount}/') || cluster !== mainCluster) return
    const isDue = ({ before }: Neighbours): boolean => before.test(askedBy(exchange))
    const due = this.#neighbours.filter((one) => isDue(one) && !(one.isFirst && this.#hasUsedMount))
    this.#hasUsedMount = true
    this.#neighbours = this.#neighbours.filter((one) => !isDue(one))
    const canRepeat = isRepeatable(exchange) && !(this.phase === 'when' && this.refuses)
    for (const { sends, repeats = 0 } of due)
      await this.sendFirst([...sends, ...Array<Exchange>(canRepeat ? repeats : 0).fill(exchange)])
  }

  /** Sends requests for objects that no check judges. */
  async sendFirst(exchanges: readonly Exchange[]): Promise<void> {
    for (const one of exchanges) {
      const body = this.#bodyOf(one)
      const request = this.#requestOf(one, 'operator', undefined, body !== undefined)
      await this.#sendOnce({ ...one, words: 'for a neighbour, before the check' }, request, 'given', body)
    }
  }

  #learn(reply: Reply, exchange: Exchange): void {
    for (const [name, value] of this.#names.learn(reply, exchange))
      this.save(name, value, { secret: exchange.secrets?.includes(name) ?? false })
  }

  #noteOwn(reply: Reply, exchange: Exchange, known: Pick<OwnRequest, 'path' | 'asked' | 'exchange' | 'phase'>): void {
    const { method, cluster = mainCluster } = exchange
    // A check may have read an id in a reply, and written it into a path.
    const rule = pathPattern(ruleOf(exchange.path, (name) => this.#names.isThrowAway(name), namePrefix)).replaceAll(
      '{id}',
      '+',
    )
    const isListing = exchange.query?.list === 'true'
    const own = { ...known, method, rule, cluster, needsSudo: sudoFor(exchange) !== undefined, isListing }
    this.#own.set(reply, own)
    if (isSuccess(reply)) this.#session.accepted.add(shapeOf(own))
    // A denial of the method LIST is a verdict of its own: the check of it asks for the same list by GET.
    else if (!exchange.isExact && isRefusedToken(reply, this.#session, cluster)) this.denials.push(own)
  }

  /** Also takes back what a target made that does not decode paths. */
  expectMisnamed(): void {
    for (const undo of this.#misnamed) this.makings.expect(undo)
  }

  requestFor(reply: object): OwnRequest | undefined {
    return this.#own.get(reply)
  }

  /** Where something stores replies, a read that was sent before may get an earlier reply, which shows nothing of the
   * target as it is now. */
  #stored(reply: Reply, { method, path, query }: Request): GatewayAnswered | undefined {
    const { cache } = this.#session.plan
    if (cache === undefined || method !== 'GET') return undefined
    const { readBefore } = this.#session
    const read = `${path}?${new URLSearchParams(query)}`
    if (readBefore.has(read)) return new GatewayAnswered(reply, cache)
    readBefore.add(read)
    return undefined
  }

  /** Returns the request without its body, because the lists in a body may be sent in several forms. */
  #requestOf(exchange: Exchange, as: string, token: string | undefined, hasBody: boolean): Request {
    const { method, once, query, headers: extra, cluster = mainCluster } = exchange
    const other = as === 'operator' ? this.#otherTokens.get(cluster) : undefined
    const who = { operator: as === 'operator', token: token ?? other ?? this.#tokenOf(as, cluster) }
    const options = { body: hasBody, ...(extra ? { extra: this.#names.each(extra) } : {}) }
    return {
      ...{ method, asked: `${method} ${this.#pathOf(exchange.path)}` },
      path: `${this.dialect.prefix}/${this.#pathOf(exchange.path)}`,
      headers: headersFor(this.#session.client(cluster), this.dialect, who, options),
      ...(query ? { query: this.#names.each(query) } : {}),
      ...(once ? { once } : {}),
      ...(exchange.undo || exchange.orUndo ? { changes: true } : {}),
      ...(exchange.isExact ? { isExact: true } : {}),
      ...(this.isAtActive ? { atActive: 'preferred' } : {}),
      about: { as, control: () => this.#twinOn(cluster), ...(other === undefined ? {} : { isOther: true }) },
      holder: this,
    }
  }

  #noteSpelled({ sites, request }: Spelled, asked: AskedRequest, made: Made | undefined): void {
    this.respelled.push(...sites.map((one) => ({ ...asked, ...one })))
    const undo = made?.undo
    if (undo && asked.asked.endsWith(` ${undo.path}`))
      this.#misnamed.push({ ...undo, path: withoutPrefix(request.path) })
  }

  /** Returns the request as the check spells it, if it does not send it as it is written, and the body to send. */
  #spelled(
    exchange: Exchange,
    body: string | undefined,
  ): { readonly spelled?: Spelled; readonly body: string | undefined } {
    const isRefused = this.phase === 'when' && this.refuses
    const isExact = exchange.rawBody !== undefined || exchange.isExact === true
    if (this.spelledAt.length === 0 || isRefused || isExact) return { body }
    const sites: Spelled['sites'][number][] = []
    const isFirst = this.served(exchange.path).length === 0
    let request: Spelled['request'] = { ...this.#siteOf(exchange), ...(body === undefined ? {} : { body }) }
    for (const site of this.spelledAt) {
      const found = respelled(request, site, isFirst)
      if (!found) continue
      sites.push({ site, words: found.words })
      request = found.request
    }
    if (sites.length === 0) return { body }
    return { spelled: { request, sites, words: sites.map(({ words }) => words).join(', and ') }, body: request.body }
  }

  /** Repeats a request that did not reach the server, for as long as a cluster may take to settle, because a cluster
   * serves nothing while it changes its role. A trigger is not repeated, because the state shows what became of it. */
  async #sentPatiently(exchange: Exchange, send: () => Promise<NumberedOutcome>): Promise<NumberedOutcome> {
    const end = this.#timer.now() + this.patience * 1000
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const from = this.exchanges.length
      const outcome = await send()
      const isPatient = this.#ownsClusters && !exchange.once && !exchange.isTrigger
      if (!isPatient || !isPutOff(exchange, outcome) || this.#timer.now() >= end) return outcome
      this.#forget(from, this.denials.length)
      await this.#timer.wait(pauseMs, this.#session.signal)
    }
  }

  async #sendOnce(
    exchange: Exchange,
    request: Request,
    phase: Phase,
    body: string | undefined,
    spelling?: string,
  ): Promise<NumberedOutcome> {
    const { method, cluster = mainCluster } = exchange
    const otherwise = [
      ...(spelling === undefined ? [] : [`sent ${spelling}`]),
      ...(request.about.isOther ? ['sent with a token of the planned policy'] : []),
    ]
    const words = otherwise.length === 0 ? exchange.words : [exchange.words ?? [], otherwise].flat().join(', ')
    const sent = body === undefined ? {} : { body }
    const client = this.#session.client(cluster)
    const operator = request.about.as === 'operator'
    const outcome = await sendListing(client, { ...request, ...sent }, () =>
      listCaller(client, this.dialect, { operator }, this.#session.operatorToken(cluster)),
    )
    const labelled = words === undefined ? {} : { words }
    const number = this.#record({
      phase,
      method: outcome.method ?? method,
      as: request.about.as,
      ...(cluster === mainCluster ? {} : { to: cluster }),
      outcome,
      ...labelled,
      ...sent,
    })
    return { ...outcome, number }
  }

  /** Sends a body. If it is refused and the form of its lists may be the reason, sends them in the other form. */
  async #sentInForm(
    exchange: Exchange,
    body: string | undefined,
    send: (body: string | undefined) => Promise<NumberedOutcome>,
  ): Promise<NumberedOutcome> {
    const first = await send(body)
    if (body === undefined || exchange.rawBody !== undefined) return first
    const { lists } = this.#session
    const site = this.#siteOf(exchange)
    if (first.reply && isSuccess(first.reply)) lists.taken(site, body)
    if (!mayBeForm(first.reply)) return first
    for (const rewritten of lists.others(site, body, this.deciding)) {
      const outcome = await send(rewritten.body)
      if (!outcome.reply) break
      if (!isSuccess(outcome.reply)) continue
      if (this.#isMeantToSucceed) lists.taken(site, rewritten.body, rewritten.fields)
      return outcome
    }
    return first
  }

  /** False for a judged request that should be refused: that the target accepts it does not show which form of lists it
   * accepts. */
  get #isMeantToSucceed(): boolean {
    return this.phase !== 'when' || this.control === undefined
  }

  #siteOf({ method, path, query }: Exchange) {
    const full = `${this.dialect.prefix}/${this.#pathOf(path)}`
    return { method, path: full, ...(query ? { query: this.#names.each(query) } : {}) }
  }

  served(path: string): readonly JsonObject[] {
    return this.#served.get(this.#pathOf(path)) ?? []
  }

  #remember(path: string, { method, body }: Exchange): void {
    const whole = method === 'POST' && body !== undefined ? filled(body, this) : undefined
    if (isObject(whole)) this.#served.set(path, [...(this.#served.get(path) ?? []), whole])
  }

  get patience(): number {
    return this.#session.plan.target.patienceSeconds
  }

  get immediate(): number {
    const { immediateSeconds = defaultImmediateSeconds, patienceSeconds } = this.#session.plan.target
    return Math.min(immediateSeconds, patienceSeconds)
  }

  async poll(exchange: Exchange, until: (reply: Reply) => boolean, seconds = this.patience): Promise<Reply> {
    this.hasPolled = true
    const reply = await this.#polled(exchange, until, seconds)
    // One node shows it; what follows may reach another one.
    await this.#session.nodes?.settled()
    return reply
  }

  #polled(exchange: Exchange, until: (reply: Reply) => boolean, seconds: number): Promise<Reply> {
    return pollUntil(
      { until, seconds, patience: this.patience, timer: this.#timer, signal: this.#session.signal },
      `${exchange.method} ${exchange.path}`,
      async () => {
        // Only the last of many equal requests is recorded.
        const [from, denied] = [this.exchanges.length, this.denials.length]
        const reply = await this.send({ ...exchange, once: true })
        return { reply, forget: () => this.#forget(from, denied) }
      },
    )
  }

  #forget(from: number, denied: number): void {
    this.#session.kept.giveBack(this.exchanges.splice(from, this.exchanges.length - from))
    this.denials.splice(denied, this.denials.length - denied)
  }

  async admit(cluster: string): Promise<boolean> {
    const { dialect } = this
    // The requests of an admission need the turn for large replies themselves.
    largeReplies.leave(this)
    if (!dialect.admission) throw new StepFailed('dialect-lacks', { dialect: dialect.id, operation: 'admission' })
    const found = await dialect.admission(this.#session.accessTo(cluster))
    if ('blocked' in found) throw new StepFailed('cluster-closed', { cluster, why: found.blocked })
    const isKnown = found.token === this.#session.operatorToken(cluster)
    this.#session.setOperatorToken(cluster, found.token)
    // Making it takes requests, so only the clusters that the check judges, and main, get one.
    const isJudged = cluster === mainCluster || cluster === this.judged
    if (isJudged && !this.#otherTokens.has(cluster)) await this.callAsOther(cluster)
    // The caller would need a policy there, which may come from the primary.
    else if (!isKnown) this.#otherTokens.set(cluster, undefined)
    return found.atOnce === true
  }

  /** Has the requests of the operator to a cluster sent by another caller, as long as it knows that one. */
  async callAsOther(cluster: string): Promise<void> {
    this.#otherTokens.set(cluster, await this.otherCaller?.tokenOn(cluster))
  }

  atEnd(close: () => void | Promise<void>): void {
    this.opened.push(close)
  }

  async perform(step: Step, cluster?: string): Promise<void> {
    if (step.kind === 'action') return step.run(this)
    if (step.kind === 'operation') return this.#operate(step, cluster)
    const reply = await this.send(step)
    if (!isSuccess(reply)) throw stepRefused(reply)
    for (const name of Object.keys(step.saves ?? {})) if (!step.mayLack?.includes(name)) this.value(name)
  }

  async #operate(step: Operation, cluster?: string): Promise<void> {
    const performance = performanceOf(this.dialect.operations, step)
    if (!performance) throw new StepFailed('dialect-lacks', { dialect: this.dialect.id, operation: step.operation })
    for (const [name, value] of Object.entries(performance.values ?? {}))
      this.save(name, this.fill(value), { secret: performance.secrets?.includes(name) ?? false })
    for (const exchange of performance.exchanges) {
      const { ifKnown, unlessKnown } = exchange
      if (ifKnown !== undefined && !this.has(ifKnown)) continue
      if (unlessKnown !== undefined && this.has(unlessKnown)) continue
      await this.perform(onCluster(exchange, cluster)).catch(throwUnserved)
    }
  }

  /** Returns the control as it would be sent to this cluster by its caller. */
  #twinOn(cluster: string): Twin | undefined {
    const headers = ({ as = 'operator', headers: extra = {} }: Exchange, body: string | undefined) => {
      if (!this.#knows(as) || !this.#names.isKnown(JSON.stringify(extra))) return undefined
      const who = { operator: as === 'operator', token: this.#tokenOf(as, cluster) }
      const options = { body: body !== undefined, extra: this.#names.each(extra) }
      return headersFor(this.#session.client(cluster), this.dialect, who, options)
    }
    return twinOf(this.control, { ...this.#undoParts, headers }, this.dialect.prefix, this.#names.isKnown)
  }

  #knows(as: string): boolean {
    return as === 'nobody' || as === 'operator' || this.#names.has(as) || this.#principal(as) !== undefined
  }

  #principal(as: string): string | undefined {
    return this.provided<Readonly<Record<string, { token?: string }>>>('principals')?.[as]?.token
  }

  #tokenOf(as: string, cluster: string): string | undefined {
    if (as === 'nobody') return undefined
    if (as === 'operator') return this.#session.operatorToken(cluster)
    if (this.#names.has(as) || this.#names.isLost(as)) return this.value(as)
    return this.#principal(as) ?? this.value(as)
  }

  #bodyOf(exchange: Exchange): string | undefined {
    const { body, rawBody } = exchange
    // A raw body may be malformed on purpose, so unknown names keep their braces.
    if (rawBody !== undefined) return fillTemplate(rawBody, (name) => this.#names.get(name) ?? `{${name}}`)
    if (body === undefined) return undefined
    return this.#session.lists.written(this.#siteOf(exchange), JSON.stringify(filled(body, this)), this.deciding)
  }

  readonly #undoParts = {
    path: (exchange: Exchange) => this.#pathOf(exchange.path),
    query: (exchange: Exchange) => exchange.query && this.#names.each(exchange.query),
    body: (exchange: Exchange) => this.#bodyOf(exchange),
    url: (cluster: string) => this.#session.client(cluster).endpoint.url,
  }

  readonly #undoOf = (exchange: Exchange) => undoOf(exchange, this.#undoParts, this.#names.isKnown)

  #expectMaking(exchange: Exchange): Made | undefined {
    const undo = this.#undoOf(exchange)
    return undo && this.makings.expect(undo)
  }

  #nameMaking(made: Made, exchange: Exchange, reply: Reply): void {
    if (made.undo) return
    const undo = this.#undoOf(exchange)
    if (undo && 'path' in undo) this.makings.named(made, undo)
    // A refusal that names no object made none. After any other reply, `orUndo` or the run's name leads to the object.
    else if (reply.status >= 400) this.makings.done(made)
    else if (exchange.orUndo) made.otherwise = exchange.orUndo
  }

  /** Takes back an object that no reply has named, by the exchanges of `orUndo`. Returns whether one succeeded. */
  async takeBackOtherwise({ otherwise = [] }: Made): Promise<boolean> {
    // All are tried twice, because nothing else would take the object back if a reply was lost.
    for (const undo of [...otherwise, ...otherwise]) if (await this.#succeeds(undo)) return true
    return false
  }

  async #succeeds(exchange: Exchange): Promise<boolean> {
    try {
      return isSuccess(await this.send(exchange))
    } catch (error) {
      if (!(error instanceof Error) || !isForeseen(error)) throw error
      return false
    }
  }

  /** Returns a function that sends requests as the operator and records them in this check. */
  asker(cluster: string): Ask {
    const ask = this.#session.ask(cluster)
    return async (question) => {
      const outcome = await ask(question)
      const { method, body } = question
      const to = cluster === mainCluster ? {} : { to: cluster }
      const sent = { phase: this.phase, method, as: 'operator', ...to, outcome }
      this.#record({ ...sent, ...(body === undefined ? {} : { body }) })
      return outcome
    }
  }

  note({ words, method, url, body, status, text, sentAt, durationMs }: AskedBeside): number | undefined {
    const attempts = [{ sentAt, durationMs, status, headers: {}, bytes: Buffer.from(text) }]
    const outcome = { url, headers: {}, attempts, reply: { json: jsonOf(text) } }
    const { phase } = this
    const sent = { phase, words, method, as: 'nobody', to: 'provider', outcome }
    return this.#record({ ...sent, ...(body === undefined ? {} : { body }) })
  }

  /** Records an exchange, and returns its number; undefined if the run records nothing. */
  #record(sent: Omit<Sent, 'number'>): number | undefined {
    if (!this.#isRecorded) return undefined
    const { redactor, kept } = this.#session
    const number = this.#sent++
    this.exchanges.push(keepExchange({ ...sent, number }, redactor, this.exchanges, kept))
    return number
  }
}

const onCluster = (exchange: Exchange, cluster = mainCluster): Exchange =>
  cluster === mainCluster
    ? exchange
    : { ...exchange, cluster, ...defined({ orUndo: exchange.orUndo?.map((one) => ({ ...one, cluster })) }) }

/** Returns why a reply is not judged: it shows nothing about the target. */
function notOfTarget(reply: Reply, { once, isTrigger, isExact }: Exchange, attempts: number) {
  if (isOfTheWay(reply)) return once || isTrigger ? undefined : new OfTheWay(reply, attempts)
  const gateway = isExact ? undefined : gatewayOf(reply)
  return gateway === undefined ? undefined : new GatewayAnswered(reply, gateway)
}

/** Adds to a reply the number of its exchange, and whether the request was sent more than once. */
const numbered = (reply: Reply, { number, attempts }: NumberedOutcome): Reply => {
  const asked = attempts.filter(({ status }) => !isRedirect(status))
  return Object.assign(reply, { exchange: number }, asked.length > 1 ? { isRepeated: true } : {})
}

/** Throws `DoesNotApply` if the target does not serve a path of an operation: such paths are not in the documents, so a
 * target need not serve them (readings, 56). */
function throwUnserved(error: unknown): never {
  if (!(error instanceof StepFailed) || !isUnserved({ status: error.reply?.status ?? 0 })) throw error
  throw DoesNotApply.ofStep(
    error,
    ({ message }) => `${message}: the documents do not describe this path, and the target does not serve it`,
  )
}

const isRefusedToken = (reply: Reply, session: Session, cluster: string): boolean =>
  isDenied(reply) || (reply.status === 400 && session.client(cluster).endpoint.token === undefined)
