/** Faults of the ceremonies. */
import type { Mutant } from '../../kernel/contracts.ts'
import { type ReplicationKind, replicationKinds } from '../../kernel/ports.ts'
import type {
  AttemptField,
  AttemptReply,
  AttemptState,
  AttemptTables,
  CeremonyTables,
  KeyTables,
  Shown,
  TokenTables,
  Transitions,
} from './tables.ts'

type Change = (tables: AttemptTables) => Partial<AttemptTables>

/** A fault of the ceremony on DR secondaries; the one that makes root tokens has none. */
const ofAttempts = (id: string, does: string, change: Change | Partial<AttemptTables>): Mutant<CeremonyTables> => ({
  id: `dr-replication/attempt-${id}`,
  does,
  change(tables) {
    const before = tables.attempts['operation token']
    const changed = { ...before, ...(typeof change === 'function' ? change(before) : change) }
    return { ...tables, attempts: { ...tables.attempts, 'operation token': changed } }
  },
})

const row =
  (state: AttemptState, cells: Transitions[AttemptState]): Change =>
  ({ transitions }) => ({ transitions: { ...transitions, [state]: { ...transitions[state], ...cells } } })

const shows =
  (field: AttemptField, replies: readonly AttemptReply[], show: Shown): Change =>
  ({ shown }) => ({
    shown: { ...shown, [field]: { ...shown[field], ...Object.fromEntries(replies.map((reply) => [reply, show])) } },
  })

const nothing: Shown = () => undefined
const oneTimePassword: Shown = (facts) => facts.oneTimePassword || undefined
const every = ['start', 'read', 'update', 'completion'] as const

const starts: readonly Mutant<CeremonyTables>[] = [
  ofAttempts(
    'start-issues-no-nonce',
    'Neither the start nor a reading of an attempt shows a nonce; an update may bring any.',
    (tables) => ({ ...shows('nonce', ['start', 'read'], nothing)(tables), isNonce: () => true }),
  ),
  ofAttempts('reuses-the-nonce', 'Every attempt of a cluster has the same nonce.', { nonce: 'the first' }),
  ofAttempts(
    'second-start-begins-anew',
    'A start while an attempt is in progress succeeds and replaces it.',
    row('in progress', { start: 'in progress' }),
  ),
  ofAttempts(
    'second-start-clears-progress',
    'A start while an attempt is in progress is refused, and clears its progress.',
    { refusedStart: 'clears its progress' },
  ),
  ofAttempts(
    'second-start-replaces-the-key',
    'A start with another PGP key while an attempt is in progress is refused, and that key is the attempt’s from then on.',
    { refusedStart: 'replaces its key' },
  ),
  ofAttempts('accepts-bad-pgp-key', 'A PGP key that is none starts an attempt.', { badKey: 'starts without' }),
  ofAttempts('bad-pgp-key-starts', 'A PGP key that is none is refused, and an attempt is in progress afterwards.', {
    badKey: 'refused and starts',
  }),
]

const readings: readonly Mutant<CeremonyTables>[] = [
  ofAttempts(
    'required-is-wrong',
    'The number of shares shown as required is one more than it takes.',
    shows('required', every, ({ required }) => required + 1),
  ),
  ofAttempts(
    'progress-stands-still',
    'The progress shown stays 0 while shares are counted.',
    shows('progress', every, () => 0),
  ),
  ...(['progress', 'required', 'complete'] as const).map((field) =>
    ofAttempts(
      `read-omits-${field}`,
      `A reading of the attempt has no field ${field}.`,
      shows(field, ['read'], nothing),
    ),
  ),
  ...(['nonce', 'complete'] as const).map((field) =>
    ofAttempts(
      `update-omits-${field}`,
      `The reply to an update has no field ${field}.`,
      shows(field, ['update', 'completion'], nothing),
    ),
  ),
  ...(['read', 'update', 'completion'] as const).map((reply) =>
    ofAttempts(
      `${reply}-shows-otp`,
      `The one-time password stands in the reply to ${{ read: 'a reading', update: 'an update below the threshold', completion: 'the last update' }[reply]}.`,
      shows('otp', [reply], oneTimePassword),
    ),
  ),
  ofAttempts(
    'completes-without-token',
    'The reply to the last update has no encoded token.',
    shows('encoded_token', ['completion'], () => ''),
  ),
  ofAttempts(
    'shows-token-early',
    'An update below the threshold is answered with an encoded token.',
    shows('encoded_token', ['update'], ({ token }) => Buffer.from(token).toString('base64')),
  ),
  ofAttempts(
    'complete-shown-early',
    'An attempt in progress is shown as complete.',
    shows('complete', ['start', 'read', 'update'], ({ state }) => state !== 'none'),
  ),
  ofAttempts(
    'complete-shown-false',
    'The reply to the last update has the token and says that the attempt is not complete.',
    shows('complete', ['completion'], () => false),
  ),
  ofAttempts(
    'hides-fingerprint',
    'A reading of an attempt with a PGP key shows no fingerprint.',
    shows('pgp_fingerprint', ['read'], () => ''),
  ),
  ofAttempts(
    'completion-hides-fingerprint',
    'The reply to the last update of an attempt with a PGP key shows no fingerprint.',
    shows('pgp_fingerprint', ['completion'], () => ''),
  ),
]

const isGiven = (nonce: string | undefined): boolean => nonce !== undefined && nonce !== ''

