/** Keys that belong to no CA or certificate of this server. They are generated when they are first needed. */

import { generateKeyPairSync } from 'node:crypto'
import { type CaKey, caKey } from '../../engines/pki/store.ts'
import { generateEc, type KeyPair } from '../../engines/pki/x509/keys.ts'
import { writeName } from '../../engines/pki/x509/names.ts'
import { pem } from '../../engines/pki/x509/pem.ts'
import { writeRequest } from '../../engines/pki/x509/request.ts'
import { signerOf } from '../../engines/pki/x509/signer.ts'

let ec: CaKey | undefined
let rsa: KeyPair | undefined

export function strangerKey(): CaKey {
  ec ??= caKey(generateEc(256))
  return ec
}

export function strangerPair(type: 'rsa' | 'ec'): KeyPair {
  if (type === 'ec') return strangerKey().pair
  if (!rsa) {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs1', format: 'der' },
    })
    rsa = { type: 'rsa', bits: 2048, spki: publicKey, traditional: privateKey }
  }
  return rsa
}

/** Returns a CSR for a fresh key. */
export function strangerRequest(): string {
  const pair = generateEc(256)
  const draft = { subject: writeName({ commonName: ['nobody'] }), spki: pair.spki, extensions: [] }
  return pem('CERTIFICATE REQUEST', writeRequest(draft, signerOf(pair)))
}
