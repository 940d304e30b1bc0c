/** Mutants of how clusters join: activation tokens, addresses, revocation. */
import type { Mutant } from '../../../kernel/contracts.ts'
import type { ReplicationTables } from '../tables/index.ts'
import { type Change, inJoining, inTokens, ofBoth, ofKind } from './cells.ts'

const neverEnds = 100 * 365 * 86_400

const accessTo =
  (access: 'token' | 'root' | 'anyone'): Change =>
  (tables) => ({ ...tables, access: { ...tables.access, 'primary/secondary-token': access } })

const tokens: readonly Mutant<ReplicationTables>[] = [
  ofBoth('token-without-id', 'secondary-token without id issues a token.', inTokens({ idMissing: 'issued' })),
  ofBoth(
    'token-id-in-use-accepted',
    'secondary-token issues a token for the id of a connected secondary.',
    inTokens({ idInUse: 'issued' }),
  ),
  ofBoth(
    'token-ignores-default-ttl',
    'An activation token that was asked for without ttl does not end.',
    inTokens({ defaultTtl: neverEnds }),
  ),
  ofBoth(
    'token-default-ttl-is-short',
    'An activation token that was asked for without ttl ends after 10 minutes.',
    inTokens({ defaultTtl: 600 }),
  ),
  ofBoth('token-ignores-longer-ttl', 'A ttl above the default is cut to it.', inTokens({ ttl: Math.min })),
  ofBoth('token-ignores-shorter-ttl', 'A ttl below the default is raised to it.', inTokens({ ttl: Math.max })),
  ofBoth(
    'secondary-token-gives-none',
    'secondary-token answers a success without a token.',
    inTokens({ gives: 'nothing' }),
  ),
  ofBoth(
    'secondary-token-ends-unused-ones',
    'secondary-token ends the tokens that no secondary has used yet.',
    inTokens({ unusedOnes: 'ended' }),
  ),
  ofBoth(
    'secondary-token-is-plain',
    'An activation token for no public key is given plain, and not as a wrapping token.',
    inTokens({ withoutKey: 'plain' }),
  ),
  ofBoth('secondary-token-is-open', 'secondary-token asks for no token.', accessTo('anyone')),
  ofBoth('secondary-token-without-sudo', 'secondary-token asks no sudo.', accessTo('token')),
  ofBoth(
    'secondary-token-for-a-key-without-sudo',
    'secondary-token asks no sudo if a public key is given.',
    (tables) => ({ ...tables, accessByKey: 'token' }),
  ),
  ofBoth('secondary-token-needs-root', 'secondary-token is refused to all but root tokens.', accessTo('root')),
  ofBoth('public-key-token-is-wrapped', 'Credentials are wrapped although a public key was given.', (tables) =>
    inTokens({ publicKeys: { ...tables.tokens.publicKeys, sent: 'wrapped' } })(tables),
  ),
  ofBoth('public-key-token-does-not-end', 'Encrypted credentials can be used after their ttl.', (tables) =>
    inTokens({ publicKeys: { ...tables.tokens.publicKeys, lifetime: 'does-not-end' } })(tables),
  ),
  ofBoth(
    'public-key-token-does-not-end-unless-asked',
    'Credentials that are encrypted to a public key end by the `ttl` that was asked for, and never without one.',
    (tables) => inTokens({ publicKeys: { ...tables.tokens.publicKeys, lifetime: 'ends-if-asked' } })(tables),
  ),
  ofBoth('promoted-issues-no-token', 'A promoted cluster issues no tokens.', inTokens({ promoted: 'refuses' })),
].flat()

const revocations: readonly Mutant<ReplicationTables>[] = [
  ofBoth(
    'revoke-without-id',
    'revoke-secondary without id answers a success.',
    inTokens({ revokedIdMissing: 'ignored' }),
  ),
  ofBoth(
    'revoke-without-id-revokes-all',
    'revoke-secondary without id is refused, and every secondary is revoked.',
    inTokens({ revokedIdMissing: 'refused-but-ends-all' }),
  ),
  ofBoth('revoke-changes-nothing', 'revoke-secondary revokes nothing.', inTokens({ revocation: 'changes-nothing' })),
  ofBoth(
    'revoked-reconnects',
    'A revoked secondary is disconnected and can connect again.',
    inTokens({ revocation: 'disconnects' }),
  ),
  ofBoth(
    'revoked-comes-back-with-the-next-token-of-its-id',
    'A revoked secondary can connect again once a token was issued for its id, which it was not given.',
    inTokens({ proof: 'id' }),
  ),
  ofBoth(
    'revoke-ends-unused-tokens-of-others',
    'revoke-secondary ends the tokens that nobody has used, whatever their id is.',
    inTokens({ revocation: 'ends-unused-too' }),
  ),
  ofKind(
    'performance',
    'revoke-spares-the-disconnected',
    'revoke-secondary answers a success and revokes nothing if the secondary is not connected.',
    inTokens({ revocation: 'ends-connected' }),
  ),
  ofBoth(
    'revoke-leaves-tokens-that-nobody-used',
    'revoke-secondary answers a success for the id of a token that nobody has used, and the token can be used.',
    inTokens({ revocation: 'ends-used' }),
  ),
  ofBoth(
    'revoke-reaches-the-other-kind',
    'revoke-secondary revokes the secondary of that id in both kinds of replication.',
    inTokens({ revokes: 'both-kinds' }),
  ),
  ofBoth(
    'revoke-cuts-alike',
    'revoke-secondary also revokes secondaries whose ids begin with the one that is asked for.',
    inTokens({ revocation: 'ends-alike' }),
  ),
  ofBoth('revoke-cuts-all', 'revoke-secondary revokes every secondary.', inTokens({ revocation: 'ends-all' })),
].flat()