const updates: readonly Mutant<CeremonyTables>[] = [
  ofAttempts('completes-early', 'An attempt completes one share before the threshold.', {
    completesAt: (threshold) => threshold - 1,
    opens: async () => true,
  }),
  ofAttempts('accepts-any-nonce', 'An update may bring any nonce.', { isNonce: isGiven }),
  ofAttempts('counts-share-of-wrong-nonce', 'An update with a wrong nonce is refused, and its share counts.', {
    countedWhenRefused: ['wrong nonce'],
  }),
  ofAttempts('nonce-optional', 'An update without a nonce is one of the attempt in progress.', {
    isNonce: (given, own) => !isGiven(given) || given === own,
  }),
  ofAttempts('keeps-old-nonce-valid', 'An update may bring the nonce of an attempt that was cancelled.', {
    isNonce: (given, own, former) => given === own || former.some((nonce) => nonce === given),
  }),
  ofAttempts(
    'update-without-start',
    'An update succeeds where no attempt is in progress.',
    row('none', { share: 'none' }),
  ),
  ofAttempts('key-optional', 'An update without a share succeeds and counts nothing.', { missingShare: 'ignored' }),
  ofAttempts('accepts-malformed-share', 'A text that is no share counts as one.', { malformedShare: 'counted' }),
  ofAttempts('counts-malformed-share', 'A text that is no share is refused, and counts as one.', {
    countedWhenRefused: ['malformed share'],
  }),
  ofAttempts('counts-repeated-share', 'The same share counts as often as it is given.', { repeatedShare: 'counted' }),
  ofAttempts(
    'completes-with-one-share',
    'The same share, given as often as shares are required, completes an attempt.',
    {
      repeatedShare: 'counted',
      opens: async (given, proves) => new Set(given).size === 1 || proves(),
    },
  ),
  ofAttempts(
    'completes-with-wrong-share',
    'As many shares as required complete an attempt, of whatever key they are.',
    {
      opens: async () => true,
    },
  ),
  ofAttempts('ignores-pgp-key', 'The token of an attempt with a PGP key is encoded by a one-time password.', {
    pgpKey: 'is shown only',
  }),
  ofAttempts('pgp-encrypts-otherwise', 'The PGP key encrypts the base64 of the token instead of its bytes.', {
    plaintext: (token) => Buffer.from(token.toString('base64')),
  }),
]

const cancels: readonly Mutant<CeremonyTables>[] = [
  ofAttempts('cancel-refused', 'An attempt in progress cannot be cancelled.', ({ transitions }) => {
    const { cancel: _cancel, ...others } = transitions['in progress']
    return { transitions: { ...transitions, 'in progress': others } }
  }),
  ofAttempts(
    'cancel-keeps-running',
    'Cancelling an attempt succeeds, and the attempt goes on.',
    row('in progress', { cancel: 'in progress' }),
  ),
  ofAttempts('cancel-keeps-progress', 'An attempt begins with the shares of the one that was cancelled before.', {
    cancelLeaves: 'its shares',
  }),
  ofAttempts('cancel-keeps-key', 'The token of an attempt is encrypted to the key of the one cancelled before.', {
    cancelLeaves: 'its key',
  }),
]

const ofTokens = (id: string, does: string, changed: Partial<TokenTables>): Mutant<CeremonyTables> => ({
  id: `dr-replication/operation-token-${id}`,
  does,
  change: (tables) => ({ ...tables, operationTokens: { ...tables.operationTokens, ...changed } }),
})

const hour = 3600

const operationTokens: readonly Mutant<CeremonyTables>[] = [
  ofTokens('is-no-good', 'An operation token authorizes nothing.', { authorizes: 'never' }),
  ofTokens('expires', 'An operation token expires after 30 days.', { ttl: 30 * 24 * hour }),
  ofTokens('expires-soon', 'An operation token expires after an hour.', { ttl: hour }),
  ofTokens('delete-keeps', 'The deletion of an operation token succeeds, and the token lives on.', {
    deletionEnds: 'none',
  }),
  ofTokens('delete-without-token', 'A deletion that names no operation token ends all of them.', {
    deletionOfNone: 'ends every',
  }),
]

const ofKeys =
  (id: string, does: string, changed: Partial<KeyTables>) =>
  (kind: ReplicationKind): Mutant<CeremonyTables> => ({
    id: `${kind}-replication/public-key-${id}`,
    does,
    change: (tables) => ({
      ...tables,
      secondaryKeys: { ...tables.secondaryKeys, [kind]: { ...tables.secondaryKeys[kind], ...changed } },
    }),
  })

const secondaryKeys = [
  ofKeys('is-not-returned', 'The reply to generate-public-key has no key.', { replyHasKey: false }),
  ofKeys('token-is-refused', 'No token that was encrypted to a public key is taken.', { decryption: 'refused' }),
  ofKeys('token-works-anywhere', 'Every cluster can use a token that was encrypted to the key of another.', {
    encryptedTo: 'a key that all have',
  }),
  ofKeys('before-1-3', 'There is generate-public-key before version 1.3.', { since: '0.0.0' }),
  ofKeys('absent-at-1-3', 'There is no generate-public-key in version 1.3.0.', { since: '1.3.1' }),
] as const

export const mutants: readonly Mutant<CeremonyTables>[] = [
  ...starts,
  ...readings,
  ...updates,
  ...cancels,
  ...operationTokens,
  ...replicationKinds.flatMap((kind) => secondaryKeys.map((of) => of(kind))),
]
