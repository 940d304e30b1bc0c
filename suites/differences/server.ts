/** Legal differences that only a server itself can show. The reference server has a variation for each. */

import type { Difference } from '../../harness/vocabulary/index.ts'
import { rowsOf } from '../rows.ts'
import { rewritingData } from './bends.ts'

export const ofServer: readonly Difference[] = rowsOf<Difference>({
  'set-id-in-status': {
    says: 'A status shows the id of the set as cluster id, and paths filters go by the id of the activation token.',
    because: 'The field may be the id of the set, or that of the cluster (readings, 6).',
    areas: ['dr-replication', 'performance-replication'],
    variation: { statusClusterId: 'set' },
  },
  'set-id-alone-in-status': {
    says: 'The same, and no status shows the id of an activation token.',
    because: 'The documents name no other id in a status than the cluster id.',
    areas: ['performance-replication'],
    variation: { statusClusterId: 'set' },
    open: rewritingData(({ secondary_id: _, ...data }) => data),
  },
  'roles-change-late': {
    says: 'A change of role takes effect after its reply, and the cluster serves nothing at first.',
    because: 'The documents do not say when a trigger takes effect.',
    areas: ['dr-replication', 'performance-replication'],
    variation: { roleChanges: 'late-and-unready' },
  },
  'secondaries-keep-their-key-shares': {
    says: 'A secondary keeps the shares of its own root key.',
    because: 'The documents do not say whose root key shares complete an attempt on a DR secondary.',
    areas: ['dr-replication', 'performance-replication'],
    variation: { secondaryShares: 'own' },
    isProbed: true,
  },
  'complete-attempts-wait-for-a-cancel': {
    says: 'A complete attempt has to be cancelled before another can be started.',
    because: 'The table of attempts has no row for a start beside a complete attempt.',
    areas: ['dr-replication'],
    variation: { attemptDone: 'waits' },
  },
  'entity-ids-underlined': {
    says: 'Ids of entities begin with `ent_`, and so are no part of a host name.',
    because: 'No document says how an id of an entity is written.',
    variation: { entityIds: 'underlined' },
  },
  'lifetimes-of-three-days-at-most': {
    says: 'No certificate lives longer than three days, whatever the maximum of its mount is.',
    because: 'The maximum of the system bounds lifetimes, and the documents do not say how long it is.',
    areas: ['pki'],
    variation: { longestTtl: 'three-days' },
  },
  'lifetimes-beyond-three-days-refused': {
    says: 'The same, and a request for a longer one is refused.',
    because: 'A lifetime above the maximum is shortened or refused (readings, 14).',
    areas: ['pki'],
    variation: { longestTtl: 'three-days', longTtl: 'refused' },
  },
  'uris-without-host-refused': {
    says: 'A URI without a host, such as a URN, is refused as alternative name.',
    because: 'The documents do not say which URIs are valid.',
    areas: ['pki'],
    losses: [
      {
        check: 'pki/fields-sans/allowed-uri-sans-may-*',
        verdict: 'not-applicable',
        why: 'The check issues a certificate for a URN, because a star need not match a slash.',
      },
    ],
    variation: { hostlessUris: 'refused' },
  },
  'other-curves': {
    says: 'EC keys of 256 bits are on the curve secp256k1.',
    because: 'The documents name sizes and no curves (readings, 61).',
    areas: ['pki'],
    losses: [
      {
        check: 'pki/fields-keys/role-ec-keys-of-256-bits-are-on-the-usual-curve',
        verdict: 'warn',
        why: 'It decides the *should* that the curve is the usual one.',
      },
    ],
    variation: { curves: 'koblitz' },
  },
  'authorities-on-256-bits-only': {
    says: 'EC keys of CAs have 256 bits, and another size is refused.',
    because: 'The sizes of EC keys are examples, given for roles alone.',
    areas: ['pki'],
    variation: { caCurves: '256-bits' },
  },
  'ec-keys-behind-parameters': {
    says: 'An EC private key in PEM follows a block with the parameters of its curve, as OpenSSL writes it.',
    because: 'The parameters belong to the key, and the documents do not say how a key is written in PEM.',
    areas: ['pki'],
    variation: { ecKeysInPem: 'with-parameters' },
  },
  'revocation-lists-signed-late': {
    says: 'A new revocation list, also the first one of a CA, is served a moment after the reply to what caused it.',
    because: 'The documents do not say when a list is made.',
    areas: ['pki'],
    variation: { listsSigned: 'late' },
  },
  'longer-signature-hashes': {
    says: 'Certificates are signed with SHA-512.',
    because: 'The documents name no hash of signatures.',
    areas: ['pki'],
    variation: { signatureHash: 'sha512' },
  },
  'informative-extensions': {
    says: 'Every certificate has a further extension that only informs.',
    because: 'An informative extension widens nothing (readings, 70).',
    areas: ['pki'],
    variation: { informativeExtension: true },
  },
  'intermediates-encipher-keys': {
    says: 'Intermediates may encipher keys, although nobody asked for that.',
    because: 'The documents do not say which usages an intermediate has.',
    areas: ['pki'],
    variation: { intermediateUsages: 'key-encipherment' },
  },
  'contradicting-roles-refused': {
    says: 'A role whose fields contradict each other is refused where it is written.',
    because: 'The documents do not say when a contradiction is noticed.',
    areas: ['pki'],
    variation: { contradictingRoles: 'refused' },
  },
  'display-names-filtered': {
    says: 'Characters that a name cannot have are dropped from display names.',
    because: 'Names that a server derives may be filtered (readings, 69).',
    areas: ['cloud'],
    variation: { displayNames: 'dropped' },
  },
  'templates-without-type': {
    says: 'Templates of user names have nothing that tells users from sessions, so that a condition on it never holds.',
    because: 'The documents name the inputs `DisplayName` and `PolicyName` of a template, and no other.',
    areas: ['cloud'],
    losses: [
      {
        check: 'cloud/limits/*sts-user-name-of-*',
        verdict: 'not-verified',
        why: 'No template gives sessions names of another length than users.',
      },
      {
        check: 'cloud/limits/*-session-name-*',
        verdict: 'not-applicable',
        why: 'The session of an assumed role gets a name that the template does not make.',
      },
    ],
    variation: { templateType: 'empty' },
  },
  'keys-of-static-roles-deleted': {
    says: 'The key of a static role is deleted with the role.',
    because: 'The documents say that the user is left in place, and nothing of its key.',
    areas: ['cloud'],
    variation: { staticKeys: 'deleted' },
  },
  'adopted-users-tagged': {
    says: 'The user of a static role gets a tag.',
    because: 'A tag that a server adds widens nothing (readings, 70).',
    areas: ['cloud'],
    variation: { adoptedUsers: 'tagged' },
  },
  'first-keys-of-static-roles-late': {
    says: 'The first key of a static role is made a moment after the reply to its configuration.',
    because: 'The documents say that a credential is created at configuration, and not that the reply waits for it.',
    areas: ['cloud'],
    losses: [
      {
        check: 'cloud/errors-provider/static-role-is-refused-where-the-provider-refuses',
        verdict: 'warn',
        why: 'The refusal of the provider comes after the reply.',
      },
    ],
    variation: { firstStaticKey: 'later' },
  },
  'policy-documents-restricted': {
    says: 'Policy documents get a further statement that denies requests without TLS.',
    because: 'A statement that only restricts widens nothing (readings, 70).',
    areas: ['cloud'],
    variation: { policyDocuments: 'restricted' },
  },
  'identity-tokens-dated-back': {
    says: 'Identity tokens are valid from a minute before they are made.',
    because: 'The clock of the provider may be behind; the documents say how long a token lives.',
    areas: ['cloud'],
    variation: { identityTokens: 'dated-back' },
  },
  'identity-tokens-without-issue-time': {
    says: 'Identity tokens tell from when on they are valid, and not when they were issued.',
    because: 'A token need not tell when it was issued (RFC 7519, 4.1).',
    areas: ['cloud'],
    variation: { identityTokens: 'without-issue-time' },
  },
})
