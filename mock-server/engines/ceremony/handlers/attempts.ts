/** Handles attempts to make a token from shares of the root key. Only one attempt can be in progress at a time. */
import { bytesOf } from '../../../kernel/auth/seal.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { type Attempt, type Context, clear } from '../context.ts'
import type { AttemptEvent, AttemptState } from '../rules.ts'
import { shown } from './attempt-replies.ts'
import { type Encoding, withGivenPassword, withOneTimePassword, withPgpKey } from './token-encodings.ts'

export const hexOf = (share: string): string => Buffer.from(bytesOf(share)).toString('hex')

/** Refuses the request if this cluster does not hold the ceremony. */
function assertHere(context: Context): void {
  const { attempt, rules, services } = context
  // A cluster that has joined another has the root key of that cluster, so shares of its former root key are useless.
  if (attempt && attempt.rootKey !== services.seal.digest) clear(context)
  const isDr = services.clusterRole.modes.dr === 'secondary'
  if (isDr !== (rules.heldOn === 'DR secondaries')) throw badRequest(`this ceremony is held on ${rules.heldOn} only`)
}

/** Returns whether a complete attempt blocks a new start. The document leaves this open for operation tokens, so a
 * variation decides. It does not describe root tokens, so they do not vary. */
const isWaiting = ({ rules, services, state }: Context): boolean =>
  state === 'complete' && rules.heldOn === 'DR secondaries' && services.variation().attemptDone === 'waits'

/** Returns the state after the event. Refuses an event for which the current state has no transition. */
function after(context: Context, event: AttemptEvent): AttemptState {
  const next = event === 'start' && isWaiting(context) ? undefined : context.rules.transitions[context.state][event]
  if (!next)
    throw badRequest(event === 'start' ? 'token generation already in progress' : 'no token generation in progress')
  return next
}

/** `given` is a one-time password that the caller chose, or empty. */
export const start = (pgpKey: string, context: Context, given = ''): Promise<object> =>
  context.inTurn('attempt', async () => {
    assertHere(context)
    after(context, 'start')
    if (given !== '' && pgpKey !== '')
      throw badRequest('otp and pgp_key are two ways to encode one token: give one of them')
    if (given !== '') begin(withGivenPassword(given), tokenAsLongAs(given, context), context)
    else {
      const token = context.issuing.prepare()
      const withPassword = withOneTimePassword(token.length, context.services.random)
      begin(pgpKey === '' ? withPassword : await withPgpKey(pgpKey), token, context)
    }
    return shown('start', context)
  })

/** Returns a token that is as long as the password. The longer tokens are those of newer versions, whose clients choose
 * passwords of that length. Refuses a password of any other length. */
function tokenAsLongAs(given: string, { issuing, services }: Context): string {
  const usual = issuing.prepare()
  const token = given.length === usual.length ? usual : `hvs.${services.random.token(24)}`
  if (given.length === token.length) return token
  throw badRequest(`otp has ${given.length} characters; a token has ${usual.length}, or ${token.length}`)
}

function begin(encoding: Encoding, token: string, context: Context): void {
  const { services } = context
  context.state = after(context, 'start')
  const nonce = services.mint.uuid()
  context.attempt = { rootKey: services.seal.digest, nonce, token, encoding, given: [], encoded: '' }
}

export function read(context: Context): object {
  assertHere(context)
  return shown('read', context)
}

/** Adds one share, and makes the token with the last one. */
export const give = (share: string, nonce: string | undefined, context: Context): Promise<object> =>
  context.inTurn('attempt', async () => {
    assertHere(context)
    const next = after(context, 'share')
    const { attempt } = context
    if (!attempt) throw badRequest('no token generation in progress')
    const given = [...attempt.given, accepted(share, nonce, attempt)]
    if (given.length >= context.services.seal.threshold) return complete(given, attempt, context)
    context.state = next
    attempt.given = given
    return shown('update', context)
  })

/** Returns the share as it is stored, in hexadecimal. Refuses a malformed share, a repeated share and a wrong nonce. */
function accepted(share: string, nonce: string | undefined, attempt: Attempt): string {
  if (share === '') throw badRequest('missing key')
  const read = hexOf(share)
  if (nonce !== attempt.nonce) throw badRequest('the nonce is not that of the attempt in progress')
  if (attempt.given.includes(read)) throw badRequest('this share was given already')
  return read
}

/** Issues the token if the shares make the root key. Otherwise discards the shares and refuses the request. */
async function complete(given: readonly string[], attempt: Attempt, context: Context): Promise<object> {
  const { issuing, services } = context
  const opens = await services.seal.proves(given).catch(() => false)
  const encoded = await attempt.encoding.encode(Buffer.from(attempt.token))
  // The attempt was ended while the shares were checked, so its token must not be issued.
  if (context.attempt !== attempt) throw badRequest('no token generation in progress')
  context.state = after(context, opens ? 'last share' : 'wrong shares')
  if (!opens) {
    attempt.given = []
    throw badRequest('the shares do not make the root key: all of them must be given again')
  }
  attempt.given = given
  attempt.encoded = encoded
  issuing.issue(attempt.token)
  return shown('completion', context)
}

export const cancel = (context: Context): Promise<void> =>
  context.inTurn('attempt', async () => {
    assertHere(context)
    context.state = after(context, 'cancel')
    context.attempt = undefined
  })
