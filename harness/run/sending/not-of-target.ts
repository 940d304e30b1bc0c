import { type Exchange, gatewayOf, isOfTheWay, isRefusal, type Reply } from '../../vocabulary/index.ts'
import { GatewayAnswered, OfTheWay } from '../../way/interruptions.ts'
import type { WireOutcome, WireRequest } from '../../wire/client.ts'
import type { Session } from '../session.ts'

/** Where something stores replies, a read that was sent before may get an earlier reply, which shows nothing of the target
 * as it is now. */
function stored(reply: Reply, { method, path, query }: WireRequest, session: Session): GatewayAnswered | undefined {
  const { cache } = session.plan
  if (cache === undefined || method !== 'GET') return undefined
  const read = `${path}?${new URLSearchParams(query)}`
  if (session.readBefore.has(read)) return new GatewayAnswered(reply, cache)
  session.readBefore.add(read)
  return undefined
}

/** Returns whether a request was refused, and nothing of it was done. */
export const isOnlyRefused = ({ reply, wasDone }: WireOutcome): boolean =>
  reply !== undefined && isRefusal(reply) && !wasDone

/** Returns why a reply is not judged: it shows nothing about the target. `attempts`: how often the request was sent. */
export function notOfTarget(
  reply: Reply,
  { once, isTrigger, isExact }: Exchange,
  request: WireRequest,
  attempts: number,
  session: Session,
): Error | undefined {
  const old = stored(reply, request, session)
  if (old) return old
  if (isOfTheWay(reply)) return once || isTrigger ? undefined : new OfTheWay(reply, attempts)
  const gateway = isExact ? undefined : gatewayOf(reply)
  return gateway === undefined ? undefined : new GatewayAnswered(reply, gateway)
}
