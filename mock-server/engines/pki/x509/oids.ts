/** The object identifiers that this engine writes and reads, each with its encoded form. */
import { oid } from './der.ts'

export const algorithms = { rsa: '1.2.840.113549.1.1.1', ec: '1.2.840.10045.2.1' } as const

export const curves = {
  224: { name: 'secp224r1', oid: '1.3.132.0.33' },
  256: { name: 'prime256v1', oid: '1.2.840.10045.3.1.7' },
  384: { name: 'secp384r1', oid: '1.3.132.0.34' },
  521: { name: 'secp521r1', oid: '1.3.132.0.35' },
} as const

/** Less usual curves of the same sizes. */
export const koblitzCurves: Readonly<Record<number, { readonly name: string; readonly oid: string }>> = {
  256: { name: 'secp256k1', oid: '1.3.132.0.10' },
}

export type CurveBits = keyof typeof curves

/** The hash and the key type of each signature algorithm. */
export const signatures = {
  '1.2.840.113549.1.1.5': { hash: 'sha1', key: 'rsa' },
  '1.2.840.113549.1.1.11': { hash: 'sha256', key: 'rsa' },
  '1.2.840.113549.1.1.12': { hash: 'sha384', key: 'rsa' },
  '1.2.840.113549.1.1.13': { hash: 'sha512', key: 'rsa' },
  '1.2.840.10045.4.1': { hash: 'sha1', key: 'ec' },
  '1.2.840.10045.4.3.1': { hash: 'sha224', key: 'ec' },
  '1.2.840.10045.4.3.2': { hash: 'sha256', key: 'ec' },
  '1.2.840.10045.4.3.3': { hash: 'sha384', key: 'ec' },
  '1.2.840.10045.4.3.4': { hash: 'sha512', key: 'ec' },
} as const satisfies Record<string, { hash: string; key: 'rsa' | 'ec' }>

/** The attributes of a distinguished name, in the order in which they are written. */
export const attributes = {
  country: '2.5.4.6',
  organization: '2.5.4.10',
  ou: '2.5.4.11',
  locality: '2.5.4.7',
  province: '2.5.4.8',
  streetAddress: '2.5.4.9',
  postalCode: '2.5.4.17',
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
} as const

export type Attribute = keyof typeof attributes

export const extensions = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  altNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlNumber: '2.5.29.20',
  deltaIndicator: '2.5.29.27',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  policies: '2.5.29.32',
  authorityKeyId: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  authorityAccess: '1.3.6.1.5.5.7.1.1',
} as const

export const accessMethods = { ocsp: '1.3.6.1.5.5.7.48.1', caIssuers: '1.3.6.1.5.5.7.48.2' } as const

/** The attribute of a certificate request that asks for extensions. */
export const extensionRequest = '1.2.840.113549.1.9.14'

const encoded = new Map<string, Buffer>()
for (const table of [algorithms, attributes, extensions, accessMethods])
  for (const dotted of Object.values(table)) encoded.set(dotted, oid(dotted))
for (const curve of Object.values(curves)) encoded.set(curve.oid, oid(curve.oid))

/** Returns the encoded identifier. Most of those in the rules above are encoded only once. */
export const oidBytes = (dotted: string): Buffer => encoded.get(dotted) ?? oid(dotted)
