/** Mutants of how attempts begin and how they are cancelled. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { CeremonyTables, Shown } from '../tables.ts'
import { ofAttempts, row, shows } from './cells.ts'

const nothing: Shown = () => undefined

export const startFaults: readonly Mutant<CeremonyTables>[] = [
  ofAttempts(
    'attempt-start-issues-no-nonce',
    'Neither the start nor a reading of an attempt shows a nonce; an update may bring any.',
    (tables) => ({ ...shows('nonce', ['start', 'read'], nothing)(tables), isNonce: () => true }),
  ),
  ofAttempts('attempt-reuses-the-nonce', 'Every attempt of a cluster has the same nonce.', { nonce: 'the first' }),
  ofAttempts(
    'attempt-second-start-begins-anew',
    'A start while an attempt is in progress succeeds and replaces it.',
    row('in progress', { start: 'in progress' }),
  ),
  ofAttempts(
    'attempt-second-start-clears-progress',
    'A start while an attempt is in progress is refused, and clears its progress.',
    { refusedStart: 'clears its progress' },
  ),
  ofAttempts(
    'attempt-second-start-replaces-the-key',
    'A start with another PGP key while an attempt is in progress is refused, and that key is the attempt’s from then on.',
    { refusedStart: 'replaces its key' },
  ),
  ofAttempts('attempt-accepts-bad-pgp-key', 'An invalid PGP key starts an attempt.', { badKey: 'starts without' }),
  ofAttempts('attempt-bad-pgp-key-starts', 'An invalid PGP key is refused, and an attempt is in progress afterwards.', {
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
    'Cancelling an attempt succeeds, and the attempt goes on.',
    row('in progress', { cancel: 'in progress' }),
  ),
  ofAttempts(
    'attempt-cancel-keeps-progress',
    'An attempt begins with the shares of the one that was cancelled before.',
    {
      cancelLeaves: 'its shares',
    },
  ),
  ofAttempts(
    'attempt-cancel-keeps-key',
    'The token of an attempt is encrypted to the key of the one cancelled before.',
    {
      cancelLeaves: 'its key',
    },
  ),
  ofAttempts(
    'attempt-cancel-leaves-key-where-none-is-given',
    'The token of an attempt without a PGP key is encrypted to the key of the one cancelled before.',
    { cancelLeaves: 'its key, where none is given' },
  ),
]
