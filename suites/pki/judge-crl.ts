/** What a revocation list says. */
import 'reflect-metadata'
import type { KeyObject } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import * as asn from '@peculiar/asn1-x509'
import { isSignedBy } from './judge-der.ts'

export interface RevocationList {
  /** Hexadecimal byte pairs without separators, lower case. */
  readonly serials: readonly string[]
  /** Milliseconds since the epoch. */
  readonly thisUpdate: number
  readonly nextUpdate: number | undefined
  isSignedBy(key: KeyObject): boolean
}

/** Throws where the bytes are no CRL. */
export function readRevocationList(der: Buffer): RevocationList {
  const { tbsCertList: told } = AsnConvert.parse(der, asn.CertificateList)
  return {
    serials: [...(told.revokedCertificates ?? [])].map((one) =>
      Buffer.from(one.userCertificate)
        .toString('hex')
        .replace(/^00(?=.)/, ''),
    ),
    thisUpdate: told.thisUpdate.getTime().getTime(),
    nextUpdate: told.nextUpdate?.getTime().getTime(),
    isSignedBy: (key) => isSignedBy(der, key),
  }
}
