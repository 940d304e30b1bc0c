/** The issuers and keys of a mount. The CA of the document is the default issuer; from version 1.11 on, a mount can
 * have further issuers. Ids are hashes of the certificate or the key, so they are the same after a restart. */
import { createHash } from 'node:crypto'
import { badRequest, Refusal } from '../../../kernel/http/refusal.ts'
import { isSince } from '../../../kernel/versions.ts'
import type { Context } from '../context.ts'
import {
  type CaCertificate,
  type CaKey,
  emptyList,
  type Issuer,
  type IssuerSettings,
  noUrls,
  type SignedList,
  type Store,
} from '../store.ts'
import type { Certificate } from '../x509/certificate.ts'
import { isSameKey } from '../x509/keys.ts'

export const hasIssuers = ({ facts }: Pick<Context, 'facts'>): boolean => isSince(facts.version, '1.11.0')

export interface KnownIssuer {
  readonly id: string
  readonly certificate: CaCertificate
  readonly key: CaKey | undefined
  readonly list: SignedList
  readonly isDefault: boolean
}

export interface KnownKey {
  readonly id: string
  readonly key: CaKey
}

function uuidOf(bytes: Buffer): string {
  const hex = createHash('sha256').update(bytes).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

const ids = new WeakMap<Certificate, string>()

export function issuerId({ parsed }: Pick<CaCertificate, 'parsed'>): string {
  const id = ids.get(parsed) ?? uuidOf(parsed.der)
  ids.set(parsed, id)
  return id
}

export const keyId = ({ pair }: CaKey): string => uuidOf(pair.spki)

/** Returns all issuers, the default one first. */
export function issuersOf({ ca, issuers, list }: Store): readonly KnownIssuer[] {
  const further = issuers.further.map((one) => ({ ...one, id: issuerId(one.certificate), isDefault: false }))
  if (!ca.certificate) return further
  const { certificate, key } = ca
  return [{ id: issuerId(certificate), certificate, key, list, isDefault: true }, ...further]
}

export function keysOf({ ca, issuers }: Store): readonly KnownKey[] {
  const used = [ca.key, ...issuers.further.map(({ key }) => key)].filter((key) => key !== undefined)
  const all = [...used, ...ca.requested, ...issuers.keys].map((key) => ({ id: keyId(key), key }))
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at)
}

export const nameOf = ({ issuers }: Store, id: string): string => issuers.names.get(id) ?? ''

export const findIssuerAt = (store: Store, ref: string): KnownIssuer | undefined =>
  issuersOf(store).find(({ id, isDefault }) =>
    ref === 'default' ? isDefault : id === ref || nameOf(store, id) === ref,
  )

export function issuerAt(store: Store, ref: string): KnownIssuer {
  const found = findIssuerAt(store, ref)
  if (!found) throw new Refusal('internal', { message: `unable to find PKI issuer for reference: ${ref}` })
  return found
}

export function findKeyAt(store: Store, ref: string): KnownKey | undefined {
  const standard = store.ca.key && keyId(store.ca.key)
  return keysOf(store).find(({ id }) => (ref === 'default' ? id === standard : id === ref || nameOf(store, id) === ref))
}

export function keyAt(store: Store, ref: string): KnownKey {
  const found = findKeyAt(store, ref)
  if (!found) throw new Refusal('internal', { message: `unable to find PKI key for reference: ${ref}` })
  return found
}

/** Sets the name of an issuer or key; an empty name removes it. Refuses an invalid name, and a name that is in use. */
export function rename(store: Store, kind: 'issuer' | 'key', id: string, name: string): void {
  assertName(store, kind, name, id)
  if (name === '') store.issuers.names.delete(id)
  else store.issuers.names.set(id, name)
}

export function assertName(store: Store, kind: 'issuer' | 'key', name: string, id?: string): void {
  if (name === '') return
  if (!/^\w([\w.-]*\w)?$/.test(name) || name === 'default')
    throw badRequest(`${kind}_name ${JSON.stringify(name)} is not a name for one`)
  const all = kind === 'issuer' ? issuersOf(store) : keysOf(store)
  if (all.some((one) => one.id !== id && nameOf(store, one.id) === name))
    throw badRequest(`${kind}_name ${JSON.stringify(name)} is that of another ${kind}`)
}

const usualUsage = ['crl-signing', 'issuing-certificates', 'read-only']
export const usages: readonly string[] = [...usualUsage, 'ocsp-signing']
export const usualSettings: IssuerSettings = {
  leaf_not_after_behavior: 'err',
  usage: usualUsage,
  manual_chain: [],
  revocation_signature_algorithm: '',
  urls: noUrls,
  revokedAt: undefined,
}

export const settingsOf = (store: Store, id: string): IssuerSettings => store.issuers.settings.get(id) ?? usualSettings

/** Returns the certificates above that of an issuer, in DER: those of its `manual_chain`, or else those whose subject
 * and key fit, followed by further ones that were submitted with it. */
