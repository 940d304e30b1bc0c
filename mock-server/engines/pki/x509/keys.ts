/** Makes and reads keys, and writes them in the formats of private keys. */
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  type ECDH,
  generateKeyPair,
  hash,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import { bitString, contextTag, integer, nothing, octets, sequence } from './der.ts'
import { algorithms, type CurveBits, curves, koblitzCurves, oidBytes } from './oids.ts'
import { pem } from './pem.ts'
import { Malformed, members, readBits, readOne, tags } from './reader.ts'

export type KeyType = 'rsa' | 'ec'
export type CurveKind = 'nist' | 'koblitz'

export interface KeyPair {
  readonly type: KeyType
  readonly bits: number
  /** The SubjectPublicKeyInfo. */
  readonly spki: Buffer
  /** PKCS#1 for RSA, SEC 1 for EC. */
  readonly traditional: Buffer
}

/** One object per curve generates all keys. Each new key replaces the one before. */
const makers = new Map<string, ECDH>()

function makerOf(curve: string): ECDH {
  const maker = makers.get(curve) ?? createECDH(curve)
  makers.set(curve, maker)
  return maker
}

/** Generates an EC key as bytes, which is twelve times faster than to create a key object for each request. */
export function generateEc(bits: CurveBits, kind: CurveKind = 'nist'): KeyPair {
  const curve = (kind === 'koblitz' ? koblitzCurves[bits] : undefined) ?? curves[bits]
  const maker = makerOf(curve.name)
  const point = maker.generateKeys()
  const number = maker.getPrivateKey()
  const size = Math.ceil(bits / 8)
  const secret = Buffer.alloc(size)
  secret.set(number, size - number.length)
  const spki = sequence(sequence(oidBytes(algorithms.ec), oidBytes(curve.oid)), bitString(point))
  const traditional = sequence(
    integer(1),
    octets(secret),
    contextTag(0, oidBytes(curve.oid)),
    contextTag(1, bitString(point)),
  )
  return { type: 'ec', bits, spki, traditional }
}

const generateRsaPair = promisify(generateKeyPair)

/** Generates an RSA key in another thread. The caller limits how many are generated at a time. */
export async function generateRsa(bits: number): Promise<KeyPair> {
  const { publicKey, privateKey } = await generateRsaPair('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs1', format: 'der' },
  })
  return { type: 'rsa', bits, spki: publicKey, traditional: privateKey }
}

const labels = { rsa: 'RSA PRIVATE KEY', ec: 'EC PRIVATE KEY' } as const

export const traditionalPem = (key: KeyPair): string => pem(labels[key.type], key.traditional)
/** Returns an EC key with a block of parameters before it, as OpenSSL writes EC keys. */
export function pemWithParameters(key: KeyPair): string {
  const [, curve] = members(members(readOne(key.spki, tags.sequence))[0])
  return `${pem('EC PARAMETERS', curve?.bytes ?? nothing)}\n${traditionalPem(key)}`
}
export const pkcs8Pem = (key: KeyPair): string => pem('PRIVATE KEY', pkcs8(key))

/** Wraps the traditional form in PKCS#8 (RFC 5208). */
export function pkcs8(key: KeyPair): Buffer {
  const algorithm = members(readOne(key.spki, tags.sequence))[0]?.bytes ?? nothing
  return sequence(integer(0), algorithm, octets(key.traditional))
}

export const privateObject = (key: KeyPair): KeyObject =>
  createPrivateKey({ key: key.traditional, format: 'der', type: key.type === 'rsa' ? 'pkcs1' : 'sec1' })

/** Returns the SHA-1 of the bits of the public key (RFC 5280, 4.2.1.2, method 1). */
export function keyIdOf(spki: Buffer): Buffer {
  return hash('sha1', readBits(members(readOne(spki, tags.sequence))[1]), 'buffer')
}

export interface PublicKey {
  readonly type: KeyType
  readonly bits: number
  readonly object: KeyObject
}

/** Reads a public key: RSA, or EC on a curve of the rules. */
export function readPublicKey(spki: Buffer): PublicKey {
  return described(attempt('a public key', () => createPublicKey({ key: spki, format: 'der', type: 'spki' })))
}

/** Returns whether the keys are the same, however they are encoded. */
export const isSameKey = (one: Buffer, other: Buffer): boolean =>
  one.equals(other) || readPublicKey(one).object.equals(readPublicKey(other).object)

/** Reads a private key from a PEM block in any of its three forms. */
export function readPrivateKey(label: string, der: Buffer): KeyPair {
  const object = attempt('a private key', () => createPrivateKey({ key: pem(label, der), format: 'pem' }))
  const { type, bits } = described(object)
  const spki = createPublicKey(object).export({ format: 'der', type: 'spki' })
  const traditional = object.export({ format: 'der', type: type === 'rsa' ? 'pkcs1' : 'sec1' })
  return { type, bits, spki, traditional }
}

function attempt<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw new Malformed(`${what} cannot be read`)
  }
}

function described(object: KeyObject): PublicKey {
  const details = object.asymmetricKeyDetails
  if (object.asymmetricKeyType === 'rsa') return { type: 'rsa', bits: details?.modulusLength ?? 0, object }
  const known = [...Object.entries(curves), ...Object.entries(koblitzCurves)]
  const curve = known.find(([, { name }]) => name === details?.namedCurve)
  if (object.asymmetricKeyType === 'ec' && curve) return { type: 'ec', bits: Number(curve[0]), object }
  throw new Malformed('the key is neither RSA nor EC on a known curve')
}
