/** Mutants of how attempts are started and cancelled. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { CeremonyTables, Shown } from '../tables.ts'
import { ofAttempts, row, shows } from './cells.ts'

const nothing: Shown = () => undefined

export const startFaults: readonly Mutant<CeremonyTables>[] = [
  ofAttempts(
    'attempt-start-issues-no-nonce',
    'Neither the start nor a read of an attempt shows a nonce, and updates are accepted with any nonce.',
    (tables) => ({ ...shows('nonce', ['start', 'read'], nothing)(tables), isNonce: () => true }),
  ),
  ofAttempts('attempt-reuses-the-nonce', 'Every attempt of a cluster has the same nonce.', { nonce: 'the first' }),
  ofAttempts(
    'attempt-second-start-begins-anew',
    'A start while an attempt is in progress succeeds and replaces it.',
    row('in progress', { start: 'in progress' }),
  ),
  ofAttempts(
    'attempt-starts-at-once-begin-two',
    'Starts at the same time all succeed with nonces of their own, and the last one replaces the others.',
    { startsAtOnce: 'each' },
  ),
  ofAttempts(
    'attempt-second-start-clears-progress',
    'A start while an attempt is in progress is refused but clears the progress of that attempt.',
    { refusedStart: 'clears its progress' },
  ),
  ofAttempts(
    'attempt-second-start-replaces-the-key',
    'A start with another PGP key while an attempt is in progress is refused, but replaces the key of the attempt.',
    { refusedStart: 'replaces its key' },
  ),
  ofAttempts('attempt-accepts-bad-pgp-key', 'A start with an invalid PGP key succeeds.', { badKey: 'starts without' }),
  ofAttempts('attempt-bad-pgp-key-starts', 'A start with an invalid PGP key is refused but starts an attempt.', {
    badKey: 'refused and starts',
  }),
]

export const cancelFaults: readonly Mutant<CeremonyTables>[] = [
  ofAttempts('attempt-cancel-refused', 'An attempt in progress cannot be cancelled.', ({ transitions }) => {
    const { cancel: _cancel, ...others } = transitions['in progress']
    return { transitions: { ...transitions, 'in progress': others } }
  }),
  ofAttempts(
    'attempt-cancel-keeps-running',
    'Cancelling an attempt succeeds, but the attempt remains in progress.',
    row('in progress', { cancel: 'in progress' }),
  ),
  ofAttempts(
    'attempt-cancel-keeps-progress',
    'An attempt starts with the shares of the attempt that was cancelled before it.',
    {
      cancelLeaves: 'its shares',
    },
  ),
  ofAttempts(
    'attempt-cancel-keeps-key',
    'The token of an attempt is encrypted to the PGP key of an attempt cancelled before it.',
    {
      cancelLeaves: 'its key',
    },
  ),
  ofAttempts(
    'attempt-cancel-leaves-key-where-none-is-given',
    'The token of an attempt without a PGP key is encrypted to the PGP key of an attempt cancelled before it.',
    { cancelLeaves: 'its key, where none is given' },
  ),
]
