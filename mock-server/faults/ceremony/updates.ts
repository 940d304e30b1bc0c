/** Faults of how key shares are accepted, and of the token that results from them. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attempt } from '../../engines/ceremony/context.ts'
import { hexOf } from '../../engines/ceremony/handlers/attempts.ts'
import { withOneTimePassword } from '../../engines/ceremony/handlers/token-encodings.ts'
import type { Call } from '../../kernel/contracts.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import { moment } from '../lost-writes.ts'
import {
  accepted,
  afterStart,
  around,
  faults,
  finish,
  keyIn,
  nonceIn,
  takesNonce,
  whenRefused,
  withBody,
} from './attempt-operations.ts'

const hasPgpKey = ({ encoding }: Attempt): boolean => encoding.fingerprint !== ''
const isShare = (text: string): boolean => {
  try {
    return hexOf(text) !== ''
  } catch {
    return false
  }
}
const isMalformed = (call: Call): boolean => keyIn(call) !== '' && !isShare(keyIn(call))
const isRepeated = (call: Call, { given }: Attempt): boolean =>
  isShare(keyIn(call)) && given.includes(hexOf(keyIn(call)))
/** Returns a share that belongs to no key. */
const shareFor = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Completes an attempt one share before the threshold. */
const completesEarly = (isMeant: (attempt: Attempt) => boolean) =>
  around('POST update', {
    when: (_call, { context: { attempt } }) => attempt !== undefined && isMeant(attempt),
    async does(call, next, { context }) {
      const reply = await next(call)
      const { attempt, services, state } = context
      const isNearlyDone = state === 'in progress' && attempt?.given.length === services.seal.threshold - 1
      return attempt && isNearlyDone ? finish(attempt, context) : reply
    },
  })

