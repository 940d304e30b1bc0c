/** Mutants of how key shares are accepted, and of the token that results from them. */
import type { Mutant } from '../../../kernel/contracts.ts'
import { type CeremonyTables, replies } from '../tables.ts'
import { ofAttempts, row, shows } from './cells.ts'

const isGiven = (nonce: string | undefined): boolean => nonce !== undefined && nonce !== ''

export const updateFaults: readonly Mutant<CeremonyTables>[] = [
  ofAttempts('attempt-completes-early', 'An attempt completes one share before the threshold.', {
    completesAt: (threshold) => threshold - 1,
    opens: async () => true,
  }),
  ofAttempts(
    'attempt-with-a-key-completes-early',
    'An attempt with a PGP key completes one share before the threshold.',
    {
      completesAt: (threshold, hasPgpKey) => threshold - (hasPgpKey ? 1 : 0),
      opens: async (_, proves, hasPgpKey) => hasPgpKey || proves(),
    },
  ),
  ofAttempts(
    'attempt-accepts-any-nonce-with-the-last-share',
    'An update with the last share is accepted with any nonce.',
    {
      isNonce: (given, own, _, isLast) => given === own || (isLast && isGiven(given)),
    },
  ),
  ofAttempts(
    'attempt-shares-at-once-lose-one',
    'Of key shares that are supplied at the same time, only the one whose update ends last is counted.',
    { atOnce: 'the last' },
  ),
  ofAttempts('attempt-accepts-any-nonce', 'Updates are accepted with any nonce.', { isNonce: isGiven }),
  ofAttempts(
    'attempt-counts-share-of-wrong-nonce',
    'An update with a wrong nonce is refused, but its share is counted.',
    {
      countedWhenRefused: ['wrong nonce'],
    },
  ),
  ofAttempts('attempt-nonce-optional', 'An update without a nonce is accepted for the attempt in progress.', {
    isNonce: (given, own) => !isGiven(given) || given === own,
  }),
  ofAttempts('attempt-accepts-blank-nonce', 'An update with a blank nonce is accepted for the attempt in progress.', {
    isNonce: (given, own) => given === '' || given === own,
  }),
  ofAttempts('attempt-keeps-old-nonce-valid', 'An update is accepted with the nonce of a cancelled attempt.', {
    isNonce: (given, own, former) => given === own || former.some((nonce) => nonce === given),
  }),
  ofAttempts(
    'attempt-update-without-start',
    'An update succeeds although no attempt is in progress.',
    row('none', { share: 'none' }),
  ),
  ofAttempts('attempt-key-optional', 'An update without a key share succeeds, and nothing is counted.', {
    missingShare: 'ignored',
  }),
  ofAttempts('attempt-accepts-malformed-share', 'A text that is not a key share is accepted and counted as a share.', {
    malformedShare: 'counted',
  }),
  ofAttempts('attempt-counts-malformed-share', 'A text that is not a key share is refused but counted as a share.', {
    countedWhenRefused: ['malformed share'],
  }),
  ofAttempts('attempt-refused-share-clears-the-progress', 'A refused share discards the shares given before it.', {
    refusedShare: 'clears them',
  }),
  ofAttempts('attempt-counts-repeated-share', 'A share that is given several times is counted each time.', {
    repeatedShare: 'counted',
  }),
  ofAttempts(
    'attempt-completes-with-one-share',
    'One share completes an attempt if it is given as many times as shares are required; the progress counts it once.',
    (tables) => ({
      ...shows('progress', replies, ({ given }) => new Set(given).size)(tables),
      repeatedShare: 'counted',
      opens: async (given, proves) => new Set(given).size === 1 || proves(),
    }),
  ),
  ofAttempts(
    'attempt-completes-with-wrong-share',
    'The required number of shares completes an attempt even if they belong to another key.',
    {
      opens: async () => true,
    },
  ),
  ofAttempts(
    'attempt-ignores-pgp-key',
    'The token of an attempt with a PGP key is encoded with a one-time password instead of being encrypted to the key.',
    {
      pgpKey: 'is shown only',
    },
  ),
  ofAttempts('attempt-pgp-encrypts-otherwise', 'The PGP key encrypts the base64 of the token instead of its bytes.', {
    plaintext: (token) => Buffer.from(token.toString('base64')),
  }),
]
