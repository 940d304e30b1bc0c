/** The endpoints `sys/capabilities…` show what a token may do at a path. */
import type { Call, Reply, Route, Token } from '../../kernel/contracts.ts'
import { listField, requiredText } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Services } from '../../kernel/services.ts'

export function capabilityRoutes({ tokens, access }: Services): readonly Route[] {
  function tell(call: Call, token: Token | undefined): Reply {
    if (!token) throw badRequest('invalid token')
    const paths = listField(call.body, 'paths') ?? listField(call.body, 'path') ?? []
    if (paths.length === 0) throw badRequest('missing path or paths')
    const acl = access.aclOf(token)
    const byPath = Object.fromEntries(paths.map((path) => [path, acl.capabilities(path.replace(/^\/+(?:v1\/)?/, ''))]))
    // For a single path, servers of this family return its capabilities under `capabilities` as well.
    const data = paths.length === 1 ? { capabilities: byPath[paths[0] ?? ''], ...byPath } : byPath
    return { kind: 'data', data, verbatim: true, topLevel: data }
  }

  return [
    { verb: 'POST', path: 'capabilities-self', access: 'token', handle: (call) => tell(call, call.token) },
    {
      verb: 'POST',
      path: 'capabilities',
      access: 'token',
      handle: (call) => tell(call, tokens.find(requiredText(call.body, 'token'))),
    },
    {
      verb: 'POST',
      path: 'capabilities-accessor',
      access: 'token',
      handle: (call) => tell(call, tokens.findByAccessor(requiredText(call.body, 'accessor'))),
    },
  ]
}
