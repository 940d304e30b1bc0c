/** Finds out what a denial of one of the operator's own requests means. It says nothing about the API (readings of the
 * documents, 71), so the check is `not-verified` with the capability that the token lacks, whatever else it saw. */
import type { CheckNames } from '../safety/names.ts'
import { pathPattern } from '../safety/path-pattern.ts'
import { namePrefix } from '../targets/dialects/vault-areas.ts'
import { capabilitiesOf, ruleOf, sudoFor } from '../targets/dialects/vault-policy.ts'
import {
  type AskedRequest,
  blockerOf,
  type DoesNotApply,
  type Exchange,
  fieldOf,
  isContradicted,
  isDenied,
  isObject,
  isSuccess,
  type Json,
  type Method,
  type RecordedExchange,
  type Reply,
  StepFailed,
} from '../vocabulary/index.ts'
import type { Ask } from '../wire/ask.ts'
import { mainCluster } from './clusters.ts'
import type { Outcome } from './outcome.ts'
import type { Session } from './session.ts'

/** A request that a check sent as the operator. */
export interface OwnRequest extends AskedRequest {
  readonly method: Method
  readonly path: string
  /** The path as a rule of a policy. */
  readonly rule: string
  readonly cluster: string
  /** True if it needs `sudo` besides the usual capabilities. */
  readonly needsSudo: boolean
  /** True if it is a GET that asks for a list: servers of the family want `list` for it, others may want `read`. */
  readonly isListing: boolean
  readonly phase: RecordedExchange['phase']
  /** True if another caller sent it for the operator. */
  readonly isOther?: boolean
}

/** What the target says about the token. */
type Standing = 'granted' | 'lacking' | 'invalid' | 'unknown'

const neededFor = ({ method, needsSudo, isListing }: OwnRequest): readonly string[] => [
  ...(isListing ? capabilitiesOf.LIST : []),
  ...capabilitiesOf[method],
  ...(needsSudo ? ['sudo'] : []),
]

/** Asks the target what the token may do at the path of a request. A token that may not even look itself up is probably
 * expired or revoked. */
async function standingOf(request: OwnRequest, session: Session): Promise<{ standing: Standing; lacks: string }> {
  const ask = session.ask(request.cluster)
  const needed = neededFor(request)
  const said = (standing: Standing, missing = needed) => ({
    standing,
    lacks: `${missing.join(' and ')} on ${request.rule}`,
  })
  const [exchange] = session.dialect.operations.capabilitiesSelf?.({ paths: [request.path] }).exchanges ?? []
  if (!exchange) return said('unknown')
  const { reply } = await ask({ method: exchange.method, path: exchange.path, body: JSON.stringify(exchange.body) })
  if (!reply) return said('unknown')
  if (isDenied(reply) && (await isUnknownToken(ask, session))) return said('invalid')
  if (!isSuccess(reply)) return said('unknown')
  const data = fieldOf(reply, '/data')
  const held: Json | undefined =
    (isObject(data) ? data[request.path] : undefined) ?? fieldOf(reply, 'capabilities') ?? undefined
  if (!Array.isArray(held)) return said('unknown')
  const missing = needed.filter((one) => !held.includes(one))
  return held.includes('root') || missing.length === 0 ? said('granted') : said('lacking', missing)
}

/** Tells whether the operator's token may not even look itself up. */
export async function isUnknownToken(ask: Ask, { dialect }: Pick<Session, 'dialect'>): Promise<boolean> {
  const [lookup] = dialect.operations.lookupSelf?.({}).exchanges ?? []
  if (!lookup) return false
  const { reply } = await ask({ method: lookup.method, path: lookup.path })
  return reply !== undefined && isDenied(reply)
}

interface Judged {
  readonly outcome: Outcome
  /** The outcome with what was found about statements that the check does not decide. */
  readonly whole: Outcome
  readonly error?: unknown
  readonly isDisruptive: boolean
}

/** The requests that one check sent as the operator. */
export class OwnRequests {
  readonly #session: Session
  readonly #names: CheckNames
  readonly #byReply = new WeakMap<object, OwnRequest>()
  /** Those that were denied. */
  readonly denied: OwnRequest[] = []

  constructor(session: Session, names: CheckNames) {
    this.#session = session
    this.#names = names
  }

