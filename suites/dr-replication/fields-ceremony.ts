import { type Exchange, field, type Step } from '../../harness/vocabulary/index.ts'
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
  attemptCheck('read-returns-the-attempt', ['read'], {
    given: [started()],
    when: readAttempt,
    then: [
      whereAdmitted(field('nonce', '{nonce}')),
      whereAdmitted(field('progress', aNumber)),
      whereAdmitted(field('required', aNumber)),
      whereAdmitted(field('complete', aBoolean)),
    ],
  }),
  attemptCheck('update-returns-nonce-and-completion', ['update-returns'], {
    given: running,
    when: supply(),
    then: [field('nonce', '{nonce}'), field('complete', aBoolean)],
  }),
  attemptCheck('completion-returns-the-nonce', ['update-returns'], {
    given: [started(), allButOne],
    when: supply(),
    then: [whereShown(field('nonce', '{nonce}'))],
  }),
]

/** No reply before the one that completes the attempt may show the encoded token. */
const ofTokens = (
  [
    ['start-shows-no-token', [], start()],
    ['reading-shows-no-token-before-completion', oneSupplied, readAttempt],
  ] as const
).map(([id, given, when]) =>
  attemptCheck(id, ['token-on-completion-only'], { given, when, then: [whereShown(showsNoToken)] }),
)

const otpReplies: readonly (readonly [id: string, given: readonly Step[], when: Exchange])[] = [
  ['reading', [started()], readAttempt],
  ['update', running, supply()],
  ['completion', [started(), allButOne], supply()],
  ['reading-after-completion', [started(), allButOne, supply()], readAttempt],
]

const ofEncoding = [
  ...otpReplies.map(([id, given, when]) =>
    attemptCheck(`${id}-hides-the-one-time-password`, ['otp-hidden'], { given, when, then: [hidesOtp] }),
  ),
  attemptCheck('pgp-key-encrypts-the-token', ['pgp-encrypts'], {
    given: [pgpKey('key'), started({ pgp_key: '{key}' })],
    when: completingForTheKey,
    then: [holdsTheToken],
  }),
  attemptCheck('pgp-key-leaves-no-readable-token', ['pgp-encrypts'], {
    given: [pgpKey('key'), started({ pgp_key: '{key}' })],
    when: completingForTheKey,
    then: [hidesTheToken],
  }),
  attemptCheck('reading-shows-the-fingerprint', ['pgp-fingerprint'], {
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
