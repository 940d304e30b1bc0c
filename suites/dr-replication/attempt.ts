/** Token generation attempts on the DR secondary `second`, and their requests. No client token is sent, because
 * ordinary tokens may not work there. */
import type { Ceremony, Exchange, JsonObject, Reply, Scope, Witness } from '../../harness/vocabulary/index.ts'
import { fieldOf, isSuccess, reads, replyLacks, StepFailed, stepRefused } from '../../harness/vocabulary/index.ts'
import { sentTogether } from '../given.ts'
import { action } from '../records.ts'
import { encodedIn } from '../replication/encoded-token.ts'
import { dr } from '../replication/kind.ts'
import {
  attemptCancel,
  attemptRead,
  attemptStart,
  attemptUpdate,
  begin,
  findShares,
  nonceOf,
  sharesOf,
} from '../replication/operation-token.ts'
import { refusedFor } from '../replication/readiness.ts'

export const start = (body: { readonly pgp_key?: string } = {}): Exchange => attemptStart('second', body)
export const readAttempt = attemptRead('second')
/** The fields that the document names; a server may add clocks and counters. */
export const attemptStays: Witness = reads(readAttempt, {
  fields: ['nonce', 'progress', 'required', 'complete', 'pgp_fingerprint'],
})
export const cancel = attemptCancel('second')
/** Makes an update with a body of its own. */
export const update = (body: JsonObject): Exchange => ({ ...attemptUpdate('second'), body })
/** Supplies a share of the root key to the attempt in progress. */
export const supply = (key = 'share', nonce = 'nonce'): Exchange => attemptUpdate('second', `{${key}}`, `{${nonce}}`)

const tooFewShares = (given: number): StepFailed => new StepFailed('shares-insufficient', { cluster: 'second', given })

const succeeded = (reply: Reply): Reply => {
  if (!isSuccess(reply)) throw stepRefused(reply)
  return reply
}

/** A key that is refused contradicts what it is for, if an attempt without it is started. */
async function refusedStart(scope: Scope, reply: Reply, { pgp_key }: { readonly pgp_key?: string }) {
  if (pgp_key === undefined) return stepRefused(reply)
  const plain = await begin(scope, 'second')
  if (isSuccess(plain)) await scope.send(cancel)
  return refusedFor(reply, plain, dr.requirement('attempt.pgp-encrypts'), 'second')
}

/** Starts an attempt; `{nonce}` is its nonce. If the reply to the start has a one-time password, that is `{otp}`. */
export const started = (body: { readonly pgp_key?: string } = {}, nonce = 'nonce') =>
  action(
    `an attempt is in progress, with the nonce \`${nonce}\``,
    { touches: [start(body), start(), readAttempt, supply('share', nonce), cancel], provides: [nonce, 'share'] },
    async (scope) => {
      await findShares(scope, 'second')
      const reply = await begin(scope, 'second', body)
      if (!isSuccess(reply)) throw await refusedStart(scope, reply, body)
      const otp = fieldOf(reply, 'otp')
      if (typeof otp === 'string' && otp !== '') scope.save('otp', otp, { secret: true })
      const shown = await nonceOf(scope, 'second', reply)
      // Separate checks of the nonce judge a server that shows none.
      if (shown === undefined) throw replyLacks(reply, 'a nonce')
      scope.save(nonce, shown)
    },
  )

/** Starts an attempt twice at the same time. `{startNonces}` are the nonces in the replies. The reply is a success, if
 * there was one. */
export const startingTwice: Ceremony = {
  kind: 'ceremony',
  words: 'an attempt is started twice at the same time',
  touches: [start()],
  provides: ['startNonces'],
  async run(scope) {
    const replies = await sentTogether(scope, [start(), start()])
    const nonces = replies.map((reply) => (isSuccess(reply) ? fieldOf(reply, 'nonce') : undefined))
    scope.save('startNonces', nonces.filter((nonce) => typeof nonce === 'string').join(' '))
    return (replies.find(isSuccess) ?? replies[0]) as Reply
  },
}

