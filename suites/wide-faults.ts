/** Faults that contradict more rows than one flaw should, with the reason. An excuse that is not needed is refused. */
interface WideFault {
  readonly fault: string
  readonly reason: string
}

const everyRefusal = 'Each row that states a refusal is contradicted: the request is refused, and takes effect.'
const everyOther = 'Each check that makes a second secret looks at the first, which is lost.'

export const wideFaults: readonly WideFault[] = [
  { fault: '{pki,mfa-legacy,mfa-identity}/refusals-act', reason: everyRefusal },
  { fault: '{policies,cloud,mfa-legacy,mfa-identity}/refused-write-is-kept', reason: everyRefusal },
  { fault: 'cloud/refusals-call', reason: everyRefusal },
  { fault: 'cloud/invalid-values-taken', reason: 'Each row that states the values of a field is contradicted.' },
  { fault: '{mfa-legacy,mfa-identity}/admin-generate-overwrites', reason: everyOther },
  {
    fault: '{dr,performance}-replication/{secondary-takes-no-data,secondary-takes-first-copy-only}',
    reason: 'Secondaries hold less data, and each row about their tokens, mounts and data is judged by what they hold.',
  },
  {
    fault: 'dr-replication/operation-token-is-no-good',
    reason: 'Each row about what an operation token is good for is contradicted.',
  },
  {
    fault: 'performance-replication/update-primary-disables',
    reason: 'Each row about the state after update-primary is contradicted.',
  },
  { fault: 'policies/egp-create-lags', reason: 'Each row about what a new EGP governs is contradicted at first.' },
  { fault: 'pki/request-subject-ignored', reason: 'Six endpoints and forms of the same fields are six rows.' },
  {
    fault: 'pki/{role-allowed-other-sans-refuses-utf8,drops-uri-sans,drops-other-sans}',
    reason: 'A kind of name is never issued, which contradicts each row that states when it is.',
  },
  {
    fault: 'pki/permitted-dns-domains-excluded',
    reason: 'Three endpoints and three forms of the same field are rows of their own.',
  },
  {
    fault: 'cloud/{role-update-ignored,root-not-replaced,role-not-created,static-no-key-at-first}',
    reason: 'A write has no effect, and each row about what it changes is judged by a later use.',
  },
  {
    fault: 'cloud/session-token-mfa-code-always',
    reason: 'Every request of this type without a code is refused, whatever its row is about.',
  },
  {
    fault: 'cloud/rotate-root-makes-user',
    reason: 'The provider holds a user that nobody asked for, which each check of its account sees.',
  },
  { fault: 'mfa-identity/period-is-not-kept', reason: 'Each check that stores a period reads it.' },
  { fault: 'plugin-catalog/delete-answers-a-refusal', reason: 'Each check that deletes a plugin is refused.' },
]
