/** DR operation tokens of `second`: missing, false, old, deleted. */
import type { Action, Exchange, Witness } from '../../harness/vocabulary/index.ts'
import { isSuccess, post, StepFailed } from '../../harness/vocabulary/index.ts'
import { alteredAtItsEnd } from '../replication/alteration.ts'
import { dr } from '../replication/kind.ts'
import { askWhenReady } from '../replication/readiness.ts'
import { operationTokenOf, updatePrimary } from '../replication/roles.ts'

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
  words: '`falseOperation` is an operation token with another last third',
  touches: [],
  provides: ['falseOperation'],
  async run(scope) {
    scope.save('falseOperation', alteredAtItsEnd(scope.value(own)), { secret: true })
  },
}

export const passed = (days: number): Action => ({
  kind: 'action',
  words: `${days} days pass`,
  touches: [],
  run: (scope) => scope.time.pass(days * 86_400, 'a token without a TTL is judged by the clock'),
})

/** The operation token goes on authorizing: no reading shows it. */
export const tokenStays: Witness = {
  kind: 'witness',
  words: `${clearing.words}: this succeeds`,
  touches: [clearing],
  steady: true,
  async look(scope, moment) {
    const reply = await askWhenReady(scope, clearing)
    if (!isSuccess(reply) && moment === 'before')
      throw new StepFailed(`${reply.asked} answered ${reply.status} before the request`, reply)
    return { asked: reply.asked, state: isSuccess(reply) ? 'a success (2xx)' : `status ${reply.status}` }
  },
}
