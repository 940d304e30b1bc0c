/** Handles attempts to make a token from shares of the root key. Only one attempt can be in progress at a time. */
import { setTimeout as wait } from 'node:timers/promises'
import { bytesOf } from '../../../kernel/auth/seal.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import { moment } from '../../../kernel/lost-writes.ts'
import { type Attempt, type Context, clear } from '../context.ts'
import type { AttemptEvent, AttemptState } from '../tables.ts'
import { shown } from './attempt-replies.ts'
import { type Encoding, withGivenPassword, withOneTimePassword, withPgpKey } from './token-encodings.ts'

const refusedEvents: Readonly<Record<AttemptEvent, string>> = {
  start: 'token generation already in progress',
  share: 'no token generation in progress',
  'last share': 'no token generation in progress',
  'wrong shares': 'no token generation in progress',
  cancel: 'the token generation cannot be cancelled',
}

const hasPgpKey = ({ encoding }: Attempt): boolean => encoding.fingerprint !== ''

const hexOf = (share: string): string => Buffer.from(bytesOf(share)).toString('hex')

/** Refuses the request if this cluster does not hold the ceremony. */
function assertHere(context: Context): void {
  const { attempt, services, tables } = context
  // A cluster that has joined another has the root key of that cluster, so shares of its former root key are useless.
  if (attempt && attempt.rootKey !== services.seal.digest) clear(context)
  const isDr = services.clusterRole.modes.dr === 'secondary'
  const { heldOn } = tables()
  if (isDr !== (heldOn === 'DR secondaries')) throw badRequest(`this ceremony is held on ${heldOn} only`)
}

/** Returns whether a complete attempt blocks a new start. The document leaves this open for operation tokens, so a
 * variation decides. It does not describe root tokens, so they do not vary. */
const isWaiting = ({ services, state, tables }: Context): boolean =>
  state === 'complete' && tables().heldOn === 'DR secondaries' && services.variation().attemptDone === 'waits'

/** Returns the state after the event. Refuses an event for which the current state has no transition. */
function after(context: Context, event: AttemptEvent): AttemptState {
  const { state, tables } = context
  const next = event === 'start' && isWaiting(context) ? undefined : tables().transitions[state][event]
  if (!next) throw badRequest(refusedEvents[event])
  return next
}

/** `given` is a one-time password that the caller chose, or empty. */
export async function start(pgpKey: string, context: Context, given = ''): Promise<object> {
  const { attempt, state, tables } = context
  if (tables().startsAtOnce === 'one') return startInTurn(pgpKey, context, given)
  // Only a mutant forgets what began since the request arrived.
  await wait(moment)
  Object.assign(context, { attempt, state })
  return startInTurn(pgpKey, context, given)
}

function startInTurn(pgpKey: string, context: Context, given: string): Promise<object> {
  return context.inTurn('attempt', async () => {
    assertHere(context)
    try {
      after(context, 'start')
    } catch (error) {
      await changeDespiteRefusal(pgpKey, context)
      throw error
    }
    if (given !== '') {
      if (pgpKey !== '') throw badRequest('otp and pgp_key are two ways to encode one token: give one of them')
      begin(withGivenPassword(given), tokenAsLongAs(given, context), context)
      return shown('start', context)
    }
    const token = context.issuing.prepare()
    begin(await encodingFor(pgpKey, token, context), token, context)
    return shown('start', context)
  })
}

/** Returns a token that is as long as the password. The longer tokens are those of newer versions, whose clients choose
 * passwords of that length. Refuses a password of any other length. */
function tokenAsLongAs(given: string, { issuing, services }: Context): string {
  const usual = issuing.prepare()
  const token = given.length === usual.length ? usual : `hvs.${services.random.token(24)}`
  if (given.length === token.length) return token
  throw badRequest(`otp has ${given.length} characters; a token has ${usual.length}, or ${token.length}`)
}

/** A refused start changes the attempt in progress only if a mutant is loaded. */
async function changeDespiteRefusal(pgpKey: string, context: Context): Promise<void> {
  const { attempt, tables } = context
  const { refusedStart } = tables()
  if (attempt && refusedStart === 'clears its progress') attempt.given = []
  if (attempt && pgpKey !== '' && refusedStart === 'replaces its key')
    attempt.encoding = await encodingFor(pgpKey, attempt.token, context)
}

async function encodingFor(pgpKey: string, token: string, context: Context): Promise<Encoding> {
  const without = withOneTimePassword(token.length, context.services.random)
  if (pgpKey === '') return without
  const { badKey, pgpKey: use, plaintext } = context.tables()
  const given = await withPgpKey(pgpKey, plaintext).catch((error: unknown) => {
    if (badKey === 'refused and starts') begin(without, token, context)
    if (badKey !== 'starts without') throw error
    return without
  })
  return use === 'encrypts' ? given : { ...without, fingerprint: given.fingerprint }
}

