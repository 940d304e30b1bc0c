/** PGP keys for the result of an attempt. RSA, which every implementation knows. */
import { readPgpToken, testPgpKey } from '../../fixtures/replication/pgp.ts'
import type { Action } from '../../harness/vocabulary/index.ts'

interface KeyPair {
  /** Base64 of the binary key. */
  readonly publicKey: string
  readonly privateKey: string
  readonly fingerprint: string
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** A further key protects nothing either: it is made for the run. */
async function made(): Promise<KeyPair> {
  const { generateKey } = await import('openpgp')
  const userIDs = [{ name: 'TEST KEY' }]
  const { privateKey } = await generateKey({ type: 'rsa', rsaBits: 2048, userIDs, format: 'object' })
  const publicKey = privateKey.toPublic()
  return {
    publicKey: base64(publicKey.write()),
    privateKey: base64(privateKey.write()),
    fingerprint: publicKey.getFingerprint(),
  }
}

const pairs = new Map<string, Promise<KeyPair>>([['key', Promise.resolve(testPgpKey)]])

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
  return readPgpToken(message, privateKey).catch(() => undefined)
}
