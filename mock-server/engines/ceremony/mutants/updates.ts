/** Mutants of how shares are accepted, and of the token that they make. */
import type { Mutant } from '../../../kernel/contracts.ts'
import { type CeremonyTables, replies } from '../tables.ts'
import { ofAttempts, row, shows } from './cells.ts'

const isGiven = (nonce: string | undefined): boolean => nonce !== undefined && nonce !== ''

export const updateFaults: readonly Mutant<CeremonyTables>[] = [
  ofAttempts('attempt-completes-early', 'An attempt completes one share before the threshold.', {
    completesAt: (threshold) => threshold - 1,
    opens: async () => true,
  }),
  ofAttempts('attempt-accepts-any-nonce-with-the-last-share', 'The last share may come with any nonce.', {
    isNonce: (given, own, _, isLast) => given === own || (isLast && isGiven(given)),
  }),
  ofAttempts('attempt-accepts-any-nonce', 'An update may bring any nonce.', { isNonce: isGiven }),
  ofAttempts('attempt-counts-share-of-wrong-nonce', 'An update with a wrong nonce is refused, and its share counts.', {
    countedWhenRefused: ['wrong nonce'],
  }),
  ofAttempts('attempt-nonce-optional', 'An update without a nonce is one of the attempt in progress.', {
    isNonce: (given, own) => !isGiven(given) || given === own,
  }),
  ofAttempts('attempt-keeps-old-nonce-valid', 'An update may bring the nonce of an attempt that was cancelled.', {
    isNonce: (given, own, former) => given === own || former.some((nonce) => nonce === given),
  }),
  ofAttempts(
    'attempt-update-without-start',
    'An update succeeds where no attempt is in progress.',
    row('none', { share: 'none' }),
  ),
  ofAttempts('attempt-key-optional', 'An update without a share succeeds and counts nothing.', {
    missingShare: 'ignored',
  }),
  ofAttempts('attempt-accepts-malformed-share', 'A text that is not a share counts as one.', {
    malformedShare: 'counted',
  }),
  ofAttempts('attempt-counts-malformed-share', 'A text that is not a share is refused, and counts as one.', {
    countedWhenRefused: ['malformed share'],
  }),
  ofAttempts('attempt-refused-share-clears-the-progress', 'A share that is refused ends those before it.', {
    refusedShare: 'clears them',
  }),
  ofAttempts('attempt-counts-repeated-share', 'The same share counts as often as it is given.', {
    repeatedShare: 'counted',
  }),
  ofAttempts(
    'attempt-completes-with-one-share',
    'The same share, given as often as shares are required, completes an attempt; the progress shown counts it once.',
    (tables) => ({
      ...shows('progress', replies, ({ given }) => new Set(given).size)(tables),
      repeatedShare: 'counted',
      opens: async (given, proves) => new Set(given).size === 1 || proves(),
    }),
  ),
  ofAttempts(
    'attempt-completes-with-wrong-share',
    'As many shares as required complete an attempt, of whatever key they are.',
    {
      opens: async () => true,
    },
  ),
  ofAttempts('attempt-ignores-pgp-key', 'The token of an attempt with a PGP key is encoded by a one-time password.', {
    pgpKey: 'is shown only',
  }),
  ofAttempts('attempt-pgp-encrypts-otherwise', 'The PGP key encrypts the base64 of the token instead of its bytes.', {
    plaintext: (token) => Buffer.from(token.toString('base64')),
  }),
]
