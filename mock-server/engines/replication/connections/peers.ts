/** How a cluster recognises others: secondaries by the secret of their token and by a certificate that it issued, the
 * primary by the certificate authority in the credentials. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Peers } from '../context.ts'
import { type ClusterCertificates, isFrom } from './cluster-certificates.ts'

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

export const peersOf = (certificates: ClusterCertificates): Peers => ({
  isSecret: (given, { secret }) => timingSafeEqual(digestOf(given), digestOf(secret)),
  isIssued: (certificate) => isFrom(certificate, [certificates.authority]),
  addresses: ({ clusterAddress }) => [clusterAddress],
  authorities: ({ trust }) => [trust.authority],
})