/** Provides `{as}`, the key share with that number. */
export const share = (as = 'share', index = 0) =>
  action(`\`${as}\` is key share ${index + 1} of the root key`, { provides: [as] }, async (scope) => {
    const key = sharesOf(scope)[index]
    if (key === undefined) throw tooFewShares(index)
    scope.save(as, key, { secret: true })
  })

/** Changes the first character to one that is valid in base64 and in hexadecimal, so that only the bytes change and not
 * the format. */
export const altered = (key: string): string => `${key.startsWith('a') ? 'b' : 'a'}${key.slice(1)}`

/** Returns the number of shares that the attempt requires. With fewer than two there is no state between start and
 * completion. */
export async function requiredOf(scope: Scope, least = 2): Promise<number> {
  const reply = succeeded(await scope.send(readAttempt))
  const required = Number(fieldOf(reply, 'required'))
  if (!Number.isSafeInteger(required) || required < least)
    throw replyLacks(reply, `how many key shares are required (at least ${least})`)
  const { length } = sharesOf(scope)
  if (length < required) throw tooFewShares(length)
  return required
}

/** Requires that the attempt needs more than one share: otherwise the judged request would complete it. */
export const needsSeveral = action(
  'the attempt needs more than one share; `required` is how many',
  { touches: [readAttempt], provides: ['required'] },
  async (scope) => {
    scope.save('required', String(await requiredOf(scope)))
  },
)

/** Supplies these shares one after another until one is refused. Returns the reply with the token if there was one, and
 * otherwise the last reply. */
async function supplied(scope: Scope, keys: readonly string[]): Promise<Reply> {
  let last: Reply | undefined
  for (const key of keys) {
    scope.save('supplied', key, { secret: true })
    const reply = await scope.send(supply('supplied'))
    if (last && !isSuccess(reply) && encodedIn(last) !== undefined) return last
    last = reply
    if (!isSuccess(last)) break
  }
  if (!last) throw tooFewShares(0)
  return last
}

/** Supplies all required shares except the last, which is `{share}`. */
export const allButOne = action(
  'all required shares except one are supplied; `share` is the last',
  { touches: [readAttempt, supply('supplied')], provides: ['supplied', 'share'] },
  async (scope) => {
    const required = await requiredOf(scope)
    for (const key of sharesOf(scope).slice(0, required - 1)) {
      scope.save('supplied', key, { secret: true })
      succeeded(await scope.send(supply('supplied')))
    }
    scope.save('share', sharesOf(scope)[required - 1] ?? '', { secret: true })
  },
)

/** Supplies key shares at the same time. A server may refuse one while it handles another, so a refused one is supplied
 * again. */
export const supplyingAtOnce = (...keys: readonly string[]): Ceremony => ({
  kind: 'ceremony',
  words: `the key shares ${keys.join(' and ')} are supplied at the same time`,
  touches: keys.map((key) => supply(key)),
  async run(scope) {
    const replies = await sentTogether(
      scope,
      keys.map((key) => supply(key)),
    )
    let last: Reply | undefined
    for (const [index, reply] of replies.entries())
      last = isSuccess(reply) ? reply : succeeded(await scope.send(supply(keys[index])))
    return last as Reply
  },
})

/** Supplies the key shares that a rule chooses from the required ones. */
export const supplying = (
  words: string,
  keysOf: (required: readonly string[], scope: Scope) => readonly string[],
): Ceremony => ({
  kind: 'ceremony',
  words,
  touches: [readAttempt, supply('supplied')],
  provides: ['supplied'],
  async run(scope) {
    const required = await requiredOf(scope)
    return supplied(scope, keysOf(sharesOf(scope).slice(0, required), scope))
  },
})

export const completing = supplying('the required key shares are supplied', (required) => required)