export const updateFaults = faults({
  'attempt-completes-early': 'An attempt completes one share before the threshold.',
  'attempt-with-a-key-completes-early': 'An attempt with a PGP key completes one share before the threshold.',
  'attempt-accepts-any-nonce-with-the-last-share': 'An update with the last share is accepted with any nonce.',
  'attempt-shares-at-once-lose-one':
    'Of key shares that are supplied at the same time, only the one whose update ends last is counted.',
  'attempt-accepts-any-nonce': 'Updates are accepted with any nonce.',
  'attempt-counts-share-of-wrong-nonce': 'An update with a wrong nonce is refused, but its share is counted.',
  'attempt-nonce-optional': 'An update without a nonce is accepted for the attempt in progress.',
  'attempt-accepts-blank-nonce': 'An update with a blank nonce is accepted for the attempt in progress.',
  'attempt-keeps-old-nonce-valid': 'An update is accepted with the nonce of a cancelled attempt.',
  'attempt-update-without-start': 'An update succeeds although no attempt is in progress.',
  'attempt-key-optional': 'An update without a key share succeeds, and nothing is counted.',
  'attempt-accepts-malformed-share': 'A text that is not a key share is accepted and counted as a share.',
  'attempt-counts-malformed-share': 'A text that is not a key share is refused but counted as a share.',
  'attempt-refused-share-clears-the-progress': 'A refused share discards the shares given before it.',
  'attempt-counts-repeated-share': 'A share that is given several times is counted each time.',
  'attempt-completes-with-one-share':
    'One share completes an attempt if it is given as many times as shares are required; the progress counts it once.',
  'attempt-completes-with-wrong-share':
    'The required number of shares completes an attempt even if they belong to another key.',
  'attempt-ignores-pgp-key':
    'The token of an attempt with a PGP key is encoded with a one-time password instead of being encrypted to the key.',
  'attempt-pgp-encrypts-otherwise': 'The PGP key encrypts the base64 of the token instead of its bytes.',
}).by({
  'attempt-completes-early': completesEarly(() => true),
  'attempt-with-a-key-completes-early': completesEarly(hasPgpKey),
  'attempt-accepts-any-nonce-with-the-last-share': takesNonce(
    (nonce, { given }, { context }) => nonce !== '' && given.length + 1 >= context.services.seal.threshold,
  ),
  'attempt-shares-at-once-lose-one': around('POST update', {
    async does(call, next, { context }) {
      const given = context.attempt?.given ?? []
      await wait(moment)
      if (context.attempt) context.attempt.given = given
      return next(call)
    },
  }),
  'attempt-accepts-any-nonce': takesNonce((nonce) => nonce !== ''),
  'attempt-counts-share-of-wrong-nonce': whenRefused(
    (call, { nonce }) => nonceIn(call) !== '' && nonceIn(call) !== nonce && isShare(keyIn(call)),
    (call, attempt) => {
      attempt.given = [...attempt.given, hexOf(keyIn(call))]
      return undefined
    },
  ),
  'attempt-nonce-optional': takesNonce((nonce) => nonce === ''),
  'attempt-accepts-blank-nonce': around('POST update', {
    when: (call) => call.body.nonce === '',
    does: (call, next, { context }) => next(withBody(call, { nonce: context.attempt?.nonce })),
  }),
  'attempt-keeps-old-nonce-valid': [
    around('DELETE attempt', {
      does(call, next, { context, memory }) {
        if (context.attempt) memory.set(context.attempt.nonce, true)
        return next(call)
      },
    }),
    takesNonce((nonce, _attempt, { memory }) => memory.has(nonce)),
  ],
  'attempt-update-without-start': around('POST update', {
    when: (_call, { context }) => context.state === 'none',
    does: (_call, _next, { context }) => accepted('update', context),
  }),
  'attempt-key-optional': whenRefused(
    (call) => keyIn(call) === '',
    (_call, _attempt, { context }) => accepted('update', context),
  ),
  'attempt-accepts-malformed-share': around('POST update', {
    when: isMalformed,
    does: (call, next) => next(withBody(call, { key: shareFor(keyIn(call)) })),
  }),
  'attempt-counts-malformed-share': whenRefused(isMalformed, (call, attempt) => {
    attempt.given = [...attempt.given, shareFor(keyIn(call))]
    return undefined
  }),
  'attempt-refused-share-clears-the-progress': whenRefused(
    (call, attempt) => isMalformed(call) || isRepeated(call, attempt) || nonceIn(call) !== attempt.nonce,
    (_call, attempt) => {
      attempt.given = []
      return undefined
    },
  ),
  'attempt-counts-repeated-share': around('POST update', {
    when: (call, { context: { attempt } }) => attempt !== undefined && isRepeated(call, attempt),
    does(call, next, { context: { attempt } }) {
      // The engine does not recognize the share before, so it counts this one as another.
      if (attempt) attempt.given = attempt.given.map((share, index) => shareFor(`${share} ${index}`))
      return next(call)
    },
  }),
  'attempt-completes-with-one-share': around('POST update', {
    when: (call, { context: { attempt } }) => attempt !== undefined && isRepeated(call, attempt),
    does(_call, _next, { context, memory }) {
      const { attempt, services } = context
      if (!attempt) throw badRequest('no token generation in progress')
      const times = Number(memory.get(attempt.nonce) ?? 1) + 1
      memory.set(attempt.nonce, times)
      const isEnough = attempt.given.length === 1 && times >= services.seal.threshold
      return isEnough ? finish(attempt, context) : accepted('update', context)
    },
  }),
  'attempt-completes-with-wrong-share': around('POST update', {
    when: (_call, { context: { attempt, services } }) =>
      attempt !== undefined && attempt.given.length + 1 >= services.seal.threshold,
    async does(call, next, { context }) {
      const { attempt } = context
      const before = attempt?.given ?? []
      try {
        return await next(call)
      } catch (error) {
        // The engine discards all shares if they do not make the root key, and keeps them otherwise.
        if (!attempt || before.length === 0 || attempt.given.length > 0) throw error
        attempt.given = [...before, hexOf(keyIn(call))]
        return finish(attempt, context)
      }
    },
  }),
  'attempt-ignores-pgp-key': afterStart((attempt, { context }) => {
    if (!hasPgpKey(attempt)) return {}
    const { encode, oneTimePassword } = withOneTimePassword(attempt.token.length, context.services.random)
    return { encoding: { ...attempt.encoding, encode, oneTimePassword } }
  }),
  'attempt-pgp-encrypts-otherwise': afterStart((attempt) => {
    const { encode } = attempt.encoding
    const otherwise = (token: Buffer) => encode(Buffer.from(token.toString('base64')))
    return hasPgpKey(attempt) ? { encoding: { ...attempt.encoding, encode: otherwise } } : {}
  }),
})
