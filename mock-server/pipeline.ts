/** The stages of a request, in order. A stage either passes it on, sets its answer, or throws a refusal. */
import { isOverridden } from './kernel/acl/access.ts'
import type { Reply, Route, Token } from './kernel/contracts.ts'
import { parseDuration } from './kernel/http/duration.ts'
import { answerTo, refusalAnswer, type Voice } from './kernel/http/envelope.ts'
import { readRequest } from './kernel/http/read-request.ts'
import { Refusal } from './kernel/http/refusal.ts'
import { type Answer, type Arrival, headerOf, presentedToken, Visit } from './kernel/http/request-context.ts'
import type { Router } from './kernel/http/router.ts'
import type { Services } from './kernel/services.ts'
import type { KernelTables } from './kernel/tables.ts'
import { documented, literalAnswer, withoutCause } from './literal/literal.ts'

export interface Kernel extends Services {
  readonly router: Router
  readonly tables: () => KernelTables
  readonly voice: () => Voice
  /** Called with each request that is over; a throw turns its answer into an error. */
  done(visit: Visit): void
}

type Stage = (visit: Visit, kernel: Kernel) => void | Promise<void>

export const stages: readonly Stage[] = [
  readRequest,
  findRoute,
  keepToDocuments,
  assertUnsealed,
  assertServing,
  authenticate,
  authorize,
  govern,
  assertRoute,
  handle,
  grantLease,
  wrapAnswer,
  makeAnswer,
]

function findRoute(visit: Visit, { router, facts }: Kernel): void {
  const destination = router.find(visit.path)
  if (!destination) return
  visit.rest = destination.rest
  visit.mountPath = `${destination.prefix}/`
  const { match } = destination
  if (!match) return
  const route = match.routes[visit.verb]
  if (route && route.available?.(facts()) !== false) {
    visit.route = route
    visit.params = match.params
  } else if (route?.access === 'anyone') {
    // Nobody has to be known for it elsewhere, so nobody has to be known to hear that it is not here.
    throw new Refusal('unsupported-path')
  } else if (Object.values(match.routes).some((other) => other.available?.(facts()) !== false)) {
    visit.lost = 'unsupported-operation'
  }
}

/** What a literal server does not document is not there. */
function keepToDocuments(visit: Visit, { literal, mounts }: Kernel): void {
  const found = literal ? documented(visit, mounts.at(visit.path)?.type) : undefined
  if (found === 'undocumented') visit.route = undefined
  else visit.documented = found
}

/** What works on a sealed server. */
const openWhenSealed: ReadonlySet<string> = new Set(['sys/health', 'sys/seal-status', 'sys/init', 'sys/unseal'])

function assertUnsealed(visit: Visit, { seal }: Kernel): void {
  if (seal.sealed && !openWhenSealed.has(visit.path)) throw new Refusal('sealed')
}

/** A cluster that stands by for another serves what concerns its place, and nothing else. */
function assertServing(visit: Visit, { ports }: Kernel): void {
  if (ports.standing?.ready === false && !openWhenSealed.has(visit.path)) throw new Refusal('no-active-node')
  if (ports.standing?.serves(visit.path) === false)
    throw new Refusal('bad-request', { message: 'path disabled in replication DR secondary mode' })
}

/** Whoever asks for an endpoint that does not exist must be known all the same. */
function authenticate(visit: Visit, { tokens, entities }: Kernel): void {
  if (visit.route?.access === 'anyone') return
  const presented = presentedToken(visit)
  if (presented === undefined) throw new Refusal('missing-token')
  const token = tokens.find(presented)
  if (!token) throw new Refusal('permission-denied')
  if (token.entityId !== '' && entities.find(token.entityId)?.disabled) throw new Refusal('permission-denied')
  visit.token = token
  visit.counted = token.uses > 0
  visit.lastUse = tokens.spend(token)
}

type Grant = { readonly allowed: boolean; readonly sudo: boolean }
const admits: Readonly<Record<Route['access'], (grant: Grant, token: Token) => boolean>> = {
  anyone: () => true,
  token: ({ allowed }) => allowed,
  sudo: ({ allowed, sudo }) => allowed && sudo,
  'sudo-alone': ({ sudo }) => sudo,
  root: ({ allowed }, token) => allowed && token.policies.includes('root'),
}

function authorize(visit: Visit, { access, tables, ports }: Kernel): void | Promise<void> {
  const { token, route, verb } = visit
  if (!token) return
  const creates = verb === 'POST' && route?.exists !== undefined && !route.exists(visit)
  const capability = creates ? 'create' : (route?.needs ?? tables().capabilityFor[verb])
  const wrapTtl = headerOf(visit, 'x-vault-wrap-ttl')
  const grant = access.aclOf(token).check({
    path: visit.path,
    capability,
    list: verb === 'LIST',
    parameters: visit.body,
    ...(wrapTtl === undefined ? {} : { wrapTtl: parseDuration(wrapTtl) ?? 0 }),
  })
  if (!admits[route?.access ?? 'token'](grant, token)) {
    const denial = new Refusal('permission-denied')
    if (tables().denied === 'done') return doneAndDenied(visit, denial)
    throw denial
  }
  if (grant.secondFactors) ports.secondFactor?.onRequest(visit, grant.secondFactors)
}

