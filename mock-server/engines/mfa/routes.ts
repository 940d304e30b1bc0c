/** The endpoints of TOTP MFA: document 3, the tables of the two variants. The endpoints for logins are not in the
 * document; servers of this family have them. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import type { Context } from './context.ts'
import { enforce, listEnforcements, readEnforcement, removeEnforcement } from './handlers/enforcements.ts'
import { type PendingLogins, validate } from './handlers/logins.ts'
import { create, define, list, putById, read, remove } from './handlers/methods.ts'
import { adminGenerate, destroy, generate } from './handlers/secrets.ts'

const rowOf =
  (context: Context) =>
  (verb: Route['verb'], path: string, handle: (call: Call, context: Context) => Reply | Promise<Reply>): Route => ({
    ...{ verb, path, access: 'token', available: context.rules.available },
    handle: (call) => handle(call, context),
  })

export function legacyRoutes(context: Context): readonly Route[] {
  const row = rowOf(context)
  return [
    row('POST', 'method/totp/:name', define),
    row('GET', 'method/totp/:name', read),
    row('DELETE', 'method/totp/:name', remove),
    { ...row('GET', 'method/totp/:name/generate', generate), changes: true },
    row('POST', 'method/totp/:name/admin-generate', adminGenerate),
    // The document has the path without "totp" (readings, 29); real servers have it with "totp".
    row('POST', 'method/:name/admin-destroy', destroy),
    row('POST', 'method/totp/:name/admin-destroy', destroy),
  ]
}

/** The routes below `identity/mfa`. */
export function identityRoutes(context: Context): readonly Route[] {
  const row = rowOf(context)
  return [
    row('POST', 'method/totp', create),
    row('LIST', 'method/totp', (_call, where) => list(where)),
    row('POST', 'method/totp/:id', putById),
    row('GET', 'method/totp/:id', read),
    row('DELETE', 'method/totp/:id', remove),
    { ...row('POST', 'method/totp/generate', generate), changes: true },
    row('POST', 'method/totp/admin-generate', adminGenerate),
    row('POST', 'method/totp/admin-destroy', destroy),
    row('LIST', 'login-enforcement', (_call, where) => listEnforcements(where)),
    row('POST', 'login-enforcement/:name', enforce),
    row('GET', 'login-enforcement/:name', readEnforcement),
    row('DELETE', 'login-enforcement/:name', removeEnforcement),
  ]
}

/** The route below `sys/mfa` for the second request of a login, which brings no token and returns one. */
export const validationRoute = (context: Context, pending: PendingLogins): Route => ({
  verb: 'POST',
  path: 'validate',
  access: 'anyone',
  login: true,
  available: (facts) => context.rules.available(facts),
  handle: (call) => validate(call, context, pending),
})
