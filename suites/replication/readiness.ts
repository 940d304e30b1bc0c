/** A cluster that changes its role serves nothing for a moment, which may be some time after its reply. */
import type { Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  isNotReady,
  isRefusal,
  isSuccess,
  readContradicts,
  replyLacks,
  requestWords,
  type StepFailed,
  stepContradicts,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { hasRole } from './idle.ts'
import { type Cluster, dr, performance, type Replication } from './kind.ts'
import { status } from './roles.ts'
import { type Role, roleIn } from './then/status.ts'
import { always, eventually } from './timing.ts'

/** Returns whether the server itself refused the request. A request that was sent more than once does not count,
 * because its first attempt may have been carried out. */
export const isRefused = (reply: Reply): boolean => isRefusal(reply) && !reply.isRepeated

/** Returns how long to watch for an effect that must not come: a refused request has none. */
export const lateAfter = (reply: Reply) => (isRefused(reply) ? 0 : 'late')

/** Throws if the trigger was refused: then the state does not show what the trigger does or leaves unchanged. */
export function assertTaken(reply: Reply): void {
  if (isRefused(reply)) throw stepRefused(reply)
}

/** Throws if a status is refused that is served to a caller with a token: it has to be served to everybody. `isAwaited`: the
 * cluster had the time to become what it should. A DR secondary accepts no token, so it cannot be asked with one. */
export async function assertServed(
  scope: Scope,
  of: Replication,
  cluster: Cluster,
  reply: Reply,
  { isAwaited = false } = {},
): Promise<void> {
  if (!lacksToken.has(reply.status)) return
  const acceptsNone = isAwaited && of.kind === 'dr' && cluster !== 'main'
  if (!acceptsNone && roleIn(await scope.send({ ...status(of, cluster), orAs: 'operator' })) === undefined) return
  throw readContradicts(reply, of.requirement('status.unauthenticated'))
}
/** Statuses that servers return if a client token is missing. */
const lacksToken: ReadonlySet<number> = new Set([400, 401, 403])

/** Returns the error for a trigger that was refused: it contradicts the row of the trigger if the cluster has the role
 * that the row names. A DR secondary may refuse everything that is not about itself. */
export async function refusedIn(
  scope: Scope,
  of: Replication,
  cluster: Cluster,
  role: Role,
  row: string,
  reply: Reply,
): Promise<StepFailed> {
  const other = of.kind === 'dr' ? performance : dr
  const isMet =
    hasRole(scope, of, cluster, role)(await scope.send(status(of, cluster))) &&
    roleIn(await scope.send(status(other, cluster))) !== 'secondary'
  return isMet ? stepContradicts(reply, of.requirement(row), cluster) : stepRefused(reply, cluster)
}

/** Returns the error for a request that was refused: if it is taken in a plain form, without some fields, it was refused because
 * of them, which contradicts the row. */
export const refusedFor = (reply: Reply, plain: Reply, row: string, cluster?: string): StepFailed =>
  isSuccess(plain) ? stepContradicts(reply, row, cluster) : stepRefused(reply, cluster)

/** Sends the request, and repeats it while the reply is that of a cluster that is not ready. */
export async function askWhenReady(scope: Scope, exchange: Exchange): Promise<Reply> {
  const first = await scope.send(exchange)
  if (!isNotReady(first)) return first
  const again = await eventually(scope, exchange, (seen) => !isNotReady(seen))
  return Object.assign(again, { isRepeated: true })
}

export async function succeeded(scope: Scope, exchange: Exchange): Promise<Reply> {
  const reply = await askWhenReady(scope, exchange)
  if (!isSuccess(reply)) throw stepRefused(reply)
  return reply
}

/** Sends a trigger whose effect is judged next, and throws if it is refused. A refused repetition does not throw,
 * because the first attempt may have been accepted. */
export async function taken(
  scope: Scope,
  exchange: Exchange,
  refusal = async (reply: Reply) => stepRefused(reply),
): Promise<Reply> {
  const reply = await askWhenReady(scope, exchange)
  if (isSuccess(reply) || !isRefused(reply)) return reply
  throw await refusal(reply)
}

/** Sends a trigger that shows in no status, twice, and waits until it has taken effect. If the second one is refused,
 * then what authorizes it ends with its first use, and a later refusal would prove nothing. */
export const takenTwice = (of: Replication, exchange: Exchange, cluster: Cluster) =>
  action(`twice: ${requestWords(exchange)}`, { touches: [exchange, status(of, cluster)] }, async (scope) => {
    await succeeded(scope, exchange)
    const again = await askWhenReady(scope, exchange)
    if (isRefused(again)) throw DoesNotApply.refused(again, `${again.asked} is refused the second time`)
    if (!isSuccess(again)) throw stepRefused(again)
    await settled(scope, of, cluster)
  })

/** Waits until the last accepted request has had time to take effect, and the cluster serves requests again. */
export async function settled(scope: Scope, of: Replication, cluster: Cluster): Promise<void> {
  const reading = status(of, cluster)
  await always(scope, reading, () => true, 'late')
  const isReady = (seen: Reply) => roleIn(seen) !== undefined
  const reply = await eventually(scope, reading, isReady)
  if (!isReady(reply)) throw replyLacks(reply, 'a mode', cluster)
}
