/** Credentials that are requested and then revoked. */
import type { Ceremony, Expectation, Operation } from '../../harness/vocabulary/index.ts'
import { DoesNotApply, fieldOf, mismatch, StepFailed } from '../../harness/vocabulary/index.ts'
import { creds } from './given.ts'
import { madeUsers } from './then.ts'

const revoked: Operation = {
  kind: 'operation',
  operation: 'revokeLease',
  args: { lease: 'lease' },
  words: 'the lease is revoked',
  provides: [],
}

/** Requests credentials of the role and revokes their lease at once. */
export const givenAndRevoked: Ceremony = {
  kind: 'ceremony',
  words: `${creds().method} \`${creds().path}\`, then its lease is revoked`,
  touches: [creds()],
  async run(scope) {
    const reply = await scope.send(creds())
    const lease = fieldOf(reply, '/lease_id')
    if (typeof lease !== 'string' || lease === '')
      throw new DoesNotApply(
        `the reply to ${reply.asked} has no lease, and no document says that leases can be revoked`,
      )
    if ((await madeUsers(scope)).length === 0)
      throw new StepFailed('provider-shows-no', { what: 'new user', asked: reply.asked }, reply)
    scope.save('lease', lease)
    await scope.perform(revoked)
    return reply
  },
}

export const noUserLeft: Expectation = {
  words: 'the provider has no user that the target created',
  async judge({ reply, scope }) {
    const made = await madeUsers(scope)
    return made.length === 0
      ? undefined
      : mismatch(reply, 'provider', 'no user', made.map(({ name }) => name).join(', '))
  },
}
