import { authorityMutants } from './authorities.ts'
import type { PkiMutant } from './cells.ts'
import { certificateMutants } from './certificates.ts'
import { constraintMutants } from './constraints.ts'
import { formatMutants } from './formats.ts'
import { keyMutants } from './keys.ts'
import { leafMutants } from './leaves.ts'
import { lifetimeMutants } from './lifetimes.ts'
import { nameCombinationMutants } from './name-combinations.ts'
import { nameMutants } from './names.ts'
import { readMutants } from './reads.ts'
import { refusalMutants } from './refusals.ts'
import { requestMutants } from './requests.ts'
import { revocationMutants } from './revocation.ts'
import { roleMutants } from './roles.ts'
import { sanMutants } from './sans.ts'
import { subjectMutants } from './subjects.ts'
import { urlMutants } from './urls.ts'
import { usageMutants } from './usages.ts'

/** Mutants outside `certificates.ts` that many checks notice: all that judge certificates, or all with two roles. */
const sharedIds: ReadonlySet<string> = new Set([
  'pki/role-allowed-domains-array-refused',
  'pki/adds-an-ip-san',
  'pki/adds-a-dns-san',
  'pki/adds-an-email-san',
  'pki/adds-a-uri-san',
  'pki/adds-an-other-san',
  'pki/role-code-signing-flag-default-on',
  'pki/role-email-protection-flag-default-on',
  'pki/root-internal-reveals-key',
  'pki/returns-another-rsa-key',
  'pki/returns-another-ec-key',
  'pki/sign-intermediate-not-a-ca',
  'pki/sign-intermediate-signed-by-another-key',
  'pki/root-not-self-signed',
  'pki/root-generate-signs-with-another-key',
  'pki/role-write-changes-others',
  'pki/crl-serials-become-negative',
])

const ofTables: readonly PkiMutant[] = [
  ...nameMutants,
  ...nameCombinationMutants,
  ...sanMutants,
  ...usageMutants,
  ...leafMutants,
  ...certificateMutants,
  ...subjectMutants,
  ...lifetimeMutants,
  ...keyMutants,
  ...formatMutants,
  ...constraintMutants,
  ...urlMutants,
  ...requestMutants,
  ...refusalMutants,
  ...authorityMutants,
  ...revocationMutants,
  ...roleMutants,
  ...readMutants,
]

/** Every mutant of the PKI engine. */
export const pkiFaults: readonly PkiMutant[] = ofTables.map((mutant) =>
  sharedIds.has(mutant.id) ? { ...mutant, shared: true } : mutant,
)
