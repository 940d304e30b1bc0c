/** The endpoints of TOTP MFA: document 3, the tables of the two variants. The endpoints for logins are not in the
 * document; servers of this family have them. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { orRefuse } from './act-despite-refusal.ts'
import type { Context } from './context.ts'
import { enforce, listEnforcements, readEnforcement, removeEnforcement } from './handlers/enforcements.ts'
import { type PendingLogins, validate } from './handlers/logins.ts'
import { amongOthers, create, define, list, putById, read, remove } from './handlers/methods.ts'
import { destroy, generate } from './handlers/secrets.ts'

type Handler = (call: Call) => Reply | Promise<Reply>

const rowsOf = (context: Context) => {
  const available: Route['available'] = (facts) => context.tables().available(facts)
  const row = (verb: Route['verb'], path: string, handle: Handler): Route => ({
    verb,
    path,
    access: 'token',
    available,
    handle,
  })
  const open = (verb: Route['verb'], path: string, handle: Handler): Route => ({
    ...{ verb, path, available, handle, changes: true },
    get access() {
      const { callers, refusedOperation } = context.tables()
      return callers.withoutToken === 'refused' && refusedOperation === 'forgotten' ? 'token' : 'anyone'
    },
  })
  return { row, open }
}

export function legacyRoutes(context: Context): readonly Route[] {
  const { row, open } = rowsOf(context)
  return [
    row('POST', 'method/totp/:name', (call) => amongOthers(call, context, define)),
    row('GET', 'method/totp/:name', (call) => read(call, context)),
    row('DELETE', 'method/totp/:name', (call) => remove(call, context)),
    open('GET', 'method/totp/:name/generate', (call) => orRefuse('generate', call, context, generate)),
    row('POST', 'method/totp/:name/admin-generate', (call) => orRefuse('admin-generate', call, context, generate)),
    // The document has the path without "totp" (readings, 29); real servers have it with "totp".
    row('POST', 'method/:name/admin-destroy', (call) =>
      orRefuse('admin-destroy', call, context, (_, ...rest) => destroy(...rest)),
    ),
    row('POST', 'method/totp/:name/admin-destroy', (call) =>
      orRefuse('admin-destroy', call, context, (_, ...rest) => destroy(...rest)),
    ),
  ]
}

/** The routes below `identity/mfa`. */
export function identityRoutes(context: Context): readonly Route[] {
  const { row, open } = rowsOf(context)
  return [
    row('POST', 'method/totp', (call) => amongOthers(call, context, create)),
    row('LIST', 'method/totp', () => list(context)),
    row('POST', 'method/totp/:id', (call) => amongOthers(call, context, putById)),
    row('GET', 'method/totp/:id', (call) => read(call, context)),
    row('DELETE', 'method/totp/:id', (call) => remove(call, context)),
    open('POST', 'method/totp/generate', (call) => orRefuse('generate', call, context, generate)),
    row('POST', 'method/totp/admin-generate', (call) => orRefuse('admin-generate', call, context, generate)),
    row('POST', 'method/totp/admin-destroy', (call) =>
      orRefuse('admin-destroy', call, context, (_, ...rest) => destroy(...rest)),
    ),
    row('LIST', 'login-enforcement', () => listEnforcements(context)),
    row('POST', 'login-enforcement/:name', (call) => enforce(call, context)),
    row('GET', 'login-enforcement/:name', (call) => readEnforcement(call, context)),
    row('DELETE', 'login-enforcement/:name', (call) => removeEnforcement(call, context)),
  ]
}

/** The route below `sys/mfa` for the second request of a login, which brings no token and returns one. */
export const validationRoute = (context: Context, pending: PendingLogins): Route => ({
  verb: 'POST',
  path: 'validate',
  access: 'anyone',
  login: true,
  available: (facts) => context.tables().available(facts),
  handle: (call) => validate(call, context, pending),
})