function begin(encoding: Encoding, token: string, context: Context): void {
  const { left, services, tables } = context
  context.state = after(context, 'start')
  const fresh = services.mint.uuid()
  context.firstNonce ||= fresh
  context.attempt = {
    rootKey: services.seal.digest,
    nonce: tables().nonce === 'fresh' ? fresh : context.firstNonce,
    token,
    encoding: left.encoding ?? (encoding.fingerprint === '' ? left.withoutKey : undefined) ?? encoding,
    given: left.given ?? [],
    encoded: '',
  }
  context.left = {}
}

export function read(context: Context): object {
  assertHere(context)
  return shown('read', context)
}

export function give(share: string, nonce: string | undefined, context: Context): Promise<object> {
  return context.tables().atOnce === 'each' ? countShare(share, nonce, context) : overwriteOthers(share, nonce, context)
}

/** Forgets the shares that were counted since the request arrived. Only a mutant calls this. */
async function overwriteOthers(share: string, nonce: string | undefined, context: Context): Promise<object> {
  const given = context.attempt?.given ?? []
  await wait(moment)
  if (context.attempt) context.attempt.given = given
  return countShare(share, nonce, context)
}

/** Adds one share, and makes the token with the last one. */
function countShare(share: string, nonce: string | undefined, context: Context): Promise<object> {
  return context.inTurn('attempt', async () => {
    assertHere(context)
    const { issuing, services, tables } = context
    const next = after(context, 'share')
    if (share === '' && tables().missingShare === 'refused') throw badRequest('missing key')
    const { attempt } = context
    if (!attempt || share === '') return shown('update', context)
    const given = [...attempt.given, takenShare(share, nonce, attempt, context)]
    if (given.length >= tables().completesAt(services.seal.threshold, hasPgpKey(attempt)))
      return complete(given, attempt, context)
    context.state = next
    attempt.given = given
    if (tables().issuedBy === 'every share') issuing.issue(attempt.token)
    return shown('update', context)
  })
}

/** Returns the share as it is stored. A refusal discards the earlier shares only if a mutant is loaded. */
function takenShare(...[share, nonce, attempt, context]: Parameters<typeof accepted>): string {
  try {
    return accepted(share, nonce, attempt, context)
  } catch (error) {
    if (context.tables().refusedShare === 'clears them') attempt.given = []
    throw error
  }
}

/** Returns the share as it is stored, in hexadecimal. Refuses a malformed share, a repeated share and a wrong nonce. */
function accepted(share: string, nonce: string | undefined, attempt: Attempt, context: Context): string {
  const { former, services, tables } = context
  const { completesAt, isNonce, malformedShare, repeatedShare, countedWhenRefused: counted } = tables()
  let read: string
  try {
    read = hexOf(share)
  } catch (error) {
    if (counted.includes('malformed share')) attempt.given = [...attempt.given, share]
    if (malformedShare === 'refused') throw error
    read = share
  }
  const isLast = attempt.given.length + 1 >= completesAt(services.seal.threshold, hasPgpKey(attempt))
  if (!isNonce(nonce, attempt.nonce, former, isLast)) {
    if (nonce && counted.includes('wrong nonce')) attempt.given = [...attempt.given, read]
    throw badRequest('the nonce is not that of the attempt in progress')
  }
  if (attempt.given.includes(read) && repeatedShare === 'refused') throw badRequest('this share was given already')
  return read
}

/** Issues the token if the shares make the root key. Otherwise discards the shares and refuses the request. */
async function complete(given: readonly string[], attempt: Attempt, context: Context): Promise<object> {
  const { issuing, services, tables } = context
  const proves = () => services.seal.proves(given).catch(() => false)
  const opens = await tables().opens(given, proves, hasPgpKey(attempt))
  const encoded = await attempt.encoding.encode(Buffer.from(attempt.token))
  // The attempt was ended while the shares were checked, so its token must not be issued.
  if (context.attempt !== attempt) throw badRequest(refusedEvents.share)
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

export function cancel(context: Context): Promise<void> {
  return context.inTurn('attempt', async () => {
    assertHere(context)
    context.state = after(context, 'cancel')
    const { attempt } = context
    if (!attempt || context.state !== 'none') return
    const { cancelLeaves } = context.tables()
    if (cancelLeaves === 'its shares') context.left = { given: attempt.given }
    if (cancelLeaves === 'its key') context.left = { encoding: attempt.encoding }
    if (cancelLeaves === 'its key, where none is given' && attempt.encoding.fingerprint !== '')
      context.left = { withoutKey: attempt.encoding }
    context.former = [...context.former, attempt.nonce]
    context.attempt = undefined
  })
}
