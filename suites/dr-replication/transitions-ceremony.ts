import type { Check, CheckBody, Exchange, Step } from '../../harness/vocabulary/index.ts'
import { field, next, refused, succeeds, topic } from '../../harness/vocabulary/index.ts'
import { replicating, replicationNames, roleCheck, twoClusters } from '../replication/given.ts'
import { dr } from '../replication/kind.ts'
import {
  allButOne,
  altered,
  cancel,
  completing,
  needsSeveral,
  readAttempt,
  share,
  start,
  started,
  supply,
  supplying,
  update,
} from './attempt.ts'
import { pgpKey } from './pgp.ts'
import {
  aBoolean,
  aNonce,
  aNumber,
  completingForTheKey,
  givesNoToken,
  givesToken,
  hidesOtp,
  holdsTheToken,
  incomplete,
  isForTheKey,
  noProgress,
  otherThan,
  showsFingerprintOf,
} from './then.ts'

const { mutant } = dr
type Body = Omit<CheckBody, 'requirement' | 'given' | 'mutants'> & { readonly given?: readonly Step[] }

/** On a DR secondary; requirements and mutants are named by what follows `attempt`. */
const onSecondary = (
  id: string,
  requirements: readonly string[],
  mutants: readonly [string, ...string[]],
  { given = [], ...body }: Body,
): Check => {
  const [first, ...others] = mutants
  return roleCheck(id, {
    needs: twoClusters,
    requirement: requirements.map((one) => dr.requirement(`attempt.${one}`)),
    given: [...replicating(dr), ...given],
    mutants: [mutant(`attempt-${first}`), ...others.map((one) => mutant(`attempt-${one}`))],
    ...body,
  })
}

/** A share that does not complete the attempt could be supplied. */
const running = [started(), needsSeveral, share()]
const oneSupplied = [...running, supply()]
const read = (expectation: Parameters<typeof next>[1]) => next(readAttempt, expectation)

const ofStarting = [
  onSecondary('start-issues-a-nonce', ['nonce-issued'], ['start-issues-no-nonce'], {
    when: start(),
    then: [read(field('nonce', aNonce))],
  }),
  onSecondary(
    'start-while-one-runs-is-refused',
    ['one-at-a-time'],
    ['second-start-begins-anew', 'second-start-clears-progress'],
    { given: oneSupplied, when: start(), then: [refused(readAttempt)] },
  ),
  onSecondary(
    'start-while-one-runs-leaves-its-key',
    ['one-at-a-time', 'key-fixed'],
    ['second-start-begins-anew', 'second-start-replaces-the-key', 'ignores-pgp-key'],
    {
      given: [pgpKey('key'), pgpKey('otherKey'), started({ pgp_key: '{key}' })],
      when: {
        ...completing,
        words: 'another attempt with another key is started, and the required shares are supplied',
        touches: [start({ pgp_key: '{otherKey}' }), ...completing.touches],
        async run(scope) {
          await scope.send(start({ pgp_key: '{otherKey}' }))
          return completing.run(scope)
        },
      },
      then: [isForTheKey],
    },
  ),
  onSecondary(
    'read-returns-the-attempt',
    ['read'],
    ['read-omits-progress', 'read-omits-required', 'read-omits-complete'],
    {
      given: [started()],
      when: readAttempt,
      then: [field('progress', aNumber), field('required', aNumber), field('complete', aBoolean)],
    },
  ),
]

const ofSupplying = [
  onSecondary('a-share-counts', ['progress'], ['progress-stands-still', 'read-omits-progress'], {
    given: running,
    when: supply(),
    then: [read(field('progress', 1))],
  }),
  onSecondary(
    'a-share-counts-once',
    ['share-once'],
    ['counts-repeated-share', 'progress-stands-still', 'read-omits-progress'],
    { given: oneSupplied, when: supply(), then: [read(field('progress', 1))] },
  ),
  onSecondary(
    'update-returns-nonce-and-completion',
    ['update-returns'],
    ['update-omits-nonce', 'update-omits-complete'],
    {
      given: running,
      when: supply(),
      then: [field('nonce', '{nonce}'), field('complete', aBoolean)],
    },
  ),
  onSecondary(
    'the-last-required-share-completes',
    ['completes', 'token-issued', 'required'],
    [
      'complete-shown-false',
      'completes-without-token',
      'required-is-wrong',
      'completes-early',
      'update-omits-complete',
    ],
    { given: [started(), allButOne], when: supply(), then: [field('complete', true), givesToken] },
  ),
  onSecondary(
    'one-share-less-completes-nothing',
    ['token-on-completion-only', 'required'],
    ['shows-token-early', 'complete-shown-early', 'completes-early'],
    {
      given: [started()],
      when: supplying('all required key shares but one are supplied', (required) => required.slice(1)),
      then: [givesNoToken, incomplete],
    },
  ),
  onSecondary(
    'one-share-again-and-again-completes-nothing',
    ['shares-of-the-root-key'],
    ['completes-with-one-share', 'shows-token-early'],
    {
      given: [started()],
      when: supplying('one key share is supplied as often as shares are required', (required) =>
        required.map(() => required[0] ?? ''),
      ),
      then: [givesNoToken],
    },
  ),
  onSecondary(
    'a-share-of-another-key-completes-nothing',
    ['shares-of-the-root-key'],
    ['completes-with-wrong-share', 'shows-token-early'],
    {
      given: [started()],
      when: supplying('the required key shares are supplied, one of them altered', ([first = '', ...others]) => [
        altered(first),
        ...others,
      ]),
      then: [givesNoToken],
    },
  ),
]

