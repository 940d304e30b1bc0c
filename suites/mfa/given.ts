/** Situations with TOTP methods and secrets, alike in both variants. */
import type { Action, Ceremony, Exchange, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import {
  DoesNotApply,
  isSuccess,
  notAsPrepared,
  replyLacks,
  shown,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { aclPolicy, login, user } from '../given.ts'
import { secretIn } from './secret.ts'
import type { Variant } from './variant.ts'

export const issuer = 'Acme Ltd'
/** The least that a method needs, and what is said besides. */
export const fields = (more: JsonObject = {}): JsonObject => ({ issuer, ...more })

/** A method is there. */
export const defined = (variant: Variant, body: JsonObject = fields(), method = 'method'): Action => ({
  kind: 'action',
  words: `a TOTP method \`${method}\` with ${shown(body)}`,
  touches: variant.defining(body, method),
  provides: [method],
  async run(scope) {
    const reply = await variant.define(scope, body, method)
    if (!isSuccess(reply)) throw stepRefused(reply)
    scope.value(method)
  },
})

/** The same as the exchange that is judged. */
export const define = (variant: Variant, body: JsonObject = fields(), method = 'method'): Ceremony => ({
  kind: 'ceremony',
  words: `define a TOTP method with ${shown(body)}`,
  touches: variant.defining(body, method),
  provides: [method],
  run: (scope) => variant.define(scope, body, method),
})

/** `user` can log in and may generate secrets: the policy `access` says so. */
export const caller = (variant: Variant): readonly Step[] => [
  ...aclPolicy('{access}', variant.callerRules),
  user('user', ['{access}']),
  login('user', 'session'),
]

/** A token `as` that belongs to no entity. A child of the operator's token can have the operator's: a secret must never
 * come to a real person's entity, so nothing is asked unless the token is known to have none. */
export const entitylessToken = (as: string, policies: readonly string[]): readonly Step[] => [
  {
    kind: 'operation',
    operation: 'createToken',
    args: { as, policies, orphan: true },
    words: `an orphan token \`${as}\` with the policies ${policies.join(', ')}`,
    provides: [as, `${as}Accessor`, `${as}Entity`],
  },
  {
    kind: 'action',
    words: `\`${as}\` has no entity`,
    touches: [],
    async run(scope) {
      if (scope.value(`${as}Entity`) !== '')
        throw notAsPrepared({ asked: `the token \`${as}\``, at: 'entity_id', wanted: 'none', saw: 'one' })
    },
  },
]

export type Way = 'generate' | 'admin-generate'
export const ways = ['generate', 'admin-generate'] as const

/** A secret on the entity of `user`, asked for by that user or by an operator. */
export const byWay = (variant: Variant, way: Way, method?: string): Exchange =>
  way === 'generate' ? variant.generate('session', 'userId', method) : variant.adminGenerate('userId', method)

/** A secret that the server has just made; `{as}` is its key in base32. */
export const generated = (exchange: Exchange, as: string): Action => ({
  kind: 'action',
  words: `${exchange.method} \`${exchange.path}\` gives a secret \`${as}\``,
  touches: [exchange],
  provides: [as],
  async run(scope) {
    const reply = await scope.send(exchange)
    const secret = secretIn(reply)
    if (!secret && isSuccess(reply))
      throw new DoesNotApply(`${reply.asked} answered ${reply.status} and showed no secret`)
    if (!secret) throw replyLacks(reply, 'a secret')
    scope.save(as, secret.key, { secret: true })
  },
})

/** An id that nothing on the target has. */
export const unusedId = (as: string): Action => ({
  kind: 'action',
  words: `\`${as}\` is an id that nothing has`,
  touches: [],
  provides: [as],
  async run(scope) {
    scope.save(as, crypto.randomUUID())
  },
})
