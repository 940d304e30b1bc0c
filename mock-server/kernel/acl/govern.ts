import type { Capability, Verb } from '../contracts.ts'
import { Refusal } from '../http/refusal.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Kernel } from '../kernel.ts'
import type { Namespace } from '../namespaces/namespace.ts'
import { homeOf } from '../namespaces/namespaces.ts'
import type { Services } from '../services.ts'
import { isOverridden } from './access.ts'
import type { GovernedRequest, Identities } from './policy-source.ts'

/** Returns whether the request writes something that does not exist yet. */
export const creates = (request: RequestContext): boolean =>
  request.verb === 'POST' && request.route?.exists !== undefined && !request.route.exists(request)

/** The operation that policies see for a verb. ACL policies call it a capability. */
export const operationOf: Readonly<Record<Verb, Capability>> = {
  GET: 'read',
  LIST: 'list',
  POST: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** This is a class with a getter because it is made for each request, and most policies do not use the operation. */
class Governed implements GovernedRequest {
  readonly call: RequestContext
  readonly namespace: Pick<Namespace, 'id' | 'path'>
  readonly identities: Identities
  readonly login: boolean
  readonly overridden: boolean
  readonly only: GovernedRequest['only']

  constructor(call: RequestContext, namespace: Governed['namespace'], identities: Identities, only: Governed['only']) {
    this.call = call
    this.namespace = namespace
    this.identities = identities
    this.login = call.route?.login ?? false
    this.overridden = isOverridden(call)
    this.only = only
  }

  get operation(): Capability {
    return creates(this.call) ? 'create' : operationOf[this.call.verb]
  }
}

/** Applies RGPs and EGPs to every request with a token, and to requests for a token. The RGPs are those of the token's
 * namespace, and the EGPs are those of the request's namespace. */
export function govern(request: RequestContext, kernel: Kernel): void {
  const { token } = request
  if (!token && !request.route?.login) return
  const home = token ? homeOf(token, kernel) : kernel
  const ask = (services: Services, only?: GovernedRequest['only']) =>
    services.extensions.policies?.govern(new Governed(request, kernel.namespaces.here, home, only))
  const verdicts = home === kernel ? [ask(kernel)] : [ask(home, 'roles'), ask(kernel, 'endpoints')]
  for (const verdict of verdicts) {
    if (!verdict) continue
    if (verdict.warnings.length > 0) request.warnings = [...request.warnings, ...verdict.warnings]
    if (!verdict.allowed) throw new Refusal('policy-denied', verdict.denied)
  }
}
