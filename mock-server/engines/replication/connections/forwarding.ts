/** Requests that a performance secondary forwards to its primary, on both sides of the link. */
import type { Forward } from '../../../kernel/extension-points.ts'
import { Refusal } from '../../../kernel/http/refusal.ts'
import type { Answer, Checked, IncomingRequest } from '../../../kernel/http/request-context.ts'
import type { Context } from '../context.ts'
import type { Upstream } from '../membership.ts'
import { type Asked, ask, reasonOf } from './peer-client.ts'

/** One request on the link. The body is in base64. */
interface Forwarded extends Checked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingRequest['headers']
  readonly body: string | undefined
  readonly peer: string | undefined
}

interface Returned {
  readonly status: number
  readonly contentType: string
  readonly body: string | undefined
  readonly headers: readonly string[]
  /** The number of the primary's latest write. */
  readonly writes: number
}

/** The maximum size of a primary's response, in bytes. */
const longestAnswer = 2 ** 26

/** How long the secondary waits for the data that a request changed, in milliseconds. */
const patience = 1000

/** Removes the header that asks for wrapping, because the response is wrapped by the cluster that the client called. */
function withoutWrapping(headers: IncomingRequest['headers']): IncomingRequest['headers'] {
  const { 'x-vault-wrap-ttl': _ttl, ...rest } = headers
  return rest
}

const cut = (why: string): Refusal =>
  new Refusal('primary-out-of-reach', { message: `a performance secondary leaves this request to its primary; ${why}` })

export const createForward =
  (context: Context): Forward =>
  async ({ method, url, headers, body, peer }, checked) => {
    const { upstream } = context.membership
    if (!upstream) throw cut('it has none, until update-primary names one')
    const request: Forwarded = {
      ...{ method, url, headers: withoutWrapping(headers), body: body?.toString('base64'), peer },
      ...checked,
    }
    const { status, body: returned } = await send(request, upstream, context)
    if (status !== 200) throw cut(`the primary at ${upstream.clusterAddress} refuses it with ${status}`)
    const { writes, ...answer } = returned as Returned
    await arrival(writes, context)
    return { ...answer, body: answer.body === undefined ? undefined : Buffer.from(answer.body, 'base64') }
  }

async function send(request: Forwarded, upstream: Upstream, context: Context): Promise<Asked> {
  const { id, secret, clusterAddress, trust } = upstream
  const { authority, ...own } = trust
  try {
    const question = {
      ...{ url: new URL(`https://${clusterAddress}/${context.kind}/forward`), longestAnswer },
      ...{ body: { id, secret, request }, proof: { ...own, authorities: [authority] } },
    }
    return await ask(question, context.services.network)
  } catch (error) {
    throw cut(`the link to ${clusterAddress} is cut: ${reasonOf(error)}`)
  }
}

/** Waits until this write of the primary has arrived, but no longer than `patience`. */
function arrival(writes: number, context: Context): Promise<void> {
  const { clock, storage } = context.services
  const hasArrived = (): boolean => context.membership.remoteWrites >= writes
  return new Promise((resolve) => {
    const end = (): void => {
      stop()
      cancel()
      resolve()
    }
    const stop = storage.onWrite(() => {
      if (hasArrived()) end()
    })
    const cancel = clock.at(clock.now() + patience, end)
    if (hasArrived()) end()
  })
}

/** Carries out a request of a secondary, and returns the response for it. */
export async function carryOut(
  forwarded: unknown,
  serve: (incoming: IncomingRequest) => Answer | Promise<Answer>,
  { services }: Context,
): Promise<Returned> {
  const { method, url, headers, body, peer, token, warnings } = forwarded as Forwarded
  const answer = await serve({
    ...{ method, url, headers, checked: { token, warnings } },
    body: body === undefined ? undefined : Buffer.from(body, 'base64'),
    ...(peer === undefined ? {} : { peer }),
  })
  return {
    ...{ status: answer.status, contentType: answer.contentType, headers: answer.headers ?? [] },
    body: answer.body === undefined ? undefined : Buffer.from(answer.body).toString('base64'),
    writes: services.storage.writes,
  }
}
