import type { Exchange, Step } from '../../harness/vocabulary/index.ts'
import { field } from '../../harness/vocabulary/index.ts'
import { replicationNames } from '../replication/given.ts'
import { allButOne, readAttempt, start, started, supply } from './attempt.ts'
import { attemptCheck, oneSupplied, running } from './attempt-check.ts'
import { pgpKey } from './pgp.ts'
import {
  aBoolean,
  aNumber,
  completingForTheKey,
  hidesOtp,
  hidesTheToken,
  holdsTheToken,
  showsFingerprintOf,
  showsNoToken,
  whereAdmitted,
  whereShown,
} from './then.ts'
import { topic } from './topic.ts'

const ofReplies = [
  attemptCheck(
    'read-returns-the-attempt',
    ['read'],
    ['read-omits-progress', 'read-omits-required', 'read-omits-complete', 'read-shows-another-nonce'],
    {
      given: [started()],
      when: readAttempt,
      then: [
        whereAdmitted(field('nonce', '{nonce}')),
        whereAdmitted(field('progress', aNumber)),
        whereAdmitted(field('required', aNumber)),
        whereAdmitted(field('complete', aBoolean)),
      ],
    },
  ),
  attemptCheck(
    'update-returns-nonce-and-completion',
    ['update-returns'],
    ['update-omits-nonce', 'update-omits-complete'],
    {
      given: running,
      when: supply(),
      then: [field('nonce', '{nonce}'), field('complete', aBoolean)],
    },
  ),
  attemptCheck('completion-returns-the-nonce', ['update-returns'], ['completion-omits-nonce', 'update-omits-nonce'], {
    given: [started(), allButOne],
    when: supply(),
    then: [whereShown(field('nonce', '{nonce}'))],
  }),
]

/** No reply before the one that completes the attempt may show the encoded token. */
const ofTokens = (
  [
    ['start-shows-no-token', [], start(), 'start-shows-token'],
    ['reading-shows-no-token-before-completion', oneSupplied, readAttempt, 'read-shows-token'],
  ] as const
).map(([id, given, when, mutant]) =>
  attemptCheck(id, ['token-on-completion-only'], [mutant], { given, when, then: [whereShown(showsNoToken)] }),
)

const otpReplies: readonly (readonly [id: string, given: readonly Step[], when: Exchange, mutant: string])[] = [
  ['reading', [started()], readAttempt, 'read-shows-otp'],
  ['update', running, supply(), 'update-shows-otp'],
  ['completion', [started(), allButOne], supply(), 'completion-shows-otp'],
  ['reading-after-completion', [started(), allButOne, supply()], readAttempt, 'read-after-completion-shows-otp'],
]

const ofEncoding = [
  ...otpReplies.map(([id, given, when, fault]) =>
    attemptCheck(
      `${id}-hides-the-one-time-password`,
      ['otp-hidden'],
      [fault, ...(id === 'reading-after-completion' ? ['read-shows-otp'] : [])],
      { given, when, then: [hidesOtp] },
    ),
  ),
  attemptCheck(
    'pgp-key-encrypts-the-token',
    ['pgp-encrypts'],
    ['ignores-pgp-key', 'pgp-encrypts-otherwise', 'completes-without-token', 'operation-token-is-no-good'],
    { given: [pgpKey('key'), started({ pgp_key: '{key}' })], when: completingForTheKey, then: [holdsTheToken] },
  ),
  attemptCheck('pgp-key-leaves-no-readable-token', ['pgp-encrypts'], ['completion-shows-token-beside-pgp'], {
    given: [pgpKey('key'), started({ pgp_key: '{key}' })],
    when: completingForTheKey,
    then: [hidesTheToken],
  }),
  attemptCheck('reading-shows-the-fingerprint', ['pgp-fingerprint'], ['hides-fingerprint'], {
    given: [pgpKey('key'), started({ pgp_key: '{key}' })],
    when: readAttempt,
    then: [whereAdmitted(showsFingerprintOf('key'))],
  }),
]

export default topic('dr-replication/fields-ceremony', {
  about: 'What the replies about an attempt show, what they must not show, and how they return the token.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...ofReplies, ...ofTokens, ...ofEncoding],
})
