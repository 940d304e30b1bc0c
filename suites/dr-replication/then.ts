/** Expectations about replies to attempts that require no more than the document says. */
import type { Ceremony, Expectation } from '../../harness/vocabulary/index.ts'
import {
  field,
  fieldOf,
  isRefusal,
  isSuccess,
  matcher,
  mismatch,
  replyLacks,
  StepFailed,
  shortfall,
  shown,
  stepRefused,
} from '../../harness/vocabulary/index.ts'
import { booleanIn } from '../numbers.ts'
import { expectation } from '../records.ts'
import { encodedIn, foundToken, namedEncodedIn } from '../replication/encoded-token.ts'
import { dr } from '../replication/kind.ts'
import { updatePrimary } from '../replication/roles.ts'
import { numberIn } from '../replication/then/status.ts'
import { completing } from './attempt.ts'
import { authorizes } from './operation-tokens.ts'
import { decrypted, type KeyName, keys } from './pgp.ts'

export const aNonce = matcher('a nonce', (value) => typeof value === 'string' && value !== '')
export const aNumber = matcher('a number', (value) => numberIn(value) !== undefined)
export const theNumber = (wanted: number) => matcher(`${wanted}`, (value) => numberIn(value) === wanted)
export const asMany = (name: string) =>
  matcher(`as many as \`${name}\``, (value, scope) => numberIn(value) === Number(scope.value(name)))
export const aBoolean = matcher('true or false', (value) => booleanIn(value) !== undefined)
export const otherThan = (name: string) =>
  matcher(`another than \`${name}\` was`, (value, scope) => typeof value === 'string' && value !== scope.value(name))

/** Expects that the attempt has the nonce of each reply to a start. */
export const ofEachStart: Expectation = field(
  'nonce',
  matcher('the nonce of each reply to a start that shows one', (value, scope) =>
    scope
      .value('startNonces')
      .split(' ')
      .every((nonce) => nonce === '' || nonce === value),
  ),
)

/** The document does not say who may use attempts and their tokens (Authentication, rule 5): a server may require a
 * client token that the operator does not have there. So a denied request is not judged. */
export const whereAdmitted = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge(seen, before) {
    const { reply } = seen
    if (reply.status === 401 || reply.status === 403)
      throw new StepFailed(
        'step-denied',
        { asked: reply.asked, answer: String(reply.status), as: 'callers with and without a client token' },
        reply,
      )
    return expectation.judge(seen, before)
  },
})

/** A refusal shows nothing about an attempt, so what a reply must not contain is judged only in a success. */
export const whereShown = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge(seen, before) {
    if (!isSuccess(seen.reply)) throw stepRefused(seen.reply)
    return expectation.judge(seen, before)
  },
})

/** Expects that no progress is shown, or a progress of 0. The document does not say what else is shown without an
 * attempt. */
export const noProgress = expectation('no progress is shown', ({ reply }) => {
  const progress = isSuccess(reply) ? fieldOf(reply, 'progress') : undefined
  return isRefusal(reply) || !progress || numberIn(progress) === 0
    ? undefined
    : mismatch(reply, 'progress', '0', shown(progress))
})

export const incomplete: Expectation = {
  words: 'the attempt is not complete',
  judge: ({ reply }) =>
    isSuccess(reply) && booleanIn(fieldOf(reply, 'complete'))
      ? mismatch(reply, 'complete', 'false, or nothing', 'true')
      : undefined,
}

export const givesToken: Expectation = {
  words: 'the reply has the encoded token',
  judge: ({ reply }) =>
    isSuccess(reply) && foundToken(reply) !== undefined
      ? undefined
      : shortfall(reply, 'encoded token', 'an encoded token', 'none'),
}

export const givesNoToken: Expectation = {
  words: 'the reply has no encoded token',
  judge: ({ reply }) =>
    isSuccess(reply) && encodedIn(reply) !== undefined
      ? mismatch(reply, 'encoded token', 'no encoded token', 'one')
      : undefined,
}

/** Expects no encoded token in the reply to a start, or to a read before completion. */
export const showsNoToken: Expectation = {
  words: givesNoToken.words,
  judge: ({ reply }) =>
    namedEncodedIn(reply) === undefined ? undefined : mismatch(reply, 'encoded token', 'no encoded token', 'one'),
}

