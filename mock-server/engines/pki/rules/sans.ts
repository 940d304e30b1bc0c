/** These rules decide when a role allows an alternative name that is not a host name (document 2, Role). */

import { seam } from '../../../kernel/seam.ts'
import { globMatches } from '../judging/name-glob.ts'
import type { OtherName } from '../x509/alt-names.ts'
import { utf8 } from '../x509/der.ts'
import { otherTypes } from './other-names.ts'

export const sanRules = {
  // Seam: a role without allow_ip_sans forbids addresses of either version.
  forbidsIp: seam((_address: string): boolean => true),
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
