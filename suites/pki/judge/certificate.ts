/** Reads the content of a certificate or CSR as plain values. */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type * as types from '@peculiar/asn1-x509'
import { sizeBounds } from '../../../harness/vocabulary/index.ts'
import { oncePer } from '../once.ts'
import { asn1 } from './asn1.ts'
import { assertDecodable, elements, isSignedBy, oidOf } from './der.ts'
import { isNegative } from './serial.ts'

export interface OtherName {
  readonly oid: string
  readonly value: string
  /** False if the value is not a UTF8String. */
  readonly isUtf8: boolean
}

export interface Sans {
  readonly dns: readonly string[]
  readonly email: readonly string[]
  readonly ip: readonly string[]
  readonly uri: readonly string[]
  readonly other: readonly OtherName[]
}

/** The documented extensions. An absent extension is `undefined`. */
export interface Extensions {
  readonly sans: Sans
  readonly keyUsage: readonly string[] | undefined
  readonly extKeyUsage: readonly string[] | undefined
  readonly basicConstraints: { readonly ca: boolean; readonly pathLength: number | undefined } | undefined
  readonly policies: readonly string[]
  readonly permittedDns: readonly string[]
  readonly excludedDns: readonly string[]
  readonly issuerUrls: readonly string[]
  readonly ocspUrls: readonly string[]
  readonly crlUrls: readonly string[]
  /** Every extension, in order. */
  readonly listed: readonly { readonly oid: string; readonly critical: boolean }[]
  /** Returns the DER value of the extension with this OID. */
  raw(oid: string): Buffer | undefined
}

export type Subject = Readonly<Record<string, readonly string[]>>

export interface Certificate extends Extensions {
  readonly kind: 'certificate'
  readonly der: Buffer
  readonly subject: Subject
  readonly issuer: Subject
  /** Hexadecimal byte pairs without separators, lower case. */
  readonly serial: string
  readonly hasNegativeSerial: boolean
  /** Milliseconds since the epoch. */
  readonly notBefore: number
  readonly notAfter: number
  readonly publicKey: KeyObject
  /** The encoded names, for comparing them byte by byte. */
  readonly subjectDer: Buffer
  readonly issuerDer: Buffer
  isSignedBy(key: KeyObject): boolean
}

export interface SigningRequest extends Extensions {
  readonly kind: 'request'
  readonly der: Buffer
  readonly subject: Subject
  readonly publicKey: KeyObject
  isSignedBy(key: KeyObject): boolean
}

const attributeNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'common_name',
  '2.5.4.5': 'serial_number',
  '2.5.4.6': 'country',
  '2.5.4.7': 'locality',
  '2.5.4.8': 'province',
  '2.5.4.9': 'street_address',
  '2.5.4.10': 'organization',
  '2.5.4.11': 'ou',
  '2.5.4.17': 'postal_code',
}

function subjectOf(name: types.Name): Subject {
  const subject: Record<string, string[]> = {}
  for (const set of name)
    for (const { type, value } of set) {
      const key = attributeNames[type] ?? type
      subject[key] = [...(subject[key] ?? []), value.toString()]
    }
  return subject
}

/** Normalizes an IP address, so that equal addresses are equal texts. Throws if an IPv6 address is invalid. */
export const address = (text: string): string =>
  text.includes(':') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text

function otherName({ typeId, value }: types.OtherName): OtherName {
  let [inner] = elements(Buffer.from(value))
  // The value is in an explicit tag [0].
  if (inner?.tag === 0xa0) [inner] = elements(inner.content)
  return { oid: typeId, value: inner?.content.toString('utf8') ?? '', isUtf8: inner?.tag === 0x0c }
}

const urls = (names: readonly types.GeneralName[]): readonly string[] =>
  names.flatMap((name) => (name.uniformResourceIdentifier === undefined ? [] : [name.uniformResourceIdentifier]))

function sansOf(names: readonly types.GeneralName[]): Sans {
  const each = <T>(pick: (name: types.GeneralName) => T | undefined): readonly T[] =>
    names.flatMap((name) => {
      const picked = pick(name)
      return picked === undefined ? [] : [picked]
    })
  return {
    dns: each((name) => name.dNSName),
    email: each((name) => name.rfc822Name),
    ip: each((name) => name.iPAddress).map(address),
    uri: urls(names),
    other: each((name) => name.otherName).map(otherName),
  }
}

const usageNames = [
  'DigitalSignature',
  'ContentCommitment',
  'KeyEncipherment',
  'DataEncipherment',
  'KeyAgreement',
  'CertSign',
  'CRLSign',
  'EncipherOnly',
  'DecipherOnly',
] as const

function usagesOf(value: types.KeyUsage): readonly string[] {
  const bits = value.toNumber()
  return usageNames.filter((_, index) => bits & (1 << index))
}

const dnsOf = (subtrees: types.GeneralSubtrees | undefined): readonly string[] =>
  [...(subtrees ?? [])].flatMap(({ base }) => (base.dNSName === undefined ? [] : [base.dNSName]))

