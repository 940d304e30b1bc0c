/** When a role allows an alternative name that is not a host name (document 2, Role). */
import { globMatches } from '../rules/name-glob.ts'
import type { OtherName } from '../x509/alt-names.ts'
import { utf8 } from '../x509/der.ts'
import { otherTypes } from './other-names.ts'

export const sanRules = {
  uriMatches: globMatches,
  /** Both parts must match; the value `*` allows any value for its OID. */
  otherMatches: (allowed: OtherName, asked: OtherName): boolean =>
    allowed.oid === asked.oid && (allowed.value === '*' || allowed.value === asked.value),
  /** A single `*` in allowed_other_sans allows any name. */
  singleStarAllowsAll: true,
  typesInRoles: otherTypes as readonly string[] | 'any',
  typesInRequests: otherTypes as readonly string[] | 'any',
  otherText: utf8,
}
