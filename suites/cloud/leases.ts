/** Credentials that are requested and then revoked. */
import type { Ceremony, Exchange, Operation } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  fieldOf,
  isSuccess,
  mismatch,
  requestWords,
  StepFailed,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { action, expectation } from '../records.ts'
import { creds } from './given.ts'
import { madeUsers } from './then.ts'

const revoked: Operation = {
  kind: 'operation',
  operation: 'revokeLease',
  args: { lease: 'lease' },
  words: 'the lease is revoked',
  provides: [],
}

const isRefused = (error: unknown): boolean => error instanceof StepFailed && error.code === 'step-refused'

/** Requests credentials of the role and revokes their lease at once, or after the requests `between`. `isProven`: an
 * earlier step showed that leases can be revoked. */
export const givenAndRevoked = (
  between: readonly Exchange[] = [],
  words = '',
  isProven = between.length > 0,
): Ceremony => ({
  kind: 'ceremony',
  words: `${requestWords(creds())}, ${words}then its lease is revoked`,
  touches: [creds(), ...between],
  performs: [revoked],
  async run(scope) {
    const reply = await scope.send(creds())
    const lease = fieldOf(reply, '/lease_id')
    if (typeof lease !== 'string' || lease === '')
      throw DoesNotApply.shown(
        reply,
        `the reply to ${reply.asked} has no lease, and no document says that leases can be revoked`,
      )
    if ((await madeUsers(scope)).length === 0)
      throw new StepFailed('provider-shows-no', { what: 'new user', asked: reply.asked }, reply)
    for (const exchange of between) {
      const done = await scope.send(exchange)
      if (!isSuccess(done)) throw stepRefused(done)
    }
    scope.save('lease', lease)
    // If leases can be revoked, a refused revocation is not a failed step: the user that it leaves behind is judged.
    await scope.perform(revoked).catch((error) => {
      if (!isProven || !isRefused(error)) throw error
    })
    return reply
  },
})

export const revocable = action(
  'the lease of a user was revoked before',
  { touches: [creds()], performs: [revoked] },
  async (scope) => {
    await givenAndRevoked().run(scope)
  },
)

export const noUserLeft = expectation('the provider has no user that the target created', async ({ reply, scope }) => {
  const made = await madeUsers(scope)
  return made.length === 0 ? undefined : mismatch(reply, 'provider', 'no user', made.map(({ name }) => name).join(', '))
})
