/** Expectations of replies about attempts that do not ask for more than the document says. */
import type { Ceremony, Expectation } from '../../harness/vocabulary/index.ts'
import {
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
import { encodedIn, namedEncodedIn } from '../replication/encoded-token.ts'
import { dr } from '../replication/kind.ts'
import { updatePrimary } from '../replication/roles.ts'
import { numberIn } from '../replication/status.ts'
import { completing } from './attempt.ts'
import { authorizes } from './operation-tokens.ts'
import { decrypted, type KeyName, keys } from './pgp.ts'

export const aNonce = matcher('a nonce', (value) => typeof value === 'string' && value !== '')
export const aNumber = matcher('a number', (value) => numberIn(value) !== undefined)
export const theNumber = (wanted: number) => matcher(`${wanted}`, (value) => numberIn(value) === wanted)
export const aBoolean = matcher('true or false', (value) => typeof value === 'boolean')
export const otherThan = (name: string) =>
  matcher(`another than \`${name}\``, (value, scope) => typeof value === 'string' && value !== scope.value(name))

/** The document leaves open who may use attempts and their tokens (Authentication, rule 5): a server may require a
 * client token that the operator does not have there. */
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

/** A refusal shows nothing of an attempt, so what a reply must not contain is judged by a success. */
export const whereShown = (expectation: Expectation): Expectation => ({
  ...expectation,
  judge(seen, before) {
    if (!isSuccess(seen.reply)) throw stepRefused(seen.reply)
    return expectation.judge(seen, before)
  },
})

/** No progress is shown, or none has been made. The document leaves open what else is shown without an attempt. */
export const noProgress: Expectation = {
  words: 'no progress is shown',
  judge({ reply }) {
    const progress = isSuccess(reply) ? fieldOf(reply, 'progress') : undefined
    return isRefusal(reply) || !progress || numberIn(progress) === 0
      ? undefined
      : mismatch(reply, 'progress', '0', shown(progress))
  },
}

export const incomplete: Expectation = {
  words: 'the attempt is not complete',
  judge: ({ reply }) =>
    isSuccess(reply) && fieldOf(reply, 'complete') === true
      ? mismatch(reply, 'complete', 'anything but true', 'true')
      : undefined,
}

export const givesToken: Expectation = {
  words: 'the reply has the encoded token',
  judge: ({ reply }) =>
    isSuccess(reply) && encodedIn(reply) !== undefined
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

/** Neither a start nor a reading before completion shows the encoded token. */
export const showsNoToken: Expectation = {
  words: givesNoToken.words,
  judge: ({ reply }) =>
    namedEncodedIn(reply) === undefined ? undefined : mismatch(reply, 'encoded token', 'no encoded token', 'one'),
}

/** The one-time password is known if the reply to the start had it; no other field holds it. */
export const hidesOtp: Expectation = {
  words: 'the one-time password is not shown',
  judge({ reply, scope }) {
    const field = fieldOf(reply, 'otp')
    const isShown =
      (typeof field === 'string' && field !== '') || (scope.has('otp') && reply.text.includes(scope.value('otp')))
    return isShown ? mismatch(reply, 'otp', 'no one-time password', 'one') : undefined
  },
}

/** The reply contains the fingerprint, in whatever field: no document shows its name. */
export const showsFingerprintOf = (key: KeyName): Expectation => ({
  words: `the fingerprint of \`${key}\` is shown`,
  judge({ reply }) {
    const { fingerprint } = keys[key]
    return isSuccess(reply) && reply.text.toLowerCase().replaceAll(/[\s:]/g, '').includes(fingerprint.toLowerCase())
      ? undefined
      : mismatch(reply, 'PGP fingerprint', fingerprint, 'not shown')
  },
})

export const hidesFingerprintOf = (key: KeyName): Expectation => {
  const shows = showsFingerprintOf(key)
  return {
    words: `the fingerprint of \`${key}\` is not shown`,
    async judge(seen, before) {
      const isHidden = (await shows.judge(seen, before)) !== undefined
      return isHidden ? undefined : mismatch(seen.reply, 'PGP fingerprint', 'another or none', keys[key].fingerprint)
    },
  }
}

/** The token is encrypted with the test key, and not with the other one. */
export const isForTheKey: Expectation = {
  words: 'the token is encrypted with `key`',
  async judge({ reply }) {
    const encoded = encodedIn(reply)
    return (await decrypted(encoded ?? '')) === undefined
      ? mismatch(reply, 'encoded token', 'a PGP message for `key`', encoded === undefined ? 'none' : 'none for it')
      : undefined
  },
}

/** The token is encoded in some other way than by the test key. */
export const isNotForTheKey: Expectation = {
  words: 'the token is not encrypted with `key`',
  async judge({ reply }) {
    const encoded = isSuccess(reply) ? encodedIn(reply) : undefined
    if (encoded === undefined) throw replyLacks(reply, 'an encoded token')
    return (await decrypted(encoded)) === undefined
      ? undefined
      : mismatch(reply, 'encoded token', 'no PGP message for `key`', 'one')
  },
}

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

/** A shorter text may be in a reply by chance. */
const shortestToken = 8

/** The reply with the encrypted token has it in no other form that can be read (reading 70). */
export const hidesTheToken: Expectation = {
  words: 'the token that is encrypted is not shown besides',
  judge({ reply, scope }) {
    const token = scope.has('decrypted') ? scope.value('decrypted') : ''
    if (token.length < shortestToken) throw replyLacks(reply, 'a token that is encrypted to the key')
    const forms = [token, Buffer.from(token).toString('base64').replace(/=+$/, '')]
    return forms.some((form) => reply.text.includes(form))
      ? mismatch(reply, 'token', 'its PGP message only', 'the token itself')
      : undefined
  },
}

/** The PGP message holds the token itself: it authorizes a request. Clearing the past primary changes least. */
const clearing = updatePrimary(dr, 'second', { token: '', dr_operation_token: '{decrypted}' })
const authorizing = authorizes('the decrypted token authorizes update-primary', clearing)
export const holdsTheToken: Expectation = {
  ...authorizing,
  async judge(seen, before) {
    const { reply, scope } = seen
    if (!scope.has('decrypted')) return mismatch(reply, 'encoded token', 'a PGP message for the key', 'none for it')
    return authorizing.judge(seen, before)
  },
}
