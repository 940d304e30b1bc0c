/** PGP keys for the result of an attempt. They are made for the run and protect nothing. RSA, which every implementation
 * knows. */
import { decrypt, generateKey, type PrivateKey, readMessage } from 'openpgp'
import type { Action } from '../../harness/vocabulary/index.ts'

interface KeyPair {
  /** Base64 of the binary key. */
  readonly publicKey: string
  readonly fingerprint: string
  readonly privateKey: PrivateKey
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

async function made(): Promise<KeyPair> {
  const { privateKey } = await generateKey({
    type: 'rsa',
    rsaBits: 2048,
    userIDs: [{ name: 'Assay test key' }],
    format: 'object',
  })
  const publicKey = privateKey.toPublic()
  return { publicKey: base64(publicKey.write()), fingerprint: publicKey.getFingerprint(), privateKey }
}

const pairs = new Map<string, Promise<KeyPair>>()

/** One pair by each name, for all checks. */
export function pairOf(name: string): Promise<KeyPair> {
  const pair = pairs.get(name) ?? made()
  pairs.set(name, pair)
  return pair
}

/** `{as}` is a PGP public key in base64. */
export const pgpKey = (as: string): Action => ({
  kind: 'action',
  words: `\`${as}\` is a PGP public key`,
  touches: [],
  provides: [as],
  async run(scope) {
    scope.save(as, (await pairOf(as)).publicKey)
  },
})

/** What the message holds; undefined where it is no message for that key. */
export async function decryptedBy(name: string, message: string): Promise<string | undefined> {
  const { privateKey } = await pairOf(name)
  try {
    const read = await readMessage({ binaryMessage: Buffer.from(message, 'base64') })
    const { data } = await decrypt({ message: read, decryptionKeys: privateKey, format: 'binary' })
    return Buffer.from(data as Uint8Array).toString()
  } catch {
    return undefined
  }
}