function extensionsOf(list: readonly types.Extension[]): Extensions {
  const asn = asn1()
  const raw = (oid: string): Buffer | undefined => {
    const found = list.find((one) => one.extnID === oid)
    return found && Buffer.from(found.extnValue.buffer)
  }
  const read = <T>(oid: string, type: new () => T): T | undefined => {
    const value = raw(oid)
    if (value) assertDecodable(value, sizeBounds.certificate.value)
    return value && asn.AsnConvert.parse(value, type)
  }
  const usage = read(asn.id_ce_keyUsage, asn.KeyUsage)
  const basic = read(asn.id_ce_basicConstraints, asn.BasicConstraints)
  const constraints = read(asn.id_ce_nameConstraints, asn.NameConstraints)
  const access = [...(read(asn.id_pe_authorityInfoAccess, asn.AuthorityInfoAccessSyntax) ?? [])]
  const points = [...(read(asn.id_ce_cRLDistributionPoints, asn.CRLDistributionPoints) ?? [])]
  const extended = read(asn.id_ce_extKeyUsage, asn.ExtendedKeyUsage)
  return {
    sans: sansOf([...(read(asn.id_ce_subjectAltName, asn.SubjectAlternativeName) ?? [])]),
    keyUsage: usage && usagesOf(usage),
    extKeyUsage: extended && [...extended],
    basicConstraints: basic && { ca: basic.cA, pathLength: basic.pathLenConstraint },
    policies: [...(read(asn.id_ce_certificatePolicies, asn.CertificatePolicies) ?? [])].map(
      (policy) => policy.policyIdentifier,
    ),
    permittedDns: dnsOf(constraints?.permittedSubtrees),
    excludedDns: dnsOf(constraints?.excludedSubtrees),
    issuerUrls: urls(access.filter((one) => one.accessMethod === asn.id_ad_caIssuers).map((one) => one.accessLocation)),
    ocspUrls: urls(access.filter((one) => one.accessMethod === asn.id_ad_ocsp).map((one) => one.accessLocation)),
    crlUrls: points.flatMap((point) => urls([...(point.distributionPoint?.fullName ?? [])])),
    listed: list.map(({ extnID, critical }) => ({ oid: extnID, critical })),
    raw,
  }
}

/** Returns the encoded issuer and subject. A version, which may be absent, a serial and an algorithm precede them. */
function namesOf(der: Buffer): Pick<Certificate, 'issuerDer' | 'subjectDer'> {
  const [body] = elements(elements(der)[0]?.content ?? Buffer.alloc(0))
  const parts = elements(body?.content ?? Buffer.alloc(0))
  const [, , issuer, , subject] = parts[0]?.tag === 0xa0 ? parts.slice(1) : parts
  return { issuerDer: issuer?.whole ?? Buffer.alloc(0), subjectDer: subject?.whole ?? Buffer.alloc(0) }
}

/** A cache of the certificates that were read last, by their bytes: all expectations of a check read the same few. */
const readLately = new Map<string, Certificate>()
const mostKept = 64
const mostKeptBytes = 16_384

/** Throws if the bytes are not a certificate. */
export function readCertificate(der: Buffer): Certificate {
  if (der.length > mostKeptBytes) return decoded(der)
  const key = der.toString('latin1')
  const certificate = readLately.get(key) ?? decoded(der)
  readLately.delete(key)
  readLately.set(key, certificate)
  const [oldest] = readLately.keys()
  if (readLately.size > mostKept && oldest !== undefined) readLately.delete(oldest)
  return certificate
}

function decoded(der: Buffer): Certificate {
  assertDecodable(der, sizeBounds.certificate.value)
  const asn = asn1()
  const { tbsCertificate: told } = asn.AsnConvert.parse(der, asn.Certificate)
  return {
    kind: 'certificate',
    der,
    subject: subjectOf(told.subject),
    issuer: subjectOf(told.issuer),
    serial: Buffer.from(told.serialNumber)
      .toString('hex')
      .replace(/^00(?=.)/, ''),
    hasNegativeSerial: isNegative(new Uint8Array(told.serialNumber)),
    notBefore: told.validity.notBefore.getTime().getTime(),
    notAfter: told.validity.notAfter.getTime().getTime(),
    publicKey: new X509Certificate(der).publicKey,
    ...namesOf(der),
    ...extensionsOf([...(told.extensions ?? [])]),
    isSignedBy: oncePer((key: KeyObject) => isSignedBy(der, key)),
  }
}

const extensionRequest = '1.2.840.113549.1.9.14'

/** Returns the extensions that a CSR requests, from its attributes. */
function requestedExtensions(attributes: Buffer | undefined): readonly types.Extension[] {
  for (const { content } of attributes ? elements(attributes) : []) {
    const [type, values] = elements(content)
    if (!type || !values || oidOf(type.content) !== extensionRequest) continue
    const asn = asn1()
    return [...asn.AsnConvert.parse(values.content, asn.Extensions)]
  }
  return []
}

/** Throws if the bytes are not a CSR. */
export function readSigningRequest(der: Buffer): SigningRequest {
  assertDecodable(der, sizeBounds.certificate.value)
  const [whole] = elements(der)
  const [told] = elements(whole?.content ?? Buffer.alloc(0))
  const [, subject, key, attributes] = elements(told?.content ?? Buffer.alloc(0))
  if (!subject || !key) throw new TypeError('no certificate signing request')
  const asn = asn1()
  return {
    kind: 'request',
    der,
    subject: subjectOf(asn.AsnConvert.parse(subject.whole, asn.Name)),
    publicKey: createPublicKey({ key: key.whole, format: 'der', type: 'spki' }),
    ...extensionsOf(requestedExtensions(attributes?.content)),
    isSignedBy: (by) => isSignedBy(der, by),
  }
}
