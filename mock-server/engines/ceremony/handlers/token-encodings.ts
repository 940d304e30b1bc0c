/** How the token of an attempt is handed out: encrypted to a PGP key, or combined with a one-time password. */
import type { Random } from '../../../kernel/contracts.ts'
import { badRequest, type Refusal } from '../../../kernel/http/refusal.ts'

export interface Encoding {
  /** Empty where a PGP key is used. */
  readonly oneTimePassword: string
  /** Of the PGP key, in hex; empty where none is used. */
  readonly fingerprint: string
  encode(token: Buffer): Promise<string>
}

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Base64 of both, byte by byte: whoever has the password of the start gets the token back. */
export function combine(token: Buffer, oneTimePassword: string): string {
  const pad = Buffer.from(oneTimePassword)
  return unpadded(token.map((byte, index) => byte ^ (pad[index] ?? 0)))
}

export function withOneTimePassword(length: number, random: Random): Encoding {
  const oneTimePassword = random.token(length)
  return { oneTimePassword, fingerprint: '', encode: async (token) => combine(token, oneTimePassword) }
}

const noKey = (reason: string): Refusal => badRequest(`'pgp_key' must be the base64 of a binary public key: ${reason}`)

/** Of keys, dates do not matter: this server's clock may be ahead of the one that a key was made by. */
const whenever = null as unknown as Date

/** Base64 of a binary message, whose content is made of the token by `plaintext`. Refuses what is no public key, and one that cannot encrypt. */
export async function withPgpKey(text: string, plaintext: (token: Buffer) => Uint8Array): Promise<Encoding> {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text)) throw noKey('it is no base64')
  // It is large, and most attempts do without.
  const { createMessage, encrypt, readKey } = await import('openpgp')
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
      const message = await createMessage({ binary: new Uint8Array(plaintext(token)) })
      const encrypted = await encrypt({ message, encryptionKeys: key, format: 'binary', date: whenever })
      return Buffer.from(encrypted).toString('base64')
    },
  }
}
