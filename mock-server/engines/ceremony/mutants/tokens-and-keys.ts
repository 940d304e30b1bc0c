/** Mutants of operation tokens, and of the public keys of secondaries. */

import { type ReplicationKind, replicationKinds } from '../../../kernel/cluster/cluster-role.ts'
import type { Mutant } from '../../../kernel/contracts.ts'
import type { CeremonyTables, KeyTables, TokenTables } from '../tables.ts'

const ofTokens = (id: string, does: string, changed: Partial<TokenTables>): Mutant<CeremonyTables> => ({
  id: `dr-replication/${id}`,
  does,
  change: (tables) => ({ ...tables, operationTokens: { ...tables.operationTokens, ...changed } }),
})

const hour = 3600

export const tokenFaults: readonly Mutant<CeremonyTables>[] = [
  ofTokens('operation-token-is-no-good', 'An operation token authorizes nothing.', { authorizes: 'never' }),
  ofTokens('operation-token-expires', 'An operation token expires after 30 days.', { ttl: 30 * 24 * hour }),
  ofTokens('operation-token-expires-soon', 'An operation token expires after an hour.', { ttl: hour }),
  ofTokens('operation-token-delete-keeps', 'The deletion of an operation token succeeds, and the token lives on.', {
    deletionEnds: 'none',
  }),
  ofTokens('operation-token-delete-ends-all', 'The deletion of one operation token ends all of them.', {
    deletionEnds: 'every one',
  }),
  ofTokens('operation-token-delete-of-any-value', 'A deletion of a text that is not a token ends all tokens.', {
    deletionOfFalse: 'ends every',
  }),
  ofTokens('operation-token-delete-without-token', 'A deletion that names no operation token ends all of them.', {
    deletionOfNone: 'ends every',
  }),
]

const ofKeys =
  (id: string, does: string, changed: Partial<KeyTables>) =>
  (kind: ReplicationKind): Mutant<CeremonyTables> => ({
    id: `${kind}-replication/${id}`,
    does,
    change: (tables) => ({
      ...tables,
      secondaryKeys: { ...tables.secondaryKeys, [kind]: { ...tables.secondaryKeys[kind], ...changed } },
    }),
  })

const ofEachKind = [
  ofKeys('public-key-is-not-returned', 'The reply to generate-public-key has no key.', { replyHasKey: false }),
  ofKeys('public-key-with-private-key', 'The reply to generate-public-key has the private key in a field of its own.', {
    privateKey: 'named',
  }),
  ofKeys('public-key-with-private-pem', 'The reply to generate-public-key has the key pair as PEM.', {
    privateKey: 'pem',
  }),
  ofKeys('public-key-token-is-refused', 'No token that was encrypted to a public key is taken.', {
    decryption: 'refused',
  }),
  ofKeys('public-key-token-works-anywhere', 'Every cluster can use a token that was encrypted to the key of another.', {
    encryptedTo: 'a key that all have',
  }),
  ofKeys('public-key-before-1-3', 'There is generate-public-key before version 1.3.', { since: '0.0.0' }),
  ofKeys('public-key-absent-at-1-3', 'There is no generate-public-key in version 1.3.0.', { since: '1.3.1' }),
] as const

export const keyFaults: readonly Mutant<CeremonyTables>[] = replicationKinds.flatMap((kind) =>
  ofEachKind.map((of) => of(kind)),
)
