/** Mutants of the replies about an attempt. */
import type { Mutant } from '../../../kernel/contracts.ts'
import { combine } from '../handlers/token-encodings.ts'
import { type CeremonyTables, replies, type Shown } from '../tables.ts'
import { ofAttempts, shows } from './cells.ts'

const nothing: Shown = () => undefined
const oneTimePassword: Shown = (facts) => facts.oneTimePassword || undefined
/** Returns an empty text for attempts with a PGP key, because the PGP encryption happens only with the last share. */
const encodedEarly: Shown = ({ token, oneTimePassword: pad }) => (pad === '' ? '' : combine(Buffer.from(token), pad))
const requests = { read: 'a read', update: 'an update below the threshold', completion: 'the last update' } as const

export const replyFaults: readonly Mutant<CeremonyTables>[] = [
  ofAttempts(
    'attempt-required-is-wrong',
    'The number of required shares that replies show is one too high.',
    shows('required', replies, ({ required }) => required + 1),
  ),
  ofAttempts(
    'attempt-required-counts-down',
    'The number of required shares that replies show is the number of shares that are still missing.',
    shows('required', replies, ({ required, given }) => required - given.length),
  ),
  ofAttempts(
    'attempt-progress-stands-still',
    'Replies show progress 0 although shares are counted.',
    shows('progress', replies, () => 0),
  ),
  ...(['progress', 'required', 'complete'] as const).map((field) =>
    ofAttempts(
      `attempt-read-omits-${field}`,
      `The reply to a read of an attempt lacks the field ${field}.`,
      shows(field, ['read'], nothing),
    ),
  ),
  ...(['nonce', 'complete'] as const).map((field) =>
    ofAttempts(
      `attempt-update-omits-${field}`,
      `The reply to an update lacks the field ${field}.`,
      shows(field, ['update', 'completion'], nothing),
    ),
  ),
  ofAttempts(
    'attempt-completion-omits-nonce',
    'The reply to the last update lacks the field nonce.',
    shows('nonce', ['completion'], nothing),
  ),
  ...(Object.keys(requests) as (keyof typeof requests)[]).map((reply) =>
    ofAttempts(
      `attempt-${reply}-shows-otp`,
      `The reply to ${requests[reply]} contains the one-time password.`,
      shows('otp', [reply], oneTimePassword),
    ),
  ),
  ofAttempts(
    'attempt-completes-without-token',
    'The reply to the last update contains no encoded token.',
    shows('encoded_token', ['completion'], () => ''),
  ),
  ofAttempts(
    'attempt-shows-token-early',
    'The reply to an update below the threshold contains the encoded token, which is valid from then on.',
    (tables) => ({ ...shows('encoded_token', ['update'], encodedEarly)(tables), issuedBy: 'every share' }),
  ),
  ofAttempts(
    'attempt-completion-shows-token-beside-pgp',
    'The reply to the last update contains the plain token in addition to the token encrypted to the PGP key.',
    shows('token', ['completion'], ({ token, fingerprint }) => (fingerprint === '' ? undefined : token)),
  ),
  ofAttempts(
    'attempt-start-shows-token',
    'The reply to a start contains the encoded token.',
    shows('encoded_token', ['start'], encodedEarly),
  ),
  ofAttempts(
    'attempt-read-shows-token',
    'A read of an attempt shows the encoded token before the attempt is complete.',
    shows('encoded_token', ['read'], encodedEarly),
  ),
  ofAttempts(
    'attempt-read-after-completion-shows-otp',
    'The reply to a read of a complete attempt contains the one-time password.',
    shows('otp', ['read'], ({ state, oneTimePassword }) => (state === 'complete' && oneTimePassword) || undefined),
  ),
  ofAttempts(
    'attempt-complete-shown-early',
    'An attempt in progress is shown as complete.',
    shows('complete', ['start', 'read', 'update'], ({ state }) => state !== 'none'),
  ),
  ofAttempts(
    'attempt-complete-shown-false',
    'The reply to the last update contains the token but says that the attempt is not complete.',
    shows('complete', ['completion'], () => false),
  ),
  ofAttempts(
    'attempt-progress-stops-at-one',
    'Replies never show a progress above 1.',
    shows('progress', replies, ({ given }) => Math.min(1, given.length)),
  ),
  ofAttempts(
    'attempt-read-shows-complete',
    'A read always says that the attempt is complete.',
    shows('complete', ['read'], () => true),
  ),
  ofAttempts(
    'attempt-read-shows-another-nonce',
    'A read shows a nonce that differs from that of the attempt.',
    shows('nonce', ['read'], ({ nonce }) => nonce && `${nonce.slice(0, -4)}0000`),
  ),
  ofAttempts(
    'attempt-hides-fingerprint',
    'A read of an attempt with a PGP key shows no fingerprint.',
    shows('pgp_fingerprint', ['read'], () => ''),
  ),
]
