/** Names of custom types, which requests and roles write as `<oid>;<type>:<value>`. */
import type { OtherName } from '../x509/alt-names.ts'
import { isOid } from '../x509/der.ts'

/** The only supported types (document 2, allowed_other_sans). */
export const otherTypes: readonly string[] = ['UTF8', 'UTF-8']

/** Returns undefined if the text is not such a name. */
export function oneOtherName(entry: string, types: readonly string[] | 'any' = otherTypes): OtherName | undefined {
  const [, oid = '', type = '', value = ''] = /^([^;]*);([^:]*):(.*)$/s.exec(entry) ?? []
  return isOid(oid) && (types === 'any' || types.includes(type.toUpperCase())) ? { oid, value } : undefined
}
