import { field, refused, type Step, shownBefore, succeeds, unchanged } from '../../harness/vocabulary/index.ts'
import { truth } from '../numbers.ts'
import { action } from '../records.ts'
import { replicationNames } from '../replication/given.ts'
import { operationToken } from '../replication/operation-token.ts'
import {
  allButOne,
  altered,
  attemptStays,
  cancel,
  completing,
  readAttempt,
  requiredOf,
  share,
  start,
  started,
  startingTwice,
  supply,
  supplying,
  supplyingAtOnce,
} from './attempt.ts'
import { attemptCheck, oneSupplied, read, running } from './attempt-check.ts'
import { pgpKey } from './pgp.ts'
import {
  aNonce,
  asMany,
  givesNoToken,
  givesToken,
  hidesFingerprintOf,
  incomplete,
  isForTheKey,
  isNotForTheKey,
  noProgress,
  ofEachStart,
  otherThan,
  showsFingerprintOf,
  theNumber,
  whereAdmitted,
  whereShown,
} from './then.ts'
import { topic } from './topic.ts'

/** Provides `{next}`, another share, which does not complete the attempt. */
const secondOfThree = action(
  'the attempt needs three shares or more; `next` is the second',
  { touches: [readAttempt], provides: ['next'] },
  async (scope) => {
    await requiredOf(scope, 3)
    await scope.perform(share('next', 1))
  },
)

/** Starts an attempt without a PGP key, after one with a key was cancelled. `seen` are steps before the
 * cancellation. */
const afterFormerKey = (...seen: readonly Step[]): readonly Step[] => [
  pgpKey('key'),
  started({ pgp_key: '{key}' }),
  ...seen,
  cancel,
  started(),
]

const ofStarting = [
  attemptCheck('start-issues-a-nonce', ['nonce-issued'], {
    when: start(),
    then: [whereAdmitted(read(field('nonce', aNonce)))],
  }),
  attemptCheck('starts-at-the-same-time-begin-one-attempt', ['one-at-a-time'], {
    when: startingTwice,
    then: [whereAdmitted(read(ofEachStart))],
  }),
  attemptCheck('start-while-one-runs-changes-nothing', ['one-at-a-time'], {
    given: oneSupplied,
    when: start(),
    then: [unchanged(attemptStays)],
  }),
  attemptCheck('start-while-one-runs-leaves-its-key', ['one-at-a-time', 'key-fixed'], {
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
  }),
]

const ofSupplying = [
  attemptCheck('a-share-counts', ['progress', 'required'], {
    given: running,
    when: supply(),
    then: [read(field('progress', theNumber(1))), read(field('required', asMany('required')))],
  }),
  attemptCheck('every-share-counts', ['progress'], {
    given: [started(), share(), secondOfThree],
    when: supplyingAtOnce('share', 'next'),
    then: [read(field('progress', theNumber(2)))],
  }),
  attemptCheck('an-attempt-is-not-complete-while-shares-are-missing', ['complete'], {
    given: oneSupplied,
    when: readAttempt,
    then: [whereAdmitted(field('complete', truth(false)))],
  }),
  attemptCheck('a-share-counts-once', ['share-once'], {
    given: oneSupplied,
    when: supply(),
    then: [read(field('progress', theNumber(1)))],
  }),
  attemptCheck('the-last-required-share-completes', ['completes', 'token-issued'], {
    given: [started(), allButOne],
    when: supply(),
    then: [field('complete', truth(true)), givesToken],
  }),
  attemptCheck('one-share-less-completes-nothing', ['token-on-completion-only', 'required'], {
    given: [started()],
    when: supplying('all required key shares but one are supplied', (required) => required.slice(1)),
    then: [givesNoToken, incomplete],
  }),
  attemptCheck('one-share-less-completes-nothing-with-a-pgp-key', ['token-on-completion-only'], {
    given: [pgpKey('key'), started({ pgp_key: '{key}' })],
    when: supplying('all required key shares but one are supplied', (required) => required.slice(1)),
    then: [givesNoToken],
  }),
  attemptCheck(
    'one-share-less-completes-nothing-after-a-completed-attempt',
    ['token-on-completion-only', 'required'],
    // `operationToken` accepts a token that is shown early, so the earlier attempt would not be complete under a mutant
    // that shows one.
    {
      given: [operationToken(), started()],
      when: supplying('all required key shares but one are supplied', (required) => required.slice(1)),
      then: [givesNoToken],
    },
  ),
  attemptCheck('one-share-again-and-again-completes-nothing', ['shares-of-the-root-key'], {
    given: [started()],
    when: supplying('one key share is supplied as often as shares are required', (required) =>
      required.map(() => required[0] ?? ''),
    ),
    then: [givesNoToken],
  }),
  attemptCheck('a-share-of-another-key-completes-nothing', ['shares-of-the-root-key'], {
    given: [started()],
    when: supplying('the required key shares are supplied, one of them altered', ([first = '', ...others]) => [
      altered(first),
      ...others,
    ]),
    then: [givesNoToken],
  }),
]

