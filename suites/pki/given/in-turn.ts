/** Several requests as one ceremony. */
import type { Exchange, JsonObject, Reply, Scope } from '../../../harness/vocabulary/index.ts'
import { isSuccess, requestWords } from '../../../harness/vocabulary/index.ts'
import { issue, role } from './given.ts'

/** Sends requests in order, any of which may be refused. Returns the first reply that is not a success, otherwise the
 * last one. */
export const either = (...exchanges: readonly [Exchange, ...Exchange[]]) => ({
  kind: 'ceremony' as const,
  words: exchanges.map(requestWords).join(', then '),
  touches: exchanges,
  async run(scope: Scope): Promise<Reply> {
    let reply = await scope.send(exchanges[0])
    for (const exchange of exchanges.slice(1)) {
      if (!isSuccess(reply)) return reply
      reply = await scope.send(exchange)
    }
    return reply
  },
})

/** Writes a role with these fields and issues a certificate under it. A refusal of the role is judged, too. */
export const issueUnder = (fields: Parameters<typeof role>[0] = {}, asks: JsonObject = {}) =>
  either(role(fields), issue(asks))

/** Sends requests one after another, whatever the replies are, and returns the last reply. */
export const inTurn = (...exchanges: readonly [Exchange, ...Exchange[]]) => ({
  kind: 'ceremony' as const,
  words: exchanges.map(requestWords).join(', then '),
  touches: exchanges,
  async run(scope: Scope): Promise<Reply> {
    let reply = await scope.send(exchanges[0])
    for (const exchange of exchanges.slice(1)) reply = await scope.send(exchange)
    return reply
  },
})
