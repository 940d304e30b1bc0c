/** The endpoints `sys/wrapping` return wrapped answers, each once. */

import type { Wrapped } from '../../kernel/auth/wrapping.ts'
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { presentedToken } from '../../kernel/http/request-context.ts'
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

  return [
    { verb: 'POST', path: 'wrapping/unwrap', access: 'anyone', handle: unwrap },
    { verb: ['POST', 'GET'], path: 'wrapping/lookup', access: 'anyone', handle: lookUp },
  ]
}
