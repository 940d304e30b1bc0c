/** These rules decide how the names in a request become the subject and the alternative names of a certificate
 * (document 2, Shared request field groups). */

import { seam } from '../../../kernel/seam.ts'
import { type AltNames, noNames } from '../x509/alt-names.ts'

export type NamingOperation = 'issue' | 'sign' | 'root' | 'intermediate' | 'signIntermediate'

export interface NamingRow {
  readonly commonNameInSubject: boolean
  /** The alternative names must be allowed by the role. */
  readonly heldAgainstRole: boolean
  /** A common name that is excluded from the SANs is still in the subject. */
  readonly excludedInSubject: boolean
  /** The kinds of alternative names that include the common name. */
  readonly commonNameIn: Readonly<Record<'dns' | 'email', boolean>>
  /** The kinds of alternative names from which `exclude_cn_from_sans` excludes the common name. */
  readonly excludes: Readonly<Record<'dns' | 'email', boolean>>
  /** If true, `exclude_cn_from_sans` excludes all DNS names and email addresses. */
  readonly excludesAll: boolean
  /** The kind of an entry of alt_names with an `@`. */
  readonly emailsAre: 'email' | 'dns'
  /** Whether a value that is invalid for its kind is refused, or dropped. */
  readonly invalid: Readonly<Record<'ip' | 'uri', 'refused' | 'dropped'>>
  /** The names that are used if a request has no names of the kind. */
  readonly unasked: AltNames
  /** Returns the IP addresses that come from fields other than `ip_sans`. */
  readonly furtherIps: (names: AltNames, commonName: string) => readonly string[]
}

const row: NamingRow = {
  commonNameInSubject: true,
  heldAgainstRole: true,
  excludedInSubject: true,
  commonNameIn: { dns: true, email: true },
  excludes: { dns: true, email: true },
  excludesAll: false,
  emailsAre: 'email',
  invalid: { ip: 'refused', uri: 'refused' },
  unasked: noNames,
  // Seam: no other field adds an IP address.
  furtherIps: seam(() => []),
}

export const naming: Readonly<Record<NamingOperation, NamingRow>> = {
  issue: row,
  sign: row,
  root: row,
  intermediate: row,
  signIntermediate: row,
}
