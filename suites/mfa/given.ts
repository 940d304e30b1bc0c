/** Situations with TOTP methods and secrets, for both variants. */
import type { Action, Ceremony, Exchange, JsonObject, Step } from '../../harness/vocabulary/index.ts'
import {
  bodyWords,
  DoesNotApply,
  isSuccess,
  notAsPrepared,
  replyLacks,
  requestWords,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { aclPolicy, assertTaken, login, user, whereTaken } from '../given.ts'
import { action } from '../records.ts'
import { secretIn } from './secret.ts'
import type { Variant } from './variant.ts'

/** Bears the name of the run, because a run that is killed before it learns the id of a method has no other sign of it. */
export const issuer = '{label} Ltd'
/** The smallest valid method, with further fields. */
export const fields = (more: JsonObject = {}): JsonObject => ({ issuer, ...more })

export const defined = (variant: Variant, body: JsonObject = fields(), method = 'method') =>
  action(
    `a TOTP method \`${method}\`${bodyWords(body)}`,
    { touches: variant.defining(body, method), provides: [method] },
    async (scope) => {
      const reply = await variant.define(scope, body, method)
      if (!isSuccess(reply)) throw stepRefused(reply)
      scope.value(method)
    },
  )

/** The documents give no bounds for sizes and numbers, so a server may refuse such a method. */
export const definedWhereTaken = (variant: Variant, body: JsonObject): Action => ({
  ...defined(variant, body),
  async run(scope) {
    assertTaken(await variant.define(scope, body, 'method'))
    scope.value('method')
  },
})

/** Updates a method. The legacy rows say only that a method is defined, and nothing about one that exists, so a server
 * may refuse to define it again. The identity rows say that it is updated. */
export const redefinedWhereTaken = (variant: Variant, body: JsonObject = fields(), method = 'method'): Step =>
  variant.area === 'mfa-legacy' ? whereTaken(variant.redefine(body, method)) : variant.redefine(body, method)

/** Checks that updates are accepted at all, unless the documents say so. */
export const redefinable = (variant: Variant, body: JsonObject = fields()): readonly Step[] =>
  variant.area === 'mfa-legacy' ? [redefinedWhereTaken(variant, body)] : []

/** The same as the judged exchange. */
export const define = (variant: Variant, body: JsonObject = fields(), method = 'method'): Ceremony => ({
  kind: 'ceremony',
  words: `a TOTP method \`${method}\` is defined${bodyWords(body)}`,
  touches: variant.defining(body, method),
  provides: [method],
  run: (scope) => variant.define(scope, body, method),
})

/** `user` can log in and may generate secrets: the policy `access` allows it. */
export const caller = (variant: Variant, rules = variant.callerRules): readonly Step[] => [
  ...aclPolicy('{access}', rules),
  user('user', ['{access}']),
  login('user', 'session'),
]

/** Creates a token `as` without an entity. A child of the operator's token can have the operator's entity, and a secret
 * must never be generated for a real person. So no request is sent unless it is known that the token has no entity. */
export const entitylessToken = (as: string, policies: readonly string[]): readonly Step[] => [
  {
    kind: 'operation',
    operation: 'createToken',
    args: { as, policies, orphan: true },
    words: `an orphan token \`${as}\` with the policies ${policies.join(', ')}`,
    provides: [as, `${as}Accessor`, `${as}Entity`],
  },
  action(`\`${as}\` has no entity`, {}, async (scope) => {
    if (scope.value(`${as}Entity`) !== '')
      throw notAsPrepared({ asked: `the token \`${as}\``, at: 'entity_id', wanted: 'none', saw: 'one' })
  }),
]

export type Way = 'generate' | 'admin-generate'
export const ways = ['generate', 'admin-generate'] as const

/** Requests a secret for the entity of `user`, as that user or as an operator. */
export const byWay = (variant: Variant, way: Way, method?: string): Exchange =>
  way === 'generate' ? variant.generate('session', 'userId', method) : variant.adminGenerate('userId', method)

/** Generates a secret; `{as}` is its key in base32. */
export const generated = (exchange: Exchange, as: string) =>
  action(
    `${requestWords(exchange)} gives a secret \`${as}\``,
    { touches: [exchange], provides: [as] },
    async (scope) => {
      const reply = await scope.send(exchange)
      const secret = secretIn(reply)
      if (!secret && isSuccess(reply))
        throw DoesNotApply.shown(reply, `${reply.asked} answered ${reply.status} and showed no secret`)
      if (!secret) throw replyLacks(reply, 'a secret')
      scope.save(as, secret.key, { secret: true })
    },
  )

/** `user` can generate secrets, and the endpoint shows them: it has shown one of a second method. */
export const withSample = (variant: Variant, way: Way): readonly Step[] => [
  defined(variant),
  ...caller(variant),
  defined(variant, fields(), 'second'),
  generated(byWay(variant, way, 'second'), 'sample'),
]

/** Provides an id that no object on the target has. */
export const unusedId = (as: string) =>
  action(`\`${as}\` is an id that nothing has`, { provides: [as] }, async (scope) => {
    scope.save(as, crypto.randomUUID())
  })