/** Expects that `otp` shows no one-time password and, if the reply to the start gave one, that no other field contains
 * it. */
export const hidesOtp = expectation('the one-time password is not shown', ({ reply, scope }) => {
  const field = fieldOf(reply, 'otp')
  const isShown =
    (typeof field === 'string' && field !== '') || (scope.has('otp') && reply.text.includes(scope.value('otp')))
  return isShown ? mismatch(reply, 'otp', 'no one-time password', 'one') : undefined
})

/** Expects the fingerprint in any field of the reply, because no document shows the name of its field. */
export const showsFingerprintOf = (key: KeyName) =>
  expectation(`the fingerprint of \`${key}\` is shown`, ({ reply }) => {
    const { fingerprint } = keys[key]
    return isSuccess(reply) && reply.text.toLowerCase().replaceAll(/[\s:]/g, '').includes(fingerprint.toLowerCase())
      ? undefined
      : mismatch(reply, 'PGP fingerprint', fingerprint, 'not shown')
  })

export const hidesFingerprintOf = (key: KeyName): Expectation => {
  const shows = showsFingerprintOf(key)
  return expectation(`the fingerprint of \`${key}\` is not shown`, async (seen, before) => {
    const isHidden = (await shows.judge(seen, before)) !== undefined
    return isHidden ? undefined : mismatch(seen.reply, 'PGP fingerprint', 'another or none', keys[key].fingerprint)
  })
}

export const isForTheKey = expectation('the token is encrypted with `key`', async ({ reply }) => {
  const encoded = foundToken(reply)
  return (await decrypted(encoded ?? '')) === undefined
    ? mismatch(reply, 'encoded token', 'a PGP message for `key`', encoded === undefined ? 'none' : 'none for it')
    : undefined
})

/** Expects that the test key cannot decrypt the token. */
export const isNotForTheKey = expectation('the token is not encrypted with `key`', async ({ reply }) => {
  const encoded = isSuccess(reply) ? encodedIn(reply) : undefined
  if (encoded === undefined) throw replyLacks(reply, 'an encoded token')
  return (await decrypted(encoded)) === undefined
    ? undefined
    : mismatch(reply, 'encoded token', 'no PGP message for `key`', 'one')
})

/** Completes the attempt, and decrypts its token if possible. */
export const completingForTheKey: Ceremony = {
  ...completing,
  provides: [...(completing.provides ?? []), 'decrypted'],
  async run(scope) {
    const reply = await completing.run(scope)
    const token = await decrypted(encodedIn(reply) ?? '')
    if (token !== undefined) scope.save('decrypted', token, { secret: true })
    return reply
  },
}

/** A shorter text may occur in a reply by chance. */
const shortestToken = 8

/** Expects that the reply with the encrypted token does not also contain the token in a form that can be read (reading
 * 70). */
export const hidesTheToken = expectation('the token that is encrypted is not shown besides', ({ reply, scope }) => {
  const token = scope.has('decrypted') ? scope.value('decrypted') : ''
  if (token.length < shortestToken) throw replyLacks(reply, 'a token that is encrypted to the key')
  const forms = [
    token,
    Buffer.from(token)
      .toString('base64')
      .replace(/={1,6}$/, ''),
  ]
  return forms.some((form) => reply.text.includes(form))
    ? mismatch(reply, 'token', 'its PGP message only', 'the token itself')
    : undefined
})

/** Expects that the PGP message contains the token itself: it must authorize a request. Forgetting the past primary
 * changes least. */
const clearing = updatePrimary(dr, 'second', { token: '', dr_operation_token: '{decrypted}' })
const authorizing = authorizes('the decrypted token authorizes update-primary', clearing)
export const holdsTheToken: Expectation = {
  ...authorizing,
  async judge(seen, before) {
    const { reply, scope } = seen
    foundToken(reply)
    if (!scope.has('decrypted')) return mismatch(reply, 'encoded token', 'a PGP message for the key', 'none for it')
    return authorizing.judge(seen, before)
  },
}
