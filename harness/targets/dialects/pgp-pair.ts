/** A PGP key pair of this process, for ceremonies that encrypt the token instead of using a one-time password. */
export interface PgpPair {
  /** The binary public key in base64. */
  readonly publicKey: string
  /** Decrypts a message, which is armored, in base64 or in hexadecimal. Returns undefined if it is not encrypted for
   * this key. */
  read(message: string): Promise<string | undefined>
}

let pair: Promise<PgpPair> | undefined

/** Returns the same pair on each call, because generating one takes a second. It uses RSA, which every
 * implementation supports. */
export function pgpPair(): Promise<PgpPair> {
  pair ??= makePair()
  return pair
}

const longestMessage = 65_536

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64'))

async function makePair(): Promise<PgpPair> {
  // The package is large, and most runs do not need it.
  const { decrypt, generateKey, readMessage } = await import('openpgp')
  const { privateKey, publicKey } = await generateKey({
    ...{ type: 'rsa', rsaBits: 2048, userIDs: [{ name: 'assay' }], format: 'object' },
  } as const)
  return {
    publicKey: Buffer.from(publicKey.write()).toString('base64'),
    async read(message) {
      try {
        const { data } = await decrypt({
          message: await (message.trimStart().startsWith('-----BEGIN PGP MESSAGE-----')
            ? readMessage({ armoredMessage: message })
            : readMessage({ binaryMessage: bytesOf(message) })),
          decryptionKeys: privateKey,
          format: 'binary',
          config: { maxDecompressedMessageSize: longestMessage },
        })
        return Buffer.from(data).toString()
      } catch {
        return undefined
      }
    },
  }
}
