/** Faults of how clusters join: activation tokens, addresses and revocation. */
import { type Change, inJoining, inTokens, ofBoth, ofKind } from './cluster-operations.ts'

/** Seconds in a hundred years. */
const neverEnds = 100 * 365 * 86_400

const accessTo =
  (access: 'token' | 'root' | 'anyone'): Change =>
  (rules) => ({ ...rules, access: { ...rules.access, 'primary/secondary-token': access } })

const tokens = [
  ofBoth('token-without-id', 'secondary-token without id issues a token.', inTokens({ idMissing: 'issued' })),
  ofBoth(
    'token-id-in-use-accepted',
    'secondary-token issues a token for the id of a connected secondary.',
    inTokens({ idInUse: 'issued' }),
  ),
  ofBoth(
    'token-ignores-default-ttl',
    'An activation token that was requested without ttl never expires.',
    inTokens({ defaultTtl: neverEnds }),
  ),
  ofBoth(
    'token-default-ttl-is-short',
    'An activation token that was requested without ttl expires after 10 minutes.',
    inTokens({ defaultTtl: 600 }),
  ),
  ofBoth('token-ignores-longer-ttl', 'A ttl above the default is reduced to the default.', inTokens({ ttl: Math.min })),
  ofBoth('token-ignores-shorter-ttl', 'A ttl below the default is raised to the default.', inTokens({ ttl: Math.max })),
  ofBoth('token-ignores-a-ttl-in-seconds', 'A ttl in seconds is ignored.', inTokens({ seconds: 'ignored' })),
  ofBoth(
    'secondary-token-gives-none',
    'secondary-token succeeds, but the reply contains no token.',
    inTokens({ gives: 'nothing' }),
  ),
  ofBoth(
    'secondary-token-ends-unused-ones',
    'secondary-token invalidates all earlier tokens that no secondary has used yet.',
    inTokens({ unusedOnes: 'ended' }),
  ),
  ofBoth(
    'secondary-token-is-plain',
    'An activation token that is requested without a public key is not wrapped.',
    inTokens({ withoutKey: 'plain' }),
  ),
  ofBoth('secondary-token-is-open', 'secondary-token is served without a client token.', accessTo('anyone')),
  ofBoth('secondary-token-without-sudo', 'secondary-token does not require sudo.', accessTo('token')),
  ofBoth(
    'secondary-token-for-a-key-without-sudo',
    'secondary-token does not require sudo if a public key is given.',
    (rules) => ({ ...rules, accessByKey: 'token' }),
  ),
  ofBoth(
    'secondary-token-needs-root',
    'secondary-token is refused for all tokens except root tokens.',
    accessTo('root'),
  ),
  ofBoth(
    'public-key-token-is-wrapped',
    'secondary-token returns a wrapped token although a public key was given.',
    (rules) => inTokens({ publicKeys: { ...rules.tokens.publicKeys, sent: 'wrapped' } })(rules),
  ),
  ofBoth('public-key-token-does-not-end', 'Credentials that are encrypted to a public key never expire.', (rules) =>
    inTokens({ publicKeys: { ...rules.tokens.publicKeys, lifetime: 'does-not-end' } })(rules),
  ),
  ofBoth(
    'public-key-token-does-not-end-unless-asked',
    'Credentials that are encrypted to a public key expire only if a ttl was given in the request.',
    (rules) => inTokens({ publicKeys: { ...rules.tokens.publicKeys, lifetime: 'ends-if-asked' } })(rules),
  ),
  ofBoth('promoted-issues-no-token', 'A promoted cluster refuses to issue tokens.', inTokens({ promoted: 'refuses' })),
].flat()

