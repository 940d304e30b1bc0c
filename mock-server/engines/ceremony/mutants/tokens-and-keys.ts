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
  ofTokens('operation-token-is-no-good', 'An operation token authorizes no operation.', { authorizes: 'never' }),
  ofTokens('operation-token-expires', 'An operation token expires after 30 days.', { ttl: 30 * 24 * hour }),
  ofTokens('operation-token-expires-soon', 'An operation token expires after an hour.', { ttl: hour }),
  ofTokens('operation-token-delete-keeps', 'Deleting an operation token succeeds, but the token stays valid.', {
    deletionEnds: 'none',
  }),
  ofTokens(
    'operation-token-delete-keeps-all-but-the-newest',
    'Deleting an operation token succeeds, but only the newest one ends.',
    {
      deletionEnds: 'the given one if it is the newest',
    },
  ),
  ofTokens('operation-token-delete-ends-all', 'Deleting one operation token ends all of them.', {
    deletionEnds: 'every one',
  }),
  ofTokens(
    'operation-token-delete-of-any-value',
    'A deletion with a text that is not an operation token ends all operation tokens.',
    {
      deletionOfFalse: 'ends every',
    },
  ),
  ofTokens('operation-token-delete-without-token', 'A deletion without an operation token ends all operation tokens.', {
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
  ofKeys('public-key-is-not-returned', 'The reply to generate-public-key contains no key.', { replyHasKey: false }),
  ofKeys(
    'public-key-with-private-key',
    'The reply to generate-public-key contains the private key in an additional field.',
    {
      privateKey: 'named',
    },
  ),
  ofKeys('public-key-with-private-pem', 'The reply to generate-public-key contains the key pair as PEM.', {
    privateKey: 'pem',
  }),
  ofKeys('public-key-token-is-refused', 'Tokens that are encrypted to a public key are refused.', {
    decryption: 'refused',
  }),
  ofKeys(
    'public-key-token-works-anywhere',
    'A cluster can use a token that was encrypted to the public key of another cluster.',
    {
      encryptedTo: 'a key that all have',
    },
  ),
  ofKeys('public-key-before-1-3', 'The endpoint generate-public-key exists before version 1.3.', { since: '0.0.0' }),
  ofKeys('public-key-absent-at-1-3', 'The endpoint generate-public-key does not exist in version 1.3.0.', {
    since: '1.3.1',
  }),
] as const

export const keyFaults: readonly Mutant<CeremonyTables>[] = replicationKinds.flatMap((kind) =>
  ofEachKind.map((of) => of(kind)),
)