async function doneAndDenied(visit: Visit, denial: Refusal): Promise<never> {
  // What the handler answers, or refuses, is never told.
  await Promise.resolve(visit)
    .then(handle)
    .catch(() => {})
  visit.reply = undefined
  throw denial
}

/** Policies on roles and endpoints: of every request with a token, and of those that ask for one. */
function govern(visit: Visit, { authority }: Kernel): void {
  const login = visit.route?.login ?? false
  if (!visit.token && !login) return
  const verdict = authority().govern({ call: visit, login, overridden: isOverridden(visit) })
  visit.warnings = verdict.warnings
  if (!verdict.allowed) throw new Refusal('policy-denied', verdict.denied)
}

function assertRoute(visit: Visit): void {
  if (!visit.route) throw new Refusal(visit.lost)
}

function handle(visit: Visit): void | Promise<void> {
  const reply = visit.route?.run(visit)
  if (reply instanceof Promise) {
    return reply.then((made) => {
      visit.reply = made
    })
  }
  visit.reply = reply
}

function grantLease(visit: Visit, { leases, mounts }: Kernel): void {
  const { reply, token } = visit
  if (reply?.kind !== 'data' || !reply.lease || !token) return
  const maxTtl = mounts.at(visit.path)?.config.max_lease_ttl
  const lease = leases.add(reply.lease, { path: visit.path, token: token.id, ...(maxTtl ? { maxTtl } : {}) })
  visit.leaseId = lease.id
  visit.leaseSeconds = lease.ttl
}

/** Keeps an answer with data behind a single-use token, where the request asks for it. */
function wrapAnswer(visit: Visit, kernel: Kernel): void {
  const { wrapping, voice } = kernel
  const { reply } = visit
  const header = headerOf(visit, 'x-vault-wrap-ttl')
  if (reply?.kind !== 'data') return
  const asked = reply.wrap?.ttl ?? header
  if (asked === undefined) return
  const ttl = parseDuration(asked)
  if (ttl === undefined || ttl < 0) throw new Refusal('bad-request', { message: `no duration to wrap for: ${asked}` })
  if (ttl === 0) return
  // What one cluster tells another is no reply of the documents.
  const { body, status } = reply.wrap ? answerTo(visit, reply, voice()) : answered(visit, reply, kernel)
  if (status !== 200 || typeof body !== 'string') return
  const auth = reply.auth as { accessor?: string } | undefined
  const wrappedAccessor = auth?.accessor
  const wrapped = wrapping.wrap({
    ...{ body, path: visit.path, ttl },
    ...(wrappedAccessor ? { wrappedAccessor } : {}),
    ...(reply.wrap ? { form: reply.wrap.form } : {}),
  })
  if (reply.wrap?.plain) {
    visit.reply = { kind: 'data', data: { token: wrapped.token } }
    return
  }
  visit.wrapInfo = {
    token: wrapped.token,
    accessor: wrapped.accessor,
    ttl,
    creation_time: new Date(wrapped.createdAt).toISOString(),
    creation_path: wrapped.path,
    ...(wrappedAccessor ? { wrapped_accessor: wrappedAccessor } : {}),
  }
}

function makeAnswer(visit: Visit, kernel: Kernel): void {
  if (visit.reply) visit.answer = answered(visit, visit.reply, kernel)
}

function answered(visit: Visit, reply: Reply, { literal, voice }: Kernel): Answer {
  if (visit.documented) return literalAnswer(visit, reply, visit.documented)
  const answer = answerTo(visit, reply, voice())
  return literal && reply.kind !== 'bare' ? withoutCause(answer) : answer
}

/** Takes a request through the stages. Waits only where a stage waits: most requests are answered in one go. */
export function serve(arrival: Arrival, kernel: Kernel): Answer | Promise<Answer> {
  return pass(new Visit(arrival), kernel, 0)
}

function pass(visit: Visit, kernel: Kernel, from: number): Answer | Promise<Answer> {
  try {
    for (let index = from; index < stages.length; index++) {
      const waiting = stages[index]?.(visit, kernel)
      if (waiting)
        return waiting.then(
          () => pass(visit, kernel, index + 1),
          (error) => leave(visit, kernel, refused(error, kernel)),
        )
    }
    if (!visit.answer) throw new Error(`no answer to ${visit.verb} ${visit.path}`)
    return leave(visit, kernel, visit.answer)
  } catch (error) {
    return leave(visit, kernel, refused(error, kernel))
  }
}

function refused(error: unknown, kernel: Kernel): Answer {
  const message = error instanceof Error ? error.message : String(error)
  const refusal = error instanceof Refusal ? error : new Refusal('internal', { message })
  const answer = refusalAnswer(refusal, kernel.voice())
  return kernel.literal ? withoutCause(answer) : answer
}

/** A token that has no request left ends with this one. */
function leave(visit: Visit, kernel: Kernel, answer: Answer): Answer | Promise<Answer> {
  if (visit.lastUse && visit.token)
    return kernel.tokens.revoke(visit.token.id).then(() => finish(visit, kernel, answer))
  return finish(visit, kernel, answer)
}

function finish(visit: Visit, kernel: Kernel, answer: Answer): Answer {
  try {
    kernel.done(visit)
    return answer
  } catch (error) {
    return refused(error, kernel)
  }
}
