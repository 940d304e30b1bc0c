/** Keys that belong to no CA or certificate of this server. They are generated when they are first needed. */
import { generateKeyPairSync } from 'node:crypto'
import { type CaKey, caKey } from '../../engines/pki/store.ts'
import { noNames } from '../../engines/pki/x509/alt-names.ts'
import { generateEc, type KeyPair } from '../../engines/pki/x509/keys.ts'
import { writeName } from '../../engines/pki/x509/names.ts'
import type { Request } from '../../engines/pki/x509/request.ts'

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

/** Returns a parsed CSR with a fresh key, for mutants that accept a request without a valid CSR. */
export const strangerRequest = (): Request => ({
  subject: writeName({ commonName: ['nobody'] }),
  spki: generateEc(256).spki,
  altNames: noNames,
  keyUsage: new Set(),
  extensions: [],
})