const revocations = [
  ofBoth(
    'revoke-without-id',
    'revoke-secondary without id succeeds but does nothing.',
    inTokens({ revokedIdMissing: 'ignored' }),
  ),
  ofBoth(
    'revoke-without-id-revokes-all',
    'revoke-secondary without id is refused but revokes every secondary.',
    inTokens({ revokedIdMissing: 'refused-but-ends-all' }),
  ),
  ofBoth(
    'revoke-changes-nothing',
    'revoke-secondary succeeds but revokes nothing.',
    inTokens({ revocation: 'changes-nothing' }),
  ),
  ofBoth(
    'revoked-reconnects',
    'A revoked secondary is disconnected but can connect again.',
    inTokens({ revocation: 'disconnects' }),
  ),
  ofBoth(
    'revoke-spares-who-was-given-another-token',
    'revoke-secondary succeeds but revokes nothing if the secondary got its credentials by update-primary.',
    inTokens({ revocation: 'ends-first-ones' }),
  ),
  ofBoth(
    'revoked-comes-back-with-the-next-token-of-its-id',
    'A revoked secondary can connect again, without a new token, once a token is issued for its id.',
    inTokens({ proof: 'id' }),
  ),
  ofBoth(
    'revoke-ends-unused-tokens-of-others',
    'revoke-secondary also invalidates all unused tokens, whatever their id.',
    inTokens({ revocation: 'ends-unused-too' }),
  ),
  ofKind(
    'performance',
    'revoke-spares-the-disconnected',
    'revoke-secondary succeeds but revokes nothing if the secondary is not connected.',
    inTokens({ revocation: 'ends-connected' }),
  ),
  ofBoth(
    'revoke-leaves-tokens-that-nobody-used',
    'revoke-secondary with the id of an unused token succeeds, but the token stays valid.',
    inTokens({ revocation: 'ends-used' }),
  ),
  ofBoth(
    'revoke-reaches-the-other-kind',
    'revoke-secondary revokes the secondaries with that id in both kinds of replication.',
    inTokens({ revokes: 'both-kinds' }),
  ),
  ofBoth(
    'revoke-cuts-alike',
    'revoke-secondary also revokes secondaries whose ids begin with the requested id.',
    inTokens({ revocation: 'ends-alike' }),
  ),
  ofBoth('revoke-cuts-all', 'revoke-secondary revokes every secondary.', inTokens({ revocation: 'ends-all' })),
].flat()

