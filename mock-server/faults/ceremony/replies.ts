/** Faults of the replies about an attempt. */
import type { Attempt } from '../../engines/ceremony/context.ts'
import { combine } from '../../engines/ceremony/handlers/token-encodings.ts'
import { replies, type Shown } from '../../engines/ceremony/rules.ts'
import { around, fault, faults, inReply, shows, withFields } from './attempt-operations.ts'

const nothing: Shown = () => undefined
const oneTimePassword: Shown = (facts) => facts.oneTimePassword || undefined
const requests = { read: 'a read', update: 'an update below the threshold', completion: 'the last update' } as const

/** Returns the encoded token before the attempt is complete. It is empty for attempts with a PGP key, because the PGP
 * encryption happens only with the last share. */
function encodedEarly({ encoded, encoding, token }: Attempt): object {
  const { oneTimePassword: pad } = encoding
  return { encoded_token: encoded !== '' || pad === '' ? encoded : combine(Buffer.from(token), pad) }
}
const showsToken = (operation: string) =>
  inReply(operation, (fields, { context: { attempt } }) => ({ ...fields, ...(attempt ? encodedEarly(attempt) : {}) }))

export const replyFaults = [
  ...faults({
    'attempt-required-is-wrong': 'The number of required shares that replies show is one too high.',
    'attempt-required-counts-down':
      'The number of required shares that replies show is the number of shares that are still missing.',
    'attempt-progress-stands-still': 'Replies show progress 0 although shares are counted.',
    'attempt-completion-omits-nonce': 'The reply to the last update lacks the field nonce.',
    'attempt-completes-without-token': 'The reply to the last update contains no encoded token.',
    'attempt-shows-token-early':
      'The reply to an update below the threshold contains the encoded token, which is valid from then on.',
    'attempt-completion-shows-token-beside-pgp':
      'The reply to the last update contains the plain token in addition to the token encrypted to the PGP key.',
    'attempt-start-shows-token': 'The reply to a start contains the encoded token.',
    'attempt-read-shows-token': 'A read of an attempt shows the encoded token before the attempt is complete.',
    'attempt-read-after-completion-shows-otp':
      'The reply to a read of a complete attempt contains the one-time password.',
    'attempt-complete-shown-early': 'An attempt in progress is shown as complete.',
    'attempt-complete-shown-false':
      'The reply to the last update contains the token but says that the attempt is not complete.',
    'attempt-progress-stops-at-one': 'Replies never show a progress above 1.',
    'attempt-read-shows-complete': 'A read always says that the attempt is complete.',
    'attempt-read-shows-another-nonce': 'A read shows a nonce that differs from that of the attempt.',
    'attempt-hides-fingerprint': 'A read of an attempt with a PGP key shows no fingerprint.',
  }).by({
    'attempt-required-is-wrong': shows('required', replies, ({ required }) => required + 1),
    'attempt-required-counts-down': shows('required', replies, ({ required, given }) => required - given.length),
    'attempt-progress-stands-still': shows('progress', replies, () => 0),
    'attempt-completion-omits-nonce': shows('nonce', ['completion'], nothing),
    'attempt-completes-without-token': shows('encoded_token', ['completion'], () => ''),
    'attempt-shows-token-early': around('POST update', {
      async does(call, next, { context }) {
        const reply = await next(call)
        const { attempt, issuing } = context
        if (!attempt) return reply
        issuing.issue(attempt.token)
        return withFields(reply, (fields) => ({ ...fields, ...encodedEarly(attempt) }))
      },
    }),
    'attempt-completion-shows-token-beside-pgp': inReply('POST update', (fields, { context: { attempt, state } }) =>
      attempt && state === 'complete' && attempt.encoding.fingerprint !== ''
        ? { ...fields, token: attempt.token }
        : fields,
    ),
    'attempt-start-shows-token': showsToken('POST attempt'),
    'attempt-read-shows-token': showsToken('GET attempt'),
    'attempt-read-after-completion-shows-otp': shows(
      'otp',
      ['read'],
      ({ state, oneTimePassword }) => (state === 'complete' && oneTimePassword) || undefined,
    ),
    'attempt-complete-shown-early': shows('complete', ['start', 'read', 'update'], ({ state }) => state !== 'none'),
    'attempt-complete-shown-false': shows('complete', ['completion'], () => false),
    'attempt-progress-stops-at-one': shows('progress', replies, ({ given }) => Math.min(1, given.length)),
    'attempt-read-shows-complete': shows('complete', ['read'], () => true),
    'attempt-read-shows-another-nonce': shows('nonce', ['read'], ({ nonce }) => nonce && `${nonce.slice(0, -4)}0000`),
    'attempt-hides-fingerprint': shows('pgp_fingerprint', ['read'], () => ''),
  }),
  ...(['progress', 'required', 'complete'] as const).map((field) =>
    fault(
      `attempt-read-omits-${field}`,
      `The reply to a read of an attempt lacks the field ${field}.`,
      shows(field, ['read'], nothing),
    ),
  ),
  ...(['nonce', 'complete'] as const).map((field) =>
    fault(
      `attempt-update-omits-${field}`,
      `The reply to an update lacks the field ${field}.`,
      shows(field, ['update', 'completion'], nothing),
    ),
  ),
  ...(Object.keys(requests) as (keyof typeof requests)[]).map((reply) =>
    fault(
      `attempt-${reply}-shows-otp`,
      `The reply to ${requests[reply]} contains the one-time password.`,
      shows('otp', [reply], oneTimePassword),
    ),
  ),
]