const invitations: readonly Mutant<ReplicationTables>[] = [
  ofBoth(
    'enable-without-token',
    'secondary/enable without token answers a success, and nothing happens.',
    inJoining(({ tokenMissing }) => ({ tokenMissing: { ...tokenMissing, 'secondary/enable': 'ignored' } })),
  ),
  ofBoth(
    'update-primary-without-token',
    'update-primary without the key token is taken like one with a blank one.',
    inJoining(({ tokenMissing }) => ({ tokenMissing: { ...tokenMissing, 'secondary/update-primary': 'blank' } })),
  ),
  ofBoth(
    'token-missing-refused-but-done',
    'Without token, secondary/enable is refused and makes a secondary without a primary, update-primary is refused and disables.',
    inJoining(() => ({
      tokenMissing: { 'secondary/enable': 'refused-but-done', 'secondary/update-primary': 'refused-but-done' },
    })),
  ),
  ofBoth(
    'secondary-enable-joins-by-a-bad-token',
    'secondary/enable makes the cluster a secondary without a primary if the token is malformed.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/enable': 'without-primary' } })),
  ),
  ofBoth(
    'secondary-enable-bad-token-wipes',
    'secondary/enable is refused if the token is malformed, and mounts are gone.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/enable': 'refused-and-wipes' } })),
  ),
  ...(['secondary/enable', 'secondary/update-primary'] as const).map((trigger) =>
    ofBoth(
      `${trigger.replace('/', '-').replace('secondary-update', 'update')}-ignores-a-bad-token`,
      `${trigger} answers a success if the token is malformed, and nothing happens.`,
      inJoining(({ malformed }) => ({ malformed: { ...malformed, [trigger]: 'ignored' } })),
    ),
  ),
  ofBoth(
    'update-primary-bad-token-forgets',
    'update-primary is refused if the token is malformed, and the primary is forgotten.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/update-primary': 'refused-and-forgets' } })),
  ),
  ofBoth(
    'secondary-enable-spent-token-wipes',
    'secondary/enable is refused if the token was used before, and mounts are gone.',
    inJoining(({ spent }) => ({ spent: { ...spent, 'secondary/enable': 'refused-and-wipes' } })),
  ),
  ofBoth(
    'update-primary-spent-token-forgets',
    'update-primary is refused if the token was used before, and the primary is forgotten.',
    inJoining(({ spent }) => ({ spent: { ...spent, 'secondary/update-primary': 'refused-and-forgets' } })),
  ),
  ofBoth(
    'update-primary-bad-token-disables',
    'update-primary is refused if the token is malformed, and the cluster is disabled.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/update-primary': 'refused-and-disables' } })),
  ),
  ofKind(
    'performance',
    'update-primary-refuses-encrypted-tokens',
    'update-primary takes no token that was encrypted to a public key.',
    inJoining(({ encrypted }) => ({ encrypted: { ...encrypted, 'secondary/update-primary': 'refused' } })),
  ),
  ofKind(
    'performance',
    'update-primary-to-another-primary-wipes',
    'update-primary clears the data if the token is that of another primary.',
    inJoining(() => ({ moved: 'wiped' })),
  ),
  ofBoth(
    'primary-enable-remembers-the-former-address',
    'Without primary_cluster_addr, primary/enable gives secondaries the one of an earlier primary/enable.',
    inJoining(() => ({ clusterAddressUnset: 'former' })),
  ),
  ofBoth(
    'secondary-enable-token-of-the-other-kind-wipes',
    'secondary/enable is refused if the token is of the other kind of replication, and mounts are gone.',
    inJoining(() => ({ otherKind: 'refused-and-wipes' })),
  ),
  ofBoth(
    'secondary-enable-takes-tokens-of-the-other-kind',
    'secondary/enable makes the cluster a secondary if the token is of the other kind of replication.',
    inJoining(() => ({ otherKind: 'joins-in-the-kind-asked' })),
  ),
  ofBoth(
    'secondary-enable-joins-in-the-kind-of-the-token',
    'secondary/enable makes the cluster a secondary in the other kind of replication if the token is of that kind.',
    inJoining(() => ({ otherKind: 'joins-in-its-own-kind' })),
  ),
  ofBoth(
    'secondary-enable-ignores-api-addr',
    'secondary/enable ignores primary_api_addr.',
    inJoining(({ heedsApiAddress }) => ({ heedsApiAddress: { ...heedsApiAddress, 'secondary/enable': false } })),
  ),
  ofBoth(
    'update-primary-ignores-api-addr',
    'update-primary ignores primary_api_addr.',
    inJoining(({ heedsApiAddress }) => ({
      heedsApiAddress: { ...heedsApiAddress, 'secondary/update-primary': false },
    })),
  ),
  ofBoth(
    'primary-enable-ignores-cluster-addr',
    'primary_cluster_addr of primary/enable does not reach secondaries.',
    inJoining(({ heedsClusterAddress }) => ({
      heedsClusterAddress: { ...heedsClusterAddress, 'primary/enable': false },
    })),
  ),
  ofBoth(
    'promote-ignores-cluster-addr',
    'primary_cluster_addr of promote does not reach secondaries.',
    inJoining(({ heedsClusterAddress }) => ({
      heedsClusterAddress: { ...heedsClusterAddress, 'secondary/promote': false },
    })),
  ),
  [
    ofKind(
      'performance',
      'update-primary-takes-a-secondary-of-a-former-set',
      'A primary that was disabled and enabled again takes its former secondaries without a wipe.',
      inJoining(() => ({ otherSet: 'followed' })),
    ),
  ],
].flat()

export const joiningFaults: readonly Mutant<ReplicationTables>[] = [...tokens, ...revocations, ...invitations]