const ofCancelling = [
  attemptCheck('cancel-clears-the-progress', ['cancel-clears'], {
    given: oneSupplied,
    when: cancel,
    then: [whereAdmitted(read(noProgress))],
  }),
  attemptCheck('cancel-lets-another-start', ['cancel-ends'], {
    given: [started(), cancel],
    when: start(),
    then: [succeeds],
  }),
  attemptCheck('another-attempt-has-another-nonce', ['nonce-of-its-own'], {
    given: [started(), cancel, started({}, 'later')],
    when: readAttempt,
    then: [field('nonce', otherThan('nonce'))],
  }),
  attemptCheck('another-attempt-begins-without-progress', ['cancel-clears'], {
    given: [...oneSupplied, cancel],
    when: start(),
    then: [read(field('progress', theNumber(0)))],
  }),
  attemptCheck('another-attempt-does-not-complete-by-a-former-share', ['cancel-clears', 'token-on-completion-only'], {
    given: [...oneSupplied, cancel, started()],
    when: supplying('all required key shares but the one that was supplied before are supplied', (required) =>
      required.slice(1),
    ),
    then: [givesNoToken],
  }),
  attemptCheck('another-attempt-does-not-take-the-former-nonce', ['nonce-of-its-own', 'nonce-matches'], {
    given: [started({}, 'former'), cancel, ...running],
    when: supply('share', 'former'),
    then: [unchanged(attemptStays)],
    control: supply(),
  }),
  attemptCheck('update-where-none-runs-is-refused', ['running-required'], {
    // Another share is used, because a share that was supplied before may be refused for that reason.
    given: [...oneSupplied, share('otherShare', 1), cancel],
    when: supply('otherShare'),
    then: [refused(attemptStays)],
  }),
  attemptCheck('another-attempt-has-its-own-key', ['cancel-clears', 'key-fixed'], {
    given: [
      pgpKey('key'),
      pgpKey('otherKey'),
      started({ pgp_key: '{otherKey}' }),
      cancel,
      started({ pgp_key: '{key}' }),
    ],
    when: completing,
    then: [isForTheKey],
  }),
  attemptCheck('another-attempt-without-a-key-shows-no-former-fingerprint', ['cancel-clears'], {
    given: afterFormerKey(
      shownBefore(
        readAttempt,
        showsFingerprintOf('key'),
        'dr-replication/fields-ceremony/reading-shows-the-fingerprint',
      ),
    ),
    when: readAttempt,
    then: [whereShown(hidesFingerprintOf('key'))],
  }),
  attemptCheck('another-attempt-without-a-key-is-not-encrypted-to-the-former', ['cancel-clears'], {
    given: afterFormerKey(),
    when: completing,
    then: [isNotForTheKey],
  }),
]

export default topic('dr-replication/transitions-ceremony', {
  about:
    'Attempts to generate a DR operation token: how they are started, supplied with key shares, completed and cancelled.',
  safety: 'disruptive',
  names: replicationNames,
  checks: [...ofStarting, ...ofSupplying, ...ofCancelling],
})
