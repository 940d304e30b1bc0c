/** Faults that contradict more rows than one flaw should, with the reason. An excuse that is not needed is refused. */
interface WideFault {
  readonly fault: string
  readonly reason: string
  /** True for a kind of fault that is wide on some endpoints only. */
  readonly isKind?: true
}

const everyRefusal =
  'A refusal is a reply of 4xx or 5xx with nothing changed, so each row that states a refusal is contradicted by one that acts.'

export const wideFaults: readonly WideFault[] = [
  { fault: '{pki,*-replication}/*/{ghost,accept,open-door}', reason: everyRefusal, isKind: true },
  { fault: '{pki,mfa-legacy,mfa-identity}/refusals-act', reason: everyRefusal },
  { fault: '{policies,cloud,mfa-legacy,mfa-identity}/refused-write-is-kept', reason: everyRefusal },
  { fault: 'cloud/{refusals-call,refused-role-listed}', reason: everyRefusal },
  { fault: 'cloud/{creds,sts}.provider/given-though-refused', reason: everyRefusal, isKind: true },
  {
    fault: 'cloud/invalid-values-taken',
    reason: 'Eleven fields have a row each that says which values are refused, and this fault takes all of them.',
  },
  {
    fault: 'pki/alt-names-drop-what-does-not-match',
    reason:
      'Each option of a role that matches names has a row for the names that it denies, and this fault acts under all.',
  },
]
