/** Names of custom types, which requests and roles write as `<oid>;<type>:<value>`. */
import type { OtherName } from '../x509/alt-names.ts'
import { isOid } from '../x509/der.ts'

/** Returns undefined if the text is not such a name. The only supported type is UTF8, also written UTF-8 (document 2,
 * allowed_other_sans). */
export function oneOtherName(entry: string): OtherName | undefined {
  const [, oid = '', value = ''] = /^([^;]*);UTF-?8:(.*)$/is.exec(entry) ?? []
  return isOid(oid) ? { oid, value } : undefined
}
