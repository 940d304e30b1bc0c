/** Faults of the replies about an attempt. */
import type { Attempt } from '../../engines/ceremony/context.ts'
import { combine } from '../../engines/ceremony/handlers/token-encodings.ts'
import { replies, type Shown } from '../../engines/ceremony/rules.ts'
import { around, fault, inReply, shows, withFields } from './attempt-operations.ts'

const nothing: Shown = () => undefined
const oneTimePassword: Shown = (facts) => facts.oneTimePassword || undefined
const requests = { read: 'a read', update: 'an update below the threshold', completion: 'the last update' } as const

/** Returns the encoded token before the attempt is complete. It is empty for attempts with a PGP key, because the PGP
 * encryption happens only with the last share. */
function encodedEarly({ encoded, encoding, token }: Attempt): object {
  const { oneTimePassword: pad } = encoding
  return { encoded_token: encoded !== '' || pad === '' ? encoded : combine(Buffer.from(token), pad) }
}
/** Shows the encoded token in the reply to an operation. */
const showsToken = (operation: string) =>
  inReply(operation, (fields, { context: { attempt } }) => ({ ...fields, ...(attempt ? encodedEarly(attempt) : {}) }))

export const replyFaults = [
  fault(
    'attempt-required-is-wrong',
    'The number of required shares that replies show is one too high.',
    shows('required', replies, ({ required }) => required + 1),
  ),
  fault(
    'attempt-required-counts-down',
    'The number of required shares that replies show is the number of shares that are still missing.',
    shows('required', replies, ({ required, given }) => required - given.length),
  ),
  fault(
    'attempt-progress-stands-still',
    'Replies show progress 0 although shares are counted.',
    shows('progress', replies, () => 0),
  ),
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
  fault(
    'attempt-completion-omits-nonce',
    'The reply to the last update lacks the field nonce.',
    shows('nonce', ['completion'], nothing),
  ),
  ...(Object.keys(requests) as (keyof typeof requests)[]).map((reply) =>
    fault(
      `attempt-${reply}-shows-otp`,
      `The reply to ${requests[reply]} contains the one-time password.`,
      shows('otp', [reply], oneTimePassword),
    ),
  ),
  fault(
    'attempt-completes-without-token',
    'The reply to the last update contains no encoded token.',
    shows('encoded_token', ['completion'], () => ''),
  ),
  fault(
    'attempt-shows-token-early',
    'The reply to an update below the threshold contains the encoded token, which is valid from then on.',
    around('POST update', {
      async does(call, next, { context }) {
        const reply = await next(call)
        const { attempt, issuing } = context
        if (!attempt) return reply
        issuing.issue(attempt.token)
        return withFields(reply, (fields) => ({ ...fields, ...encodedEarly(attempt) }))
      },
    }),
  ),
  fault(
    'attempt-completion-shows-token-beside-pgp',
    'The reply to the last update contains the plain token in addition to the token encrypted to the PGP key.',
    inReply('POST update', (fields, { context: { attempt, state } }) =>
      attempt && state === 'complete' && attempt.encoding.fingerprint !== ''
        ? { ...fields, token: attempt.token }
        : fields,
    ),
  ),
  fault('attempt-start-shows-token', 'The reply to a start contains the encoded token.', showsToken('POST attempt')),
  fault(
    'attempt-read-shows-token',
    'A read of an attempt shows the encoded token before the attempt is complete.',
    showsToken('GET attempt'),
  ),
  fault(
    'attempt-read-after-completion-shows-otp',
    'The reply to a read of a complete attempt contains the one-time password.',
    shows('otp', ['read'], ({ state, oneTimePassword }) => (state === 'complete' && oneTimePassword) || undefined),
  ),
  fault(
    'attempt-complete-shown-early',
    'An attempt in progress is shown as complete.',
    shows('complete', ['start', 'read', 'update'], ({ state }) => state !== 'none'),
  ),
  fault(
    'attempt-complete-shown-false',
    'The reply to the last update contains the token but says that the attempt is not complete.',
    shows('complete', ['completion'], () => false),
  ),
  fault(
    'attempt-progress-stops-at-one',
    'Replies never show a progress above 1.',
    shows('progress', replies, ({ given }) => Math.min(1, given.length)),
  ),
  fault(
    'attempt-read-shows-complete',
    'A read always says that the attempt is complete.',
    shows('complete', ['read'], () => true),
  ),
  fault(
    'attempt-read-shows-another-nonce',
    'A read shows a nonce that differs from that of the attempt.',
    shows('nonce', ['read'], ({ nonce }) => nonce && `${nonce.slice(0, -4)}0000`),
  ),
  fault(
    'attempt-hides-fingerprint',
    'A read of an attempt with a PGP key shows no fingerprint.',
    shows('pgp_fingerprint', ['read'], () => ''),
  ),
]