export function chainAbove(store: Store, { id, certificate }: KnownIssuer): readonly Buffer[] {
  const chosen = settingsOf(store, id).manual_chain.filter((other) => other !== id)
  const all = issuersOf(store)
  if (chosen.length > 0)
    return chosen.flatMap((other) => all.filter((one) => one.id === other).map((one) => one.certificate.parsed.der))
  const above: CaCertificate[] = []
  const signerOf = ({ parsed }: CaCertificate) =>
    all.find(
      (one) => one.certificate.parsed.subject.equals(parsed.issuer) && parsed.isSignedBy(one.certificate.parsed.spki),
    )?.certificate
  for (let at = signerOf(certificate); at && at !== certificate && !above.includes(at); at = signerOf(at))
    above.push(at)
  const known = above.map(({ parsed }) => parsed.der)
  return [...known, ...certificate.chain.filter((der) => !known.some((other) => other.equals(der)))]
}

const findIssuer = ({ store: { ca } }: Context): Issuer | undefined =>
  ca.certificate && ca.key ? { certificate: ca.certificate, key: ca.key } : undefined

/** Finds the issuer that signs for a request. Refuses an issuer without a key, and one that may not issue
 * certificates. */
export function loadIssuer(context: Context, ref = 'default'): Issuer {
  const { store } = context
  const standard = findIssuer(context)
  // Most mounts have one issuer without settings: then neither is looked up for each certificate.
  const isAlone = store.issuers.further.length === 0 && store.issuers.settings.size === 0
  if (isAlone && ref === 'default' && standard) return standard
  if (ref === 'default' && !standard)
    throw new Refusal('internal', { message: 'backend must be configured with a CA certificate/key' })
  const known = issuerAt(store, ref)
  const settings = settingsOf(store, known.id)
  if (!known.key) throw badRequest(`the issuer ${ref} has no key in this mount`)
  if (!settings.usage.includes('issuing-certificates') || settings.revokedAt !== undefined)
    throw badRequest(`the issuer ${ref} may not issue certificates: its usage is ${settings.usage.join(', ')}`)
  const certificate = { ...known.certificate, chain: chainAbove(store, known) }
  return { certificate, key: known.key, settings: store.issuers.settings.get(known.id) }
}

/** Adds an issuer, with its key if that is known. With a key, it becomes the default if there is no default yet, or if
 * `default_follows_latest_issuer` is on. */
export function addIssuer(context: Context, certificate: CaCertificate, key: CaKey | undefined): void {
  const { store } = context
  const list = emptyList({ at: context.clock.now(), upTo: store.revocations.size })
  store.issuers.further = [...store.issuers.further, { certificate, key, list }]
  const { der, serial, notAfter } = certificate.parsed
  const stored = { der: der.toString('latin1'), notAfter }
  store.certificates.set(serial.toString('hex').replaceAll(/(..)(?!$)/g, '$1-'), stored)
  if (key && (!store.ca.certificate || store.issuers.followsLatest)) makeDefault(store, issuerId(certificate))
}

/** Makes another issuer the default. It and the former default keep their revocation lists. */
export function makeDefault(store: Store, id: string): void {
  const { ca, issuers } = store
  const chosen = issuers.further.find(({ certificate }) => issuerId(certificate) === id)
  if (!chosen) return
  const { certificate, key } = chosen
  const former = ca.certificate ? [{ certificate: ca.certificate, key: ca.key, list: store.list }] : []
  issuers.further = [...former, ...issuers.further.filter((one) => one !== chosen)]
  store.ca = { state: key ? 'present' : 'keyless', key, certificate, shown: certificate, requested: ca.requested }
  store.list = chosen.list
}

/** Finds the key of a certificate among those of the mount. */
export const keyFor = (store: Store, { spki }: Certificate): CaKey | undefined =>
  keysOf(store).find(({ key }) => isSameKey(key.pair.spki, spki))?.key

/** Assigns to each issuer without a key the matching key of the mount, if there is one. If there is no default issuer, the
 * first with a key becomes it. */
export function joinKeys(store: Store): void {
  const { ca, issuers } = store
  issuers.further = issuers.further.map((one) => ({ ...one, key: one.key ?? keyFor(store, one.certificate.parsed) }))
  const key = ca.certificate && !ca.key ? keyFor(store, ca.certificate.parsed) : undefined
  if (key) store.ca = { ...ca, key, state: 'present' }
  const usable = ca.certificate ? undefined : issuers.further.find((one) => one.key)
  if (usable) makeDefault(store, issuerId(usable.certificate))
}

/** Removes an issuer, but keeps its key. */
export function removeIssuer(store: Store, { id, key, isDefault }: KnownIssuer): void {
  const { ca, issuers } = store
  if (key) issuers.keys = [...issuers.keys, key]
  issuers.names.delete(id)
  issuers.settings.delete(id)
  if (!isDefault) issuers.further = issuers.further.filter(({ certificate }) => issuerId(certificate) !== id)
  else {
    const { requested } = ca
    const none = { key: undefined, certificate: undefined, shown: undefined }
    store.ca = { ...none, state: requested.length > 0 ? 'awaiting' : 'none', requested }
  }
}
