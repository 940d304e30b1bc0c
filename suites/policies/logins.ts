/** Finds the path at which a user logs in, and judges a login that is refused. */
import type { Action, Expectation } from '../../harness/vocabulary/index.ts'
import { isRefusal, notRefusal } from '../../harness/vocabulary/index.ts'

/** The dialect decides the path at which `user` logs in; a policy can only name it once it is known. */
export const loginPath: Action = {
  kind: 'action',
  words: '`loginPath` is where `user` logs in',
  touches: [],
  provides: ['loginPath'],
  async run(scope) {
    const exchange = scope.dialect.operations.login?.({ user: 'user', as: 'session' }).exchanges.at(-1)
    if (exchange) scope.save('loginPath', scope.fill(exchange.path))
  },
}

export const loginRefused: Expectation = {
  words: 'a login of `user` is refused',
  async judge({ reply, scope }) {
    const exchange = scope.dialect.operations.login?.({ user: 'user', as: 'session' }).exchanges.at(-1)
    const seen = exchange ? await scope.send(exchange) : reply
    return isRefusal(seen) ? undefined : notRefusal(seen)
  },
}