const invitations = [
  ofBoth(
    'enable-without-token',
    'secondary/enable without token succeeds but does nothing.',
    inJoining(({ tokenMissing }) => ({ tokenMissing: { ...tokenMissing, 'secondary/enable': 'ignored' } })),
  ),
  ofBoth(
    'enable-without-token-wipes',
    'secondary/enable without token is refused but deletes the mounts.',
    inJoining(({ tokenMissing }) => ({ tokenMissing: { ...tokenMissing, 'secondary/enable': 'refused-and-wipes' } })),
  ),
  ofBoth(
    'update-primary-without-token',
    'update-primary without the field token is treated like update-primary with a blank token.',
    inJoining(({ tokenMissing }) => ({ tokenMissing: { ...tokenMissing, 'secondary/update-primary': 'blank' } })),
  ),
  ofBoth(
    'update-primary-without-token-forgets',
    'update-primary without the field token is refused, but the primary is forgotten.',
    inJoining(({ tokenMissing }) => ({
      tokenMissing: { ...tokenMissing, 'secondary/update-primary': 'refused-and-forgets' },
    })),
  ),
  ofKind(
    'performance',
    'update-primary-without-token-wipes',
    'update-primary without the field token is refused but deletes the mounts.',
    inJoining(({ tokenMissing }) => ({
      tokenMissing: { ...tokenMissing, 'secondary/update-primary': 'refused-and-wipes' },
    })),
  ),
  ofBoth(
    'token-missing-refused-but-done',
    'Without token, secondary/enable is refused but makes a secondary, and update-primary is refused but disables.',
    inJoining(() => ({
      tokenMissing: { 'secondary/enable': 'refused-but-done', 'secondary/update-primary': 'refused-but-done' },
    })),
  ),
  ofBoth(
    'secondary-enable-joins-by-a-bad-token',
    'secondary/enable with a malformed token makes the cluster a secondary without a primary.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/enable': 'without-primary' } })),
  ),
  ofBoth(
    'secondary-enable-bad-token-wipes',
    'secondary/enable with a malformed token is refused but deletes the mounts.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/enable': 'refused-and-wipes' } })),
  ),
  ...(['secondary/enable', 'secondary/update-primary'] as const).map((trigger) =>
    ofBoth(
      `${trigger.replace('/', '-').replace('secondary-update', 'update')}-ignores-a-bad-token`,
      `${trigger} with a malformed token succeeds but does nothing.`,
      inJoining(({ malformed }) => ({ malformed: { ...malformed, [trigger]: 'ignored' } })),
    ),
  ),
  ofBoth(
    'update-primary-bad-token-forgets',
    'update-primary with a malformed token is refused, but the primary is forgotten.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/update-primary': 'refused-and-forgets' } })),
  ),
  ofKind(
    'performance',
    'update-primary-bad-token-wipes',
    'update-primary with a malformed token is refused but deletes the mounts.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/update-primary': 'refused-and-wipes' } })),
  ),
  ofBoth(
    'secondary-enable-spent-token-wipes',
    'secondary/enable with a token that was used before is refused but deletes the mounts.',
    inJoining(({ spent }) => ({ spent: { ...spent, 'secondary/enable': 'refused-and-wipes' } })),
  ),
  ofBoth(
    'update-primary-spent-token-forgets',
    'update-primary with a token that was used before is refused, but the primary is forgotten.',
    inJoining(({ spent }) => ({ spent: { ...spent, 'secondary/update-primary': 'refused-and-forgets' } })),
  ),
  ofKind(
    'performance',
    'update-primary-spent-token-wipes',
    'update-primary with a token that was used before is refused but deletes the mounts.',
    inJoining(({ spent }) => ({ spent: { ...spent, 'secondary/update-primary': 'refused-and-wipes' } })),
  ),
  ofBoth(
    'update-primary-bad-token-disables',
    'update-primary with a malformed token is refused but disables replication on the cluster.',
    inJoining(({ malformed }) => ({ malformed: { ...malformed, 'secondary/update-primary': 'refused-and-disables' } })),
  ),
  ofKind(
    'performance',
    'update-primary-refuses-encrypted-tokens',
    'update-primary refuses tokens that are encrypted to a public key.',
    inJoining(({ encrypted }) => ({ encrypted: { ...encrypted, 'secondary/update-primary': 'refused' } })),
  ),
  ofKind(
    'performance',
    'update-primary-to-another-primary-wipes',
    'update-primary with a token of another primary deletes the mounts.',
    inJoining(() => ({ moved: 'wiped' })),
  ),
  ofBoth(
    'primary-enable-remembers-the-former-address',
    'primary/enable without primary_cluster_addr uses the address of an earlier primary/enable.',
    inJoining(() => ({ clusterAddressUnset: 'former' })),
  ),
  ofBoth(
    'secondary-enable-token-of-the-other-kind-wipes',
    'secondary/enable with a token of the other kind of replication is refused but deletes the mounts.',
    inJoining(() => ({ otherKind: 'refused-and-wipes' })),
  ),
  ofBoth(
    'secondary-enable-takes-tokens-of-the-other-kind',
    'secondary/enable with a token of the other kind of replication succeeds in the requested kind.',
    inJoining(() => ({ otherKind: 'joins-in-the-kind-asked' })),
  ),
  ofBoth(
    'secondary-enable-joins-in-the-kind-of-the-token',
    'secondary/enable with a token of the other kind of replication succeeds in the kind of the token.',
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
      'When a disabled primary is enabled again, its former secondaries can follow it and keep their data.',
      inJoining(() => ({ otherSet: 'followed' })),
    ),
  ],
].flat()

export const joiningFaults = [...tokens, ...revocations, ...invitations]
