/** The endpoints `sys/wrapping` wrap data, and return each wrapped response once. */

import type { Wrapped } from '../../kernel/auth/wrapping.ts'
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { withNumbersAsWritten } from '../../kernel/http/exact-numbers.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { headerOf, presentedToken } from '../../kernel/http/request-context.ts'
import type { Services } from '../../kernel/services.ts'

export function wrappingRoutes({ wrapping }: Services): readonly Route[] {
  const tokenIn = (call: Call): string => textField(call.body, 'token') || (presentedToken(call) ?? '')

  function assertFound(wrapped: Wrapped | undefined): asserts wrapped is Wrapped {
    if (!wrapped) throw badRequest('wrapping token is not valid or does not exist')
  }

  function unwrap(call: Call): Reply {
    const wrapped = wrapping.take(tokenIn(call))
    assertFound(wrapped)
    return { kind: 'bare', status: 200, contentType: 'application/json', bytes: wrapped.body }
  }

  function lookUp(call: Call): Reply {
    const wrapped = wrapping.find(tokenIn(call))
    assertFound(wrapped)
    const data = {
      creation_path: wrapped.path,
      creation_time: new Date(wrapped.createdAt).toISOString(),
      creation_ttl: wrapped.ttl,
    }
    return { kind: 'data', data }
  }

  /** Returns the body of the request, which the request pipeline then wraps. */
  function wrap(call: Call): Reply {
    if (headerOf(call, 'x-vault-wrap-ttl') === undefined) throw badRequest('wrapping needs the header X-Vault-Wrap-TTL')
    return { kind: 'data', data: withNumbersAsWritten(call.bodyToStore), verbatim: true }
  }

  /** Wraps the same response again under a new token, with the same TTL. */
  function rewrap(call: Call): Reply {
    const old = wrapping.take(tokenIn(call))
    assertFound(old)
    const { token, accessor, ttl, createdAt, path, wrappedAccessor } = wrapping.wrap(old)
    const info = { token, accessor, ttl, creation_time: new Date(createdAt).toISOString(), creation_path: path }
    const wrapInfo = wrappedAccessor === '' ? info : { ...info, wrapped_accessor: wrappedAccessor }
    return { kind: 'data', data: null, topLevel: { wrap_info: wrapInfo } }
  }

  return [
    { verb: 'POST', path: 'wrapping/wrap', access: 'token', handle: wrap },
    { verb: 'POST', path: 'wrapping/rewrap', access: 'anyone', handle: rewrap },
    { verb: 'POST', path: 'wrapping/unwrap', access: 'anyone', handle: unwrap },
    { verb: ['POST', 'GET'], path: 'wrapping/lookup', access: 'anyone', handle: lookUp },
  ]
}
