/** Writes the extensions of certificates and lists, and reads their common frame. */

import { type AltNames, writeAltNames } from './alt-names.ts'
import { boolean, contextTag, contextTagBytes, integer, namedBits, octets, sequence } from './der.ts'
import { accessMethods, extensions, oidBytes } from './oids.ts'
import { members, readOid, readOne, tags, type Value } from './reader.ts'

export function extension(dotted: string, critical: boolean, content: Buffer): Buffer {
  return critical
    ? sequence(oidBytes(dotted), boolean(true), octets(content))
    : sequence(oidBytes(dotted), octets(content))
}

export const basicConstraints = (ca: boolean, pathLength?: number): Buffer =>
  extension(
    extensions.basicConstraints,
    true,
    ca ? sequence(boolean(true), ...(pathLength === undefined ? [] : [integer(pathLength)])) : sequence(),
  )

export const keyUsage = (bits: ReadonlySet<number>): Buffer => extension(extensions.keyUsage, true, namedBits(bits))

export const extKeyUsage = (oids: readonly string[]): Buffer =>
  extension(extensions.extKeyUsage, false, sequence(...oids.map(oidBytes)))

export const policies = (oids: readonly string[]): Buffer =>
  extension(extensions.policies, false, sequence(...oids.map((dotted) => sequence(oidBytes(dotted)))))

/** The extension is critical if the certificate has no subject (RFC 5280, 4.2.1.6). */
export const altNames = (names: AltNames, critical: boolean): Buffer =>
  extension(extensions.altNames, critical, writeAltNames(names))

export const subjectKeyId = (id: Buffer): Buffer => extension(extensions.subjectKeyId, false, octets(id))
export const authorityKeyId = (id: Buffer): Buffer =>
  extension(extensions.authorityKeyId, false, sequence(contextTagBytes(0, id)))

/** Permits names in these domains only. */
export const nameConstraints = (domains: readonly string[]): Buffer =>
  extension(
    extensions.nameConstraints,
    true,
    sequence(contextTag(0, ...domains.map((domain) => sequence(contextTagBytes(2, Buffer.from(domain, 'latin1')))))),
  )

export interface Urls {
  readonly issuingCertificates: readonly string[]
  readonly crlDistributionPoints: readonly string[]
  readonly ocspServers: readonly string[]
}

/** Writes the URLs of the issuer, of its list and of its OCSP responders. A part that is not configured is left out. */
export function urlExtensions(urls: Urls): Buffer[] {
  const uri = (url: string): Buffer => contextTagBytes(6, Buffer.from(url, 'latin1'))
  const access = [
    ...urls.ocspServers.map((url) => sequence(oidBytes(accessMethods.ocsp), uri(url))),
    ...urls.issuingCertificates.map((url) => sequence(oidBytes(accessMethods.caIssuers), uri(url))),
  ]
  const points = urls.crlDistributionPoints.map((url) => sequence(contextTag(0, contextTag(0, uri(url)))))
  return [
    ...(access.length > 0 ? [extension(extensions.authorityAccess, false, sequence(...access))] : []),
    ...(points.length > 0 ? [extension(extensions.crlDistributionPoints, false, sequence(...points))] : []),
  ]
}

/** One extension of a certificate or request. */
export interface Extension {
  readonly oid: string
  readonly critical: boolean
  /** The bytes inside the octet string. */
  readonly content: Buffer
  readonly bytes: Buffer
}

export function readExtensions(list: Value | undefined): Extension[] {
  return members(list).map((value) => {
    const parts = members(value)
    const flag = parts[1]?.tag === tags.boolean ? parts[1] : undefined
    return {
      oid: readOid(parts[0]),
      critical: flag?.content[0] === 0xff,
      content: readOne(parts[flag ? 2 : 1]?.bytes ?? Buffer.alloc(0), tags.octets).content,
      bytes: value.bytes,
    }
  })
}
