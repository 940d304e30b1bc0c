/** DR operation tokens of `second`: missing, false, old, deleted. */
import type { Action, Exchange, Expectation } from '../../harness/vocabulary/index.ts'
import { isRefusal, mismatch, post, shown } from '../../harness/vocabulary/index.ts'
import { dr } from '../replication/kind.ts'
import { operationTokenOf, status, updatePrimary } from '../replication/roles.ts'
import { clusterIdIn, roleIn } from '../replication/status.ts'
import { altered } from './attempt.ts'

const own = operationTokenOf('second')

/** Clearing the past primary changes least of what an operation token authorizes. */
export const clearing: Exchange = {
  ...updatePrimary(dr, 'second', { token: '' }),
  words: 'second forgets its past primary',
}

export const deleting: Exchange = post(
  'sys/replication/dr/secondary/operation-token/delete',
  { dr_operation_token: `{${own}}` },
  { cluster: 'second', as: 'nobody', words: 'the operation token is deleted' },
)

/** `{falseOperation}` has the form of an operation token, and no attempt gave it. */
export const falseToken: Action = {
  kind: 'action',
  words: '`falseOperation` is an operation token with another first character',
  touches: [],
  provides: ['falseOperation'],
  async run(scope) {
    scope.save('falseOperation', altered(scope.value(own)), { secret: true })
  },
}

const reading = status(dr, 'second')
const roleSeen = (reply: Parameters<typeof roleIn>[0]) => ({ mode: roleIn(reply), cluster: clusterIdIn(reply) })

/** Refused, and the cluster is what it was: counters and times in its status are no state. */
export const refusedAndKept: Expectation = {
  words: 'the request is refused, and the mode and the id of second stay',
  touches: [reading],
  before: async (scope) => roleSeen(await scope.send(reading)),
  async judge({ reply, scope }, before) {
    if (!isRefusal(reply)) return mismatch(reply, 'status', 'a refusal (4xx or 5xx)', String(reply.status))
    const last = await scope.send(reading)
    const now = roleSeen(last)
    return JSON.stringify(now) === JSON.stringify(before)
      ? undefined
      : mismatch(last, 'mode', `as before: ${shown(before)}`, shown(now))
  },
}

export const passed = (days: number): Action => ({
  kind: 'action',
  words: `${days} days pass`,
  touches: [],
  run: (scope) => scope.time.pass(days * 86_400, 'a token without a TTL is judged by the clock'),
})
