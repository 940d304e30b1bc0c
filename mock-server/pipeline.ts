/** The stages of a request, in order. */
import { forward, makeAnswer, wrapAnswer } from './answer-stages.ts'
import { creates, govern, operationOf } from './kernel/acl/govern.ts'
import { isWithin } from './kernel/auth/addresses.ts'
import type { Route, Token } from './kernel/contracts.ts'
import { frontPage, toCleanPath } from './kernel/front-page.ts'
import { parseDuration } from './kernel/http/duration.ts'
import { refusalAnswer } from './kernel/http/envelope.ts'
import { asksForHelp, helpRoute } from './kernel/http/help.ts'
import { badRequest, Refusal } from './kernel/http/refusal.ts'
import {
  type Answer,
  assertMergePatch,
  headerOf,
  type IncomingRequest,
  presentedToken,
  RequestContext,
  readRequest,
} from './kernel/http/request-context.ts'
import { assertHeaders } from './kernel/http/unserved-headers.ts'
import type { Kernel } from './kernel/kernel.ts'
import { enterNamespace } from './kernel/namespaces/enter.ts'
import { homeOf } from './kernel/namespaces/namespaces.ts'
import { absenceAt, methodsOf, whyNoRoute } from './kernel/served.ts'
import { documented, withoutCause } from './literal/literal.ts'

/** After `readRequest`, the namespace of the request is found; the other stages work in it. */
export const stages = {
  readRequest,
  assertHeaders,
  findRoute,
  keepToDocuments,
  assertUnsealed,
  assertServing,
  authenticate,
  authorize,
  govern,
  assertRoute,
  forward,
  handle,
  grantLease,
  wrapAnswer,
  makeAnswer,
} satisfies Kernel['stages']
const inNamespace = Object.keys(stages).slice(1) as readonly (keyof typeof stages)[]

function findRoute(request: RequestContext, kernel: Kernel): void {
  const { router, facts, literal } = kernel
  const destination = router.find(request.path)
  if (!destination) return
  request.rest = destination.rest
  request.mountPath = `${destination.prefix}/`
  if (!literal && asksForHelp(request)) {
    request.route = helpRoute(destination)
    return
  }
  const { match } = destination
  if (!match) return
  const route = match.routes[request.verb]
  if (route && route.available?.(facts) !== false) {
    request.route = route
    request.params = match.params
  } else if (route?.access === 'anyone') {
    // Other versions or editions serve this endpoint without a token, so its absence is also reported without one.
    throw new Refusal('unsupported-path', { message: whyNoRoute(request, kernel) })
  } else {
    request.otherMethods = methodsOf(match.routes, kernel)
    if (request.otherMethods !== '') request.lost = 'unsupported-operation'
  }
}

/** On a literal server, a request that the documents do not state finds no route. */
function keepToDocuments(request: RequestContext, { literal, mounts }: Kernel): void {
  const found = literal ? documented(request, mounts.at(request.path)?.type) : undefined
  if (found === 'undocumented') request.route = undefined
  else request.documented = found
}

/** The paths that a sealed server serves. */
const openWhenSealed: ReadonlySet<string> = new Set(['sys/health', 'sys/seal-status', 'sys/init', 'sys/unseal'])

function assertUnsealed(request: RequestContext, { seal }: Kernel): void {
  if (seal.sealed && !openWhenSealed.has(request.path)) throw new Refusal('sealed')
}

/** Refuses a request while the cluster is not ready, and requests that a DR secondary does not serve. */
function assertServing(request: RequestContext, { clusterRole }: Kernel): void {
  if (!clusterRole.ready && !openWhenSealed.has(request.path)) throw new Refusal('no-active-node')
  if (clusterRole.modes.dr === 'secondary' && !clusterRole.servesOnDrSecondary(request.path))
    throw badRequest('path disabled in replication DR secondary mode')
}

const accessOf = (request: RequestContext): Route['access'] =>
  request.route?.accessFor?.(request) ?? request.route?.access ?? 'token'

/** Also requires a valid token for a request to an endpoint that does not exist. */
function authenticate(request: RequestContext, kernel: Kernel): void {
  const { tokens } = kernel
  const { checked } = request.incoming
  if (checked) {
    request.token = checked.token
    request.warnings = checked.warnings
    return
  }
  if (accessOf(request) === 'anyone') return
  const presented = presentedToken(request)
  if (presented === undefined) throw new Refusal('missing-token')
  const token = tokens.find(presented)
  if (!token || !isWithin(token.blocks ?? [], request.peer)) throw new Refusal('permission-denied')
  const { entities } = homeOf(token, kernel)
  if (token.entityId !== '' && entities.find(token.entityId)?.disabled) throw new Refusal('permission-denied')
  request.token = token
  request.counted = token.uses > 0
  request.lastUse = tokens.spend(token)
}

type Grant = { readonly allowed: boolean; readonly sudo: boolean }
const admits: Readonly<Record<Route['access'], (grant: Grant, token: Token) => boolean>> = {
  anyone: () => true,
  'any-token': () => true,
  token: ({ allowed }) => allowed,
  sudo: ({ allowed, sudo }) => allowed && sudo,
  'sudo-alone': ({ sudo }) => sudo,
  root: ({ allowed }, token) => allowed && token.policies.includes('root'),
}

