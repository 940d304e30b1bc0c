/** These rules decide when a role allows an alternative name that is not a host name (document 2, Role). */
import { globMatches } from '../judging/name-glob.ts'
import type { OtherName } from '../x509/alt-names.ts'

export const sanRules = {
  uriMatches: globMatches,
  /** Both parts must match; the value `*` allows any value for its OID. */
  otherMatches: (allowed: OtherName, asked: OtherName): boolean =>
    allowed.oid === asked.oid && (allowed.value === '*' || allowed.value === asked.value),
}
