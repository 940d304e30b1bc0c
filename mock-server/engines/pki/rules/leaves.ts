/** The rules for storing certificates of roles, and for returning them (document 2, Role, and issue). */

import { seam } from '../../../kernel/seam.ts'
import type { Role, Views } from '../store.ts'
import type { AltNames } from '../x509/alt-names.ts'

/** Seam: the engine acts on a role as it was written. */
export const actedOn = seam((role: Role): Role => role)

/** What is possible later with a certificate that its role does not store. */
export const unstored: Views = { listed: false, read: false, revoked: false }

export const leases = {
  issue: true,
  sign: true,
  unstored: false,
}

/** If true, a certificate with a lease is stored even if its role does not store certificates. */
export const leaseStores = false as boolean

/** The basic constraints of certificates that do not belong to a CA. */
export const leafConstraints = { ca: false }

/** Returns which values a CSR provides instead of the fields of the request. */
export const csrSources = (role: Role): { readonly commonName: boolean; readonly names: boolean } => ({
  commonName: role.use_csr_common_name,
  names: role.use_csr_sans,
})

/** Whether a request without a common name is refused, whatever other names it has. */
export const needsCommonName = (role: Role, _names: AltNames): boolean => role.require_cn

/** Seam: the common name of the request is used, whatever the role requires. */
export const askedName = seam((name: string, _role: Role): string => name)
