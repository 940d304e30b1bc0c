/** Finds certificates, CSRs, keys and CRLs in replies. The documents name few response fields, so an object without a
 * documented name is searched for in the whole reply. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { fieldOf, isObject, isSuccess, type Json, type Reply, sizeBounds } from '../../../harness/vocabulary/index.ts'
import { oncePer } from '../once.ts'
import { type Certificate, readCertificate, readSigningRequest, type SigningRequest } from './certificate.ts'
import { type RevocationList, readRevocationList } from './crl.ts'
import { assertDecodable, base64, elements, pemBlocks } from './der.ts'

/** Returns the result of `read`, or undefined if `read` throws because the bytes are something else. */
function maybe<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function* strings(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) yield* strings(item)
  else if (isObject(value)) for (const item of Object.values(value)) yield* strings(item)
}

/** Returns all strings in a JSON reply, or a bare body as one Latin-1 text, which keeps the bytes of DER intact. */
export const textsOf = (reply: Reply): readonly string[] =>
  reply.json === undefined ? [Buffer.from(reply.bytes).toString('latin1')] : [...strings(reply.json)]

const certificateLabels = ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE']

export const certificatesOf = (text: string): readonly Certificate[] =>
  pemBlocks(text)
    .filter(({ label }) => certificateLabels.includes(label))
    .flatMap(({ der }) => maybe(() => readCertificate(der)) ?? [])

/** Returns the first certificate of a PEM text, or the certificate of a text in base64 DER. */
export function certificateIn(text: string): Certificate | undefined {
  const [first] = certificatesOf(text)
  const der = base64(text)
  return first ?? (der && maybe(() => readCertificate(der)))
}

/** Returns the certificate, out of several, that a reply is about: that of the private key in the reply, otherwise the
 * only one that signed no other. */
function ownOf(among: readonly Certificate[], reply: Reply): Certificate | undefined {
  const apart = among.filter((one, at) => among.findIndex((other) => other.der.equals(one.der)) === at)
  if (apart.length < 2) return apart[0]
  const keys = keysOf(reply)
  const keyed = apart.filter((one) => keys.some((key) => isKeyOf(key, one.publicKey)))
  if (keyed.length === 1) return keyed[0]
  const ends = apart.filter((one) => !apart.some((other) => other !== one && other.isSignedBy(one.publicKey)))
  return ends.length === 1 ? ends[0] : undefined
}

const isSelfSigned = (one: Certificate): boolean => one.isSignedBy(one.publicKey)

/** Returns the field with that name, at the top level or in `data`, if it is a string. */
const textAt = (reply: Reply, name: string): string | undefined =>
  [fieldOf(reply, `/data/${name}`), fieldOf(reply, `/${name}`)].find((value) => typeof value === 'string')

/** Returns the certificate of a reply: its field `certificate`, or its bare body in PEM or DER. The documents name that
 * field for reads and bundles only, so in other replies the certificate is distinguished from those above it. */
export const certificateOf = oncePer((reply: Reply): Certificate | undefined => {
  if (!isSuccess(reply)) return undefined
  const told = textAt(reply, 'certificate')
  if (told !== undefined) {
    const among = certificatesOf(told)
    return ownOf(among, reply) ?? among[0] ?? certificateIn(told)
  }
  if (reply.json === undefined)
    return certificatesOf(reply.text)[0] ?? maybe(() => readCertificate(Buffer.from(reply.bytes)))
  const [all, keys] = [allCertificates(reply), keysOf(reply)]
  const keyed = all.find((one) => keys.some((key) => isKeyOf(key, one.publicKey)))
  return (
    keyed ??
    ownOf(
      all.filter((one) => !isSelfSigned(one)),
      reply,
    )
  )
})

const requestIn = (text: string): SigningRequest | undefined => {
  const block = pemBlocks(text).find(({ label }) => label.endsWith('CERTIFICATE REQUEST'))
  const der = block?.der ?? base64(text)
  return der && maybe(() => readSigningRequest(der))
}

/** Returns the CSR of a text in PEM or base64 DER, or nothing if the text is not a CSR. */
export const signingRequestsIn = (text: string): readonly SigningRequest[] => {
  const found = requestIn(text)
  return found ? [found] : []
}

