/** A cluster that changes its role serves nothing for a moment, perhaps some time after it accepted the change. */
import type { Action, Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { isOfTheWay, isRefusal, isSuccess, replyLacks, stepRefused } from '../../harness/vocabulary/index.ts'
import type { Cluster, Replication } from './kind.ts'
import { status } from './roles.ts'
import { roleIn } from './status.ts'
import { always, eventually } from './timing.ts'

/** Of a server that is a standby or is starting for a moment. */
const notReady: ReadonlySet<number> = new Set([472, 473, 500])
const isNotReady = (reply: Reply): boolean => notReady.has(reply.status) || isOfTheWay(reply)

/** Refused by the server itself: one that was asked more than once may have done at first what it refuses to do again. */
export const isRefused = (reply: Reply): boolean => isRefusal(reply) && !reply.isRepeated

/** How long is watched for an effect that must not come: what is refused has none. */
export const lateAfter = (reply: Reply) => (isRefused(reply) ? 0 : 'late')

/** What a trigger does, or leaves alone, shows only where it was taken. */
export function assertTaken(reply: Reply): void {
  if (isRefused(reply)) throw stepRefused(reply)
}

/** Asks, and again while the answer is that of a cluster that is not ready. */
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

/** The same for a trigger whose effect is looked for next: that a further one is refused may show that the first was taken. */
export async function taken(scope: Scope, exchange: Exchange): Promise<Reply> {
  const reply = await askWhenReady(scope, exchange)
  if (isSuccess(reply) || !isRefused(reply)) return reply
  throw stepRefused(reply)
}

/** A trigger was accepted twice that shows in no status, and has had time to take effect. */
export const takenTwice = (of: Replication, exchange: Exchange, cluster: Cluster): Action => ({
  kind: 'action',
  words: `twice: ${exchange.words ?? exchange.path}`,
  touches: [exchange, status(of, cluster)],
  async run(scope) {
    for (let time = 0; time < 2; time += 1) await succeeded(scope, exchange)
    const reading = status(of, cluster)
    await always(scope, reading, () => true, 'late')
    const isReady = (seen: Reply) => roleIn(seen) !== undefined
    const reply = await eventually(scope, reading, isReady)
    if (!isReady(reply)) throw replyLacks(reply, 'a mode', cluster)
  },
})
