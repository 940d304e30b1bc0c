/** Signs what the engine writes, and verifies the signatures on what it reads. */
import { type KeyObject, sign, verify } from 'node:crypto'
import { bitString, nothing, sequence } from './der.ts'
import { type KeyPair, type KeyType, privateObject, readPublicKey } from './keys.ts'
import { oidBytes, signatures } from './oids.ts'
import { Malformed, members, readOid, type Value } from './reader.ts'

/** A private key with its signature algorithm. */
export interface Signer {
  readonly algorithm: Buffer
  readonly hash: string
  readonly key: KeyObject
}

const ecHashes: Readonly<Record<number, string>> = { 384: 'sha384', 521: 'sha512' }

function algorithmOf(type: KeyType, hash: string): Buffer {
  const dotted = Object.entries(signatures).find(([, row]) => row.key === type && row.hash === hash)?.[0] ?? ''
  return sequence(oidBytes(dotted), ...(type === 'rsa' ? [nothing] : []))
}

export function signerOf(pair: KeyPair): Signer {
  const hash = pair.type === 'rsa' ? 'sha256' : (ecHashes[pair.bits] ?? 'sha256')
  return { algorithm: algorithmOf(pair.type, hash), hash, key: privateObject(pair) }
}

/** Returns the same key with another hash. */
export const signerBy = (signer: Signer, type: KeyType, hash: string): Signer => ({
  ...signer,
  ...{ hash, algorithm: algorithmOf(type, hash) },
})

/** Returns a sequence of the signed part, its algorithm and its signature. */
export const signed = (body: Buffer, signer: Signer): Buffer =>
  sequence(body, signer.algorithm, bitString(sign(signer.hash, body, signer.key)))

export function isSignedBy(spki: Buffer, body: Buffer, algorithm: Value | undefined, signature: Buffer): boolean {
  const rows: Readonly<Record<string, { hash: string; key: string }>> = signatures
  const dotted = readOid(members(algorithm)[0])
  const row = rows[dotted]
  if (!row) throw new Malformed(`the signature algorithm ${dotted} is not known`)
  const { type, object } = readPublicKey(spki)
  return row.key === type && verify(row.hash, body, object, signature)
}
