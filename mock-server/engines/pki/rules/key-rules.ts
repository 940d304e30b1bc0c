/** Checks types and sizes of requested keys and of keys in certificate requests, and decides where a private key is
 * returned. */
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { Role } from '../store.ts'
import type { KeyShown } from '../tables/formats.ts'
import type { PkiTables } from '../tables/index.ts'
import type { KeyUse } from '../tables/keys.ts'
import { type PublicKey, readPublicKey } from '../x509/keys.ts'

/** Returns the requested size, or the default size of the key type for 0. */
export function sizeOf(use: KeyUse, type: 'rsa' | 'ec', asked: number, { keys }: PkiTables): number {
  const { sizes, fallback } = keys.sizes[use][type]
  const bits = asked || fallback
  if (!sizes.includes(bits)) throw badRequest(`key_bits ${bits} is not a size of ${type} keys: ${sizes.join(', ')}`)
  return bits
}

/** Refuses a type and size of CA keys that this server does not generate. */
export function assertCaKey({ variation }: Pick<Context, 'variation'>, type: 'rsa' | 'ec', bits: number): void {
  if (type === 'ec' && bits !== 256 && variation().caCurves === '256-bits')
    throw badRequest(`key_bits ${bits} is not a size of EC keys of CAs here: 256`)
}

/** Returns where the reply contains the private key, by the `type` in a generation path. Refuses an unknown type. */
export function keyShownFor(
  operation: keyof PkiTables['keyTypes'],
  type: string | undefined,
  tables: PkiTables,
): KeyShown {
  const rows = tables.keyTypes[operation]
  const row = rows[type ?? ''] ?? rows[tables.unknownKeyType ?? '']
  if (!row) throw badRequest(`${JSON.stringify(type)} is not one of ${Object.keys(rows).join(', ')}`)
  return row
}

/** Refuses a certificate request whose key the role does not allow. */
export function assertKeyFits(role: Role, spki: Buffer, { keys }: PkiTables): void {
  const fault = keyFault(role, readPublicKey(spki), keys)
  if (fault) throw badRequest(`csr: ${fault}`)
}

function keyFault(role: Role, { type, bits }: PublicKey, { any, sizes }: PkiTables['keys']): string | undefined {
  if (role.key_type !== 'any') {
    if (role.key_type !== type) return `the role requires keys of type ${role.key_type}; it has one of type ${type}`
    return bits < role.key_bits ? `the role requires keys of ${role.key_bits} bits or more; it has ${bits}` : undefined
  }
  if (!any.types.includes(type)) return `the role does not take keys of type ${type}`
  const size = role.key_bits || sizes.leaf[type].fallback
  if (any.sizeOfRole && bits !== size) return `the role requires keys of ${size} bits; it has ${bits}`
  return type === 'rsa' && bits <= any.rsaAbove
    ? `RSA keys must exceed ${any.rsaAbove} bits; it has ${bits}`
    : undefined
}
