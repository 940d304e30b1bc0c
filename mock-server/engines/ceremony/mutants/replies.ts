/** Mutants of the replies about an attempt. */
import type { Mutant } from '../../../kernel/contracts.ts'
import { combine } from '../handlers/token-encodings.ts'
import { type CeremonyTables, replies, type Shown } from '../tables.ts'
import { ofAttempts, shows } from './cells.ts'

const nothing: Shown = () => undefined
const oneTimePassword: Shown = (facts) => facts.oneTimePassword || undefined
/** If a PGP key is used, nothing can be encrypted to it before the last share. */
const encodedEarly: Shown = ({ token, oneTimePassword: pad }) => (pad === '' ? '' : combine(Buffer.from(token), pad))
const answers = { read: 'a reading', update: 'an update below the threshold', completion: 'the last update' } as const

export const replyFaults: readonly Mutant<CeremonyTables>[] = [
  ofAttempts(
    'attempt-required-is-wrong',
    'The number of shares shown as required is one more than it takes.',
    shows('required', replies, ({ required }) => required + 1),
  ),
  ofAttempts(
    'attempt-progress-stands-still',
    'The progress shown stays 0 while shares are counted.',
    shows('progress', replies, () => 0),
  ),
  ...(['progress', 'required', 'complete'] as const).map((field) =>
    ofAttempts(
      `attempt-read-omits-${field}`,
      `A reading of the attempt has no field ${field}.`,
      shows(field, ['read'], nothing),
    ),
  ),
  ...(['nonce', 'complete'] as const).map((field) =>
    ofAttempts(
      `attempt-update-omits-${field}`,
      `The reply to an update has no field ${field}.`,
      shows(field, ['update', 'completion'], nothing),
    ),
  ),
  ofAttempts(
    'attempt-completion-omits-nonce',
    'The reply to the last update has no field nonce.',
    shows('nonce', ['completion'], nothing),
  ),
  ...(Object.keys(answers) as (keyof typeof answers)[]).map((reply) =>
    ofAttempts(
      `attempt-${reply}-shows-otp`,
      `The one-time password is in the reply to ${answers[reply]}.`,
      shows('otp', [reply], oneTimePassword),
    ),
  ),
  ofAttempts(
    'attempt-completes-without-token',
    'The reply to the last update has no encoded token.',
    shows('encoded_token', ['completion'], () => ''),
  ),
  ofAttempts(
    'attempt-shows-token-early',
    'An update below the threshold is answered with the encoded token, which lives from then on.',
    (tables) => ({ ...shows('encoded_token', ['update'], encodedEarly)(tables), issuedBy: 'every share' }),
  ),
  ofAttempts(
    'attempt-completion-shows-token-beside-pgp',
    'The reply to the last update has the token itself beside the message that is encrypted to a PGP key.',
    shows('token', ['completion'], ({ token, fingerprint }) => (fingerprint === '' ? undefined : token)),
  ),
  ofAttempts(
    'attempt-start-shows-token',
    'The reply to a start has the encoded token.',
    shows('encoded_token', ['start'], encodedEarly),
  ),
  ofAttempts(
    'attempt-read-shows-token',
    'A reading of an attempt shows the encoded token before the attempt is complete.',
    shows('encoded_token', ['read'], encodedEarly),
  ),
  ofAttempts(
    'attempt-read-after-completion-shows-otp',
    'The one-time password is in the reply to a reading of a complete attempt.',
    shows('otp', ['read'], ({ state, oneTimePassword }) => (state === 'complete' && oneTimePassword) || undefined),
  ),
  ofAttempts(
    'attempt-complete-shown-early',
    'An attempt in progress is shown as complete.',
    shows('complete', ['start', 'read', 'update'], ({ state }) => state !== 'none'),
  ),
  ofAttempts(
    'attempt-complete-shown-false',
    'The reply to the last update has the token and says that the attempt is not complete.',
    shows('complete', ['completion'], () => false),
  ),
  ofAttempts(
    'attempt-progress-stops-at-one',
    'The progress shown is never above 1.',
    shows('progress', replies, ({ given }) => Math.min(1, given.length)),
  ),
  ofAttempts(
    'attempt-read-shows-complete',
    'A reading says that the attempt is complete.',
    shows('complete', ['read'], () => true),
  ),
  ofAttempts(
    'attempt-read-shows-another-nonce',
    'A reading shows a nonce that is not the one of the attempt.',
    shows('nonce', ['read'], ({ nonce }) => nonce && `${nonce.slice(0, -4)}0000`),
  ),
  ofAttempts(
    'attempt-hides-fingerprint',
    'A reading of an attempt with a PGP key shows no fingerprint.',
    shows('pgp_fingerprint', ['read'], () => ''),
  ),
]