  note(
    reply: Reply,
    exchange: Exchange,
    known: Pick<OwnRequest, 'path' | 'asked' | 'exchange' | 'phase' | 'isOther'>,
  ): void {
    const { method, cluster = mainCluster } = exchange
    const written = pathPattern(ruleOf(exchange.path, (name) => this.#names.isThrowAway(name), namePrefix))
    // A check may have read an id in a reply, and written it into a path.
    const rule = written.replaceAll('{id}', '+')
    const isListing = exchange.query?.list === 'true'
    const own = { ...known, method, rule, cluster, needsSudo: sudoFor(exchange) !== undefined, isListing }
    this.#byReply.set(reply, own)
    if (isSuccess(reply)) this.#session.accepted.add(shapeOf(own))
    // A denial of the method LIST is a verdict of its own: the check of it asks for the same list by GET.
    else if (!exchange.isExact && this.#isRefusedToken(reply, cluster)) this.denied.push(own)
  }

  #isRefusedToken(reply: Reply, cluster: string): boolean {
    const { token } = this.#session.client(cluster).endpoint
    return isDenied(reply) || (reply.status === 400 && token === undefined)
  }

  requestFor(reply: object): OwnRequest | undefined {
    return this.#byReply.get(reply)
  }
}

/** Returns `not-verified` if the token lacked a capability for a request of the check; else the whole outcome as it is. */
export async function asFarAsAllowed(judged: Judged, sent: OwnRequests, session: Session): Promise<Outcome> {
  const { outcome, whole } = judged
  if (isUndecidable(outcome)) return whole
  for (const denial of onceEach(sent.denied)) {
    const { standing, lacks } = await standingOf(denial, session)
    if (standing === 'granted' || !(isCertain(standing, judged) || isDecisive(denial, judged))) continue
    return denied(denial, standing, lacks)
  }
  return (await refusalOutcome(judged, sent, session)) ?? whole
}

/** Obstacles that have nothing to do with the token, and after which nothing more may be sent. */
const beyondTokens: ReadonlySet<string> = new Set(['suite', 'transport', 'interrupted', 'time', 'failing-target'])

const isUndecidable = ({ blocker }: Outcome): boolean => blocker !== undefined && beyondTokens.has(blocker.kind)

/** Checks that change roles end the validity of tokens themselves. */
const isCertain = (standing: Standing, { isDisruptive }: Judged): boolean =>
  standing === 'lacking' || (standing === 'invalid' && !isDisruptive)

/** Without a word of the target about its token, a denial counts where a finding, or the step that failed, is about
 * it. */
const isDecisive = ({ exchange, phase, asked }: OwnRequest, { outcome: { blocker }, whole }: Judged): boolean => {
  if (isContradicted(whole) && (phase === 'when' || phase === 'then')) return true
  const facts: object = blocker?.facts ?? {}
  return (
    blocker?.code === 'step-denied' &&
    (blocker.exchange === exchange || ('asked' in facts && facts.asked === asked)) &&
    !('as' in facts && facts.as)
  )
}

function onceEach(denials: readonly OwnRequest[]): readonly OwnRequest[] {
  return [...new Map(denials.map((denial) => [`${denial.cluster} ${denial.asked}`, denial])).values()]
}

/** A target may deny a request with any status. So a refused step may be due to the token, if the target says so; and
 * that it did not accept an option is its choice only if the token may send the request (readings, 73): the target says
 * so, or it has accepted such a request in this run. */
async function refusalOutcome(
  { outcome, error }: Judged,
  sent: OwnRequests,
  session: Session,
): Promise<Outcome | undefined> {
  const isOption = outcome.verdict === 'not-applicable' && isRefusedOption(error)
  const isStep = error instanceof StepFailed && error.code === 'step-refused'
  const request = (isOption || isStep) && error.reply && sent.requestFor(error.reply)
  if (!request || (isOption && session.accepted.has(shapeOf(request)))) return undefined
  const { standing, lacks } = await standingOf(request, session)
  const isDue = standing === 'lacking' || (isOption && standing !== 'granted')
  return isDue ? denied(request, standing, lacks) : undefined
}

const isRefusedOption = (error: unknown): error is DoesNotApply =>
  error instanceof Error && 'evidence' in error && error.evidence === 'refused'

const shapeOf = ({ cluster, method, rule, needsSudo }: OwnRequest): string =>
  `${cluster} ${method} ${rule}${needsSudo ? ' sudo' : ''}`

const denied = ({ asked, exchange }: OwnRequest, standing: Exclude<Standing, 'granted'>, lacks: string): Outcome => ({
  verdict: 'not-verified',
  blocker:
    standing === 'invalid'
      ? blockerOf('token-lost', { asked }, exchange)
      : blockerOf('denied', { asked, lacks, isReported: standing === 'lacking' }, exchange),
})
