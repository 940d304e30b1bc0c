import { ofAuthorities } from './authorities.ts'
import { ofCertificates } from './certificates.ts'
import { ofConstraints } from './constraints.ts'
import { ofCsrValues } from './csr-values.ts'
import { ofFormats } from './formats.ts'
import { ofKeys } from './keys.ts'
import { ofLeaves } from './leaves.ts'
import { ofLifetimes } from './lifetimes.ts'
import { ofNameCombinations } from './name-combinations.ts'
import { ofNames } from './names.ts'
import type { PkiFault } from './pki-operations.ts'
import { ofReads } from './reads.ts'
import { ofRefusals } from './refusals.ts'
import { ofRequests } from './requests.ts'
import { ofRevocation } from './revocation.ts'
import { ofRoles } from './roles.ts'
import { ofSans } from './sans.ts'
import { ofSubjects } from './subjects.ts'
import { ofUrls } from './urls.ts'
import { ofUsages } from './usages.ts'

/** Faults outside `certificates.ts` that many checks notice: all that judge certificates, or all with two roles. */
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

const all: readonly PkiFault[] = [
  ...ofNames,
  ...ofNameCombinations,
  ...ofSans,
  ...ofUsages,
  ...ofLeaves,
  ...ofCertificates,
  ...ofSubjects,
  ...ofLifetimes,
  ...ofKeys,
  ...ofFormats,
  ...ofConstraints,
  ...ofCsrValues,
  ...ofUrls,
  ...ofRequests,
  ...ofRefusals,
  ...ofAuthorities,
  ...ofRevocation,
  ...ofRoles,
  ...ofReads,
]

export const pkiFaults: readonly PkiFault[] = all.map((fault) =>
  sharedIds.has(fault.id) ? { ...fault, shared: true } : fault,
)
