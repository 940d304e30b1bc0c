/** What is stored of certificates of roles, and what is returned with them (document 2, Role, and issue). */
import { seam } from '../../../kernel/seam.ts'
import type { Role, Store, Views } from '../store.ts'

/** Seam: the engine acts on a role as it was written. */
export const actedOn = seam((role: Role): Role => role)

/** A certificate that is not stored can be used later only in these ways. */
export const unstored: Views = { listed: false, read: false, revoked: false }

export const leases = {
  issue: true,
  sign: true,
  unstored: false,
  /** Revoking the lease revokes the certificate. */
  revoke: true,
}

/** A lease makes the engine store a certificate that its role does not store, if this is true. */
export const leaseStores = false as boolean

/** The basic constraints of certificates that do not belong to a CA. */
export const leafConstraints = { ca: false }

/** Returns which values a CSR provides instead of the fields of the request. */
export const csrSources = (role: Role): { readonly commonName: boolean; readonly names: boolean } => ({
  commonName: role.use_csr_common_name,
  names: role.use_csr_sans,
})

/** Seam: the common name of a request counts, whatever the role requires. */
export const askedName = seam((name: string, _role: Role): string => name)

/** Seam: the reply to issue has the same fields in every format and mount. */
export const issueReply = seam(
  (data: Readonly<Record<string, unknown>>, _format: string, _store: Store): object => data,
)
