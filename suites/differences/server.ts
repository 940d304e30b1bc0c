/** Differences that only a server itself can show: the reference server has a variation for each. */
import type { Difference } from '../../harness/vocabulary/index.ts'
import { rewritingData } from './bends.ts'

export const ofServer: readonly Difference[] = [
  {
    id: 'set-id-in-status',
    says: 'A status shows the id of the set as cluster id, and paths filters go by the id of the activation token.',
    because: 'The field may be the id of the set, or that of the cluster (readings, 6).',
    areas: ['dr-replication', 'performance-replication'],
    variation: { statusClusterId: 'set' },
  },
  {
    id: 'set-id-alone-in-status',
    says: 'The same, and no status shows the id of an activation token.',
    because: 'The documents name no other id in a status than the cluster id.',
    areas: ['performance-replication'],
    variation: { statusClusterId: 'set' },
    open: rewritingData(({ secondary_id: _, ...data }) => data),
  },
  {
    id: 'roles-change-late',
    says: 'A change of role takes effect after its reply, and the cluster serves nothing at first.',
    because: 'The documents do not say when a trigger takes effect.',
    areas: ['dr-replication', 'performance-replication'],
    variation: { roleChanges: 'late-and-unready' },
  },
  {
    id: 'complete-attempts-wait-for-a-cancel',
    says: 'A complete attempt has to be cancelled before another can be started.',
    because: 'The table of attempts has no row for a start beside a complete attempt.',
    areas: ['dr-replication'],
    variation: { attemptDone: 'waits' },
  },
  {
    id: 'other-curves',
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
  {
    id: 'longer-signature-hashes',
    says: 'Certificates are signed with SHA-512.',
    because: 'The documents name no hash of signatures.',
    areas: ['pki'],
    variation: { signatureHash: 'sha512' },
  },
  {
    id: 'informative-extensions',
    says: 'Every certificate has a further extension that only informs.',
    because: 'An informative extension widens nothing (readings, 70).',
    areas: ['pki'],
    variation: { informativeExtension: true },
  },
  {
    id: 'intermediates-encipher-keys',
    says: 'Intermediates may encipher keys, although nobody asked for that.',
    because: 'The documents do not say which usages an intermediate has.',
    areas: ['pki'],
    variation: { intermediateUsages: 'key-encipherment' },
  },
  {
    id: 'contradicting-roles-refused',
    says: 'A role whose fields contradict each other is refused where it is written.',
    because: 'The documents do not say when a contradiction is noticed.',
    areas: ['pki'],
    variation: { contradictingRoles: 'refused' },
  },
  {
    id: 'display-names-filtered',
    says: 'Characters that a name cannot have are dropped from display names.',
    because: 'Names that a server derives may be filtered (readings, 69).',
    areas: ['cloud'],
    variation: { displayNames: 'dropped' },
  },
  {
    id: 'keys-of-static-roles-deleted',
    says: 'The key of a static role is deleted with the role.',
    because: 'The documents say that the user is left in place, and nothing of its key.',
    areas: ['cloud'],
    variation: { staticKeys: 'deleted' },
  },
  {
    id: 'adopted-users-tagged',
    says: 'The user of a static role gets a tag.',
    because: 'A tag that a server adds widens nothing (readings, 70).',
    areas: ['cloud'],
    variation: { adoptedUsers: 'tagged' },
  },
  {
    id: 'identity-tokens-dated-back',
    says: 'Identity tokens are valid from a minute before they are made.',
    because: 'The clock of the provider may be behind; the documents say how long a token lives.',
    areas: ['cloud'],
    variation: { identityTokens: 'dated-back' },
  },
  {
    id: 'identity-tokens-without-issue-time',
    says: 'Identity tokens tell from when on they are valid, and not when they were issued.',
    because: 'A token need not tell when it was issued (RFC 7519, 4.1).',
    areas: ['cloud'],
    variation: { identityTokens: 'without-issue-time' },
  },
]
