/** The stages that make the answer to a request, or get it from another cluster. */
import { staysHere } from './kernel/cluster/forwarding.ts'
import type { Reply } from './kernel/contracts.ts'
import { parseDuration } from './kernel/http/duration.ts'
import { answerTo } from './kernel/http/envelope.ts'
import { badRequest } from './kernel/http/refusal.ts'
import { type Answer, headerOf, type RequestContext } from './kernel/http/request-context.ts'
import type { Kernel } from './kernel/kernel.ts'
import { literalAnswer, withoutCause } from './literal/literal.ts'

/** A performance secondary forwards requests that change shared data to its primary. */
export function forward(request: RequestContext, kernel: Kernel): void | Promise<void> {
  const { clusterRole, extensions } = kernel
  if (clusterRole.modes.performance !== 'secondary' || !extensions.forward || staysHere(request, kernel)) return
  const { incoming, token, warnings } = request
  return extensions.forward(incoming, { token, warnings }).then((answer) => {
    const ttl = wrapTtlOf(request)
    if (ttl > 0 && answer.status === 200 && answer.body !== undefined) {
      wrap(request, kernel, { body: String(answer.body), ttl })
      request.answer = answered(request, { kind: 'data', data: null }, kernel)
    } else request.answer = answer
  })
}

/** Wraps an answer with data if the request asks for it: the client gets a single-use token instead. */
export function wrapAnswer(request: RequestContext, kernel: Kernel): void {
  const { style } = kernel
  const { reply } = request
  if (reply?.kind !== 'data') return
  const ttl = wrapTtlOf(request)
  if (ttl === 0) return
  // The content of a token from one cluster to another is not reduced to what the documents state.
  const { body, status } = reply.wrap ? answerTo(request, reply, style) : answered(request, reply, kernel)
  if (status !== 200 || typeof body !== 'string') return
  const auth = reply.auth as { accessor?: string } | undefined
  const wrappedAccessor = auth?.accessor
  wrap(request, kernel, {
    ...{ body, ttl },
    ...(wrappedAccessor ? { wrappedAccessor } : {}),
    ...(reply.wrap ? { encode: reply.wrap.encode } : {}),
  })
}

/** Returns the lifetime of the wrapped answer in seconds, or 0 if the answer is not to be wrapped. */
function wrapTtlOf(request: RequestContext): number {
  const { reply } = request
  const asked = (reply?.kind === 'data' ? reply.wrap?.ttl : undefined) ?? headerOf(request, 'x-vault-wrap-ttl')
  const ttl = asked === undefined ? 0 : parseDuration(asked)
  if (ttl === undefined || ttl < 0) throw badRequest(`the wrapping TTL is not a duration: ${asked}`)
  return ttl
}

function wrap(
  request: RequestContext,
  { wrapping }: Kernel,
  content: Omit<Parameters<Kernel['wrapping']['wrap']>[0], 'path'>,
): ReturnType<Kernel['wrapping']['wrap']> {
  const { ttl, wrappedAccessor } = content
  const wrapped = wrapping.wrap({ ...content, path: request.verb === 'LIST' ? `${request.path}/` : request.path })
  request.wrapInfo = {
    token: wrapped.token,
    accessor: wrapped.accessor,
    ttl,
    creation_time: new Date(wrapped.createdAt).toISOString(),
    creation_path: wrapped.path,
    ...(wrappedAccessor ? { wrapped_accessor: wrappedAccessor } : {}),
  }
  return wrapped
}

export function makeAnswer(request: RequestContext, kernel: Kernel): void {
  if (request.reply) request.answer = answered(request, request.reply, kernel)
}

function answered(request: RequestContext, reply: Reply, { literal, style }: Kernel): Answer {
  if (request.documented) return literalAnswer(request, reply, request.documented)
  const answer = answerTo(request, reply, style)
  return literal && reply.kind !== 'bare' ? withoutCause(answer) : answer
}
