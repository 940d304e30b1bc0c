/** Encodes the token of an attempt: the token is encrypted to a PGP key, or combined with a one-time password. */
import type { Random } from '../../../kernel/contracts.ts'
import { badRequest, type Refusal } from '../../../kernel/http/refusal.ts'
import { optionalPackage } from '../../../kernel/optional-package.ts'

export interface Encoding {
  /** Empty if a PGP key is used. */
  readonly oneTimePassword: string
  /** The fingerprint of the PGP key, in hexadecimal; empty if none is used. */
  readonly fingerprint: string
  encode(token: Buffer): Promise<string>
}

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Combines both by XOR and encodes the result in base64. Whoever has the one-time password can reverse this. */
export function combine(token: Buffer, oneTimePassword: string): string {
  const pad = Buffer.from(oneTimePassword)
  return unpadded(token.map((byte, index) => byte ^ (pad[index] ?? 0)))
}

export function withOneTimePassword(length: number, random: Random): Encoding {
  const oneTimePassword = random.token(length)
  return { oneTimePassword, fingerprint: '', encode: async (token) => combine(token, oneTimePassword) }
}

/** The caller has the one-time password already, so no reply shows it. */
export const withGivenPassword = (given: string): Encoding => ({
  ...{ oneTimePassword: '', fingerprint: '', encode: async (token) => combine(token, given) },
})

const noKey = (reason: string): Refusal => badRequest(`'pgp_key' must be the base64 of a binary public key: ${reason}`)

/** Makes the library ignore the dates of keys, because the clock of this machine may differ from the clock that dated a
 * key. */
const whenever = null as unknown as Date

/** Returns an encoding that encrypts to a public key, which is given in base64. Refuses an invalid public key, and one
 * that cannot encrypt. */
export async function withPgpKey(text: string): Promise<Encoding> {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text)) throw noKey('it is not base64')
  // The library is loaded on first use, because it is large and most attempts do not need it.
  const { createMessage, encrypt, readKey } = await optionalPackage('openpgp', 'pgp_key', () => import('openpgp'))
  const key = await readKey({ binaryKey: new Uint8Array(Buffer.from(text, 'base64')) }).catch((error: Error) => {
    throw noKey(error.message)
  })
  if (key.isPrivate()) throw noKey('it is a private key')
  await key.getEncryptionKey(undefined, whenever).catch((error: Error) => {
    throw noKey(error.message)
  })
  return {
    oneTimePassword: '',
    fingerprint: key.getFingerprint(),
    async encode(token) {
      const message = await createMessage({ binary: new Uint8Array(token) })
      const encrypted = await encrypt({ message, encryptionKeys: key, format: 'binary', date: whenever })
      return Buffer.from(encrypted).toString('base64')
    },
  }
}
