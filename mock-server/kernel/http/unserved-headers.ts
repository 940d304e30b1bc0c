import { badRequest } from './refusal.ts'
import { headerOf, type RequestContext } from './request-context.ts'

/** Refuses headers that change the behavior of other servers of the family, but have no effect here. */
export function assertHeaders(request: RequestContext): void {
  if (headerOf(request, 'x-vault-index') !== undefined)
    throw badRequest('X-Vault-Index: this reference server always answers from its current state and has no index')
  const format = headerOf(request, 'x-vault-wrap-format') ?? ''
  if (format !== '')
    throw badRequest(`X-Vault-Wrap-Format ${format}: this reference server supports only its default wrapping tokens`)
}
