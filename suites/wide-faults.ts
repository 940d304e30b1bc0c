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
  { fault: 'mfa-identity/period-is-not-kept', reason: 'Each check that stores a period reads it.' },
  { fault: 'plugin-catalog/delete-answers-a-refusal', reason: 'Each check that deletes a plugin is refused.' },
]
