/** Checks types and sizes of requested keys and of keys in certificate requests, and decides whether a private key is
 * returned. */
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Context } from '../context.ts'
import type { PkiRules } from '../rules/index.ts'
import type { Role } from '../store.ts'
import { type PublicKey, readPublicKey } from '../x509/keys.ts'

/** Returns the requested size, or the default size of the key type for 0. */
export function sizeOf(type: 'rsa' | 'ec', asked: number, { keys }: PkiRules): number {
  const { sizes, fallback } = keys.sizes[type]
  const bits = asked || fallback
  if (!sizes.includes(bits)) throw badRequest(`key_bits ${bits} is not a size of ${type} keys: ${sizes.join(', ')}`)
  return bits
}

/** Refuses a type and size of CA keys that this server does not generate. */
export function assertCaKey({ variation }: Pick<Context, 'variation'>, type: 'rsa' | 'ec', bits: number): void {
  if (type === 'ec' && bits !== 256 && variation().caCurves === '256-bits')
    throw badRequest(`key_bits ${bits} is not a size of EC keys of CAs here: 256`)
}

/** Returns whether the reply contains the private key, by the `type` in a generation path. Refuses an unknown type. */
export function isKeyShown(type: string | undefined): boolean {
  if (type !== 'exported' && type !== 'internal')
    throw badRequest(`${JSON.stringify(type)} is not one of exported, internal`)
  return type === 'exported'
}

/** Refuses a certificate request whose key the role does not allow. */
export function assertKeyFits(role: Role, spki: Buffer, { keys }: PkiRules): void {
  const wrong = whyNotAllowed(role, readPublicKey(spki), keys)
  if (wrong) throw badRequest(`csr: ${wrong}`)
}

function whyNotAllowed(role: Role, { type, bits }: PublicKey, { anyRsaAbove }: PkiRules['keys']): string | undefined {
  if (role.key_type === 'any')
    return type === 'rsa' && bits <= anyRsaAbove
      ? `RSA keys must exceed ${anyRsaAbove} bits; it has ${bits}`
      : undefined
  if (role.key_type !== type) return `the role requires keys of type ${role.key_type}; it has one of type ${type}`
  return bits < role.key_bits ? `the role requires keys of ${role.key_bits} bits or more; it has ${bits}` : undefined
}
