/** The deliberate faults of the engine: its tables with cells changed. */
import { authorityMutants } from './mutants/authorities.ts'
import type { PkiMutant } from './mutants/cells.ts'
import { certificateMutants } from './mutants/certificates.ts'
import { constraintMutants } from './mutants/constraints.ts'
import { formatMutants } from './mutants/formats.ts'
import { keyMutants } from './mutants/keys.ts'
import { leafMutants } from './mutants/leaves.ts'
import { lifetimeMutants } from './mutants/lifetimes.ts'
import { nameMutants } from './mutants/names.ts'
import { readMutants } from './mutants/reads.ts'
import { requestMutants } from './mutants/requests.ts'
import { revocationMutants } from './mutants/revocation.ts'
import { sanMutants } from './mutants/sans.ts'
import { subjectMutants } from './mutants/subjects.ts'
import { urlMutants } from './mutants/urls.ts'
import { usageMutants } from './mutants/usages.ts'

export const mutants: readonly PkiMutant[] = [
  ...nameMutants,
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
  ...authorityMutants,
  ...revocationMutants,
  ...readMutants,
]