/** Returns the CSR of a reply: its field `csr`, in PEM or base64 DER; without such a field, any text that is a CSR. */
export const signingRequestOf = oncePer((reply: Reply): SigningRequest | undefined => {
  if (!isSuccess(reply)) return undefined
  const told = textAt(reply, 'csr')
  const found = (told === undefined ? textsOf(reply) : [told]).flatMap((text) => requestIn(text) ?? [])
  return found[0]
})

export const allCertificates = oncePer((reply: Reply): readonly Certificate[] => {
  const all: Certificate[] = []
  for (const text of textsOf(reply)) {
    const listed = certificatesOf(text)
    const one = listed.length > 0 ? undefined : certificateIn(text)
    all.push(...(one ? [one] : listed))
    if (all.length >= sizeBounds.pemBlocks.value) break
  }
  return all
})

export interface FoundKey {
  readonly key: KeyObject
  /** The public half, for comparison with the key of a certificate. */
  readonly publicKey: KeyObject
  readonly encoding: 'pem' | 'der'
  readonly isPkcs8: boolean
}

const foundKey = (key: KeyObject, encoding: FoundKey['encoding'], isPkcs8: boolean): FoundKey => ({
  key,
  publicKey: createPublicKey(key),
  encoding,
  isPkcs8,
})

/** Returns whether the bytes are exactly one DER structure. Throws if they are not DER or exceed the limits. */
function isOneStructure(der: Buffer): boolean {
  assertDecodable(der, sizeBounds.certificate.value)
  return elements(der).length === 1
}

/** Returns whether the two halves of an RSA or EC key belong together. Decoders read the public half that is stored
 * beside the private one without comparing them, so a signature is made and verified. */
const isWhole = oncePer((key: KeyObject): boolean => {
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec') return true
  const data = Buffer.from('assay')
  return maybe(() => verify('sha256', data, createPublicKey(key), sign('sha256', data, key))) === true
})

/** Returns whether `other` is the public key of this private key. */
export const isKeyOf = ({ key, publicKey }: FoundKey, other: KeyObject): boolean =>
  sameKey(publicKey, other) && isWhole(key)

/** Returns the private keys of a text: PEM blocks, or DER in base64 of any known structure. */
export function keysIn(text: string): readonly FoundKey[] {
  const blocks = pemBlocks(text).filter(({ label }) => label.endsWith('PRIVATE KEY'))
  if (blocks.length > 0)
    return blocks.flatMap(({ text: block, label }) => {
      const key = block.length > sizeBounds.certificate.value * 2 ? undefined : maybe(() => createPrivateKey(block))
      return key ? [foundKey(key, 'pem', label === 'PRIVATE KEY')] : []
    })
  const der = base64(text)
  if (!der || der.length < 30 || !maybe(() => isOneStructure(der))) return []
  for (const type of ['pkcs8', 'sec1', 'pkcs1'] as const) {
    const key = maybe(() => createPrivateKey({ key: der, format: 'der', type }))
    if (key) return [foundKey(key, 'der', type === 'pkcs8')]
  }
  return []
}

/** Returns every private key anywhere in a reply; those outside of `certificate` and `csr` come first. */
export const keysOf = oncePer((reply: Reply): readonly FoundKey[] => {
  const bundled: readonly (string | undefined)[] = ['certificate', 'csr'].map((name) => textAt(reply, name))
  const texts = textsOf(reply)
  const apart = texts.filter((text) => !bundled.includes(text))
  return [...apart, ...texts.filter((text) => bundled.includes(text))].flatMap(keysIn)
})

const listLabels = ['X509 CRL', 'CRL']

/** Returns the CRL of a reply: a bare body in DER or PEM, or any field with PEM or base64 DER. */
export function revocationListOf(reply: Reply): RevocationList | undefined {
  if (!isSuccess(reply)) return undefined
  const texts = textsOf(reply)
  const block = texts.flatMap(pemBlocks).find(({ label }) => listLabels.includes(label))
  if (block) return maybe(() => readRevocationList(block.der))
  if (reply.json === undefined) return maybe(() => readRevocationList(Buffer.from(reply.bytes)))
  for (const text of texts) {
    const der = base64(text)
    const found = der && maybe(() => readRevocationList(der))
    if (found) return found
  }
  return undefined
}

const spki = oncePer((key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' }))
export const sameKey = (one: KeyObject, other: KeyObject): boolean => spki(one).equals(spki(other))
