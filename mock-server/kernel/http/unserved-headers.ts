import { badRequest } from './refusal.ts'
import { headerOf, type RequestContext } from './request-context.ts'

/** Refuses headers that would change what is done, and have no effect here. */
export function assertHeaders(request: RequestContext): void {
  if (headerOf(request, 'x-vault-index') !== undefined)
    throw badRequest('X-Vault-Index: this reference server answers from its present state, and hands out no index')
  const format = headerOf(request, 'x-vault-wrap-format') ?? ''
  if (format !== '')
    throw badRequest(`X-Vault-Wrap-Format ${format}: this reference server has no other wrapping tokens than its own`)
}