/** Each is refused, counts nothing, and succeeds with the one part put right. */
const ofRefusals = (
  [
    [
      'update-with-another-nonce',
      'nonce-matches',
      ['accepts-any-nonce', 'counts-share-of-wrong-nonce'],
      { key: '{share}', nonce: crypto.randomUUID() },
    ],
    ['update-without-nonce', 'nonce-required', ['nonce-optional'], { key: '{share}' }],
    ['update-without-key', 'key-required', ['key-optional'], { nonce: '{nonce}' }],
    [
      'update-with-no-key-share',
      'share-valid',
      ['accepts-malformed-share', 'counts-malformed-share'],
      { key: 'no key share', nonce: '{nonce}' },
    ],
  ] as const
).map(([id, requirement, mutants, body]) =>
  onSecondary(`${id}-is-refused`, [requirement], mutants, {
    given: running,
    when: update(body),
    then: [refused(readAttempt)],
    control: supply(),
  }),
)

const ofCancelling = [
  onSecondary('cancel-clears-the-progress', ['cancel-clears'], ['cancel-keeps-running', 'cancel-refused'], {
    given: oneSupplied,
    when: cancel,
    then: [read(noProgress)],
  }),
  onSecondary('cancel-lets-another-start', ['cancel-ends'], ['cancel-keeps-running'], {
    given: [started(), cancel],
    when: start(),
    then: [succeeds],
  }),
  onSecondary('another-attempt-has-another-nonce', ['nonce-of-its-own'], ['reuses-the-nonce'], {
    given: [started(), cancel, started({}, 'later')],
    when: readAttempt,
    then: [field('nonce', otherThan('nonce'))],
  }),
  onSecondary(
    'another-attempt-begins-without-progress',
    ['cancel-clears'],
    ['cancel-keeps-progress', 'cancel-keeps-running', 'read-omits-progress'],
    { given: [...oneSupplied, cancel], when: start(), then: [read(field('progress', 0))] },
  ),
  onSecondary(
    'another-attempt-refuses-the-former-nonce',
    ['nonce-of-its-own', 'nonce-matches'],
    ['keeps-old-nonce-valid', 'accepts-any-nonce', 'reuses-the-nonce', 'counts-share-of-wrong-nonce'],
    {
      given: [started({}, 'former'), cancel, ...running],
      when: supply('share', 'former'),
      then: [refused(readAttempt)],
      control: supply(),
    },
  ),
  onSecondary(
    'update-where-none-runs-is-refused',
    ['running-required', 'cancel-ends'],
    ['update-without-start', 'cancel-keeps-running'],
    {
      // Another share: one that was supplied before may be refused for that.
      given: [...oneSupplied, share('otherShare', 1), cancel],
      when: supply('otherShare'),
      then: [refused()],
    },
  ),
  onSecondary(
    'another-attempt-has-its-own-key',
    ['cancel-clears', 'key-fixed'],
    ['cancel-keeps-key', 'ignores-pgp-key'],
    {
      given: [
        pgpKey('key'),
        pgpKey('otherKey'),
        started({ pgp_key: '{otherKey}' }),
        cancel,
        started({ pgp_key: '{key}' }),
      ],
      when: completing,
      then: [isForTheKey],
    },
  ),
]

const otpReplies: readonly (readonly [id: string, given: readonly Step[], when: Exchange, mutant: string])[] = [
  ['reading', [started()], readAttempt, 'read-shows-otp'],
  ['update', running, supply(), 'update-shows-otp'],
  ['completion', [started(), allButOne], supply(), 'completion-shows-otp'],
]

const ofEncoding = [
  ...otpReplies.map(([id, given, when, fault]) =>
    onSecondary(`${id}-hides-the-one-time-password`, ['otp-hidden'], [fault], { given, when, then: [hidesOtp] }),
  ),
  onSecondary(
    'pgp-key-encrypts-the-token',
    ['pgp-encrypts'],
    ['ignores-pgp-key', 'pgp-encrypts-otherwise', 'completes-without-token'],
    { given: [pgpKey('key'), started({ pgp_key: '{key}' })], when: completingForTheKey, then: [holdsTheToken] },
  ),
  onSecondary('reading-shows-the-fingerprint', ['pgp-fingerprint'], ['hides-fingerprint'], {
    given: [pgpKey('key'), started({ pgp_key: '{key}' })],
    when: readAttempt,
    then: [showsFingerprintOf('key')],
  }),
  onSecondary('start-with-no-pgp-key-is-refused', ['pgp-key-valid'], ['accepts-bad-pgp-key', 'bad-pgp-key-starts'], {
    given: [pgpKey('key')],
    when: start({ pgp_key: Buffer.from('no key').toString('base64') }),
    then: [refused(readAttempt)],
    control: start({ pgp_key: '{key}' }),
  }),
]

export default topic('dr-replication/transitions-ceremony', {
  about:
    'Attempts to generate a DR operation token: started, supplied with key shares in right and wrong ways, completed, cancelled.',
  safety: 'disruptive',
  names: [...replicationNames],
  checks: [...ofStarting, ...ofSupplying, ...ofRefusals, ...ofCancelling, ...ofEncoding],
})
