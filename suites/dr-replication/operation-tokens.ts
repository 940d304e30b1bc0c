/** DR operation tokens of `second`: missing, invalid, former and deleted ones. */
import type { Exchange, Expectation, Reply, Scope } from '../../harness/vocabulary/index.ts'
import { DoesNotApply, isSuccess, notSuccess, post } from '../../harness/vocabulary/index.ts'
import { action } from '../records.ts'
import { alteredAtItsEnd } from '../replication/alteration.ts'
import { dr } from '../replication/kind.ts'
import { askWhenReady, settled } from '../replication/readiness.ts'
import { operationTokenOf, status, updatePrimary } from '../replication/roles.ts'

const own = operationTokenOf('second')

/** Of everything that an operation token authorizes, forgetting the past primary changes least. */
export const clearing: Exchange = {
  ...updatePrimary(dr, 'second', { token: '' }),
  words:
    'POST `sys/replication/dr/secondary/update-primary` with an empty token, so that second forgets its past primary',
}

/** The same request, authorized by the operation token that was made first. */
export const clearingByFormer: Exchange = {
  ...updatePrimary(dr, 'second', { token: '', dr_operation_token: '{formerOperation}' }),
  words: `${clearing.words}, by the operation token that was made first`,
}

/** Keeps the present operation token as `{formerOperation}`, so that the next one can be made beside it. */
export const keptAsFormer = action(
  '`formerOperation` is the operation token so far',
  { provides: ['formerOperation'] },
  async (scope) => scope.save('formerOperation', scope.value(own), { secret: true }),
)

/** The checks in which an operation token authorized a request without a client token. */
const bodyAlone = new WeakSet<Scope>()

const withoutClientToken = ({ orAs: _, ...exchange }: Exchange): Exchange => exchange

/** Returns the request in the form that was accepted before. If no client token was needed then, none is sent, so that
 * a refusal shows that the operation token has ended, and not that the operator lacks a permission. */
const asAccepted = (scope: Scope, exchange: Exchange): Exchange =>
  bodyAlone.has(scope) ? withoutClientToken(exchange) : exchange

async function accepted(scope: Scope, exchange: Exchange): Promise<Reply> {
  const reply = await askWhenReady(scope, withoutClientToken(exchange))
  if (!isSuccess(reply)) return askWhenReady(scope, exchange)
  bodyAlone.add(scope)
  return reply
}

/** The documents do not say that two operation tokens can exist, nor that one can be used more than once. If the former
 * one ends because of the next one or because it was used, its end would prove nothing. */
export const formerAuthorizes = action(
  'the former operation token still authorizes, and more than once',
  { touches: [clearingByFormer, status(dr, 'second')] },
  async (scope) => {
    for (let time = 0; time < 2; time += 1) {
      const reply = await accepted(scope, clearingByFormer)
      if (!isSuccess(reply))
        throw DoesNotApply.refused(reply, `the former operation token ends by itself: ${reply.asked} was refused`)
    }
    await settled(scope, dr, 'second')
  },
)

/** Finds out whether a request needs a client token beside an operation token. An operation token may end when it is
 * used, so the judged one is generated afterwards. */
export const usedOnce = action(
  'an operation token is used before the judged one is generated',
  { touches: [clearing, status(dr, 'second')] },
  async (scope) => {
    await accepted(scope, clearing)
    await settled(scope, dr, 'second')
  },
)

/** Expects that a token authorizes a request. The request may be repeated if the cluster is not ready or a gateway
 * answers, because forgetting the past primary twice does the same as once. Waits until the cluster serves requests
 * again. */
export const authorizes = (words: string, exchange: Exchange = clearing): Expectation => ({
  words,
  touches: [exchange, status(dr, 'second')],
  async judge({ scope }) {
    const used = await askWhenReady(scope, asAccepted(scope, exchange))
    if (!isSuccess(used)) return notSuccess(used)
    await settled(scope, dr, 'second')
    return undefined
  },
})

export const deleting: Exchange = post(
  'sys/replication/dr/secondary/operation-token/delete',
  { dr_operation_token: `{${own}}` },
  { cluster: 'second', as: 'nobody', orAs: 'operator', words: 'the operation token is deleted' },
)

export const deletingFormer: Exchange = {
  ...deleting,
  body: { dr_operation_token: '{formerOperation}' },
  words: 'the operation token that was made first is deleted',
}

export const deletingFalse: Exchange = {
  ...deleting,
  body: { dr_operation_token: '{falseOperation}' },
  words: 'an operation token that no attempt issued is deleted',
}

/** Makes `{falseOperation}`, which has the format of an operation token but was issued by no attempt. */
export const falseToken = action(
  '`falseOperation` is an operation token with another last third',
  { provides: ['falseOperation'] },
  async (scope) => {
    scope.save('falseOperation', alteredAtItsEnd(scope.value(own)), { secret: true })
  },
)

export const passed = (days: number) =>
  action(`${days} days pass`, {}, (scope) =>
    scope.time.pass(days * 86_400, 'a token without a TTL is judged by the clock'),
  )