function authorize(request: RequestContext, kernel: Kernel): void {
  const { access } = kernel
  const { incoming, token, route, verb } = request
  if (!token || incoming.checked) return
  const capability = creates(request) ? 'create' : (route?.needs ?? operationOf[verb])
  const wrapTtl = headerOf(request, 'x-vault-wrap-ttl')
  const grant = access
    .aclOf(token)
    .check({
      path: request.path,
      capability,
      list: verb === 'LIST',
      parameters: request.body,
      ...(wrapTtl === undefined ? {} : { wrapTtl: parseDuration(wrapTtl) ?? 0 }),
    })
  if (!admits[accessOf(request)](grant, token)) throw new Refusal('permission-denied')
  const { extensions } = homeOf(token, kernel)
  if (grant.secondFactors) extensions.secondFactor?.onRequest(request, grant.secondFactors)
}

function assertRoute(request: RequestContext, kernel: Kernel): void {
  const { lost, otherMethods, path, route } = request
  if (!route) {
    const methods = [`this path has ${otherMethods}`, absenceAt(path) ?? []].flat().join('; ')
    const message = lost === 'unsupported-operation' ? methods : whyNoRoute(request, kernel)
    throw new Refusal(lost, { message })
  }
  assertMergePatch(request)
}

function handle(request: RequestContext): void | Promise<void> {
  const reply = request.route?.handle(request)
  if (reply instanceof Promise) {
    return reply.then((result) => {
      request.reply = result
    })
  }
  request.reply = reply
}

function grantLease(request: RequestContext, { leases, mounts }: Kernel): void {
  const { reply, token } = request
  if (reply?.kind !== 'data' || !reply.lease || !token) return
  const maxTtl = mounts.at(request.path)?.config.max_lease_ttl
  const lease = leases.add(reply.lease, { path: request.path, token: token.id, ...(maxTtl ? { maxTtl } : {}) })
  request.leaseId = lease.id
  request.leaseSeconds = lease.ttl
}

/** The stages that decide whether a request is let through, before anything is done. */
const admitting = inNamespace.slice(0, inNamespace.indexOf('assertRoute') + 1)

/** What becomes of a request before it is handled. */
export interface Admission {
  /** Undefined if the request would be let through. */
  readonly refusal?: Answer
  /** True for a request that is let through and not only reads. */
  readonly changes?: boolean
}

export const createGate =
  (kernel: Kernel) =>
  async (incoming: IncomingRequest): Promise<Admission> => {
    const request = new RequestContext(incoming)
    try {
      readRequest(request)
      const within = enterNamespace(request, kernel)
      for (const stage of admitting) await within.stages[stage]?.(request, within)
      return { changes: mayChange(request) }
    } catch (error) {
      return { refusal: refused(error, kernel) }
    }
  }

/** Passes requests through the stages. Most requests are answered synchronously; a promise is returned only if a stage
 * returns one. */
export const createPipeline =
  (kernel: Kernel) =>
  (incoming: IncomingRequest): Answer | Promise<Answer> =>
    frontPage(incoming, kernel) ?? toCleanPath(incoming, kernel) ?? begin(new RequestContext(incoming), kernel)

function begin(request: RequestContext, root: Kernel): Answer | Promise<Answer> {
  let kernel = root
  try {
    void root.stages.readRequest?.(request, root)
    kernel = enterNamespace(request, root)
  } catch (error) {
    return leave(request, root, refused(error, root))
  }
  return pass(request, kernel, 0)
}

function pass(request: RequestContext, kernel: Kernel, from: number): Answer | Promise<Answer> {
  try {
    for (let index = from; index < inNamespace.length; index++) {
      const waiting = kernel.stages[inNamespace[index] ?? '']?.(request, kernel)
      if (waiting)
        return waiting.then(
          () => pass(request, kernel, request.answer ? inNamespace.length : index + 1),
          (error) => leave(request, kernel, refused(error, kernel)),
        )
    }
    if (!request.answer) throw new Error(`no answer to ${request.verb} ${request.path}`)
    return leave(request, kernel, request.answer)
  } catch (error) {
    return leave(request, kernel, refused(error, kernel))
  }
}

function refused(error: unknown, kernel: Kernel): Answer {
  const message = error instanceof Error ? error.message : String(error)
  const refusal = error instanceof Refusal ? error : new Refusal('internal', { message })
  const answer = refusalAnswer(refusal, kernel.style)
  return kernel.literal ? withoutCause(answer) : answer
}

/** Finishes the request. If it was the last request that its token allows, the token is revoked first. */
function leave(request: RequestContext, kernel: Kernel, answer: Answer): Answer | Promise<Answer> {
  if (request.lastUse && request.token)
    return kernel.tokens.revoke(request.token.id).then(() => finish(request, kernel, answer))
  return finish(request, kernel, answer)
}

function finish(request: RequestContext, kernel: Kernel, answer: Answer): Answer | Promise<Answer> {
  try {
    const saved = mayChange(request) ? kernel.storage.written() : undefined
    if (!saved) return answer
    return saved.then(
      () => answer,
      (error) => refused(error, kernel),
    )
  } catch (error) {
    return refused(error, kernel)
  }
}

const mayChange = ({ verb, route, leaseId, wrapInfo, counted }: RequestContext): boolean =>
  (verb !== 'GET' && verb !== 'LIST') || route?.changes === true || leaseId !== '' || wrapInfo !== undefined || counted
