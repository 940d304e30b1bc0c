import type { Capability, Verb } from '../contracts.ts'
import type { Kernel } from '../create-kernel.ts'
import { Refusal } from '../http/refusal.ts'
import type { RequestContext } from '../http/request-context.ts'
import { homeOf } from '../namespaces/namespaces.ts'
import { isOverridden } from './access.ts'

/** Tells whether the request writes something that does not exist yet. */
export const creates = (request: RequestContext): boolean =>
  request.verb === 'POST' && request.route?.exists !== undefined && !request.route.exists(request)

/** The operation by which policies know a verb. */
const operationOf: Readonly<Record<Verb, Capability>> = {
  GET: 'read',
  LIST: 'list',
  POST: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Applies the policies on roles and endpoints to every request with a token, and to those that ask for a token. The
 * roles of a token are those of its own namespace, and the endpoints are those of the namespace of the request. */
export function govern(request: RequestContext, kernel: Kernel): void {
  const login = request.route?.login ?? false
  const { token } = request
  if (!token && !login) return
  const home = token ? homeOf(token, kernel) : kernel
  const governed = {
    ...{ call: request, login, overridden: isOverridden(request), namespace: kernel.namespaces.here, identities: home },
    get operation() {
      return creates(request) ? 'create' : operationOf[request.verb]
    },
  }
  const verdicts =
    home === kernel
      ? [kernel.extensions.policies?.govern(governed)]
      : [
          home.extensions.policies?.govern({ ...governed, only: 'roles' }),
          kernel.extensions.policies?.govern({ ...governed, only: 'endpoints' }),
        ]
  for (const verdict of verdicts) {
    if (!verdict) continue
    request.warnings = [...request.warnings, ...verdict.warnings]
    if (!verdict.allowed) throw new Refusal('policy-denied', verdict.denied)
  }
}
