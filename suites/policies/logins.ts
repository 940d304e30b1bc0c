import { isRefusal, notRefusal } from '../../harness/vocabulary/index.ts'
import { action, expectation } from '../records.ts'

/** The dialect decides the path at which `user` logs in; a policy can only name it once it is known. */
export const loginPath = action('`loginPath` is where `user` logs in', { provides: ['loginPath'] }, async (scope) => {
  const exchange = scope.dialect.operations.login?.({ user: 'user', as: 'session' }).exchanges.at(-1)
  if (exchange) scope.save('loginPath', scope.fill(exchange.path))
})

export const loginRefused = expectation('a login of `user` is refused', async ({ reply, scope }) => {
  const exchange = scope.dialect.operations.login?.({ user: 'user', as: 'session' }).exchanges.at(-1)
  const seen = exchange ? await scope.send(exchange) : reply
  return isRefusal(seen) ? undefined : notRefusal(seen)
})
