/** A cluster that changes its role serves nothing for a moment, perhaps some time after it accepted the change. */
import type { Action, Exchange, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { isRefusal, isSuccess, StepFailed, shown } from '../../harness/vocabulary/index.ts'
import type { Cluster, Replication } from './kind.ts'
import { status } from './roles.ts'
import { roleIn } from './status.ts'
import { retryOf } from './watch.ts'

const notReady: ReadonlySet<number> = new Set([472, 473, 500, 502, 504])

/** What stands before a server answers so, and not the server: whether a trigger was taken shows in what comes of it (readings
 * of the documents, 52). */
export const isOfTheWay = ({ status: code }: Reply): boolean => [429, 502, 503, 504].includes(code)

/** Refused by the server itself. */
export const isRefused = (reply: Reply): boolean => isRefusal(reply) && !isOfTheWay(reply)

/** Asks, and again while the answer is that of a cluster that is not ready. */
export async function askWhenReady(scope: Scope, exchange: Exchange): Promise<Reply> {
  const first = await scope.send(exchange)
  return notReady.has(first.status) ? scope.poll(exchange, (seen) => !notReady.has(seen.status)) : first
}

export async function succeeded(scope: Scope, exchange: Exchange): Promise<Reply> {
  const reply = await askWhenReady(scope, exchange)
  if (!isSuccess(reply)) throw new StepFailed(`${reply.asked} answered ${reply.status} ${shown(reply.text)}`, reply)
  return reply
}

/** A trigger was accepted twice that shows in no status, and has had time to take effect. */
export const takenTwice = (of: Replication, exchange: Exchange, cluster: Cluster): Action => ({
  kind: 'action',
  words: `twice: ${exchange.words ?? exchange.path}`,
  touches: [exchange, status(of, cluster)],
  async run(scope) {
    for (let time = 0; time < 2; time += 1) await succeeded(scope, exchange)
    const reading = status(of, cluster)
    await scope.poll(reading, () => false, 1.5 * retryOf(scope))
    const isReady = (seen: Reply) => roleIn(seen) !== undefined
    const reply = await scope.poll(reading, isReady)
    if (!isReady(reply)) throw new StepFailed(`${cluster} shows no mode any more (status ${reply.status})`, reply)
  },
})
