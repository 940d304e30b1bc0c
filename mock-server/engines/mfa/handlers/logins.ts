/** Checks the codes of logins and of other requests. As in servers of this family, a client sends the code in a header
 * of the login; or else the reply to the login says which codes are needed, and a second request brings them. */

import { authOf } from '../../../kernel/auth/token-views.ts'
import type { Call, Reply } from '../../../kernel/contracts.ts'
import type { Login, SecondFactorCheck } from '../../../kernel/extension-points.ts'
import { requiredText } from '../../../kernel/http/body-fields.ts'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import { tryCode } from '../validation.ts'

/** One of the methods must be satisfied. */
interface Constraint {
  readonly name: string
  readonly methodIds: readonly string[]
}

export interface PendingLogin {
  readonly id: string
  readonly login: Login
  readonly constraints: readonly Constraint[]
  readonly since: number
}

/** How long a login waits for its code, in milliseconds. */
const patience = 300_000
const mostWaiting = 10_000

const denied = (reason: string): Refusal => new Refusal('second-factor', { message: reason })

/** Maps methods to the codes in a request. The code is empty if the request names only the method. */
type Codes = ReadonlyMap<string, string>

/** Reads `X-Vault-MFA: <method>[:<code>]`, which may be repeated or separated by commas. */
export function codesInHeader({ headers }: Pick<Call, 'headers'>): Codes | undefined {
  const header = headers['x-vault-mfa']
  const text = Array.isArray(header) ? header.join(',') : header
  if (text === undefined || text.trim() === '') return undefined
  const parts = text.split(',').map((part) => {
    const [method = '', ...code] = part.trim().split(':')
    return [method, plain(code.join(':'))] as const
  })
  return new Map(parts)
}

/** A code may be written as `passcode=123456`. */
const plain = (code: string): string => code.trim().replace(/^passcode=/, '')

function codesInBody(call: Call): Codes {
  const payload = call.body.mfa_payload ?? {}
  const invalid = badRequest('mfa_payload must be a map of MFA method ids to lists of strings')
  if (typeof payload !== 'object' || Array.isArray(payload)) throw invalid
  return new Map(
    Object.entries(payload).map(([method, codes]): [string, string] => {
      if (!Array.isArray(codes)) throw invalid
      const [code = ''] = codes as readonly unknown[]
      if (typeof code !== 'string') throw invalid
      return [method.toLowerCase(), plain(code)]
    }),
  )
}

/** Refuses the request unless each constraint is met by one of its methods. */
function assertMet(constraints: readonly Constraint[], entity: string, codes: Codes, context: Context): void {
  for (const { name, methodIds } of constraints) {
    const reasons: string[] = []
    const met = methodIds.some((id) => {
      const code = codes.get(id)
      const method = context.methods.find(id)
      if (code === undefined || !method) return false
      const reason = tryCode(method, entity, code, context)
      if (reason !== undefined) reasons.push(reason)
      return reason === undefined
    })
    if (!met)
      throw denied(`failed to satisfy enforcement ${name}: ${reasons.join('; ') || 'no code for any of its methods'}`)
  }
}

export class PendingLogins {
  private readonly waiting = new Map<string, PendingLogin>()

  add(one: PendingLogin): void {
    for (const [id, { since }] of this.waiting) {
      if (since + patience > one.since && this.waiting.size < mostWaiting) break
      this.waiting.delete(id)
    }
    this.waiting.set(one.id, one)
  }

  find(id: string, now: number): PendingLogin | undefined {
    const one = this.waiting.get(id)
    return one && one.since + patience > now ? one : undefined
  }

  delete(id: string): void {
    this.waiting.delete(id)
  }

  all(): readonly PendingLogin[] {
    return [...this.waiting.values()]
  }

  clear(): void {
    this.waiting.clear()
  }
}

/** Checks logins by the login enforcements (identity variant) and requests by the policies of their path (legacy
 * variant). */
export const createSecondFactorCheck = (
  identity: Context,
  legacy: Context,
  pending: PendingLogins,
): SecondFactorCheck => ({
  onLogin(login, call) {
    const isServed = identity.rules.available(identity.services.facts)
    const constraints = isServed ? identity.enforcements.of(login) : []
    if (constraints.length === 0) return undefined
    const codes = codesInHeader(call)
    if (codes) {
      assertMet(constraints, login.token.entityId ?? '', codes, identity)
      return undefined
    }
    return ask(login, constraints, identity, pending)
  },
  onRequest(call, methods) {
    if (!legacy.rules.available(legacy.services.facts)) return
    const codes = codesInHeader(call)
    const entity = call.token?.entityId ?? ''
    if (!codes || !legacy.services.entities.find(entity))
      throw denied(`the path asks for the MFA methods ${methods.join(', ')}`)
    for (const name of methods) assertSatisfied(name, entity, codes.get(name), legacy)
  },
})

/** Denies the request unless the code is right. A method that does not exist cannot be satisfied. */
function assertSatisfied(name: string, entity: string, code: string | undefined, legacy: Context): void {
  const method = legacy.methods.find(name)
  const reason = method && code !== undefined ? tryCode(method, entity, code, legacy) : 'no code for it'
  if (reason !== undefined) throw denied(`failed to satisfy the MFA method ${name}: ${reason}`)
}

const notYet = {
  client_token: '',
  accessor: '',
  policies: null,
  metadata: null,
  lease_duration: 0,
  renewable: false,
  entity_id: '',
  token_type: 'default',
  orphan: false,
  num_uses: 0,
}

function ask(
  { token, mount }: Login,
  found: readonly Constraint[],
  { services }: Context,
  pending: PendingLogins,
): Reply {
  const constraints = found.map(({ name, methodIds }) => ({ name, methodIds }))
  const login = { token, mount: { accessor: mount.accessor, type: mount.type } }
  const waiting: PendingLogin = { id: services.random.uuid(), login, constraints, since: services.clock.now() }
  pending.add(waiting)
  const any = ({ methodIds }: Constraint) => methodIds.map((id) => ({ type: 'totp', id, uses_passcode: true }))
  const mfa_requirement = {
    mfa_request_id: waiting.id,
    mfa_constraints: Object.fromEntries(constraints.map((one) => [one.name, { any: any(one) }])),
  }
  return {
    kind: 'data',
    data: null,
    auth: { ...notYet, mfa_requirement },
    warnings: ['The login is subject to MFA: validate it by a request to sys/mfa/validate.'],
  }
}

/** Handles the second request of a login, which brings the code. */
export function validate(call: Call, context: Context, pending: PendingLogins): Reply {
  const { services } = context
  const waiting = pending.find(requiredText(call.body, 'mfa_request_id'), services.clock.now())
  if (!waiting) throw badRequest('invalid request ID')
  const { token: wanted, mount } = waiting.login
  const entity = services.entities.find(wanted.entityId ?? '')
  if (!entity || entity.disabled) throw new Refusal('permission-denied')
  if (!services.mounts.all('auth').some(({ accessor }) => accessor === mount.accessor))
    throw new Refusal('permission-denied')
  assertMet(waiting.constraints, entity.id, codesInBody(call), context)
  pending.delete(waiting.id)
  const token = services.tokens.create(wanted)
  return { kind: 'data', data: null, auth: authOf(token, services.clock, entity.policies) }
}
