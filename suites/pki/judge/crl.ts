/** Reads the content of a revocation list. */
import type { KeyObject } from 'node:crypto'
import type * as types from '@peculiar/asn1-x509'
import { sizeBounds } from '../../../harness/vocabulary/index.ts'
import { asn1 } from './asn1.ts'
import { assertDecodable, elements, isSignedBy } from './der.ts'
import { serialTextOf } from './serial.ts'

export interface RevocationList {
  /** Hexadecimal byte pairs without separators, lower case. A negative number has a minus sign. */
  readonly serials: readonly string[]
  /** Milliseconds since the epoch. */
  readonly thisUpdate: number
  readonly nextUpdate: number | undefined
  /** The number of the CRL, if it has one. */
  readonly number: bigint | undefined
  /** The encoded name, for comparing it byte by byte. */
  readonly issuerDer: Buffer
  isSignedBy(key: KeyObject): boolean
}

/** Returns the encoded issuer. A version, which may be absent, and an algorithm precede it. */
function issuerOf(der: Buffer): Buffer {
  const [body] = elements(elements(der)[0]?.content ?? Buffer.alloc(0))
  const parts = elements(body?.content ?? Buffer.alloc(0))
  return (parts[0]?.tag === 0x02 ? parts[2] : parts[1])?.whole ?? Buffer.alloc(0)
}

function numberOf(extension: types.Extension | undefined): bigint | undefined {
  const [integer] = extension ? elements(Buffer.from(extension.extnValue.buffer)) : []
  return integer && BigInt(`0x${integer.content.toString('hex') || '0'}`)
}

/** Throws if the bytes are not a CRL. */
export function readRevocationList(der: Buffer): RevocationList {
  assertDecodable(der, sizeBounds.revocationList.value)
  const asn = asn1()
  const { tbsCertList: told } = asn.AsnConvert.parse(der, asn.CertificateList)
  return {
    serials: [...(told.revokedCertificates ?? [])].map((one) => serialTextOf(Buffer.from(one.userCertificate))),
    thisUpdate: told.thisUpdate.getTime().getTime(),
    nextUpdate: told.nextUpdate?.getTime().getTime(),
    number: numberOf(told.crlExtensions?.find(({ extnID }) => extnID === asn.id_ce_cRLNumber)),
    issuerDer: issuerOf(der),
    isSignedBy: (key) => isSignedBy(der, key),
  }
}
