/** Encrypts text to an X25519 key: JWE in its compact form (RFC 7516) with ECDH-ES (RFC 7518, 4.6) and A256GCM. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const algorithm = 'A256GCM'
const cipher = 'aes-256-gcm'
const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')

function lengthPrefixed(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Derives a key by Concat KDF. One round is enough, because the key is as long as the digest. */
function derive(secret: Uint8Array): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  const empty = lengthPrefixed(Buffer.alloc(0))
  const info = [lengthPrefixed(Buffer.from(algorithm)), empty, empty, number(256)]
  return createHash('sha256')
    .update(Buffer.concat([number(1), secret, ...info]))
    .digest()
}

export function sealText(text: string, recipient: KeyObject): string {
  const own = generateKeyPairSync('x25519')
  const header = base64url(
    JSON.stringify({ alg: 'ECDH-ES', enc: algorithm, epk: own.publicKey.export({ format: 'jwk' }) }),
  )
  const key = derive(diffieHellman({ privateKey: own.privateKey, publicKey: recipient }))
  const iv = randomBytes(12)
  const encryption = createCipheriv(cipher, key, iv).setAAD(Buffer.from(header))
  const content = Buffer.concat([encryption.update(text), encryption.final()])
  return [header, '', ...[iv, content, encryption.getAuthTag()].map(base64url)].join('.')
}

/** Throws if the text was encrypted to another key, or was changed. */
export function openText(sealed: string, own: KeyObject): string {
  const [header = '', , iv = '', content = '', tag = ''] = sealed.split('.')
  const { epk } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly epk: JsonWebKey }
  const publicKey = createPublicKey({ key: epk, format: 'jwk' })
  const key = derive(diffieHellman({ privateKey: own, publicKey }))
  const decryption = createDecipheriv(cipher, key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
    .setAAD(Buffer.from(header))
    .setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decryption.update(Buffer.from(content, 'base64url')), decryption.final()]).toString()
}

/** The compact form has five parts, of which the second is empty. */
export const isSealedText = (text: string): boolean => /^[\w-]+\.\.[\w-]+\.[\w-]*\.[\w-]+$/.test(text)
