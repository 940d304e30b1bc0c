/** The endpoints of TOTP MFA: document 3, the tables of the two variants, and those around logins that the family has. */
import type { Call, Reply, Route } from '../../kernel/contracts.ts'
import { orRefuse } from './act-despite-refusal.ts'
import type { Desk } from './context.ts'
import { enforce, listEnforcements, readEnforcement, removeEnforcement } from './handlers/enforcements.ts'
import { validate, type WaitingRoom } from './handlers/logins.ts'
import { create, define, list, putById, read, remove } from './handlers/methods.ts'
import { destroy, generate } from './handlers/secrets.ts'

type Run = (call: Call) => Reply | Promise<Reply>

const rowsOf = (desk: Desk) => {
  const available: Route['available'] = (facts) => desk.tables().available(facts)
  const row = (verb: Route['verb'], path: string, run: Run): Route => ({ verb, path, access: 'token', available, run })
  const open = (verb: Route['verb'], path: string, run: Run): Route => ({
    ...{ verb, path, available, run, changes: true },
    get access() {
      const { callers, refusedDeed } = desk.tables()
      return callers.withoutToken === 'refused' && refusedDeed === 'forgotten' ? 'token' : 'anyone'
    },
  })
  return { row, open }
}

export function legacyRoutes(desk: Desk): readonly Route[] {
  const { row, open } = rowsOf(desk)
  return [
    row('POST', 'method/totp/:name', (call) => define(call, desk)),
    row('GET', 'method/totp/:name', (call) => read(call, desk)),
    row('DELETE', 'method/totp/:name', (call) => remove(call, desk)),
    open('GET', 'method/totp/:name/generate', (call) => orRefuse('generate', call, desk, generate)),
    row('POST', 'method/totp/:name/admin-generate', (call) => orRefuse('admin-generate', call, desk, generate)),
    // Without "totp", as the document has it: readings, 29. Servers in the field have the other.
    row('POST', 'method/:name/admin-destroy', (call) =>
      orRefuse('admin-destroy', call, desk, (_, ...rest) => destroy(...rest)),
    ),
    row('POST', 'method/totp/:name/admin-destroy', (call) =>
      orRefuse('admin-destroy', call, desk, (_, ...rest) => destroy(...rest)),
    ),
  ]
}

/** Below `identity/mfa`. */
export function identityRoutes(desk: Desk): readonly Route[] {
  const { row, open } = rowsOf(desk)
  return [
    row('POST', 'method/totp', (call) => create(call, desk)),
    row('LIST', 'method/totp', () => list(desk)),
    row('POST', 'method/totp/:id', (call) => putById(call, desk)),
    row('GET', 'method/totp/:id', (call) => read(call, desk)),
    row('DELETE', 'method/totp/:id', (call) => remove(call, desk)),
    open('POST', 'method/totp/generate', (call) => orRefuse('generate', call, desk, generate)),
    row('POST', 'method/totp/admin-generate', (call) => orRefuse('admin-generate', call, desk, generate)),
    row('POST', 'method/totp/admin-destroy', (call) =>
      orRefuse('admin-destroy', call, desk, (_, ...rest) => destroy(...rest)),
    ),
    row('LIST', 'login-enforcement', () => listEnforcements(desk)),
    row('POST', 'login-enforcement/:name', (call) => enforce(call, desk)),
    row('GET', 'login-enforcement/:name', (call) => readEnforcement(call, desk)),
    row('DELETE', 'login-enforcement/:name', (call) => removeEnforcement(call, desk)),
  ]
}

/** Below `sys/mfa`: the second request of a login hands out a token and brings none. */
export const validationRoute = (desk: Desk, room: WaitingRoom): Route => ({
  verb: 'POST',
  path: 'validate',
  access: 'anyone',
  login: true,
  available: (facts) => desk.tables().available(facts),
  run: (call) => validate(call, desk, room),
})
