/** These tables take each request's names to subject and alternative names (document 2, Shared request field
 * groups). */
import { seam } from '../../../kernel/seam.ts'
import { type AltNames, noNames } from '../x509/alt-names.ts'

export type NamingOperation = 'issue' | 'sign' | 'root' | 'intermediate' | 'signIntermediate'

export interface NamingRow {
  readonly commonNameInSubject: boolean
  /** The alternative names must be allowed by the role. */
  readonly heldAgainstRole: boolean
  /** A common name that is kept out of the SANs is in the subject all the same. */
  readonly excludedInSubject: boolean
  /** The kinds of names that include the common name. */
  readonly commonNameIn: Readonly<Record<'dns' | 'email', boolean>>
  /** The kinds of names that exclude_cn_from_sans keeps the common name out of. */
  readonly excludes: Readonly<Record<'dns' | 'email', boolean>>
  /** `exclude_cn_from_sans` keeps every other name out, too, if this is true. */
  readonly excludesAll: boolean
  /** The kind of an entry of alt_names with an `@`. */
  readonly emailsAre: 'email' | 'dns'
  /** A value that is invalid for its kind is refused, or dropped. */
  readonly invalid: Readonly<Record<'ip' | 'uri', 'refused' | 'dropped'>>
  /** The names of a request that has none of the kind. */
  readonly unasked: AltNames
  /** Returns IP addresses that other fields than `ip_sans` bring. */
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
  // Seam: they bring none.
  furtherIps: seam(() => []),
}

export const naming: Readonly<Record<NamingOperation, NamingRow>> = {
  issue: row,
  sign: row,
  root: row,
  intermediate: row,
  signIntermediate: row,
}
